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
OpenClient = Callable[..., AbstractAsyncContextManager[Client]]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "lsp_server", "mcp", *arguments]


@pytest.fixture(params=["here", pytest.param("stdio", marks=pytest.mark.slow)])
def open_client(
    request: pytest.FixtureRequest, tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> OpenClient:
    """``async with open_client(roots=...)``: a client with its own server."""
    transport: str = request.param
    env = environment(tmp_path)
    if transport == "here":
        serve_all(monkeypatch)
        for name, value in env.items():
            monkeypatch.setenv(name, value)

    @asynccontextmanager
    async def client_session(
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
        command_line = command(*(arguments or ("--workspace", str(shop))))
        if transport == "stdio":
            server = StdioServerParameters(command=command_line[0], args=command_line[1:], env=env)
            async with Client(server, **options) as client:
                yield client
            return
        running_server = (
            serving(command_line[3:]) if transport == "here" else listening(command_line, env)
        )
        async with running_server as server, Client(server, **options) as client:
            yield client

    return client_session


@asynccontextmanager
async def serving(arguments: list[str]) -> AsyncIterator[InMemoryTransport]:
    """Run a server in this process."""
    args = build_parser(["mcp"]).parse_args(arguments)
    workspaces = Workspaces(common.folders(args), common.flags(args))
    try:
        yield InMemoryTransport(build(workspaces))
    finally:
        await workspaces.close()


@asynccontextmanager
async def listening(command_line: list[str], env: dict[str, str]) -> AsyncIterator[str]:
    """Run a server process on a free port; yields its URL."""
    process = await asyncio.create_subprocess_exec(
        *command_line, "--http", "127.0.0.1:0", env=env, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    announcement = (await asyncio.wait_for(process.stderr.readline(), 30)).decode()
    try:
        yield announcement.rpartition(" ")[2].strip()
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), 20)
