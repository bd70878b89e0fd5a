"""Which edges can be told as calls."""

from __future__ import annotations

from explorer_core.index.symbols import Edge
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase

_LEAST_WORDS, _MOST_FILES = 2, 20
"""Words of a name, at least, and files that have it, at most, for nothing but its one definition to
be meant: what libraries outside call their own (`to_string`) stands in more."""


def is_certain_call(edge: Edge) -> bool:
    """Whether an edge is a call that is known by more than a name."""
    return edge.relation == "calls" and edge.witness != "graph:name"


def is_sure_call(case: JudgeCase, edge: Edge) -> bool:
    """Whether an edge is a certain call, or one by a name that hardly anything else can have."""
    if edge.relation != "calls" or edge.witness != "graph:name":
        return is_certain_call(edge)
    name = case.graph.symbol(edge.target).name
    if edge.namesakes > 1 or len(text.words_in(name)) < _LEAST_WORDS:
        return False
    files, _ = case.index.search().spread(text.whole(name))
    return files <= _MOST_FILES
