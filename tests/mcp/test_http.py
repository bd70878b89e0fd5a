"""Who may use the HTTP server, and from where it can be reached."""

from __future__ import annotations

import errno
import os
import re
import socket
from pathlib import Path

import httpx2
import pytest

from lsp_server.cli import run
from lsp_server.terminal.arguments import parse_loopback, shown_address
from lsp_server.terminal.exits import UserError
from tests.commands import environment
from tests.mcp.conftest import command, listening

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


async def test_foreign_origin_or_host_is_refused(shop: Path, tmp_path: Path):
    server_command = command("--workspace", str(shop))
    async with (
        listening(server_command, environment(tmp_path)) as url,
        httpx2.AsyncClient() as client,
    ):
        host = url.split("/")[2]

        async def status(**headers: str) -> int:
            return (await client.post(url, json=PING, headers=ACCEPT | headers)).status_code

        assert await status() < 403
        assert await status(Origin=f"http://{host}") < 403
        assert await status(Origin="https://evil.invalid") == 403
        assert await status(Origin="null") == 403
        assert await status(Host="evil.invalid") == 421
        assert await status(Host=f"evil.invalid:{host.rpartition(':')[2]}") == 421


@pytest.mark.parametrize("command", [("mcp", "--http"), ("serve", "--tcp")])
@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0:0",
        "192.0.2.1:80",
        "example.org:80",
        "127.0.0.1",
        "127.0.0.1:²",
        "127.0.0.1:65536",
        f"127.0.0.1:{'9' * 5000}",
        "[::]:0",
    ],
)
def test_address_other_than_loopback_is_refused(command: tuple[str, str], address: str):
    with pytest.raises(UserError, match="loopback"):
        run([*command, address])


@pytest.mark.parametrize("command", [("mcp", "--http"), ("serve", "--tcp")])
def test_address_in_use_is_reported_in_one_sentence(command: tuple[str, str]):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        message = f"cannot listen on {address}: {os.strerror(errno.EADDRINUSE)}."
        with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
            run([*command, address])


@pytest.mark.parametrize(
    ("argument", "host", "shown"),
    [
        ("127.0.0.1:7", "127.0.0.1", "127.0.0.1:7"),
        (":7", "127.0.0.1", "127.0.0.1:7"),
        ("localhost:7", "127.0.0.1", "127.0.0.1:7"),
        ("[::1]:7", "::1", "[::1]:7"),
        ("::1:7", "::1", "[::1]:7"),
    ],
)
def test_loopback_addresses_are_accepted(argument: str, host: str, shown: str):
    assert parse_loopback("--tcp", argument) == (host, 7)
    assert shown_address(host, 7) == shown
