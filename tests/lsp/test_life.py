"""Tracing, and what remains when a session ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from operator import not_
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from lsp_server.connection.transport import serve_tcp
from tests.lsp.conftest import ENDS_WITHIN_S, Connect, execute, explore, initialize, serve
from tests.lsp.test_hostile import framed, next_message
from tests.shop import QUESTION
from tests.waiting import until


async def traced(client: LanguageClient, *values: types.TraceValue) -> list[types.LogTraceParams]:
    """The trace messages of one command under each trace value."""
    told: list[types.LogTraceParams] = []

    @client.feature(types.LOG_TRACE)
    def log(params: types.LogTraceParams) -> None:
        told.append(params)

    for value in values:
        client.set_trace(types.SetTraceParams(value))
        await execute(client, "reports")
    await execute(client, "reports")
    return told


async def test_requests_are_traced_on_demand(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        trace = types.TraceValue
        told = await traced(client, trace.Off, trace.Messages, trace.Verbose, trace.Off)
        assert [each.verbose is not None for each in told] == [False, True]
        assert all(each.message.startswith("workspace/executeCommand answered") for each in told)


def test_an_answer_that_nobody_waits_for_any_more_ends_nothing():
    from concurrent.futures import Future

    from lsp_server.server import SightlineServer

    protocol = SightlineServer().protocol
    given_up: Future[Any] = Future()
    given_up.cancel()
    protocol._request_futures["late"] = given_up
    answer = {"jsonrpc": "2.0", "id": "late", "result": None}
    protocol.handle_message(protocol.structure_message(answer))
    assert protocol._request_futures == {}


async def test_messages_that_were_handled_are_forgotten():
    from lsp_server.server import SightlineServer

    protocol = SightlineServer().protocol
    params = types.DidChangeConfigurationParams(settings=None)
    protocol._handle_notification(types.WORKSPACE_DID_CHANGE_CONFIGURATION, params)
    (handling,) = protocol._request_futures.values()
    await asyncio.wait([handling])  # pyright: ignore[reportArgumentType]
    await asyncio.sleep(0)
    assert protocol._request_futures == {}


def descendants(pid: int) -> set[int]:
    """The living descendants of process ``pid``."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = stat.read_text().rpartition(")")
            if rest.split()[0] != "Z":
                parents[int(name.split()[0])] = int(rest.split()[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


async def gone(pids: set[int]) -> None:
    await until(lambda: any(map(is_alive, pids)), not_)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@needs_proc
@pytest.mark.parametrize("connect", ["stdio"], indirect=True)
async def test_shutdown_leaves_no_process(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        await explore(client, query=QUESTION)
        process = client._server  # pyright: ignore[reportPrivateUsage]
        assert process is not None
        workers = descendants(process.pid)
        assert workers
    assert process.returncode == 0
    await gone(workers)


@needs_proc
@pytest.mark.parametrize(
    "how",
    [
        "the stream ends",
        "terminated",
        "in the middle of a question",
        "terminated in the middle of a question",
    ],
)
async def test_a_client_that_goes_away_leaves_no_process(shop: Path, tmp_path: Path, how: str):
    process = await serve(tmp_path)
    assert process.stdin
    assert process.stdout
    run = {"command": "sightline.explore", "arguments": [QUESTION]}
    folders = [{"uri": shop.as_uri(), "name": "shop"}]
    params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}

    def ask(number: int, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        assert process.stdin
        process.stdin.write(framed(message))

    ask(1, "initialize", {**params, "workspaceFolders": folders})
    ask(2, "workspace/executeCommand", run)
    while json.dumps(await next_message(process.stdout)).find('"id": 2') < 0:
        pass
    workers = descendants(process.pid)
    assert workers
    if "in the middle of a question" in how:
        ask(3, "workspace/executeCommand", run)
    if how.startswith("terminated"):
        process.send_signal(signal.SIGTERM)
    else:
        process.stdin.close()
    await asyncio.wait_for(process.wait(), 60)
    assert (process.returncode == -signal.SIGTERM) == how.startswith("terminated")
    await gone(workers)


async def test_a_server_ends_though_its_clients_stay(caplog: pytest.LogCaptureFixture):
    """And nothing is logged as an error of the server."""
    from lsp_server.server import SightlineServer

    async def served() -> SightlineServer:
        return SightlineServer()

    announced = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve_tcp(served, "127.0.0.1", 0, announced.set_result))
    port = int((await announced).rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
    writer.write(framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))
    assert (await next_message(reader))["id"] == 1
    serving.cancel()
    ended, _ = await asyncio.wait([serving], timeout=ENDS_WITHIN_S)
    try:
        assert ended
        assert await reader.read() == b""
        assert not caplog.records
    finally:
        writer.close()
