"""What editors and language servers add to the evidence, and which of their places are rejected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from explorer_core.channels.compiler import CompilerError, CompilerPlace
from explorer_core.channels.compilers import CompilerEvidence
from explorer_core.channels.index import search_index
from explorer_core.channels.question.query import understand
from explorer_core.contracts import (
    Anchor,
    ChannelResult,
    DefinitionFound,
    LineRange,
    RelationFound,
    Settings,
)
from explorer_core.index.index import Index
from explorer_core.registry import Registry
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import index_of

FIXTURE = """
    //- .gitignore
    built/
    //- shop/orders.py
    def place_order(basket):
        return 1


    class Parcel:
        def weigh(self):
            return 2
    //- shop/routes.py
    TABLE = {"order": "shop.orders:place_order"}


    def dispatch(name):
        return load(TABLE[name])()
    //- built/copy.py
    def place_order(basket):
        return 1
    //- .env
    place_order=1
"""


class Provider:
    """Answers each method with its places after ``wait_s``. A string is reported as trouble, an
    exception is raised."""

    name, witness = "Provider", "editor"

    def __init__(self, wait_s: float = 0.0, **answers: Any) -> None:
        self.soft_deadline_s = 5.0 if not wait_s else wait_s / 100
        self._wait_s, self._answers = wait_s, answers
        self.cancelled = False

    def covers(self, path: str) -> bool:
        return True

    def __getattr__(self, method: str) -> Any:
        async def answer(*place: Any) -> list[CompilerPlace]:
            try:
                await asyncio.sleep(self._wait_s)
            except asyncio.CancelledError:
                self.cancelled = True
                raise
            response = self._answers.get(method, [])
            if isinstance(response, str):
                raise CompilerError(response)
            if isinstance(response, BaseException):
                raise response
            return response

        return answer


def place_at(path: str, line: int, name: str | None = None) -> list[CompilerPlace]:
    return [CompilerPlace(path, LineRange(start=line, end=line), name)]


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Index]:
    folder = await asyncio.to_thread(parse(FIXTURE).write, tmp_path / "tree")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    with index_of(Workspace.open(folder, settings=settings)) as index:
        await index.sync()
        yield index


async def ask_providers(
    index: Index, question: str, *providers: Provider, **more: Any
) -> ChannelResult:
    query = understand(question)
    found = await search_index(index, query, aside=aside_from(query.title))
    return await CompilerEvidence(providers, index, asyncio.Lock()).about(
        query, found.observations, **more
    )


async def test_users_of_a_name_become_candidates(index: Index):
    """The graph has no such edge, because the name occurs in a string."""
    provider = Provider(
        references=place_at("shop/routes.py", 1), incoming_calls=place_at("shop/routes.py", 5)
    )
    found = await ask_providers(index, "Who calls `place_order`?", provider)
    relations = [each for each in found.observations if isinstance(each, RelationFound)]
    assert {(each.relation, each.source.path) for each in relations} == {
        ("references", "shop/routes.py"),
        ("calls", "shop/routes.py"),
    }
    (call,) = (each for each in relations if each.relation == "calls")
    assert (call.source.line, call.witness) == (5, "editor")
    assert call.segment.start == 4

    registry = Registry()
    registry.add_all(found.observations)
    caller = next(each for each in registry.candidates() if each.path == "shop/routes.py")
    assert caller.provenance == ("compiler",)
    assert caller.features["graph.from_used"] > 0


async def test_callees_of_the_anchor_are_found(index: Index):
    anchor = Anchor(path="shop/routes.py", line=5)
    provider = Provider(outgoing_calls=place_at("shop/orders.py", 1))
    found = await ask_providers(index, "What happens here?", provider, anchor=anchor)
    (call,) = found.observations
    assert isinstance(call, RelationFound)
    assert (call.source.path, call.target.path) == ("shop/routes.py", "shop/orders.py")
    assert call.target_range == LineRange(start=1, end=2)
    assert call.scores.keys() == {"graph.from_users"}


async def test_types_are_asked_for_their_hierarchy(index: Index):
    provider = Provider(subtypes=place_at("shop/routes.py", 4), incoming_calls="not for types")
    found = await ask_providers(index, "What extends `Parcel`?", provider)
    assert [each.relation for each in found.observations] == ["extends"]  # type: ignore[union-attr]
    assert not found.diagnostics


async def test_definition_of_the_exact_name_is_found(index: Index):
    named = place_at("shop/orders.py", 1, "place_order") + place_at(
        "shop/routes.py", 4, "place_orders"
    )
    found = await ask_providers(index, "Where is `place_order`?", Provider(workspace_symbols=named))
    (definition,) = found.observations
    assert isinstance(definition, DefinitionFound)
    assert (definition.path, definition.range) == ("shop/orders.py", LineRange(start=1, end=2))


@pytest.mark.parametrize(
    ("place", "scope"),
    [
        (("built/copy.py", 1), ()),
        ((".env", 1), ()),
        (("shop/gone.py", 1), ()),
        (("shop/routes.py", 900), ()),
        (("shop/routes.py", 5), ("docs/**",)),
        (("shop/orders.py", 2), ()),
    ],
)
async def test_unusable_places_are_rejected(
    index: Index, place: tuple[str, int], scope: tuple[str, ...]
):
    """Places in ignored, secret or missing files, past the end, out of scope; the definition."""
    provider = Provider(references=place_at(*place))
    found = await ask_providers(index, "Who calls `place_order`?", provider, scope=scope)
    assert found.observations == ()


async def test_slow_provider_is_cancelled_and_reported(index: Index):
    slow, quick = Provider(wait_s=20.0), Provider(references=place_at("shop/routes.py", 5))
    found = await asyncio.wait_for(
        ask_providers(index, "Who calls `place_order`?", slow, quick), 10
    )
    assert [each.message for each in found.diagnostics] == [
        "Provider did not respond within 0.2 s."
    ]
    assert len(found.observations) == 1
    assert slow.cancelled


async def test_error_of_a_provider_is_reported_and_other_answers_kept(index: Index):
    provider = Provider(incoming_calls="It is out.", references=place_at("shop/routes.py", 5))
    found = await ask_providers(index, "Who calls `place_order`?", provider)
    assert [each.message for each in found.diagnostics] == ["It is out."]
    assert len(found.observations) == 1


@pytest.mark.parametrize("error", [ValueError("x"), KeyError(1), asyncio.CancelledError()])
async def test_failing_provider_does_not_affect_others(index: Index, error: BaseException):
    failing = Provider(incoming_calls=error, workspace_symbols=error, document_symbols=error)
    working = Provider(
        references=place_at("shop/routes.py", 5),
        document_symbols=[CompilerPlace("notes.txt", LineRange(start=2, end=4))],
    )
    found = await ask_providers(index, "Who calls `place_order`?", failing, working)
    (message,) = (each.message for each in found.diagnostics)
    assert type(error).__name__ in message
    assert len(found.observations) == 1
    around = CompilerEvidence((failing, working), index, asyncio.Lock()).around(
        Anchor(path="notes.txt", line=3)
    )
    if isinstance(error, Exception):
        assert await around == LineRange(start=2, end=4)
    else:
        around.close()


async def test_provider_failing_in_covers_does_not_affect_others(
    index: Index, monkeypatch: pytest.MonkeyPatch
):
    def covers(_: str) -> bool:
        raise ValueError("x")

    failing, working = Provider(), Provider(references=place_at("shop/routes.py", 5))
    monkeypatch.setattr(failing, "covers", covers)
    found = await ask_providers(index, "Who calls `place_order`?", failing, working)
    assert ["ValueError" in each.message for each in found.diagnostics] == [True]
    assert len(found.observations) == 1


async def test_question_without_names_asks_no_provider(index: Index):
    provider = Provider(workspace_symbols="asked")
    assert await ask_providers(index, "how does this work", provider) == ChannelResult()
