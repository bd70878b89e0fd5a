"""Results of the index's search: code first, and tests, data and the like if there is room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from explorer_core.channels import index as channel
from explorer_core.channels.features.quotations import wording_of
from explorer_core.channels.features.shortlist import SIZE
from explorer_core.channels.index import search_index
from explorer_core.channels.question.query import understand
from explorer_core.channels.question.wording import Wording
from explorer_core.channels.text_search import ripgrep
from explorer_core.contracts import GrepMatch, Settings, SymbolFound
from explorer_core.index.index import Index
from explorer_core.index.sync import SyncTask
from explorer_core.index.terms.text import analyse
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import index_of

TEST = "tests/test_orders.py"
FEW = f"""
//- shop/orders.py
def place_order(cart):
    return cart.total()
//- {TEST}
def test_an_order_is_placed():
    assert place_order(Cart())
"""
MANY = (
    FEW
    + "//- shop/reports.py\n"
    + "".join(
        f"def order_report_{number}(order):\n    return order.line({number})\n"
        for number in range(SIZE + 20)
    )
)


def open_index(text: str, tmp_path: Path) -> Index:
    folder = tmp_path / "tree"
    parse(text).write(folder)
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    index = index_of(Workspace.open(folder, settings=settings))
    index.sync_now()
    return index


@pytest.fixture(scope="module", params=[FEW, MANY], ids=["few", "many"])
def index(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Index]:
    with open_index(request.param, tmp_path_factory.mktemp("workspace")) as index:
        yield index


async def find_units(index: Index, question: str) -> list[SymbolFound]:
    query = understand(question)
    result = await search_index(index, query, aside=aside_from(query.title))
    observations = [each for each in result.observations if isinstance(each, SymbolFound)]
    assert len(observations) == len(result.observations)
    return observations


async def find_paths(index: Index, question: str) -> set[str]:
    return {each.path for each in await find_units(index, question)}


async def test_tests_are_found_only_if_code_leaves_room(index: Index) -> None:
    paths = await find_paths(index, "How is an order placed?")
    leaves_room = index.search().collection.units < SIZE
    assert paths - {TEST} == {entry.path for entry in index.workspace.files()} - {TEST}
    assert (TEST in paths) == leaves_room


@pytest.mark.parametrize(
    "question",
    [
        "Which tests cover how an order is placed?",
        f"Why does placing an order fail at {TEST}:2?",
        'An order fails\n  File "tests/test_orders.py", line 2, in test_an_order_is_placed',
    ],
)
async def test_tests_the_question_asks_for_are_found(index: Index, question: str) -> None:
    assert TEST in await find_paths(index, question)


async def test_workspace_of_tests_only_is_searched_fully(tmp_path: Path) -> None:
    """Including the search with the words of the first results, which skips files set aside."""
    with open_index(FEW[FEW.index(f"//- {TEST}") :], tmp_path) as index:
        observations = await find_units(index, "How is an order placed?")
        assert any(each.scores["text.feedback"] > 0 for each in observations)


INNER = "".join(
    f"    def step_{at}(order):\n"
    f"        log(order)\n"
    f"        place(order, {at})\n"
    f"        return {at}\n"
    for at in range(30)
)
LONG_FUNCTION = f"""
//- shop/run.py
def run(orders):
    first = orders.begin()
    first.place()
    first.check()
    first.note()
{INNER}
    return orders.end()
