"""With a running language server, an agent sees what the editor sees."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import stat
import threading
from functools import partial
from operator import not_
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types

from explorer_core.contracts import Model, Settings
from explorer_core.workspace import Workspace
from lsp_server.attached import client as caller
from lsp_server.attached import endpoint, serving, wire
from tests.lsp.conftest import Connect, connector, explore, initialize
from tests.mcp.conftest import OpenClient
from tests.mcp.test_tools import call
from tests.shop import QUESTION
from tests.waiting import until


@pytest.fixture
def connect(tmp_path: Path) -> Connect:
    return connector(tmp_path)


def fake_workspace(shop: Path, tmp_path: Path) -> Any:
    """A workspace in the form that the listener expects."""
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    return SimpleNamespace(workspace=Workspace.open(shop, settings=settings), closers=[])


def endpoint_file(tmp_path: Path, shop: Path) -> Path:
    return endpoint.endpoint_path(fake_workspace(shop, tmp_path).workspace)


def is_another(file: Path, known: endpoint.Endpoint | None) -> bool:
    return endpoint.read(file) not in (None, known)


async def test_agent_sees_unsaved_text_of_the_editor(
    connect: Connect, open_client: OpenClient, shop: Path, tmp_path: Path
):
    file = endpoint_file(tmp_path, shop)
    store = shop / "shop/store.py"
    unsaved = "def ship_parcel_overnight(order):\n    return order\n"
    async with open_client() as agent:
        async with connect() as editor:
            await initialize(editor, shop)
            editor.text_document_did_open(
                types.DidOpenTextDocumentParams(
                    types.TextDocumentItem(store.as_uri(), "python", 1, unsaved)
                )
            )
            await explore(editor, query=QUESTION)
            await until(file.exists)
            if os.name != "nt":
                assert stat.S_IMODE(file.stat().st_mode) == 0o600
            for number in range(4):
                await explore(editor, query=f"{QUESTION} {number}")
            _, answer = await call(agent, "explore_code", query="ship_parcel_overnight")
            assert {each["path"] for each in answer["primary"]} == {"shop/store.py"}
            place = {"path": "shop/store.py", "start": 1, "end": 2}
            _, read = await call(agent, "read_range", report_id=answer["reportId"], **place)
            assert read["lines"] == unsaved.split("\n")[:2]
            topic = {"topic": "ship_parcel_overnight", "angles": ["general"]}
            _, survey = await call(agent, "explore_angles", **topic)
            (first, *_) = survey["summary"]["top_files"]
            assert (first["path"], first["key_symbols"]) == (
                "shop/store.py",
                ["ship_parcel_overnight"],
            )
            reports = await editor.workspace_execute_command_async(
                types.ExecuteCommandParams("sightline.reports")
            )
            assert reports is not None
            shown = [each["query"] for each in reports if each["shown"]]
            assert len(reports) == len(shown) + 1 == 6
            assert "ship_parcel_overnight" not in shown
        await until(file.exists, not_)
        _, answer = await call(agent, "explore_code", query="ship_parcel_overnight")
        assert answer["flow"] == []
        _, answer = await call(agent, "explore_code", query=QUESTION)
        assert answer["flow"]


async def test_server_is_found_before_its_first_question(
    connect: Connect, open_client: OpenClient, shop: Path, tmp_path: Path
):
    file = endpoint_file(tmp_path, shop)
    unsaved = types.TextDocumentItem((shop / "new.py").as_uri(), "python", 1, "def ship_now(): ...")
    async with open_client() as agent, connect() as editor:
        await initialize(editor, shop)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(unsaved))
        for judge in ("auto", "offline"):
            await until(file.exists)
            _, answer = await call(agent, "explore_code", query="ship_now")
            assert {each["path"] for each in answer["primary"]} == {"new.py"}
            found = endpoint.read(file)
            changed = {"sightline": {"judge": judge, "reportChars": 900}}
            editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(changed))
            await until(partial(is_another, file, found))


async def test_reports_can_be_followed_up_across_servers(
    connect: Connect, open_client: OpenClient, shop: Path, tmp_path: Path
):
    file = endpoint_file(tmp_path, shop)
    async with open_client() as agent:
        _, first = await call(agent, "explore_code", query=QUESTION)
        async with connect() as editor:
            await initialize(editor, shop)
            await until(file.exists)
            params = {"query": "What calls save_order?", "follow_up": first["reportId"]}
            _, second = await call(agent, "explore_code", **params)
            assert second["notes"] == []
        await until(file.exists, not_)
        params = {"query": "What calls save_order?", "follow_up": second["reportId"]}
        _, third = await call(agent, "explore_code", **params)
        assert third["notes"] == []


async def test_wrong_token_is_rejected(connect: Connect, shop: Path, tmp_path: Path):
    file = endpoint_file(tmp_path, shop)
    async with connect() as editor:
        await initialize(editor, shop)
        await explore(editor, query=QUESTION)
        await until(file.exists)
        found = endpoint.read(file)
        assert found is not None
        for token in ("", "x", found.token[:-1], found.token + "x", "ü"):
            other = found.model_copy(update={"token": token})
            with pytest.raises(caller.ServerGone):
                await caller.call(other, "read", {"path": "shop/web.py"})
            call = wire.Call(token=token, method="read", params={"path": "shop/web.py"})
            assert await send_lines(found, wire.Hello(nonce="n"), call) == [found.proof("n")]
        assert await send_lines(found, call) == []
        answer = await caller.call(found, "read", {"path": "shop/web.py"})
        assert answer["lines"][0].startswith("from shop")
        for bad in ("../outside", "/etc/passwd", "gone.py"):
            with pytest.raises(caller.CallRefused):
                await caller.call(found, "read", {"path": bad})
        with pytest.raises(caller.CallRefused):
            await caller.call(found, "explore", {"query": ""})


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("explore", {"request": {"query": QUESTION}}),
        ("survey", {"topic": "place_order", "angles": ["general"]}),
    ],
)
async def test_caller_receives_progress(
    connect: Connect, shop: Path, tmp_path: Path, method: str, params: dict[str, Any]
):
    file = endpoint_file(tmp_path, shop)
    events: list[dict[str, Any]] = []
    async with connect() as editor:
        await initialize(editor, shop)
        await until(file.exists)
        found = endpoint.read(file)
        assert found is not None
        await caller.call(found, method, params, events.append)
    assert all(each["message"] for each in events)
    assert any(each.get("fraction") for each in events)


async def send_lines(found: endpoint.Endpoint, *lines: Model) -> list[str]:
    """Send raw lines to a server and return the proofs that it answers until it hangs up."""
    reader, writer = await asyncio.open_connection(found.host, found.port)
    writer.writelines(wire.encode_line(each) for each in lines)
    answer = await reader.read()
    writer.close()
    return [wire.Proof.model_validate_json(each).proof for each in answer.splitlines()]


RESULT = {"lines": ["as the editor has it"]}


def scripted_reply(name: str, found: endpoint.Endpoint, nonce: str) -> Model:
    replies = {
        "proof": wire.Proof(proof=found.proof(nonce)),
        "forged": wire.Proof(proof="x"),
        "old": wire.Proof(proof=found.proof("another")),
        "beat": wire.Reply(event={}),
        "result": wire.Reply(result=RESULT),
    }
    return replies[name]


@pytest.mark.parametrize(
    ("replies", "gets_token", "is_answered"),
    [
        ("", False, False),
        ("result", False, False),
        ("forged result", False, False),
        ("old result", False, False),
        ("proof", True, False),
        ("proof beat", True, False),
        ("proof beat beat result", True, True),
    ],
)
async def test_impostor_gets_no_token_and_blocks_no_call(
    monkeypatch: pytest.MonkeyPatch, replies: str, gets_token: bool, is_answered: bool
):
    """Whoever listens at a killed or stopped server's port gets no token and blocks no call."""
    monkeypatch.setattr(caller, "_GREETING_LIMIT_S", 0.2 if not gets_token else 20)
    monkeypatch.setattr(caller, "_SILENCE_LIMIT_S", 0.2 if not is_answered else 20)
    received = bytearray()
    events: list[dict[str, Any]] = []
    has_hung_up = asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = await reader.readline()
        nonce = wire.Hello.model_validate_json(hello).nonce
        writer.write(
            b"".join(
                wire.encode_line(scripted_reply(name, found, nonce)) for name in replies.split()
            )
        )
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1000):
                received.extend(data)
        writer.close()
        has_hung_up.set()

    server = await asyncio.start_server(listen, endpoint.LOOPBACK, 0)
    async with server:
        found = endpoint.Endpoint.here(server.sockets[0].getsockname()[1])
        calling = caller.call(found, "read", {"path": "a"}, events.append)
        if is_answered:
            assert await calling == RESULT
        else:
            with pytest.raises(caller.ServerGone):
                await calling
        await has_hung_up.wait()
    assert (found.token.encode() in received) == gets_token
    assert events == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
