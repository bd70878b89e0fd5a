"""A client at any transport, over a small workspace.

Every day the server is in the tests' own process, save where a test asks for another transport by
name: ``@pytest.mark.parametrize("connect", ["stdio"], indirect=True)``. The slow run starts it.
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
ENDS_WITHIN_S = 60
"""Generous, for an overloaded machine; normally it takes a second."""

Connect = Callable[..., AbstractAsyncContextManager[LanguageClient]]


@pytest.fixture(params=["here", pytest.param("stdio", marks=pytest.mark.slow)])
def connect(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Connect:
    """``async with connect(variables=...)``: a client of a server of its own."""
    here = request.param == "here"
    return connector(tmp_path, "tcp" if here else request.param, monkeypatch if here else None)


def connector(
    tmp_path: Path, transport: str = "stdio", patch: pytest.MonkeyPatch | None = None
) -> Connect:
    """`connect` over a folder of any scope. A server in this process needs ``patch``."""

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
        reachable = listening(command, env) if patch is None else serving(script, env, patch)
        async with reachable as port:
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
    """A server in this process, on a free TCP port."""
    from lsp_server.server import SightlineServer

    serve_all(patch)
    for name, value in env.items():
        patch.setenv(name, value)
    if script != "lsp_server":
        patch.setattr(explorer, "Explorer", importlib.import_module(script).ScriptedExplorer)

    async def served() -> SightlineServer:
        return SightlineServer()

    announced = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve_tcp(served, "127.0.0.1", 0, announced.set_result))
    try:
        yield int((await announced).rpartition(":")[2])
    finally:
        task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def listening(command: list[str], env: dict[str, str]) -> AsyncIterator[int]:
    """A server on a free TCP port."""
    process = await asyncio.create_subprocess_exec(
        *command, "--tcp", "127.0.0.1:0", env=env, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    announced = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
    # Nobody may be kept from writing to its log.
    draining = asyncio.create_task(process.stderr.read())
    try:
        yield int(announced.rpartition(":")[2])
    finally:
        process.terminate()
        await process.wait()
        await draining


async def serve(tmp_path: Path, **options: Any) -> asyncio.subprocess.Process:
    """A server on its standard streams."""
    streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "limit": 2**26}
    words = (sys.executable, "-m", "lsp_server", "serve")
    return await asyncio.create_subprocess_exec(
        *words, env=environment(tmp_path), **streams | options
    )


async def finish(client: LanguageClient) -> None:
    """End the session. What does not end by itself is ended, and is a failure.

    pytest-lsp waits for the server without a limit, also when it was never told to exit.
    """
    try:
        async with asyncio.timeout(ENDS_WITHIN_S):
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
    """Run the command and return the report; ``arguments`` as given if there are any."""
    return await execute(client, "explore", *(arguments or [params]))


async def execute(client: LanguageClient, command: str, *arguments: Any) -> Any:
    """Run one of our commands."""
    params = types.ExecuteCommandParams(
        command=f"sightline.{command}", arguments=list(arguments) or None
    )
    return await asyncio.wait_for(client.workspace_execute_command_async(params), 60)


def as_data(value: Any) -> Any:
    """What pygls' client makes of JSON objects, as plain data again."""
    if hasattr(value, "_asdict"):
        return {name: as_data(item) for name, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [as_data(item) for item in value]
    return value
