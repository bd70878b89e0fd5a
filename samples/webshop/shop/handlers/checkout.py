from __future__ import annotations

from shop.web.guards import signed_in
from shop.web.request import Request, Response
from shop.web.router import Routes

routes = Routes("/checkout")


@routes.post("")
@signed_in
def submit(request: Request) -> Response:
    services = request.services
    customer = request.customer
    assert customer is not None
    wanted = request.json()
    cart_id = f"customer-{customer.id}"
    cart = services.carts.add_voucher(cart_id, wanted["voucher"]) if "voucher" in wanted else None
    lines = services.carts.lines_of(cart_id if cart is None else cart.id)
    order = services.checkout.place_order(
        cart_id, customer, lines, wanted.get("payment", "invoice"), wanted.get("details", {}))
    return Response(201, {"number": order.number, "status": order.status.value})
