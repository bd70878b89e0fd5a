"""Errors that have an HTTP status. Services raise ``ShopError``; the web turns it into one of these."""

from __future__ import annotations

from shop.domain.errors import NotEnoughStock, PaymentDeclined, ShopError, UnknownSku
from shop.web.request import Response


class HttpError(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


STATUS_OF = {
    UnknownSku: 404,
    NotEnoughStock: 409,
    PaymentDeclined: 402,
}


def to_response(error: Exception) -> Response:
    if isinstance(error, HttpError):
        return Response(error.status, {"error": error.message})
    if isinstance(error, ShopError):
        return Response(STATUS_OF.get(type(error), 400), {"error": str(error)})
    return Response(500, {"error": "something went wrong"})
