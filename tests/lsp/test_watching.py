"""Changes on disk, with a client that watches files and with one that does not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.shop import QUESTION
from tests.waiting import until

WATCHING = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        ),
        file_operations=types.FileOperationClientCapabilities(did_rename=True),
    )
)


def accept_registrations(client: LanguageClient) -> None:
    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        assert [each.method for each in params.registrations]


async def wait_until_watched(client: LanguageClient) -> None:
    await until(lambda: execute(client, "status"), lambda s: as_data(s)["watchedByClient"])


def notify_change(client: LanguageClient, file: Path, kind: types.FileChangeType) -> None:
    event = types.FileEvent(file.as_uri(), kind)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def current_report(client: LanguageClient) -> dict[str, Any]:
    return as_data(await execute(client, "showReport"))["report"]


async def test_watched_change_is_indexed_without_a_directory_walk(connect: Connect, shop: Path):
    async with connect() as client:
        accept_registrations(client)
        await initialize(client, shop, capabilities=WATCHING)
        await wait_until_watched(client)
        await explore(client, query=QUESTION)
        # The client does not report this file, so it is not noticed.
        (shop / "shop/unsaid.py").write_text("def unsaid_thing():\n    pass\n", encoding="utf-8")
        assert as_data(await explore(client, query="unsaid_thing"))["links"] == []
        store = shop / "shop/store.py"
        store.write_text("def pack_parcel():\n    return 1\n", encoding="utf-8")
        notify_change(client, store, types.FileChangeType.Changed)

        async def links() -> list[Any]:
            return as_data(await explore(client, query="pack_parcel"))["links"]

        await until(links)
        notify_change(client, shop / "shop/unsaid.py", types.FileChangeType.Created)
        await until(lambda: explore(client, query="unsaid_thing"), lambda r: as_data(r)["links"])


@pytest.mark.parametrize(
    "capabilities", [WATCHING, pytest.param(types.ClientCapabilities(), marks=pytest.mark.slow)]
)
async def test_links_follow_files_on_disk(
    connect: Connect, shop: Path, capabilities: types.ClientCapabilities
):
    orders = shop / "shop/orders.py"
    text = orders.read_text(encoding="utf-8")
    async with connect() as client:
        accept_registrations(client)
        await initialize(client, shop, capabilities=capabilities)
        if capabilities is WATCHING:
            await wait_until_watched(client)
        else:
            await execute(client, "status")
        before = as_data(await explore(client, query=QUESTION))
        link = next(k for k in before["links"] if k["path"] == "shop/orders.py")

        async def current_link() -> dict[str, Any]:
            report = await current_report(client)
            return next(k for k in report["links"] if k["id"] == link["id"])

        orders.write_text("\n\n" + text, encoding="utf-8")
        notify_change(
            client, orders, types.FileChangeType.Changed
        ) if capabilities is WATCHING else None
        start = link["quoteRange"]["start"] + 2
        await until(current_link, lambda k: k["quoteRange"]["start"] == start and not k["stale"])
        orders.unlink()
        notify_change(
            client, orders, types.FileChangeType.Deleted
        ) if capabilities is WATCHING else None
        await until(current_link, lambda k: k["stale"])
        orders.write_text(text, encoding="utf-8")
        notify_change(
            client, orders, types.FileChangeType.Created
        ) if capabilities is WATCHING else None
        restored = await until(current_link, lambda k: not k["stale"])
        assert restored["quoteRange"] == link["quoteRange"]


async def test_links_move_with_renamed_folders(connect: Connect, shop: Path):
    async with connect() as client:
        accept_registrations(client)
        await initialize(client, shop, capabilities=WATCHING)
        await explore(client, query=QUESTION)
        old, new = shop / "shop", shop / "kiosk"
        old.rename(new)
        client.workspace_did_rename_files(
            types.RenameFilesParams([types.FileRename(old.as_uri(), new.as_uri())])
        )
        await asyncio.sleep(0.5)
        report = await current_report(client)
        assert report["links"]
        assert {k["path"].split("/")[0] for k in report["links"]} == {"kiosk"}
        assert not any(k["stale"] for k in report["links"])
        assert all(k["location"]["uri"].startswith(new.as_uri()) for k in report["links"])


async def test_links_survive_a_second_folder(connect: Connect, shop: Path, tmp_path: Path):
    """With two folders, paths begin with the folder's name. Links stay where they are."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other/b.py").write_text("def b():\n    pass\n", encoding="utf-8")
    async with connect() as client:
        await initialize(client, shop)
        before = as_data(await explore(client, query=QUESTION))
        added = types.WorkspaceFolder((tmp_path / "other").as_uri(), "other")
        event = types.WorkspaceFoldersChangeEvent(added=[added], removed=[])
        client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

        async def current_paths() -> list[str]:
            return [k["path"] for k in (await current_report(client))["links"]]

        await until(current_paths, lambda paths: all(p.startswith("work tree/") for p in paths))
        after = await current_report(client)
        assert [k["location"] for k in after["links"]] == [k["location"] for k in before["links"]]
        assert not any(k["stale"] for k in after["links"])


async def test_changed_settings_take_effect_at_run_time(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        report = as_data(await explore(client, query=QUESTION))
        link = report["links"][0]
        params = types.InlayHintParams(
            types.TextDocumentIdentifier(link["location"]["uri"]),
            types.Range(types.Position(0, 0), types.Position(99, 0)),
        )
        assert await client.text_document_inlay_hint_async(params) is None
        client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"sightline": {"inlayHints": True}})
        )

        async def hints() -> Any:
            return await client.text_document_inlay_hint_async(params)

        (hint, *_) = await until(hints)
        assert hint.position.line == link["quoteRange"]["start"] - 1