async def test_stopped_server_delays_no_agent(
    connect: Connect, open_client: OpenClient, shop: Path, tmp_path: Path
):
    file = endpoint_file(tmp_path, shop)
    async with open_client() as agent, connect() as editor:
        await initialize(editor, shop)
        await explore(editor, query=QUESTION)
        await until(file.exists)
        found = endpoint.read(file)
        assert found is not None
        os.kill(found.pid, signal.SIGSTOP)
        try:
            _, answer = await call(agent, "explore_code", query=QUESTION)
        finally:
            os.kill(found.pid, signal.SIGCONT)
        assert answer["flow"]


@pytest.mark.parametrize(
    "changed",
    [{"host": "192.0.2.1"}, {"host": "example.org"}, {"version": "0"}, {"port": "many"}],
)
def test_untrustworthy_endpoint_file_is_ignored(tmp_path: Path, changed: dict[str, str]):
    file = tmp_path / "x.endpoint"
    good = endpoint.Endpoint.here(1)
    endpoint.publish(good, file)
    assert endpoint.read(file) == good
    file.write_text(json.dumps(good.model_dump() | changed))
    assert endpoint.read(file) is None
    if os.name != "nt":
        endpoint.publish(good, file)
        file.chmod(0o644)
        assert endpoint.read(file) is None


