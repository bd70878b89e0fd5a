"""Calls from outside: the acquirer reports charges that settled late."""

from __future__ import annotations

import hashlib
import hmac

from shop.web.errors import HttpError
from shop.web.request import Request, Response
from shop.web.router import Routes

routes = Routes("/hooks")


@routes.post("/card")
def card_event(request: Request) -> Response:
    secret = request.services.config.card_api_key
    expected = hmac.new(secret.encode(), request.body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, request.headers.get("x-signature", "")):
        raise HttpError(400, "bad signature")
    event = request.json()
    if event["type"] == "charge.captured":
        order = request.services.orders.by_number(event["order"])
        if order is None:
            raise HttpError(404, "no such order")
        request.services.checkout.confirm(order)
    return Response(204)
