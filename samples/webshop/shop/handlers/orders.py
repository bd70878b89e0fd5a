from __future__ import annotations

from shop.domain.order import Order
from shop.web.errors import HttpError
from shop.web.guards import signed_in
from shop.web.request import Request, Response
from shop.web.router import Routes

routes = Routes("/orders")


@routes.get("")
@signed_in
def mine(request: Request) -> Response:
    assert request.customer is not None
    orders = request.services.orders.of_customer(request.customer.id)
    return Response(payload=[_shown(order) for order in orders])


@routes.get("/{number}")
@signed_in
def show(request: Request) -> Response:
    assert request.customer is not None
    order = request.services.orders.by_number(request.params["number"])
    if order is None or order.customer_id != request.customer.id:
        raise HttpError(404, "no such order")
    return Response(payload=_shown(order))


def _shown(order: Order) -> dict[str, object]:
    return {"number": order.number, "status": order.status.value, "total": order.total.cents,
            "lines": [{"sku": line.sku, "quantity": line.quantity} for line in order.lines]}