def test_withdrawing_keeps_the_file_of_another_server(tmp_path: Path):
    file = tmp_path / "x.endpoint"
    mine, other = endpoint.Endpoint.here(1), endpoint.Endpoint.here(2)
    endpoint.publish(mine, file)
    endpoint.publish(other, file)
    endpoint.withdraw(mine, file)
    assert endpoint.read(file) == other
    endpoint.withdraw(other, file)
    assert not file.exists()


@pytest.mark.parametrize("is_written", [True, False])
async def test_workspace_closed_while_opening_leaves_nothing(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_written: bool
):
    """At that moment its file is being written, or turns out not to be writable."""
    fake = fake_workspace(shop, tmp_path)
    writing, is_closing, is_over = threading.Event(), threading.Event(), threading.Event()
    published: list[endpoint.Endpoint] = []

    def publish(new_endpoint: endpoint.Endpoint, path: Path) -> None:
        published.append(new_endpoint)
        writing.set()
        is_closing.wait(20)
        try:
            if not is_written:
                raise PermissionError
            endpoint.publish(new_endpoint, path)
        finally:
            is_over.set()

    monkeypatch.setattr(serving, "publish", publish)
    serving.attach(None, fake)  # type: ignore[arg-type]
    await asyncio.to_thread(writing.wait, 20)
    asyncio.get_running_loop().call_later(0.05, is_closing.set)
    await fake.closers[0]()
    await asyncio.to_thread(is_over.wait, 20)
    assert not endpoint.endpoint_path(fake.workspace).exists()
    with pytest.raises(OSError):  # noqa: PT011 - however the system says that nobody listens
        await asyncio.open_connection(published[0].host, published[0].port)


async def test_nobody_listens_if_the_endpoint_file_is_unwritable(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    published: list[endpoint.Endpoint] = []

    def publish(new_endpoint: endpoint.Endpoint, path: Path) -> None:
        published.append(new_endpoint)
        raise PermissionError("not here")

    async def is_refused() -> bool:
        try:
            _, writer = await asyncio.open_connection(published[0].host, published[0].port)
        except OSError:
            return True
        writer.close()
        return False

    monkeypatch.setattr(serving, "publish", publish)
    fake = fake_workspace(shop, tmp_path)
    serving.attach(None, fake)  # type: ignore[arg-type]
    await until(lambda: published)
    await until(is_refused)
    assert "Other programs cannot reach this server: not here" in caplog.text
    await fake.closers[0]()


async def test_heartbeat_keeps_a_slow_call_alive(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The caller is not shown signs of life, only actual progress."""
    monkeypatch.setattr(serving, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(caller, "_SILENCE_LIMIT_S", 0.5)
    fake = fake_workspace(shop, tmp_path)
    listener = serving.Listener(None, fake)  # type: ignore[arg-type]
    progress = {"message": "half of it", "fraction": 0.5}

    async def answer_slowly(asked: wire.Call, tell: serving.SendReply) -> wire.Reply:
        await asyncio.sleep(1)
        tell(wire.Reply(event=progress))
        return wire.Reply(result=RESULT)

    monkeypatch.setattr(listener, "_answer", answer_slowly)
    await listener.start()
    try:
        found = endpoint.read(endpoint.endpoint_path(fake.workspace))
        assert found is not None
        events: list[dict[str, Any]] = []
        assert await caller.call(found, "read", {"path": "a"}, events.append) == RESULT
        assert events == [progress]
    finally:
        await listener.close()


async def test_remaining_server_publishes_its_endpoint_again(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(serving, "_FILE_CHECK_S", 0.05)
    editors = [fake_workspace(shop, tmp_path) for _ in range(2)]
    file = endpoint.endpoint_path(editors[0].workspace)
    serving.attach(None, editors[0])  # type: ignore[arg-type]
    await until(file.exists)
    first = endpoint.read(file)
    serving.attach(None, editors[1])  # type: ignore[arg-type]
    await until(partial(is_another, file, first))
    await editors[1].closers[0]()
    await until(lambda: endpoint.read(file) == first)
    await editors[0].closers[0]()
    assert not file.exists()


async def test_endpoint_file_of_a_killed_server_is_removed(
    open_client: OpenClient, shop: Path, tmp_path: Path
):
    file = endpoint_file(tmp_path, shop)
    async with open_client() as agent:
        endpoint.publish(endpoint.Endpoint.here(1), file)
        _, answer = await call(agent, "explore_code", query=QUESTION)
        assert answer["flow"]
        assert not file.exists()


def test_failed_publishing_leaves_no_temporary_file(tmp_path: Path):
    (tmp_path / "x.endpoint" / "in the way").mkdir(parents=True)
    with pytest.raises(OSError):  # noqa: PT011 - which one differs from system to system
        endpoint.publish(endpoint.Endpoint.here(1), tmp_path / "x.endpoint")
    assert [each.name for each in tmp_path.iterdir()] == ["x.endpoint"]
