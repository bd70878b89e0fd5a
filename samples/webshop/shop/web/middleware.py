"""What happens around every request, outermost first.

A middleware takes the next endpoint and the services and returns an endpoint. ``MIDDLEWARE`` is the
order; ``wrap`` folds it.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shop.web.errors import HttpError, to_response
from shop.web.request import Request, Response
from shop.web.tokens import read_token

if TYPE_CHECKING:
    from shop.app import Services

log = logging.getLogger(__name__)
Endpoint = Callable[[Request], Response]
Middleware = Callable[[Endpoint, "Services"], Endpoint]


def tag_request(following: Endpoint, services: Services) -> Endpoint:
    def endpoint(request: Request) -> Response:
        tag = request.headers.get("x-request-id") or uuid.uuid4().hex
        started = time.monotonic()
        response = following(request)
        response.headers["X-Request-Id"] = tag
        log.info("%s %s -> %s in %.0f ms", request.method, request.path, response.status,
                 (time.monotonic() - started) * 1000)
        return response

    return endpoint


def catch_errors(following: Endpoint, services: Services) -> Endpoint:
    def endpoint(request: Request) -> Response:
        try:
            return following(request)
        except Exception as error:
            response = to_response(error)
            if response.status == 500:
                log.exception("unhandled error at %s", request.path)
            return response

    return endpoint


def limit_rate(following: Endpoint, services: Services) -> Endpoint:
    """At most ``requests_per_minute`` from one address, in a sliding window."""
    seen: dict[str, deque[float]] = defaultdict(deque)

    def endpoint(request: Request) -> Response:
        now = time.monotonic()
        window = seen[request.remote_address]
        while window and window[0] < now - 60:
            window.popleft()
        if len(window) >= services.config.requests_per_minute:
            raise HttpError(429, "too many requests, slow down")
        window.append(now)
        return following(request)

    return endpoint


def identify_customer(following: Endpoint, services: Services) -> Endpoint:
    """Sets ``request.customer`` from the bearer token or the session cookie, if it is genuine."""

    def endpoint(request: Request) -> Response:
        header = request.headers.get("authorization", "")
        token = header.removeprefix("Bearer ") or request.cookies.get("session", "")
        customer_id = read_token(token, services.config.secret_key)
        if customer_id is not None:
            request.customer = services.customers.by_id(customer_id)
        return following(request)

    return endpoint


MIDDLEWARE: Sequence[Middleware] = (tag_request, catch_errors, limit_rate, identify_customer)


def wrap(endpoint: Endpoint, middleware: Sequence[Middleware], services: Services) -> Endpoint:
    for layer in reversed(middleware):
        endpoint = layer(endpoint, services)
    return endpoint
