"""``sightline.explore`` as clients send it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from lsp_server.convert import uri_to_path, width
from tests.commands import environment
from tests.fixture import parse
from tests.lsp.conftest import Connect, as_data, connector, explore, initialize, listening
from tests.shop import QUESTION, SHOP
from tests.waiting import until

AskInScope = Callable[[list[str]], Awaitable[list[str]]]
SCRIPTED = "tests.lsp.scripted_server"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared_client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LanguageClient]:
    """One session shared by all questions that change nothing."""
    folder = tmp_path_factory.mktemp("asked")
    shop = parse(SHOP).write(folder / "work tree")
    async with connector(folder)(script=SCRIPTED) as client:
        await initialize(client, shop)
        yield client


in_one_session = pytest.mark.asyncio(loop_scope="module")


def check_locations(report: dict[str, Any], folder: Path, encoding: str) -> None:
    """Check that each location is the place's file and whole lines, in the session's encoding."""
    places = [*report["primary"], *report["links"], *report["readTargets"]]
    assert places
    for place in places:
        location = place["location"]
        path = uri_to_path(location["uri"])
        assert path == folder / place["path"]
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        start, end = place["range"]["start"], place["range"]["end"]
        assert location["range"] == {
            "start": {"line": start - 1, "character": 0},
            "end": {"line": end - 1, "character": width(lines[end - 1], encoding)},
        }


@pytest.mark.parametrize("connect", ["here", "stdio", "tcp"], indirect=True)
async def test_report_comes_with_locations(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        report = as_data(await explore(client, query=QUESTION))
        assert report["query"] == QUESTION
        assert {link["path"] for link in report["links"]} & {"shop/orders.py", "shop/store.py"}
        check_locations(report, shop, "utf-16")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_locations_fit_the_position_encoding(connect: Connect, shop: Path, encoding: str):
    async with connect() as client:
        result = await initialize(client, shop, encodings=[encoding])
        assert result.capabilities.position_encoding == encoding
        check_locations(as_data(await explore(client, query="篮子 place_order")), shop, encoding)


async def test_paths_that_need_percent_encoding(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        report = as_data(await explore(client, query="restock_shelf"))
        uris = {link["location"]["uri"] for link in report["links"]}
        assert f"{shop.as_uri()}/my%20notes/caf%C3%A9%20%231.py" in uris


async def test_unsaved_text_replaces_text_on_disk(connect: Connect, shop: Path):
    uri = (shop / "shop/store.py").as_uri()
    async with connect() as client:
        await initialize(client, shop)
        unsaved = "\f\ndef archive_order(order):\n    return order\n"
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, unsaved))
        )
        assert await link_starts(client, "shop/store.py") == {2}

        insert = types.TextDocumentContentChangePartial(
            types.Range(types.Position(1, 0), types.Position(1, 0)), "# 🧺\n"
        )
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(2, uri), [insert]
            )
        )
        assert await link_starts(client, "shop/store.py") == {3}

        client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )
        assert await link_starts(client, "shop/store.py") == set()


async def link_starts(client: LanguageClient, path: str) -> set[int]:
    """The start lines in one file of what a report says about a function."""
    report = as_data(await explore(client, query="archive_order"))
    return {
        link["range"]["start"]
        for link in report["links"]
        if link["path"] == path and "archive_order" in link["fact"]
    }


@in_one_session
@pytest.mark.parametrize(
    "arguments", [[], None, [None], [{}], [{"query": None}], [{"query": "  "}], [""]]
)
async def test_empty_question_is_refused(shared_client: LanguageClient, arguments: Any):
    with pytest.raises(JsonRpcException) as raised:
        await shared_client.workspace_execute_command_async(
            types.ExecuteCommandParams(command="sightline.explore", arguments=arguments)
        )
    assert raised.value.code == -32602
    assert raised.value.message.startswith("The question is empty;")
    assert raised.value.data is None


@in_one_session
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"query": "x" * 20_001}, "The question has 20,001 characters; at most 20,000"),
        ({"query": "x", "keywords": ["x"] * 4000}, "There are 4,000 keywords; at most 200"),
        ({"query": "x", "intent": "guess"}, "intent must be "),
        ({"query": 7}, "query must be text"),
        ({"query": "x", "budget": {"steps": 0}}, "steps must be at least"),
        ({"query": "x", "anchor": {"uri": "file:///elsewhere/x.py"}}, "file:///elsewhere/x.py is "),
        ({"query": "x", "scope": "file:///elsewhere"}, "The scope file:///elsewhere is outside"),
        ({"query": "x", "scope": "!untitled://x"}, "The scope untitled://x is outside"),
        ({"query": "x", "anchor": {"path": "../x.py"}}, "'../x.py' is outside"),
        ({"query": "x", "anchor": {"path": "shop/web.py", "line": 7}}, "shop/web.py has no line 7"),
        ({"query": "x", "angle": "sideways"}, "Unknown angle 'sideways'; the angles are "),
    ],
)
async def test_invalid_params_are_refused_in_one_line(
    shared_client: LanguageClient, params: dict[str, Any], expected: str
):
    with pytest.raises(JsonRpcException) as raised:
        await explore(shared_client, params)
    assert raised.value.code == -32602
    assert raised.value.message.startswith(expected)
    assert "\n" not in raised.value.message


@in_one_session
async def test_sloppy_params_are_accepted(shared_client: LanguageClient):
    """Nulls, unknown keys, a string instead of a list, just the question."""
    sloppy = {"query": QUESTION, "scope": "shop/**", "anchor": None, "ui": {"column": 2}}
    for argument in (sloppy, QUESTION):
        assert as_data(await explore(shared_client, argument))["query"] == QUESTION


async def test_question_without_folder_is_refused(connect: Connect, tmp_path: Path):
    async with connect() as client:
        await initialize(client)
        with pytest.raises(JsonRpcException, match="No folder is open"):
            await explore(client, query=QUESTION)


async def test_question_in_missing_folder_is_refused(connect: Connect, tmp_path: Path):
    async with connect() as client:
        await initialize(client, tmp_path / "gone")
        with pytest.raises(JsonRpcException, match="There is no folder"):
            await explore(client, query=QUESTION)


async def test_added_folder_is_searched_until_removed(connect: Connect, shop: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text("def ship_parcel():\n    return 1\n", encoding="utf-8")

    def change(added: list[Path], removed: list[Path]) -> types.DidChangeWorkspaceFoldersParams:
        event = types.WorkspaceFoldersChangeEvent(
            added=[types.WorkspaceFolder(f.as_uri(), f.name) for f in added],
            removed=[types.WorkspaceFolder(f.as_uri(), f.name) for f in removed],
        )
        return types.DidChangeWorkspaceFoldersParams(event)

    async with connect() as client:
        await initialize(client, shop)
        client.workspace_did_change_workspace_folders(change([other], []))
        report = as_data(await explore(client, query="ship_parcel"))
        assert (other / "b.py").as_uri() in {link["location"]["uri"] for link in report["links"]}
        client.workspace_did_change_workspace_folders(change([], [other]))
        report = as_data(await explore(client, query="ship_parcel"))
        assert not any("other" in link["location"]["uri"] for link in report["links"])


NAMESAKES = """
    //- a/web/pay/card.py
    def charge_card(): ...
    //- a/web/[id]/page.py
    def charge_page(): ...
    //- a/web/inner/cash.py
    def charge_cash(): ...
    //- b/web/pay/bank.py
    def charge_bank(): ...
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def ask_in_scope(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AskInScope]:
    """``await namesakes(scope)``: the files of the answer, in a session with two folders of the
    same base name and a folder within a folder."""
    top = parse(NAMESAKES).write(tmp_path_factory.mktemp("namesakes"))
    async with connector(top)() as client:
        await initialize(client, top / "a/web", top / "b/web", top / "a/web/inner")

        async def ask(scope: list[str]) -> list[str]:
            uris = [each.replace("TOP", top.as_uri()) for each in scope]
            report = as_data(await explore(client, query="charge", scope=uris))
            found = {link["location"]["uri"] for link in report["links"] + report["primary"]}
            return sorted(uri.removeprefix(top.as_uri()) for uri in found)

        yield ask


