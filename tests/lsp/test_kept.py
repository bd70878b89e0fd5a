"""Reports from an earlier session, given back to a server that does not know them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from explorer_core.workspace.source import present_position, quote_occurs_at
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.shop import QUESTION

pytestmark = pytest.mark.asyncio


async def stored_report(connect: Connect, folder: Path) -> dict[str, Any]:
    """A report as a client stores it, made by a server that has ended since."""
    async with connect() as client:
        await initialize(client, folder)
        await explore(client, query=QUESTION)
        exported = await execute(client, "export", {"format": "json"})
    report = json.loads(as_data(exported)["content"])
    assert len(report["links"]) >= 2
    for link in report["links"]:
        link["location"] = link["quoteLocation"] = None
    return report


async def restore(client: LanguageClient, report: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = await execute(client, "report", {"reportId": report["id"], "kept": report, **more})
    return as_data(answer)


async def lens_lines(client: LanguageClient, folder: Path, path: str) -> list[int]:
    """The 1-based lines that have lenses."""
    uri = f"{folder.as_uri()}/{path}"
    text = (folder / path).read_text(encoding="utf-8")
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text))
    )
    document = types.TextDocumentIdentifier(uri)
    found = await client.text_document_code_lens_async(types.CodeLensParams(document)) or []
    return sorted({lens.range.start.line + 1 for lens in found})


async def test_restored_report_is_live_and_can_be_shown(connect: Connect, shop: Path):
    report = await stored_report(connect, shop)
    first_link = report["links"][0]
    async with connect() as client:
        await initialize(client, shop)
        with pytest.raises(JsonRpcException):
            await execute(client, "report", {"reportId": report["id"]})
        restored = await restore(client, report)
        assert [link["stale"] for link in restored["links"]] == [False] * len(report["links"])
        assert restored["links"][0]["location"]["uri"].endswith(first_link["path"])
        assert await lens_lines(client, shop, first_link["path"]) == [], "nobody asked to see it"
        await restore(client, report, show=True)
        assert first_link["quoteRange"]["start"] in await lens_lines(
            client, shop, first_link["path"]
        )
        exported = await execute(client, "export", {"reportId": report["id"], "format": "text"})
        assert first_link["path"] in as_data(exported)["content"]


async def test_restored_report_can_be_followed_up(connect: Connect, shop: Path):
    report = await stored_report(connect, shop)
    async with connect() as client:
        await initialize(client, shop)
        await restore(client, report)
        question = {"query": "What comes after that?", "reportId": report["id"]}
        follow_up = as_data(await execute(client, "followUp", question))
    assert not any("no longer available" in note for note in follow_up["notes"])


async def test_restored_links_are_located_in_current_files(connect: Connect, shop: Path):
    report = await stored_report(connect, shop)
    moved_link, deleted_link = report["links"][0], report["links"][-1]
    assert moved_link["path"] != deleted_link["path"]
    text = (shop / moved_link["path"]).read_text(encoding="utf-8")
    (shop / moved_link["path"]).write_text(f"# one\n# two\n{text}", encoding="utf-8")
    (shop / deleted_link["path"]).unlink()
    async with connect() as client:
        await initialize(client, shop)
        restored = await restore(client, report, show=True)
    links = restored["links"]
    assert links[0]["quoteRange"]["start"] == moved_link["quoteRange"]["start"] + 2
    assert links[0]["range"]["start"] == moved_link["range"]["start"] + 2
    assert not links[0]["stale"]
    assert links[-1]["stale"]
    sites = [link["hop"]["site"] for link in links if link["hop"] and link["hop"]["site"]]
    assert moved_link["path"] not in [site["path"] for site in sites]


INVALID_FIELDS: list[dict[str, Any]] = [
    {"schemaVersion": 99},
    {"links": [{"id": "c1"}]},
    {"query": ""},
    {"links": "none"},
    {"id": "../../report"},
    {"id": ""},
]


async def test_invalid_stored_report_is_refused(connect: Connect, shop: Path):
    report = await stored_report(connect, shop)
    async with connect() as client:
        await initialize(client, shop)
        for invalid in INVALID_FIELDS:
            with pytest.raises(JsonRpcException) as raised:
                await restore(client, report | invalid)
            assert raised.value.code == -32602, invalid
            assert (
                raised.value.message == "The stored report cannot be read; ask its question again."
            )


async def test_restored_report_reads_nothing_outside_workspace(connect: Connect, shop: Path):
    report = await stored_report(connect, shop)
    outside = shop.parent / "outside.py"
    quote = report["links"][0]["quote"]
    outside.write_text(f"{quote}\n", encoding="utf-8")
    report["links"][0]["path"] = "../outside.py"
    async with connect() as client:
        await initialize(client, shop)
        restored = await restore(client, report)
    assert restored["links"][0]["stale"]
    assert restored["links"][0]["location"] is None


QUOTE_CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("quotes.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", QUOTE_CASES, ids=str)
async def test_quote_is_found_again_where_shared_cases_say(case: dict[str, Any]):
    """The VS Code client is tested with the same cases."""
    lines = case["lines"]
    matches_at = partial(quote_occurs_at, case["quote"], lines=lines)
    assert present_position(matches_at, case["at"], range(1, len(lines) + 1)) == case["found"]


async def test_two_links_to_one_place_stay_two_steps(connect: Connect, shop: Path):
    report = await stored_report(connect, shop)
    first, second = report["links"][:2]
    report["links"] = [first, second, first, second | {"hop": None}]
    async with connect() as client:
        await initialize(client, shop)
        await restore(client, report, show=True)
        steps = [as_data(await execute(client, "nextLink"))["index"] for _ in range(5)]
        assert steps == [0, 1, 2, 3, 0]
        assert as_data(await execute(client, "nextLink", {"index": 2}))["index"] == 3
        with pytest.raises(JsonRpcException, match="has 4 links, none with index 4"):
            await execute(client, "nextLink", {"index": 4})
        document = types.TextDocumentIdentifier(f"{shop.as_uri()}/{first['path']}")
        at = types.Position(first["quoteRange"]["start"] - 1, 0)
        hover = await client.text_document_hover_async(types.HoverParams(document, at))
        assert hover is not None
        text = hover.contents.value  # type: ignore[union-attr]
        assert [pair in text for pair in ("Step 1 calls step 2", "Step 3 calls step 4")] == [
            True
        ] * 2
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document)) or []
        resolved = [await client.code_lens_resolve_async(lens) for lens in lenses]
        titles = [lens.command.title[:3] for lens in resolved if lens.command]
        assert {"1/4", "3/4"} <= set(titles)
