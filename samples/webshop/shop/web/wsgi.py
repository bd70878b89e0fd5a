"""The edge: WSGI environ in, Request out, Response back to bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from shop.web.request import Request, Response

if TYPE_CHECKING:
    from shop.app import Services


class WsgiApplication:
    def __init__(self, endpoint: Callable[[Request], Response], services: Services) -> None:
        self._endpoint = endpoint
        self._services = services

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = self._endpoint(self._request(environ))
        body = response.body()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        headers.update(response.headers)
        status = HTTPStatus(response.status)
        start_response(f"{status.value} {status.phrase}", list(headers.items()))
        return [body]

    def _request(self, environ: dict[str, Any]) -> Request:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        cookies = SimpleCookie(environ.get("HTTP_COOKIE", ""))
        return Request(
            method=environ["REQUEST_METHOD"],
            path=environ.get("PATH_INFO", "/"),
            services=self._services,
            headers={key[5:].replace("_", "-").lower(): value
                     for key, value in environ.items() if key.startswith("HTTP_")},
            query=dict(parse_qsl(environ.get("QUERY_STRING", ""))),
            cookies={name: morsel.value for name, morsel in cookies.items()},
            body=environ["wsgi.input"].read(length) if length else b"",
            remote_address=environ.get("REMOTE_ADDR", ""),
        )