@in_one_session
@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (["TOP/b/web"], ["/b/web/pay/bank.py"]),
        (["TOP/b/web/"], ["/b/web/pay/bank.py"]),
        (["TOP/a/web/pay"], ["/a/web/pay/card.py"]),
        (["TOP/a/web/pay/card.py"], ["/a/web/pay/card.py"]),
        (["TOP/a/web/%5Bid%5D"], ["/a/web/%5Bid%5D/page.py"]),
        (["TOP/a/web/inner"], ["/a/web/inner/cash.py"]),
        (["TOP/a/web/pay", "inner/**"], ["/a/web/inner/cash.py", "/a/web/pay/card.py"]),
        (["TOP/a/web", "!TOP/a/web/%5Bid%5D"], ["/a/web/inner/cash.py", "/a/web/pay/card.py"]),
    ],
)
async def test_scope_uris_select_their_files(
    ask_in_scope: AskInScope, scope: list[str], expected: list[str]
):
    assert await ask_in_scope(scope) == expected


async def test_locations_keep_symbolic_link_of_folder(connect: Connect, shop: Path, tmp_path: Path):
    """Documents are returned below the folder that the client opened, not below its target."""
    link = tmp_path / "link"
    link.symlink_to(shop, target_is_directory=True)
    async with connect() as client:
        await initialize(client, link)
        report = as_data(await explore(client, query="restock_shelf"))
        assert all(k["location"]["uri"].startswith(link.as_uri()) for k in report["links"])
        assert report["links"]


