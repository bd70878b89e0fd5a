from __future__ import annotations

from shop.domain.money import Money
from shop.domain.order import Status
from shop.web.errors import HttpError
from shop.web.guards import staff_only
from shop.web.request import Request, Response
from shop.web.router import Routes

routes = Routes("/admin")


@routes.post("/orders/{number}/refund")
@staff_only
def refund(request: Request) -> Response:
    cents = request.json().get("cents")
    order = request.services.refunds.refund(
        request.params["number"], Money(int(cents)) if cents else None)
    return Response(payload={"number": order.number, "status": order.status.value})


@routes.post("/orders/{number}/ship")
@staff_only
def ship(request: Request) -> Response:
    order = request.services.orders.by_number(request.params["number"])
    if order is None:
        raise HttpError(404, "no such order")
    request.services.orders.update(order.moved_to(Status.SHIPPED))
    return Response(204)
