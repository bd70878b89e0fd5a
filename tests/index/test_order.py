"""What a name resolves to does not depend on earlier queries."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.resolution.evaluation import DEPTH, Evaluation
from tests.index.workspace import facts_of

_CYCLES = facts_of(
    """
    //- a.py
    from b import Other, late, other
    class Base:
        def run(self): return self.next
        def first(self): return late()
    class Node(Base):
        def __init__(self, node):
            self.next = node.next
            self.next = make(node)
        def run(self): return self.next.run()
    def make(node):
        if node: return other(node)
        return Node(node)
    def use():
        make(1).run()
        other(1).run()
        late().first().run()
        Other().next.run()
        Node(1).next.next.run()
    def within(node):
        if node.next: node = (node.next, 1)
        return node.first()
    //- b.py
    from a import Node, make
    from c import *
    class Other(Node):
        def run(self): return self.next.first()
    def other(node):
        if node: return make(node).run()
        return Other(node)
    def late():
        if 1: return other(2)
        return late().first()
    def more():
        late().run()
        make(2).first()
        shared().run()
        Other().run().run()
    //- c.py
    from b import *
    from a import make as shared
    def last():
        other(3).run()
        shared(3).first()
    //- d.js
    export let one = two, two = one
    export let self = self
    one.run(self.run(two.run))
    """
)[0]
_PLACES = [
    (path, index)
    for path in sorted(_CYCLES.paths())
    if (facts := _CYCLES.facts(path))
    for index in range(len(facts.references))
]


def _edges_queried_in(order: list[tuple[str, int]]) -> dict[tuple[str, int], object]:
    graph = SymbolGraph(_CYCLES)
    return {place: graph.edges_at(*place) for place in order}


_EDGES_QUERIED_ALONE = {place: _edges_queried_in([place])[place] for place in _PLACES}


def test_most_references_in_cycles_are_resolved(caplog: pytest.LogCaptureFixture) -> None:
    assert sum(bool(edges) for edges in _EDGES_QUERIED_ALONE.values()) > len(_PLACES) / 2
    _edges_queried_in(_PLACES)
    assert not caplog.records, "a question that asks itself costs its answer"


@given(st.permutations(_PLACES))
@settings(deadline=None, max_examples=40)
def test_edges_do_not_depend_on_query_order(order: list[tuple[str, int]]) -> None:
    assert _edges_queried_in(order) == _EDGES_QUERIED_ALONE


Successors = dict[int, list[int]]


def _reachable(graph: Successors, evaluation: Evaluation, node: int) -> frozenset[int]:
    """All nodes reachable from a node, computed recursively through an `Evaluation`."""

    def compute() -> frozenset[int]:
        found = [_reachable(graph, evaluation, other) for other in graph.get(node, ())]
        return frozenset({node}).union(*found)

    return evaluation.ask(node, compute, frozenset())


_NODES = st.integers(0, 15)


@given(st.dictionaries(_NODES, st.lists(_NODES, max_size=3)), st.lists(_NODES, max_size=12))
def test_evaluation_does_not_depend_on_query_order(graph: Successors, queried: list[int]) -> None:
    evaluation = Evaluation()
    for node in queried:
        assert _reachable(graph, evaluation, node) == _reachable(graph, Evaluation(), node)


@given(st.lists(st.integers(0, 2 * DEPTH), max_size=8))
def test_depth_limit_counts_from_the_queried_node(queried: list[int]) -> None:
    chain = {node: [node + 1] for node in range(2 * DEPTH)}
    evaluation = Evaluation()
    for node in queried:
        found = _reachable(chain, evaluation, node)
        assert found == frozenset(range(node, min(node + DEPTH, 2 * DEPTH + 1)))
