"""Reports as files and virtual documents: files that cannot be written, documents that change."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from explorer_core.contracts import Report
from lsp_server.reports.report_document import virtual_uri, write_report_file
from lsp_server.reports.reports import KEPT, SHOWN, Reports
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.shop import QUESTION

VIRTUAL_DOCUMENTS = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        text_document_content=types.TextDocumentContentClientCapabilities()
    )
)


def open_orders_below(client: LanguageClient, shop: Path, text: str) -> None:
    """Open a file of the shop with text inserted at its top."""
    file = shop / "shop/orders.py"
    whole = text + file.read_text(encoding="utf-8")
    item = types.TextDocumentItem(file.as_uri(), "python", 1, whole)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


@pytest.mark.parametrize("command", ["explore", "showReport", "export"])
async def test_unwritable_cache_costs_a_warning_and_no_answer(
    connect: Connect, shop: Path, tmp_path: Path, command: str
):
    no_folder = tmp_path / "no folder"
    no_folder.touch()
    async with connect(variables={"SIGHTLINE_CACHE_DIR": str(no_folder)}) as client:
        await initialize(client, shop)
        await explore(client, query=QUESTION)
        shown = as_data(await execute(client, command, {"query": QUESTION, "show": True}))
        assert shown
        warnings = [each for each in client.messages if each.type == types.MessageType.Warning]
        assert ["cache_dir" in each.message for each in warnings] == [True]


async def test_virtual_document_is_refreshed_when_code_changes(connect: Connect, shop: Path):
    async with connect() as client:
        refreshed: asyncio.Queue[str] = asyncio.Queue()

        @client.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)
        def refresh(params: types.TextDocumentContentRefreshParams) -> None:
            refreshed.put_nowait(params.uri)

        await initialize(client, shop, capabilities=VIRTUAL_DOCUMENTS)
        report = as_data(await explore(client, query=QUESTION))
        uri = f"sightline-report:/{report['id']}/any-name.md"
        content = types.TextDocumentContentParams(uri)
        before = await client.workspace_text_document_content_async(content)
        open_orders_below(client, shop, "# one\n")
        assert await asyncio.wait_for(refreshed.get(), 20) == uri
        assert await client.workspace_text_document_content_async(content) != before


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("How does save_order work?", "how-does-save-order-work"),
        ("place_order: 篮子/á", "place-order-%E7%AF%AE%E5%AD%90-%C3%A1"),
        ("a b c d e f g h place_order", "a-b-c-d-e-f-g-h"),
        ("?!", "report"),
        ("\ud83d", "report"),
    ],
)
def test_a_virtual_document_is_named_after_its_question(query: str, name: str):
    report = Report.model_construct(id="0215267d", query=query)
    assert virtual_uri(report) == f"sightline-report:/0215267d/{name}.md"


async def test_reports_changed_needs_no_other_client_capability(connect: Connect, shop: Path):
    drawing = {"sightline": {"reportsChanged": True}}
    async with connect() as client:
        notified = asyncio.Event()

        @client.feature("sightline/reportsChanged")
        def changed(params: Any) -> None:
            notified.set()

        await initialize(client, shop, capabilities=types.ClientCapabilities(experimental=drawing))
        await explore(client, query=QUESTION)
        await asyncio.wait_for(notified.wait(), 20)


async def test_lone_surrogates_are_replaced(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        open_orders_below(client, shop, "# \ud83d\n")
        document = types.VersionedTextDocumentIdentifier(2, (shop / "shop/orders.py").as_uri())
        half = types.TextDocumentContentChangePartial(
            types.Range(types.Position(0, 0), types.Position(0, 0)), "# \udc00\n"
        )
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [half]))
        links = as_data(await explore(client, query=QUESTION))["links"]
        assert "shop/orders.py" in {link["path"] for link in links}


async def test_text_export_respects_report_chars(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop, options={"reportChars": 500})
        await explore(client, query=QUESTION)
        exported = as_data(await execute(client, "export", {"format": "text"}))
        assert len(exported["content"]) <= 500


def test_only_the_newest_files_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Even where a read-only file cannot be deleted (Windows)."""
    unlink = Path.unlink

    def unlink_as_on_windows(file: Path, missing_ok: bool = False) -> None:
        if not file.stat().st_mode & 0o200:
            raise PermissionError(13, "Access is denied")
        unlink(file, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink_as_on_windows)
    for number in range(60):
        write_report_file(tmp_path / f"{number}.{'md' if number % 2 else 'json'}", "")
    assert len(list(tmp_path.iterdir())) == 50
    assert (tmp_path / "59.md").exists()


def test_write_survives_files_deleted_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Path, "glob", lambda *_: [tmp_path / "gone.md", tmp_path / "a.md"])
    write_report_file(tmp_path / "a.md", "text")
    assert (tmp_path / "a.md").read_text() == "text"


@pytest.mark.parametrize("other", ["a.md", "a.json"])
def test_concurrent_writes_of_one_report_leave_complete_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str
):
    replace = Path.replace

    def replace_after_another(file: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        write_report_file(tmp_path / other, "other")
        return replace(file, target)

    monkeypatch.setattr(Path, "replace", replace_after_another)
    write_report_file(tmp_path / "a.md", "text")
    texts = {each.name: each.read_text() for each in tmp_path.iterdir()}
    assert texts == {other: "other", "a.md": "text"}


def test_failed_replace_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def in_use(file: Path, target: Path) -> Path:
        raise PermissionError(13, "Another program has it open")

    monkeypatch.setattr(Path, "replace", in_use)
    with pytest.raises(PermissionError):
        write_report_file(tmp_path / "a.md", "text")
    assert list(tmp_path.iterdir()) == []


def test_undeletable_old_files_do_not_block_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def in_use(file: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Another program has it open")

    monkeypatch.setattr(Path, "unlink", in_use)
    for number in range(52):
        write_report_file(tmp_path / f"{number}.md", "")
    assert len(list(tmp_path.iterdir())) == 52


class FakeReport:
    def __init__(self, name: str) -> None:
        self.id = name

    def paths(self) -> set[str]:
        return set()


def test_oldest_report_not_shown_is_dropped_first():
    reports = Reports(lambda: None)

    def add(*names: str, shown: bool) -> None:
        for name in names:
            reports.add(FakeReport(name), {}, shown=shown)  # type: ignore[arg-type]

    def shown() -> list[str]:
        return [each.id for each in reports.shown()]

    add("dismissed", "read", shown=True)
    reports.dismiss("dismissed")
    add(*(f"agent {number}" for number in range(KEPT)), shown=False)
    assert shown() == ["read"]
    assert [each.id for each in reports][:2] == ["read", "agent 1"]
    add(*(f"user {number}" for number in range(KEPT)), shown=True)
    kept = [each.id for each in reports]
    assert kept == [f"user {number}" for number in range(KEPT)]
    assert shown() == kept[-SHOWN:]


def test_report_added_twice_is_the_one_shown():
    reports = Reports(lambda: None)
    for _ in range(2):
        reports.add(FakeReport("a"), {})  # type: ignore[arg-type]
    assert list(reports) == reports.shown()


def test_showing_the_current_report_is_no_change():
    changes: list[None] = []
    reports = Reports(lambda: changes.append(None))
    for name in "ab":
        reports.add(FakeReport(name), {})  # type: ignore[arg-type]
    for name, expected in (("b", 0), ("a", 1), ("a", 0), ("b", 1)):
        changes.clear()
        reports.show(name)
        assert len(changes) == expected
