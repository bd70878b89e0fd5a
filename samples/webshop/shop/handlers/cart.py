from __future__ import annotations

import uuid

from shop.domain.cart import Cart
from shop.web.errors import HttpError
from shop.web.request import Request, Response
from shop.web.router import Routes
from shop.web.tokens import issue_token

routes = Routes()


@routes.post("/cart/lines")
def add_line(request: Request) -> Response:
    cart_id = request.cart_id or uuid.uuid4().hex
    wanted = request.json()
    cart = request.services.carts.add(cart_id, wanted["sku"], int(wanted.get("quantity", 1)))
    return Response(201, _shown(cart), {"Set-Cookie": f"cart={cart_id}; Path=/; HttpOnly"})


@routes.delete("/cart/lines/{sku}")
def remove_line(request: Request) -> Response:
    return Response(payload=_shown(request.services.carts.remove(request.cart_id, request.params["sku"])))


@routes.post("/session")
def sign_in(request: Request) -> Response:
    given = request.json()
    customer = request.services.customers.by_email(given.get("email", ""))
    if customer is None or not customer.knows(given.get("password", "")):
        raise HttpError(401, "wrong address or password")
    if request.cart_id:
        request.services.carts.merge_on_sign_in(request.cart_id, customer.id)
    token = issue_token(customer.id, request.services.config.secret_key)
    return Response(204, None, {"Set-Cookie": f"session={token}; Path=/; HttpOnly; SameSite=Lax"})


def _shown(cart: Cart) -> dict[str, object]:
    return {"lines": cart.lines, "voucher": cart.voucher}
