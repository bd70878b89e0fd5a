"""What is handed over in a fixture, checked from both ends."""

from __future__ import annotations

from collections.abc import Iterable

from explorer_core.index.graph import SymbolGraph
from tests.fixture import parse
from tests.index.workspace import graph_of, show


def fed(graph: SymbolGraph, paths: Iterable[str]) -> list[str]:
    """All that is handed over in some files, once each; what the ends say of it is the same."""
    symbols = [s.id for path in paths for s in graph.symbols_in(path)]
    out = {e for s in symbols for e in graph.outgoing(s) if e.relation == "feeds"}
    into = {e for s in symbols for e in graph.incoming(s) if e.relation == "feeds"}
    assert out == into
    return sorted({show(graph, edge) for edge in out})


def check(source: str, *expected: str) -> None:
    """Just these edges lead from what hands over to what it is handed to."""
    assert fed(graph_of(source), parse(source).files) == sorted(expected)


def changed(source: str, before: str, after: str) -> str:
    """A fixture with one thing in it written otherwise; as it is where both are empty."""
    assert before in source
    return source.replace(before, after)
