"""Lenses and hovers are at their text in every position encoding."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from lsp_server.convert import column, uri_to_path
from tests.fixture import parse
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize

WIDE = '''
    //- 店/入口.py
    """🧺🧺 入口: the shop's door."""
    from 店.注文 import 注文する


    def 入店(かご): return 注文する(かご, "🧺 篮子 " + "é")  # 🧺
    //- 店/注文.py
    # 🧺 篮子 — einkäufe


    def 注文する(かご, 名前):
        """🧺 place_order 🧺"""; 行 = list(かご); return 保存する("🧺", 行, 名前)


    def 保存する(印, 行, 名前):
        return ("🧺🧺🧺", 印, len(行), 名前)
'''
ENCODINGS = ["utf-8", "utf-16", "utf-32"]


async def lines_of(place: dict[str, Any]) -> list[str]:
    file = uri_to_path(place["uri"])
    text = await asyncio.to_thread(Path(str(file)).read_text, encoding="utf-8")
    return text.split("\n")


async def text_in(place: dict[str, Any], encoding: str) -> str:
    """The text in a location's range, as a client with this encoding reads it."""
    lines, (start, end) = await lines_of(place), (place["range"]["start"], place["range"]["end"])
    rows = lines[start["line"] : end["line"] + 1]
    rows[-1] = rows[-1][: column(rows[-1], end["character"], encoding)]
    rows[0] = rows[0][column(rows[0], start["character"], encoding) :]
    return "\n".join(rows)


async def check_in_editor(
    client: LanguageClient, folder: Path, report: dict[str, Any], encoding: str
) -> None:
    """Check that each link's location, lens and hover cover its text and show its fact."""
    count = len(report["links"])
    assert count
    for number, link in enumerate(report["links"], start=1):
        lines = await lines_of(link["location"])
        start, end = link["range"]["start"], link["range"]["end"]
        assert await text_in(link["location"], encoding) == "\n".join(lines[start - 1 : end])
        assert link["quote"] in await text_in(link["quoteLocation"], encoding)

        document = types.TextDocumentIdentifier(link["location"]["uri"])
        head = lines[link["quoteRange"]["start"] - 1]
        titles: list[str] = []
        for lens in await client.text_document_code_lens_async(types.CodeLensParams(document)):
            if lens.range.start.line == link["quoteRange"]["start"] - 1:
                lens_place = {"uri": document.uri, "range": as_range(lens.range)}
                assert await text_in(lens_place, encoding) == head
                resolved = await client.code_lens_resolve_async(lens)
                titles.append(resolved.command.title if resolved.command else "")
        assert any(title.startswith(f"{number}/{count} ") for title in titles)

        position = types.Position(link["quoteRange"]["start"] - 1, 0)
        hover = await client.text_document_hover_async(types.HoverParams(document, position))
        assert hover is not None
        assert hover.range is not None
        assert link["quote"].split("\n")[0].strip() in hover.contents.value  # type: ignore[union-attr]
        hover_place = {"uri": document.uri, "range": as_range(hover.range)}
        first, last = link["quoteRange"]["start"], link["quoteRange"]["end"]
        assert (await text_in(hover_place, encoding)).split("\n") == lines[first - 1 : last]


def as_range(span: types.Range) -> dict[str, Any]:
    return {
        name: {"line": each.line, "character": each.character}
        for name, each in (("start", span.start), ("end", span.end))
    }


async def check_walk(client: LanguageClient, report: dict[str, Any]) -> None:
    """Check that "next" goes through the whole flow and wraps around, and "previous" goes back."""
    links = report["links"]
    for at, link in [*enumerate(links), (0, links[0])]:
        step = as_data(await execute(client, "nextLink"))
        assert (step["index"], step["location"]) == (at, link["quoteLocation"])
    step = as_data(await execute(client, "previousLink"))
    assert step["index"] == len(links) - 1


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_ranges_are_exact_among_wide_characters(
    connect: Connect, tmp_path: Path, encoding: str
):
    folder = await asyncio.to_thread(parse(WIDE).write, tmp_path / "お店 🧺")
    async with connect() as client:
        await initialize(client, folder, encodings=[encoding])
        question = "How does `入店` reach `注文する` and `保存する`?"
        report = as_data(await explore(client, query=question))
        await check_in_editor(client, folder, report, encoding)
        await check_walk(client, report)
        assert len({link["path"] for link in report["links"]}) == 2


SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["chat-web", "fieldkit", "relay", "webshop"])
async def test_ranges_are_exact_in_samples(connect: Connect, sample: str):
    await check_folder(connect, SAMPLES / sample, "How does a message or an order get through?")


@pytest.mark.slow
async def test_ranges_are_exact_in_a_large_tree(connect: Connect):
    """``SIGHTLINE_TEST_TREE`` names the folder. The question, from the benchmark, fits Django."""
    folder = os.environ.get("SIGHTLINE_TEST_TREE")
    if not folder:
        pytest.skip("SIGHTLINE_TEST_TREE names no source tree")
    await check_folder(connect, Path(folder), "How does QuerySet filter build the SQL query?")


async def check_folder(connect: Connect, folder: Path, question: str) -> None:
    capabilities = types.ClientCapabilities(
        window=types.WindowClientCapabilities(work_done_progress=True)
    )
    async with connect() as client:
        await initialize(client, folder, capabilities=capabilities)
        report = as_data(await explore(client, query=question))
        steps = [value for values in client.progress_reports.values() for value in values]
        assert any(isinstance(each, types.WorkDoneProgressReport) for each in steps)
        await check_in_editor(client, folder, report, "utf-16")
        await check_walk(client, report)
