"""Reports while settings and folders change: links stay attached to their files."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from lsp_server.convert import Folder
from lsp_server.session import Session
from lsp_server.workspace.opened import OpenedWorkspace
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.lsp.scripted_server import HOLD_FILE, HOLDING_MESSAGE
from tests.lsp.test_watching import WATCHING, accept_registrations, until
from tests.shop import QUESTION

CHANGED, CREATED = types.FileChangeType.Changed, types.FileChangeType.Created


def set_settings(client: LanguageClient, values: dict[str, Any]) -> None:
    client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"sightline": values})
    )


def change_folders(
    client: LanguageClient, added: tuple[Path, ...] = (), removed: tuple[Path, ...] = ()
) -> None:
    event = types.WorkspaceFoldersChangeEvent(*map(_workspace_folders, (added, removed)))
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))


def _workspace_folders(folders: tuple[Path, ...]) -> list[types.WorkspaceFolder]:
    return [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]


@pytest.fixture
def other_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "b.py").write_text("def b():\n    pass\n", encoding="utf-8")
    return folder


async def current_links(client: LanguageClient) -> list[dict[str, Any]]:
    return as_data(await execute(client, "report"))["links"]


def places(found: list[dict[str, Any]]) -> list[Any]:
    return [(k["quoteLocation"], k["stale"]) for k in found]


@pytest.mark.parametrize("change", ["settings", "folders"])
async def test_report_is_live_though_workspace_changed_during_question(
    connect: Connect, shop: Path, other_folder: Path, change: str
):
    hold = shop / HOLD_FILE
    hold.touch()
    async with connect(script="tests.lsp.scripted_server") as client:
        await initialize(client, shop)
        question = types.ExecuteCommandParams("sightline.explore", [QUESTION], work_done_token="t")
        asking = asyncio.create_task(client.workspace_execute_command_async(question))

        async def progress_messages() -> list[str]:
            return [getattr(k, "message", "") for k in client.progress_reports.get("t", ())]

        await until(progress_messages, lambda messages: HOLDING_MESSAGE in messages)
        if change == "settings":
            set_settings(client, {"inlayHints": True})
        else:
            change_folders(client, added=(other_folder,))
        await execute(client, "reports")
        hold.unlink()
        before = as_data(await asking)["links"][0]
        assert before["path"].startswith("work tree/") == (change == "folders")
        file = before["location"]["uri"]
        path = before["path"].removeprefix("work tree/")
        text = "# one\n# two\n" + (shop / path).read_text(encoding="utf-8")
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(file, "python", 1, text))
        )
        link = (await current_links(client))[0]
    assert link["quoteRange"]["start"] == before["quoteRange"]["start"] + 2
    assert link["quoteLocation"]["uri"] == file
    assert not link["stale"]


async def test_link_follows_file_changed_together_with_settings(connect: Connect, shop: Path):
    orders = shop / "shop/orders.py"
    async with connect() as client:
        accept_registrations(client)
        await initialize(client, shop, capabilities=WATCHING)
        before = as_data(await explore(client, query=QUESTION))["links"]
        orders.write_text("# one\n" + orders.read_text(encoding="utf-8"), encoding="utf-8")
        (shop / ".sightline.toml").write_text("report_chars = 900\n", encoding="utf-8")
        kinds = {orders: CHANGED, shop / ".sightline.toml": CREATED}
        events = [types.FileEvent(file.as_uri(), kind) for file, kind in kinds.items()]
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
        expected = [k["quoteRange"]["start"] + (k["path"] == "shop/orders.py") for k in before]

        async def starts() -> list[int]:
            return [k["quoteRange"]["start"] for k in await current_links(client)]

        await until(starts, lambda now: now == expected)


async def test_links_are_restored_with_their_folder(
    connect: Connect, shop: Path, other_folder: Path
):
    async with connect() as client:
        await initialize(client, shop)
        before = places(as_data(await explore(client, query=QUESTION))["links"])
        change_folders(client, added=(other_folder,))
        change_folders(client, removed=(shop,))

        async def stale_flags() -> list[bool]:
            return [k["stale"] for k in await current_links(client)]

        await until(stale_flags, all)
        links = await current_links(client)
        assert [k["quoteLocation"] for k in links] == [None] * len(links)
        assert {Path(k["path"]).is_relative_to(shop) for k in links} == {True}
        change_folders(client, added=(shop,))

        async def current_places() -> list[Any]:
            return places(await current_links(client))

        await until(current_places, lambda found: found == before)


async def test_file_change_is_handled_by_workspace_open_at_the_time(
    shop: Path, monkeypatch: pytest.MonkeyPatch
):
    """The workspace stays open meanwhile and no other is opened, even if the folders leave."""
    calls: list[tuple[OpenedWorkspace | None, int]] = []
    session = Session(warn=lambda _: None)
    await session.workspace.use_folders([Folder(shop.as_uri(), shop)])
    await session.path(shop.as_uri())
    opened = session.workspace.opened
    assert opened is not None

    async def record_change(paths: Collection[str], *, listing: bool) -> None:
        calls.append((session.workspace.opened, opened.users))

    async def remove_folders(paths: Iterable[str]) -> None:
        removals.append(asyncio.create_task(session.workspace.use_folders([])))

    removals: list[asyncio.Task[None]] = []
    monkeypatch.setattr(opened.explorer, "files_changed", record_change)
    monkeypatch.setattr(session, "update_reports", remove_folders)
    async with session.workspace._opening:  # pyright: ignore[reportPrivateUsage]
        await session.files_changed([(shop / "orders.py").as_uri()], listing=False)
    await asyncio.gather(*removals)
    assert calls == [(opened, 1)]
    await session.close()


async def test_workspace_is_closed_when_its_setup_fails(
    shop: Path, monkeypatch: pytest.MonkeyPatch
):
    closed: list[OpenedWorkspace] = []
    close = OpenedWorkspace.close

    async def record_and_close(opened: OpenedWorkspace) -> None:
        closed.append(opened)
        await close(opened)

    def fail(opened: OpenedWorkspace) -> None:
        raise OSError

    monkeypatch.setattr(OpenedWorkspace, "close", record_and_close)
    session = Session(warn=lambda _: None, on_open=fail)
    await session.workspace.use_folders([Folder(shop.as_uri(), shop)])
    with pytest.raises(OSError):  # noqa: PT011 - this very one
        await session.path(shop.as_uri())
    assert (len(closed), session.workspace.opened) == (1, None)
