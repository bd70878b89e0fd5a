"""Arguments that several commands parse: whole numbers, and addresses to listen on."""

from __future__ import annotations

import ipaddress

from lsp_server.terminal.exits import UserError

_MAX_PORT = 65535


def whole_number(text: str) -> int | None:
    """The number given by at most nine ASCII digits, None for other text. Python's own check would
    accept ``\u00b2`` as a digit, too."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def parse_loopback(option: str, address: str) -> tuple[str, int]:
    """Host and port of a loopback address. Raises `UserError` for any other address."""
    host, _, digits = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    host = "127.0.0.1" if host == "localhost" else host
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    port = whole_number(digits)
    if port is None or port > _MAX_PORT or not is_loopback:
        raise UserError(
            f"{option} {address[:80]} is not a loopback HOST:PORT, such as 127.0.0.1:7788; other"
            " addresses are refused because there is no authentication."
        )
    return host, port


def shown_address(host: str, port: int) -> str:
    """An address as it is written in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
