"""Who may speak to the HTTP server, and from where it can be reached."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from lsp_server.cli import run
from lsp_server.exits import UserError
from tests.lsp.conftest import environment
from tests.mcp.conftest import command, listening

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


async def test_a_page_in_a_browser_is_refused(shop: Path, tmp_path: Path):
    words = command("--workspace", str(shop))
    async with listening(words, environment(tmp_path)) as url, httpx2.AsyncClient() as client:
        host = url.split("/")[2]

        async def status(**headers: str) -> int:
            return (await client.post(url, json=PING, headers=ACCEPT | headers)).status_code

        assert await status() < 403
        assert await status(Origin=f"http://{host}") < 403
        assert await status(Origin="https://evil.invalid") == 403
        assert await status(Origin="null") == 403
        assert await status(Host="evil.invalid") == 421
        assert await status(Host=f"evil.invalid:{host.rpartition(':')[2]}") == 421


@pytest.mark.parametrize("address", ["0.0.0.0:0", "192.0.2.1:80", "example.org:80", "127.0.0.1"])
def test_only_loopback_is_listened_on(address: str):
    with pytest.raises(UserError, match="loopback"):
        run(["mcp", "--http", address])
