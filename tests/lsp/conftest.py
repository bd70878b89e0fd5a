"""A client over any transport, in a small workspace.

Normally the server runs in the tests' own process, unless a test asks for another transport by
name: ``@pytest.mark.parametrize("connect", ["stdio"], indirect=True)``. The slow run starts a
server process.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient
from pytest_lsp.client import make_test_lsp_client

from explorer_core import explorer
from lsp_server.connection.transport import serve_tcp
from tests.commands import environment
from tests.shop import shop
from tests.workers import serve_all

__all__ = ["shop"]
SHUTDOWN_LIMIT_S = 60
"""Generous, for an overloaded machine; normally it takes a second."""

Connect = Callable[..., AbstractAsyncContextManager[LanguageClient]]


@pytest.fixture(params=["here", pytest.param("stdio", marks=pytest.mark.slow)])
def connect(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Connect:
    """``async with connect(variables=...)``: a client with its own server."""
    here = request.param == "here"
    return connector(tmp_path, "tcp" if here else request.param, monkeypatch if here else None)


def connector(
    tmp_path: Path, transport: str = "stdio", patch: pytest.MonkeyPatch | None = None
) -> Connect:
    """`connect` for a folder of any fixture scope. A server in this process needs ``patch``."""

    @asynccontextmanager
    async def connected(
        *,
        script: str = "lsp_server",
        client: LanguageClient | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> AsyncIterator[LanguageClient]:
        client = client or make_test_lsp_client()
        command = [sys.executable, "-m", script, "serve"]
        env = environment(tmp_path) | dict(variables or {})
        if transport == "stdio":
            await client.start_io(*command, env=env)
            try:
                yield client
            finally:
                await finish(client)
            return
        running_server = listening(command, env) if patch is None else serving(script, env, patch)
        async with running_server as port:
            await client.start_tcp("127.0.0.1", port)
            try:
                yield client
            finally:
                await finish(client)

    return connected


@asynccontextmanager
async def serving(
    script: str, env: dict[str, str], patch: pytest.MonkeyPatch
) -> AsyncIterator[int]:
    """Run a server in this process, on a free TCP port."""
    from lsp_server.server import SightlineServer

    serve_all(patch)
    for name, value in env.items():
        patch.setenv(name, value)
    if script != "lsp_server":
        patch.setattr(explorer, "Explorer", importlib.import_module(script).ScriptedExplorer)

    async def make_server() -> SightlineServer:
        return SightlineServer()

    address = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve_tcp(make_server, "127.0.0.1", 0, address.set_result))
    try:
        yield int((await address).rpartition(":")[2])
    finally:
        task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def listening(command: list[str], env: dict[str, str]) -> AsyncIterator[int]:
    """Run a server process on a free TCP port."""
    process = await asyncio.create_subprocess_exec(
        *command, "--tcp", "127.0.0.1:0", env=env, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    announcement = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
    # Drained, so that a full pipe cannot block the server's logging.
    draining = asyncio.create_task(process.stderr.read())
    try:
        yield int(announcement.rpartition(":")[2])
    finally:
        process.terminate()
        await process.wait()
        await draining


async def start_server(tmp_path: Path, **options: Any) -> asyncio.subprocess.Process:
    """Start a server process on its standard streams."""
    streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "limit": 2**26}
    command = (sys.executable, "-m", "lsp_server", "serve")
    return await asyncio.create_subprocess_exec(
        *command, env=environment(tmp_path), **streams | options
    )


async def finish(client: LanguageClient) -> None:
    """End the session. A server that does not end by itself is killed, and the test fails.

    pytest-lsp waits for the server without a limit, even if it was never told to exit.
    """
    try:
        async with asyncio.timeout(SHUTDOWN_LIMIT_S):
            await client.shutdown_session()
            await client.stop()
    finally:
        process = client._server  # pyright: ignore[reportPrivateUsage]
        if process is not None and process.returncode is None:
            process.kill()
        for task in client._async_tasks:  # pyright: ignore[reportPrivateUsage]
            task.cancel()


async def initialize(
    client: LanguageClient,
    *folders: Path,
    encodings: list[str] | None = None,
    capabilities: types.ClientCapabilities | None = None,
    options: Any = None,
) -> types.InitializeResult:
    capabilities = capabilities or types.ClientCapabilities()
    if encodings:
        capabilities.general = types.GeneralClientCapabilities(position_encodings=encodings)
    return await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(f.as_uri(), f.name) for f in folders],
            initialization_options=options,
        )
    )


async def explore(client: LanguageClient, *arguments: Any, **params: Any) -> Any:
    """Run ``sightline.explore`` and return the report. ``arguments`` are used instead of params."""
    return await execute(client, "explore", *(arguments or [params]))


async def execute(client: LanguageClient, command: str, *arguments: Any) -> Any:
    """Run one of Sightline's commands."""
    params = types.ExecuteCommandParams(
        command=f"sightline.{command}", arguments=list(arguments) or None
    )
    return await asyncio.wait_for(client.workspace_execute_command_async(params), 60)


def as_data(value: Any) -> Any:
    """Convert the objects that pygls' client makes of JSON back to plain data."""
    if hasattr(value, "_asdict"):
        return {name: as_data(item) for name, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [as_data(item) for item in value]
    return value
