"""URL patterns to handlers.

Handlers are collected per module with ``@routes.get("/path/{param}")`` and joined by the application
with ``Router.include``. A pattern is compiled once; the first that matches wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from shop.web.errors import HttpError
from shop.web.request import Request, Response

Handler = Callable[[Request], Response]


@dataclass(frozen=True)
class Route:
    method: str
    pattern: re.Pattern[str]
    handler: Handler


class Routes:
    """The routes of one module."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.collected: list[Route] = []

    def get(self, path: str) -> Callable[[Handler], Handler]:
        return self._register("GET", path)

    def post(self, path: str) -> Callable[[Handler], Handler]:
        return self._register("POST", path)

    def delete(self, path: str) -> Callable[[Handler], Handler]:
        return self._register("DELETE", path)

    def _register(self, method: str, path: str) -> Callable[[Handler], Handler]:
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.prefix + path) + r"/?$")

        def decorate(handler: Handler) -> Handler:
            self.collected.append(Route(method, pattern, handler))
            return handler

        return decorate


class Router:
    def __init__(self) -> None:
        self._routes: list[Route] = []

    def include(self, routes: Routes) -> None:
        self._routes.extend(routes.collected)

    def dispatch(self, request: Request) -> Response:
        """Finds the handler for the request and calls it; 404 and 405 are raised as HttpError."""
        allowed: set[str] = set()
        for route in self._routes:
            match = route.pattern.match(request.path)
            if match is None:
                continue
            if route.method == request.method:
                request.params = match.groupdict()
                return route.handler(request)
            allowed.add(route.method)
        if allowed:
            raise HttpError(405, f"use {' or '.join(sorted(allowed))}")
        raise HttpError(404, f"nothing at {request.path}")