@in_one_session
async def test_ranking_is_included_only_on_request(shared_client: LanguageClient):
    assert "candidates" not in as_data(await explore(shared_client, query=QUESTION))


@in_one_session
async def test_user_error_is_one_sentence(shared_client: LanguageClient):
    with pytest.raises(JsonRpcException) as raised:
        await explore(shared_client, query="refuse")
    assert raised.value.code == -32803
    assert raised.value.message == "The scope matches no file; widen it."


@in_one_session
async def test_internal_error_shows_no_traceback(shared_client: LanguageClient):
    with pytest.raises(JsonRpcException) as raised:
        await explore(shared_client, query="break")
    assert raised.value.code == -32603
    assert "Traceback" not in raised.value.message
    assert raised.value.data is None
    assert as_data(await explore(shared_client, query=QUESTION))["links"], "the server goes on"


async def test_cancel_request_stops_the_question(
    connect: Connect, shop: Path, capfd: pytest.CaptureFixture[str]
):
    async with connect(script=SCRIPTED) as client:
        await initialize(client, shop)
        waiting = asyncio.create_task(
            client.protocol.send_request_async(
                types.WORKSPACE_EXECUTE_COMMAND,
                types.ExecuteCommandParams(
                    command="sightline.explore", arguments=["wait"], work_done_token="t1"
                ),
                msg_id="the-question",
            )
        )
        await wait_for_progress(client, "t1", types.WorkDoneProgressReport)
        client.cancel_request(types.CancelParams("the-question"))
        with pytest.raises(JsonRpcException) as raised:
            await asyncio.wait_for(waiting, 10)
        assert (raised.value.code, raised.value.message) == (-32800, "The request was cancelled.")
        await wait_for_progress(client, "t1", types.WorkDoneProgressEnd)
        assert as_data(await explore(client, query=QUESTION))["links"], "the server goes on"
    assert "wound down" in capfd.readouterr().err


async def test_cancelling_the_progress_stops_the_question(connect: Connect, shop: Path):
    capabilities = types.ClientCapabilities(
        window=types.WindowClientCapabilities(work_done_progress=True)
    )
    async with connect(script=SCRIPTED) as client:
        await initialize(client, shop, capabilities=capabilities)
        waiting = asyncio.create_task(explore(client, "wait"))
        created = await client.wait_for_notification(types.PROGRESS)
        token = created.token
        report = await wait_for_progress(client, token, types.WorkDoneProgressReport)
        assert (report.message, report.percentage) == ("Reading files", 25)
        client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        with pytest.raises(JsonRpcException) as raised:
            await asyncio.wait_for(waiting, 10)
        assert raised.value.code == -32800


async def wait_for_progress(client: LanguageClient, token: str | int, kind: type[Any]) -> Any:
    """Wait for the first progress of a kind."""
    reports = client.progress_reports
    first, *_ = await until(lambda: [v for v in reports.get(token, ()) if isinstance(v, kind)])
    return first


@in_one_session
async def test_prints_do_not_break_the_protocol(shared_client: LanguageClient):
    assert as_data(await explore(shared_client, query=QUESTION))["query"] == QUESTION


async def test_tcp_server_outlives_one_of_its_clients(shop: Path, tmp_path: Path):
    import sys

    from pytest_lsp.client import make_test_lsp_client

    command = [sys.executable, "-m", "lsp_server", "serve"]
    async with listening(command, environment(tmp_path)) as port:
        first, second = make_test_lsp_client(), make_test_lsp_client()
        for client in (first, second):
            await client.start_tcp("127.0.0.1", port)
            await initialize(client, shop)
        await first.shutdown_session()
        await first.stop()
        assert as_data(await explore(second, query=QUESTION))["links"]
        await second.shutdown_session()
        await second.stop()
