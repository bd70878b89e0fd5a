"""Checks the ``feeds`` edges of a fixture from both ends."""

from __future__ import annotations

from collections.abc import Iterable

from explorer_core.index.graph import SymbolGraph
from tests.fixture import parse
from tests.index.workspace import graph_of, show


def feeds_edges(graph: SymbolGraph, paths: Iterable[str]) -> list[str]:
    """All ``feeds`` edges of some files, once each. Checks that both ends of an edge agree."""
    symbols = [s.id for path in paths for s in graph.symbols_in(path)]
    out = {e for s in symbols for e in graph.outgoing(s) if e.relation == "feeds"}
    into = {e for s in symbols for e in graph.incoming(s) if e.relation == "feeds"}
    assert out == into
    return sorted({show(graph, edge) for edge in out})


def check(source: str, *expected: str) -> None:
    """Check that the fixture has exactly these ``feeds`` edges."""
    assert feeds_edges(graph_of(source), parse(source).files) == sorted(expected)


def changed(source: str, before: str, after: str) -> str:
    """A fixture with ``before`` replaced by ``after``; unchanged if both are empty."""
    assert before in source
    return source.replace(before, after)
