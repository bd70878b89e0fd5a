"""Decorators that keep people out."""

from __future__ import annotations

from functools import wraps

from shop.web.errors import HttpError
from shop.web.request import Request, Response
from shop.web.router import Handler


def signed_in(handler: Handler) -> Handler:
    @wraps(handler)
    def guarded(request: Request) -> Response:
        if request.customer is None:
            raise HttpError(401, "please sign in")
        return handler(request)

    return guarded


def staff_only(handler: Handler) -> Handler:
    @wraps(handler)
    def guarded(request: Request) -> Response:
        if request.customer is None or not request.customer.is_staff:
            raise HttpError(403, "staff only")
        return handler(request)

    return guarded
