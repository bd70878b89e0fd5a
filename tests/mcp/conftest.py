"""The official client at either transport, over a small shop."""

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

from tests.fixture import parse
from tests.lsp.conftest import SHOP, environment

QUESTION = "How does checkout place_order and save_order?"
Open = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return parse(SHOP).write(tmp_path / "work tree")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "lsp_server", "mcp", *arguments]


@pytest.fixture
def open_client(tmp_path: Path, shop: Path) -> Open:
    """``async with open_client(transport=..., roots=...)``: a client of a server of its own."""

    @asynccontextmanager
    async def opened(
        *arguments: str,
        transport: str = "stdio",
        mode: str = "auto",
        roots: list[str] | None = None,
    ) -> AsyncIterator[Client]:
        async def list_roots(context: Any) -> mcp_types.ListRootsResult:
            # Unchecked: some clients name roots that the protocol does not allow.
            named = [mcp_types.Root.model_construct(uri=root) for root in roots or ()]  # pyright: ignore
            return mcp_types.ListRootsResult.model_construct(roots=named)

        options: dict[str, Any] = {
            "mode": mode,
            "list_roots_callback": list_roots if roots is not None else None,
        }
        env = environment(tmp_path)
        words = command(*(arguments or ("--workspace", str(shop))))
        if transport == "stdio":
            server = StdioServerParameters(command=words[0], args=words[1:], env=env)
            async with Client(server, **options) as client:
                yield client
            return
        async with listening(words, env) as url, Client(url, **options) as client:
            yield client

    return opened


@asynccontextmanager
async def listening(words: list[str], env: dict[str, str]) -> AsyncIterator[str]:
    """A server on a free port; yields its URL."""
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
