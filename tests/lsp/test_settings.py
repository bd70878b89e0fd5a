"""Settings that the editor sets and takes back, and folders that do not exist."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.lsp.test_watching import until
from tests.shop import QUESTION

ASKS_FOR_SETTINGS = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(configuration=True)
)
HINTS_ON, HINTS_OFF = {"inlayHints": True}, {"inlay_hints": False}


async def shows_hints(client: LanguageClient, link: dict[str, Any]) -> bool:
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    document = types.TextDocumentIdentifier(link["location"]["uri"])
    params = types.InlayHintParams(document, whole)
    return bool(await client.text_document_inlay_hint_async(params))


@pytest.mark.parametrize(
    ("at_first", "later", "options", "expected"),
    [
        (None, None, HINTS_ON, [True, True]),
        ({"reportChars": 900}, {}, HINTS_ON, [True, True]),
        (HINTS_OFF, None, HINTS_ON, [False, True]),
        (HINTS_ON, {}, None, [True, False]),
        (HINTS_ON, None, None, [True, False]),
        (HINTS_ON, HINTS_OFF, None, [True, False]),
    ],
)
async def test_editor_configuration_overrides_initialization_options(
    connect: Connect, shop: Path, at_first: Any, later: Any, options: Any, expected: list[bool]
):
    async with connect() as client:
        client.set_configuration({"sightline": at_first})
        await initialize(client, shop, capabilities=ASKS_FOR_SETTINGS, options=options)
        link = as_data(await explore(client, query=QUESTION))["links"][0]
        await until(lambda: shows_hints(client, link), lambda shown: shown == expected[0])
        client.set_configuration({"sightline": later})
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await until(lambda: shows_hints(client, link), lambda shown: shown == expected[1])


async def test_clear_cache_clears_the_folder_chosen_by_the_editor(
    connect: Connect, shop: Path, tmp_path: Path
):
    """Even before the first question. Files that another editor may be showing are kept."""
    chosen, other = tmp_path / "chosen/reports/old.md", tmp_path / "sightline/reports/old.md"
    for file in (chosen, other):
        file.parent.mkdir(parents=True)
        file.touch()
        os.utime(file, (1, 1))
    recent = chosen.with_name("recent.md")
    recent.touch()
    variables = {"SIGHTLINE_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path)}
    async with connect(variables=variables) as client:
        await initialize(client, shop, options={"cacheDir": str(chosen.parents[1])})
        await execute(client, "clearCache")
    assert (chosen.exists(), other.exists(), recent.exists()) == (False, True, True)


async def test_missing_folder_is_skipped_with_one_message(connect: Connect, shop: Path):
    missing = shop.parent / "gone"
    async with connect() as client:
        await initialize(client, shop, missing)
        status = as_data(await execute(client, "status"))
        assert status["index"]
        assert as_data(await explore(client, query=QUESTION))["links"]
        assert [str(missing) in each.message for each in client.messages] == [True]
