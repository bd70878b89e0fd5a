"""Reports in the editor: lenses, hover, highlights, documents, commands, drift.

One server serves the whole module: each test asks for its own report or undoes its changes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.fixture import parse
from tests.lsp.conftest import as_data, connector, execute, explore, initialize
from tests.lsp.editor import Editor, editor
from tests.shop import QUESTION, SHOP
from tests.waiting import until

__all__ = ["editor"]
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_lens_at_each_link(editor: Editor):
    report = await editor.ask()
    count = len(report["links"])
    assert count >= 2
    for number, link in enumerate(report["links"], start=1):
        lenses = [
            title
            for line, title in await editor.titles(link["path"])
            if line == link["quoteRange"]["start"]
        ]
        assert any(title.startswith(f"{number}/{count} ") for title in lenses)
        assert {"← previous", "next →"} <= set(lenses)


async def test_lenses_are_resolved_late(editor: Editor):
    report = await editor.ask()
    document = types.TextDocumentIdentifier(editor.uri(report["links"][0]["path"]))
    found = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    assert found
    assert all(lens.command is None and lens.data for lens in found)


async def test_navigation_lenses_come_before_the_longest_one(editor: Editor):
    report = await editor.ask()
    first, count = report["links"][0], len(report["links"])
    titles = await editor.titles(first["path"])
    at = next(at for at, (_, title) in enumerate(titles) if title.startswith(f"1/{count} "))
    assert [title for _, title in titles[at - 2 : at]] == ["← previous", "next →"]


async def test_hover_shows_link_and_its_neighbours(editor: Editor):
    report = await editor.ask()
    first, second = report["links"][:2]
    hover = await editor.hover(first["path"], first["quoteRange"]["start"])
    assert hover is not None
    text = hover.contents.value
    assert first["quote"].strip() in text
    assert f"Next: [`{second['path']}:" in text
    assert f"#L{second['quoteRange']['start']}" in unquote(text)
    assert "Previous:" not in text
    assert "Step 1 calls step 2 at " in text
    assert "resolved by import" in text


async def test_hover_range_is_the_quote_and_no_whole_declaration(editor: Editor):
    first = (await editor.ask())["links"][0]
    quote, around = first["quoteRange"], first["range"]
    at_quote = await editor.hover(first["path"], quote["start"])
    assert at_quote is not None
    assert at_quote.range is not None
    assert at_quote.range.start.line + 1 == quote["start"]
    assert at_quote.range.end.line + 1 == quote["end"]
    ends = (around["start"], around["end"])
    beside = next(line for line in ends if not quote["start"] <= line <= quote["end"])
    in_range = await editor.hover(first["path"], beside)
    assert in_range is not None
    assert in_range.range is None


async def test_no_hover_outside_of_links(editor: Editor):
    await editor.ask()
    assert await editor.hover("shop/store.py", 2) is None


async def test_quoted_lines_are_highlighted(editor: Editor):
    link = (await editor.ask())["links"][0]
    line = link["quoteRange"]["start"] - 1
    params = types.DocumentHighlightParams(
        types.TextDocumentIdentifier(editor.uri(link["path"])), types.Position(line, 2)
    )
    found = await editor.client.text_document_document_highlight_async(params)
    assert found
    assert line in {each.range.start.line for each in found}


async def test_next_and_previous_cross_files(editor: Editor):
    report = await editor.ask()
    links = report["links"]
    editor.client.shown_documents.clear()
    for at, link in [*enumerate(links), (0, links[0])]:
        step = as_data(await execute(editor.client, "nextLink"))
        assert (step["index"], step["shown"]) == (at, True)
        assert step["location"] == link["quoteLocation"]
    assert len({each.uri for each in editor.client.shown_documents}) >= 2
    step = as_data(await execute(editor.client, "previousLink", {"index": 1, "reportId": None}))
    assert step["index"] == 0


async def test_typing_moves_links_and_undo_brings_them_back(editor: Editor):
    report = await editor.ask()
    link = next(each for each in report["links"] if each["path"] == "shop/orders.py")
    line = link["quoteRange"]["start"]
    step_label = f"{report['links'].index(link) + 1}/{len(report['links'])}"

    async def lens() -> tuple[int, str]:
        titles = await editor.titles("shop/orders.py")
        return next((at, title) for at, title in titles if f"{step_label} " in title)

    before = await lens()
    assert before[0] == line
    editor.open("shop/orders.py")
    editor.type("shop/orders.py", (0, 0), (0, 0), "# 🧺\n\n")
    assert await lens() == (line + 2, before[1])

    quoted = link["quote"].strip()
    text = "# 🧺\n\n" + (editor.folder / "shop/orders.py").read_text(encoding="utf-8")
    row = text.split("\n")[line + 1]
    at = row.index(quoted)
    editor.type("shop/orders.py", (line + 1, at), (line + 1, at + 3), "xyz")
    assert (await lens())[1].startswith("stale: ")
    hover = await editor.hover("shop/orders.py", line + 2)
    assert "stale" in hover.contents.value
    shown = as_data(await execute(editor.client, "showReport"))["report"]
    assert [each["stale"] for each in shown["links"] if each["id"] == link["id"]] == [True]

    editor.type("shop/orders.py", (line + 1, at), (line + 1, at + 3), quoted[:3])
    assert await lens() == (line + 2, before[1])
    editor.close("shop/orders.py")
    await until(lens, before.__eq__)


async def test_a_stale_link_offers_to_ask_again(editor: Editor):
    report = await editor.ask()
    text = editor.open("shop/orders.py").replace("return save_order(order)", "return len(order)")
    editor.close("shop/orders.py")
    editor.open("shop/orders.py", text)
    try:
        lenses = await editor.lenses("shop/orders.py")
        again = next(k.command for k in lenses if k.command.title == "ask again")
        fresh = as_data(await execute(editor.client, "explore", *map(as_data, again.arguments)))
    finally:
        editor.close("shop/orders.py")
    assert fresh["query"] == report["query"]
    assert not any(each["stale"] for each in fresh["links"])
    reports = as_data(await execute(editor.client, "reports"))
    assert {each["id"]: each["shown"] for each in reports}[report["id"]] is False


async def test_lenses_are_refreshed(editor: Editor):
    before = getattr(editor.client, "refreshes", 0)
    await editor.ask()
    await until(lambda: getattr(editor.client, "refreshes", 0) > before)


def text_and_mode(uri: str) -> tuple[str, int]:
    file = Path(unquote(uri.removeprefix("file://")))
    return file.read_text(encoding="utf-8"), file.stat().st_mode


async def test_report_document_is_read_only_with_links(editor: Editor):
    report = await editor.ask()
    editor.client.shown_documents.clear()
    shown = as_data(await execute(editor.client, "showReport", {"reportId": None}))
    (shown_document,) = editor.client.shown_documents
    assert shown_document.uri == shown["uri"]
    text, mode = text_and_mode(shown["uri"])
    assert report["links"][0]["quote"].strip() in text
    assert not mode & 0o222, "the document is read-only"
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(shown["uri"]))
    links = await editor.client.text_document_document_link_async(params)
    targets = {link.target.partition("#")[0] for link in links}
    assert {link["location"]["uri"] for link in report["links"]} <= targets
    for link in links:
        row = text.split("\n")[link.range.start.line]
        assert row[link.range.start.character] == "`"


async def test_report_command_returns_current_state_and_opens_nothing(editor: Editor):
    report = await editor.ask()
    path, quote = report["links"][0]["path"], report["links"][0]["quoteRange"]
    await execute(editor.client, "dismissReport", {"reportId": report["id"]})
    editor.client.shown_documents.clear()
    editor.open(path)
    editor.type(path, (0, 0), (0, 0), "\n")

    async def current_link(**argument: Any) -> dict[str, Any]:
        params = {"reportId": report["id"], **argument}
        return as_data(await execute(editor.client, "report", params))["links"][0]

    try:
        link = await current_link()
        assert link["quoteRange"]["start"] == quote["start"] + 1
        assert link["quoteLocation"]["range"]["start"]["line"] == quote["start"]
        assert await editor.titles(path) == []
        assert (await current_link(show=True))["id"] == link["id"]
        assert await editor.titles(path)
        assert editor.client.shown_documents == []
    finally:
        editor.close(path)


async def test_editor_that_cannot_show_documents_gets_report_path(tmp_path: Path):
    folder = parse(SHOP).write(tmp_path / "tree")
    async with connector(tmp_path)() as client:
        await initialize(client, folder, capabilities=types.ClientCapabilities())
        await explore(client, query=QUESTION, show=True)
        (shown_message,) = client.messages
        path = shown_message.message.removeprefix("The report is in ").removesuffix(".")
        text = await asyncio.to_thread(Path(path).read_text, encoding="utf-8")
        assert "| Confidence: **" in text


async def test_reports_changed_is_sent_to_clients_that_draw_reports(tmp_path: Path):
    folder = parse(SHOP).write(tmp_path / "tree")
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(),
        experimental={"sightline": {"reportsChanged": True}},
    )
    async with connector(tmp_path)() as client:
        notified = asyncio.Event()

        @client.feature("sightline/reportsChanged")
        def changed(params: Any) -> None:
            notified.set()

        await initialize(client, folder, capabilities=capabilities)
        await explore(client, query=QUESTION)
        await asyncio.wait_for(notified.wait(), timeout=20)


async def test_dismissing_removes_lenses_and_showing_restores_them(editor: Editor):
    report = await editor.ask()
    path = report["links"][0]["path"]
    assert await editor.titles(path)
    result = as_data(await execute(editor.client, "dismissReport", {"reportId": report["id"]}))
    assert result == {"dismissed": [report["id"]]}
    assert await editor.titles(path) == []
    await execute(editor.client, "showReport", {"reportId": report["id"]})
    assert await editor.titles(path)


@pytest.mark.parametrize("form", ["markdown", "json", "text", "codetour", "mermaid"])
async def test_export_in_every_format_names_the_places(editor: Editor, form: str):
    report = await editor.ask()
    exported = as_data(await execute(editor.client, "export", {"format": form}))
    assert exported["reportId"] == report["id"]
    assert report["links"][0]["path"] in exported["content"].replace("\\", "")


async def test_follow_up_makes_a_new_report(editor: Editor):
    first = await editor.ask()
    second = as_data(
        await execute(editor.client, "followUp", {"query": "Where is save_order defined?"})
    )
    assert second["id"] != first["id"]


async def test_status_reindex_and_clear_cache(editor: Editor):
    await editor.ask()
    status = as_data(await execute(editor.client, "status"))
    assert status["index"]["files"] == 4
    again = as_data(await execute(editor.client, "reindex"))
    assert again["complete"] is True
    cleared = as_data(await execute(editor.client, "clearCache"))
    assert cleared["removedFiles"] >= 0


@pytest.mark.parametrize(
    ("command", "argument", "message"),
    [
        ("showReport", {"reportId": "none"}, "There is no report none"),
        ("nextLink", {"reportId": 5}, "reportId must be text"),
        ("export", {"format": "pdf"}, "There is no format pdf"),
        ("followUp", {"query": " "}, "The question is empty"),
    ],
)
async def test_command_errors_are_worded_for_users(
    editor: Editor, command: str, argument: Any, message: str
):
    await editor.ask()
    with pytest.raises(JsonRpcException) as raised:
        await execute(editor.client, command, argument)
    assert raised.value.code == -32602
    assert raised.value.message.startswith(message)