"""


async def test_nested_functions_are_not_parts_of_the_outer_one(tmp_path: Path) -> None:
    with open_index(LONG_FUNCTION, tmp_path) as index:
        units = await find_units(index, "How is an order placed by a step?")
        whole = [each for each in units if each.symbol and each.symbol.name == "run"]
        steps = [each for each in units if each.symbol and each.symbol.name.startswith("step_")]
        assert len(steps) == 30
        assert [(each.range.start, each.range.end) for each in whole] == [(1, 60)]


LANGUAGES = 40
TRANSLATED = "".join(
    f"//- shop/texts/{number}.json\n{{\n"
    + ",\n".join(f'  "order{at}": "The order is placed, order {at}"' for at in range(20))
    + "\n}\n"
    for number in range(LANGUAGES)
)


@pytest.mark.parametrize("text", [TRANSLATED + FEW, TRANSLATED], ids=["beside code", "alone"])
async def test_data_leaves_room_for_program_code(tmp_path: Path, text: str) -> None:
    """A text repeated once per language does not fill the results, unless there is nothing else."""
    with open_index(text, tmp_path) as index:
        paths = [each.path for each in await find_units(index, "How is an order placed?")]
        has_program = "shop/orders.py" in paths
        data = sum(path.endswith(".json") for path in paths)
        assert has_program == ("shop/orders.py" in text)
        assert data > SIZE / 2, "what programs leave room for"


REELS = "".join(f"def reel_is_missing_{at}(reel):\n    return reel\n" for at in range(SIZE + 100))
TEXTS = {
    "table": "static const char *texts[] = {\n"
    + "".join(f'  "Word{at} number{at} of{at} the{at} texts{at}.",\n' for at in range(60))
    + "  {text},\n};\n",
    "records": "<texts>\n"
    + "".join(f'<text name="text{at}">Word{at}</text>\n' for at in range(60))
    + "<text>{text}</text>\n</texts>\n",
}
MISSING = 'Why is it "A reel for the spool is missing"?'


def no_ripgrep(*_: Path) -> None:
    """Stands for ``find_ripgrep`` where ripgrep is not installed."""


@pytest.mark.parametrize("without_program", [False, True])
@pytest.mark.parametrize(
    ("path", "kind", "text", "question"),
    [
        ("texts.c", "table", '"A reel for the spool is missing"', MISSING),
        ("texts.c", "table", '"A reel for "\n  "the spool is missing, wind"', MISSING),
        ("texts.c", "table", '"A reel for the \\"spool\\" is missing"', MISSING),
        (
            "texts.c",
            "table",
            '"A reel for the %s is missing at turn %d"',
            'Why is it "A reel for the spool is missing at turn 7"?',
        ),
        (
            "texts.c",
            "table",
            '"A reel for the spool is missing"',
            "wind.c:12: error: a reel for the spool is missing",
        ),
        ("texts.c", "table", '"A reel for the spool is missing, wind"', MISSING[11:-2] + ", wind"),
        ("texts.xml", "records", "A reel for the spool is missing", MISSING),
        ("texts.xml", "records", "A reel for the\\n spool is missing", MISSING),
    ],
)
async def test_quoted_text_is_found_in_tables_and_records(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    kind: str,
    text: str,
    question: str,
    without_program: bool,
) -> None:
    """The other texts are about other things, and many definitions are named after its words."""
    if without_program:
        monkeypatch.setattr(ripgrep, "find_ripgrep", no_ripgrep)
    tree = f"//- reels.py\n{REELS}//- {path}\n{TEXTS[kind].replace('{text}', text)}"
    with open_index(tree, tmp_path) as index:
        query = understand(question)
        aside = aside_from(query.title)
        result = await search_index(index, query, aside=aside, symptom=True)
        last = text.splitlines()[-1]
        hits = [each for each in result.observations if isinstance(each, SymbolFound | GrepMatch)]
        assert any(last in "\n".join(each.segment.lines) for each in hits)


async def test_quoted_text_is_searched_while_indexing_is_incomplete(tmp_path: Path) -> None:
    """The files indexed first contain all of its words, so that none of them is rare."""
    reels = "".join(
        f"//- reels/{at}.py\ndef reel_{at}():\n    raise Missing('No reel is for the spool')\n"
        for at in range(9)
    )
    others = "".join(f"//- other/{at}.py\nwhy = {at}\n" for at in range(20))
    parse(reels + others).write(tmp_path / "tree")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    query = understand('Winding stops with "No reel is for the spool", why?')
    with index_of(Workspace.open(tmp_path / "tree", settings=settings)) as index:
        index.workspace.files()
        index.sync_now(SyncTask([f"reels/{at}.py" for at in range(9)]))
        weights = {term: index.search().terms.salience(term) for term in analyse(query.text)}
        assert not Wording(query, weights).texts_to_find
        assert wording_of(query, index).texts_to_find == list(query.quoted)
        index.sync_now()
        assert wording_of(query, index).texts_to_find == list(query.quoted)


async def test_text_search_is_skipped_without_a_quotation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for it would slow down every question."""

    def fail(*_: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(channel, "wording_of", fail)
    monkeypatch.setattr(channel, "matches_in", fail)
    with open_index(FEW, tmp_path) as index:
        for question in ("How is an order placed?", "How an order is placed"):
            assert await find_paths(index, question)
        query = understand("Why is an order not placed?")
        assert await search_index(index, query, aside=aside_from(query.title), symptom=True)
