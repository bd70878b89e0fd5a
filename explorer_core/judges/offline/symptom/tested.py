"""What is tested where a message is told. The cause lies there more often than where it is told."""

from __future__ import annotations

from explorer_core.index.symbols import Edge, Symbol
from explorer_core.judges import statements
from explorer_core.judges.offline.telling.declared import is_bodiless
from explorer_core.judges.offline.telling.results import bound_on, names_on
from explorer_core.judges.offline.telling.telling import Step, Telling


def tested(telling: Telling, symbol: Symbol, line: int) -> Step | None:
    """What a line of a symbol hangs on: what is called in the condition right above it, or else
    gave the value of a name in that. None where it calls nothing of the repository, or nobody can
    tell what."""
    condition = telling.exhibits.condition_of(symbol, line)
    if condition is None:
        return None
    giving = _giving(telling.exhibits.code_of(symbol), condition - symbol.range.start)
    lines = [condition, *([symbol.range.start + giving] if giving is not None else [])]
    edges = [edge for edge in telling.calls.sure(symbol) if edge.line in lines]
    edges.sort(key=telling.calls.worth_on_line, reverse=True)
    for edge in sorted(edges, key=lambda edge: lines.index(edge.line)):
        meant = _meant(telling, edge)
        if meant is not None and not telling.calls.only_gives(meant):
            proof = edge if edge.target == meant.id else None
            return Step(meant, "also", proof, further=statements.of_tested(symbol))
    return None


def _giving(code: list[str], condition: int) -> int | None:
    """The nearest line above a condition that gives a name in it its value; from 0 on."""
    names = set(names_on(code[condition]))
    above = range(condition - 1, -1, -1)
    return next((at for at in above if not names.isdisjoint(bound_on(code[at]))), None)


def _meant(telling: Telling, edge: Edge) -> Symbol | None:
    """What runs where a symbol is called: that itself, or the only one that overrides it; None if
    it is a test or the like."""
    graph = telling.case.graph
    called = graph.symbol(edge.target)
    found = {called.id}
    if is_bodiless(telling.case.index, called):
        found = {each.source for each in graph.overridden_by(called.id)}
    own = [each for each in map(graph.symbol, found) if not telling.case.set_apart(each)]
    return own[0] if len(own) == 1 else None
