"""The official client over any transport, with a small shop as the workspace.

Normally the server runs in the tests' own process, unless a test asks for another transport by
name: ``@pytest.mark.parametrize("open_client", ["http"], indirect=True)``. The slow run starts a
server process.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client._memory import InMemoryTransport

from lsp_server.cli import build_parser
from lsp_server.commands import common
from lsp_server.mcp.server import build
from lsp_server.mcp.workspaces import Workspaces
from tests.commands import environment
from tests.shop import shop
from tests.workers import serve_all

__all__ = ["shop"]
Open = Callable[..., AbstractAsyncContextManager[Client]]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "lsp_server", "mcp", *arguments]


@pytest.fixture(params=["here", pytest.param("stdio", marks=pytest.mark.slow)])
def open_client(
    request: pytest.FixtureRequest, tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> Open:
    """``async with open_client(roots=...)``: a client with its own server."""
    transport: str = request.param
    env = environment(tmp_path)
    if transport == "here":
        serve_all(monkeypatch)
        for name, value in env.items():
            monkeypatch.setenv(name, value)

    @asynccontextmanager
    async def opened(
        *arguments: str, mode: str = "auto", roots: list[str] | None = None
    ) -> AsyncIterator[Client]:
        async def list_roots(context: Any) -> mcp_types.ListRootsResult:
            # Not validated: some clients name roots that the protocol does not allow.
            named = [mcp_types.Root.model_construct(uri=root) for root in roots or ()]  # pyright: ignore
            return mcp_types.ListRootsResult.model_construct(roots=named)

        options: dict[str, Any] = {
            "mode": mode,
            "list_roots_callback": list_roots if roots is not None else None,
        }
        words = command(*(arguments or ("--workspace", str(shop))))
        if transport == "stdio":
            server = StdioServerParameters(command=words[0], args=words[1:], env=env)
            async with Client(server, **options) as client:
                yield client
            return
        reachable = serving(words[3:]) if transport == "here" else listening(words, env)
        async with reachable as server, Client(server, **options) as client:
            yield client

    return opened


@asynccontextmanager
async def serving(words: list[str]) -> AsyncIterator[InMemoryTransport]:
    """Run a server in this process."""
    args = build_parser(["mcp"]).parse_args(words)
    workspaces = Workspaces(common.folders(args), common.flags(args))
    try:
        yield InMemoryTransport(build(workspaces))
    finally:
        await workspaces.close()


@asynccontextmanager
async def listening(words: list[str], env: dict[str, str]) -> AsyncIterator[str]:
    """Run a server process on a free port; yields its URL."""
    process = await asyncio.create_subprocess_exec(
        *words, "--http", "127.0.0.1:0", env=env, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    announced = (await asyncio.wait_for(process.stderr.readline(), 30)).decode()
    try:
        yield announced.rpartition(" ")[2].strip()
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), 20)
