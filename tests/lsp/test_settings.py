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

ASKED = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(configuration=True))
ON, OFF = {"inlayHints": True}, {"inlay_hints": False}


async def hints(client: LanguageClient, link: dict[str, Any]) -> bool:
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    document = types.TextDocumentIdentifier(link["location"]["uri"])
    params = types.InlayHintParams(document, whole)
    return bool(await client.text_document_inlay_hint_async(params))


@pytest.mark.parametrize(
    ("at_first", "then", "options", "expected"),
    [
        (None, None, ON, [True, True]),
        ({"reportChars": 900}, {}, ON, [True, True]),
        (OFF, None, ON, [False, True]),
        (ON, {}, None, [True, False]),
        (ON, None, None, [True, False]),
        (ON, OFF, None, [True, False]),
    ],
)
async def test_layers_of_the_editors_settings(
    connect: Connect, shop: Path, at_first: Any, then: Any, options: Any, expected: list[bool]
):
    async with connect() as client:
        client.set_configuration({"sightline": at_first})
        await initialize(client, shop, capabilities=ASKED, options=options)
        link = as_data(await explore(client, query=QUESTION))["links"][0]
        await until(lambda: hints(client, link), lambda shown: shown == expected[0])
        client.set_configuration({"sightline": then})
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await until(lambda: hints(client, link), lambda shown: shown == expected[1])


async def test_the_cache_that_the_editor_chose_is_cleared(
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


async def test_folders_that_are_not_there_are_left_out(connect: Connect, shop: Path):
    gone = shop.parent / "gone"
    async with connect() as client:
        await initialize(client, shop, gone)
        status = as_data(await execute(client, "status"))
        assert status["index"]
        assert as_data(await explore(client, query=QUESTION))["links"]
        assert [str(gone) in each.message for each in client.messages] == [True]
