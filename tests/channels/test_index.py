"""What the index's search brings: code first, and what is aside where that leaves room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from explorer_core.channels.index import search_index
from explorer_core.channels.query import understand
from explorer_core.channels.shortlist import SIZE
from explorer_core.contracts import Settings, SymbolFound
from explorer_core.index.index import Index
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Workspace
from tests.fixture import parse

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


@pytest.fixture(scope="module", params=[FEW, MANY], ids=["few", "many"])
def index(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("tree")
    parse(request.param).write(folder)
    cache = tmp_path_factory.mktemp("cache")
    settings = Settings(cache_dir=str(cache), index_workers=1)
    with Index.open(Workspace.open(folder, settings=settings)) as index:
        index.sync_now()
        yield index


async def paths(index: Index, question: str) -> set[str]:
    query = understand(question)
    found = await search_index(index, query, aside=aside_from(query.title))
    assert all(isinstance(each, SymbolFound) for each in found.observations)
    return {each.path for each in found.observations if isinstance(each, SymbolFound)}


async def test_tests_come_in_only_where_code_leaves_room(index: Index) -> None:
    found = await paths(index, "How is an order placed?")
    leaves_room = index.search().collection.units < SIZE
    assert found - {TEST} == {entry.path for entry in index.workspace.files()} - {TEST}
    assert (TEST in found) == leaves_room


@pytest.mark.parametrize(
    "question",
    [
        "Which tests cover how an order is placed?",
        f"Why does placing an order fail at {TEST}:2?",
        'An order fails\n  File "tests/test_orders.py", line 2, in test_an_order_is_placed',
    ],
)
async def test_what_the_question_asks_for_or_points_at_is_not_aside(
    index: Index, question: str
) -> None:
    assert TEST in await paths(index, question)
