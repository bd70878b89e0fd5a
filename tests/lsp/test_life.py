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
from tests.lsp.conftest import SHUTDOWN_LIMIT_S, Connect, execute, explore, initialize, start_server
from tests.lsp.test_hostile import framed, next_message
from tests.shop import QUESTION
from tests.waiting import until


async def trace_messages(
    client: LanguageClient, *values: types.TraceValue
) -> list[types.LogTraceParams]:
    """The trace messages of one command under each trace value."""
    messages: list[types.LogTraceParams] = []

    @client.feature(types.LOG_TRACE)
    def log(params: types.LogTraceParams) -> None:
        messages.append(params)

    for value in values:
        client.set_trace(types.SetTraceParams(value))
        await execute(client, "reports")
    await execute(client, "reports")
    return messages


async def test_requests_are_traced_on_demand(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        trace = types.TraceValue
        messages = await trace_messages(client, trace.Off, trace.Messages, trace.Verbose, trace.Off)
        assert [each.verbose is not None for each in messages] == [False, True]
        assert all(
            each.message.startswith("workspace/executeCommand answered") for each in messages
        )


def test_late_answer_to_cancelled_request_is_ignored():
    from concurrent.futures import Future

    from lsp_server.server import SightlineServer

    protocol = SightlineServer().protocol
    cancelled: Future[Any] = Future()
    cancelled.cancel()
    protocol._request_futures["late"] = cancelled
    answer = {"jsonrpc": "2.0", "id": "late", "result": None}
    protocol.handle_message(protocol.structure_message(answer))
    assert protocol._request_futures == {}


async def test_handled_notifications_leave_no_future_behind():
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


async def wait_until_gone(pids: set[int]) -> None:
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
    await wait_until_gone(workers)


@needs_proc
@pytest.mark.parametrize(
    "ending",
    [
        "the stream ends",
        "terminated",
        "in the middle of a question",
        "terminated in the middle of a question",
    ],
)
async def test_lost_client_or_termination_leaves_no_process(
    shop: Path, tmp_path: Path, ending: str
):
    process = await start_server(tmp_path)
    assert process.stdin
    assert process.stdout
    question = {"command": "sightline.explore", "arguments": [QUESTION]}
    folders = [{"uri": shop.as_uri(), "name": "shop"}]
    params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}

    def send(number: int, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        assert process.stdin
        process.stdin.write(framed(message))

    send(1, "initialize", {**params, "workspaceFolders": folders})
    send(2, "workspace/executeCommand", question)
    while json.dumps(await next_message(process.stdout)).find('"id": 2') < 0:
        pass
    workers = descendants(process.pid)
    assert workers
    if "in the middle of a question" in ending:
        send(3, "workspace/executeCommand", question)
    if ending.startswith("terminated"):
        process.send_signal(signal.SIGTERM)
    else:
        process.stdin.close()
    await asyncio.wait_for(process.wait(), 60)
    assert (process.returncode == -signal.SIGTERM) == ending.startswith("terminated")
    await wait_until_gone(workers)


async def test_server_stops_while_clients_stay_connected(caplog: pytest.LogCaptureFixture):
    """And nothing is logged as an error of the server."""
    from lsp_server.server import SightlineServer

    async def make_server() -> SightlineServer:
        return SightlineServer()

    address = asyncio.get_running_loop().create_future()
    server_task = asyncio.create_task(serve_tcp(make_server, "127.0.0.1", 0, address.set_result))
    port = int((await address).rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
    writer.write(framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))
    assert (await next_message(reader))["id"] == 1
    server_task.cancel()
    ended, _ = await asyncio.wait([server_task], timeout=SHUTDOWN_LIMIT_S)
    try:
        assert ended
        assert await reader.read() == b""
        assert not caplog.records
    finally:
        writer.close()
