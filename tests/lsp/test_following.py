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
from lsp_server.workspace.opened import Opened
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.lsp.scripted_server import HELD, HOLD
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
    event = types.WorkspaceFoldersChangeEvent(*map(_named, (added, removed)))
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))


def _named(folders: tuple[Path, ...]) -> list[types.WorkspaceFolder]:
    return [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "b.py").write_text("def b():\n    pass\n", encoding="utf-8")
    return folder


async def links(client: LanguageClient) -> list[dict[str, Any]]:
    return as_data(await execute(client, "report"))["links"]


def places(found: list[dict[str, Any]]) -> list[Any]:
    return [(k["quoteLocation"], k["stale"]) for k in found]


@pytest.mark.parametrize("change", ["settings", "folders"])
async def test_a_report_is_followed_after_a_change_while_it_is_made(
    connect: Connect, shop: Path, other: Path, change: str
):
    hold = shop / HOLD
    hold.touch()
    async with connect(script="tests.lsp.scripted_server") as client:
        await initialize(client, shop)
        question = types.ExecuteCommandParams("sightline.explore", [QUESTION], work_done_token="t")
        asking = asyncio.create_task(client.workspace_execute_command_async(question))

        async def messages() -> list[str]:
            return [getattr(k, "message", "") for k in client.progress_reports.get("t", ())]

        await until(messages, lambda told: HELD in told)
        if change == "settings":
            set_settings(client, {"inlayHints": True})
        else:
            change_folders(client, added=(other,))
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
        now = (await links(client))[0]
    assert now["quoteRange"]["start"] == before["quoteRange"]["start"] + 2
    assert now["quoteLocation"]["uri"] == file
    assert not now["stale"]


async def test_a_file_that_changes_together_with_the_settings_is_followed(
    connect: Connect, shop: Path
):
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
            return [k["quoteRange"]["start"] for k in await links(client)]

        await until(starts, lambda now: now == expected)


async def test_links_come_back_with_their_folder(connect: Connect, shop: Path, other: Path):
    async with connect() as client:
        await initialize(client, shop)
        before = places(as_data(await explore(client, query=QUESTION))["links"])
        change_folders(client, added=(other,))
        change_folders(client, removed=(shop,))

        async def stale() -> list[bool]:
            return [k["stale"] for k in await links(client)]

        await until(stale, all)
        lost = await links(client)
        assert [k["quoteLocation"] for k in lost] == [None] * len(lost)
        assert {Path(k["path"]).is_relative_to(shop) for k in lost} == {True}
        change_folders(client, added=(shop,))

        async def now() -> list[Any]:
            return places(await links(client))

        await until(now, lambda found: found == before)


async def test_a_change_on_disk_goes_to_the_workspace_it_was_found_in(
    shop: Path, monkeypatch: pytest.MonkeyPatch
):
    """The workspace stays open meanwhile and no other is opened, even if the folders leave."""
    told: list[tuple[Opened | None, int]] = []
    session = Session(warn=lambda _: None)
    await session.use_folders([Folder(shop.as_uri(), shop)])
    await session.path(shop.as_uri())
    opened = session.opened
    assert opened is not None

    async def changed(paths: Collection[str], *, listing: bool) -> None:
        told.append((session.opened, opened.users))

    async def leave(paths: Iterable[str]) -> None:
        leaving.append(asyncio.create_task(session.use_folders([])))

    leaving: list[asyncio.Task[None]] = []
    monkeypatch.setattr(opened.explorer, "files_changed", changed)
    monkeypatch.setattr(session, "take_in", leave)
    async with session._opening:  # pyright: ignore[reportPrivateUsage]
        await session.files_changed([(shop / "orders.py").as_uri()], listing=False)
    await asyncio.gather(*leaving)
    assert told == [(opened, 1)]
    await session.close()


async def test_a_workspace_that_cannot_be_put_to_use_is_closed(
    shop: Path, monkeypatch: pytest.MonkeyPatch
):
    closed: list[Opened] = []
    close = Opened.close

    async def noted(opened: Opened) -> None:
        closed.append(opened)
        await close(opened)

    def fail(opened: Opened) -> None:
        raise OSError

    monkeypatch.setattr(Opened, "close", noted)
    session = Session(warn=lambda _: None, on_open=fail)
    await session.use_folders([Folder(shop.as_uri(), shop)])
    with pytest.raises(OSError):  # noqa: PT011 - this very one
        await session.path(shop.as_uri())
    assert (len(closed), session.opened) == (1, None)
