"""What a handler gets and what it gives back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shop.app import Services
    from shop.domain.customer import Customer


@dataclass
class Request:
    method: str
    path: str
    services: Services
    headers: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    remote_address: str = ""
    customer: Customer | None = None
    params: dict[str, str] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        return json.loads(self.body or b"{}")

    @property
    def cart_id(self) -> str:
        return self.cookies.get("cart", "")


@dataclass
class Response:
    status: int = 200
    payload: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> bytes:
        return b"" if self.payload is None else json.dumps(self.payload, default=str).encode()
