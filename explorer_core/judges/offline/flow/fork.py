"""A flow that forks: one function calls two definitions that no path joins.

A path through the graph shows only one of the two, or neither, and the reader is left to find who
has to do with both. Where exactly one function calls both, it is told first, and then the two in
the order of its calls, each with what the path goes on to from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.judges.offline.telling.calls import is_certain_call
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling
from explorer_core.judges.statements import called

_FILES = 40
"""Files looked at for callers, as for those that lead in a path."""
_CASE = "constant"
"""The kind of a member that, where it is called, is one of several cases of its type. Whoever calls
a constructor may only wire together what others use."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """A definition and the call that leads to it: a call of it, or one that makes a case of the
    type whose member it is."""

    symbol: Symbol
    edge: Edge


def forked(telling: Telling, steps: Sequence[Step], best: Sequence[Symbol]) -> list[Step]:
    """The steps of a fork to the best of some definitions and to the first other one that a caller
    of the best calls as well; empty if there is none. The steps of a path are kept before the
    caller and after the two. Overloads and the like, which have one name, could not be told
    apart."""
    for other in best[1:]:
        alike = called(other) == called(best[0])
        if not alike and (found := _told(telling, steps, best[0], other)):
            return found
    return []


def _told(telling: Telling, steps: Sequence[Step], one: Symbol, other: Symbol) -> list[Step]:
    """The fork of two definitions; none where the path joins them, or where no function is the only
    one to call both."""
    places = [at for each in (one, other) if (at := _place(steps, each)) is not None]
    branches = _fork(telling, one, other) if len(places) < 2 else []
    if not branches:
        return []
    first, second = (branch.edge for branch in branches)
    before = next((at for at, step in enumerate(steps) if step.symbol.id == first.source), None)
    if before is not None and places != [before + 1]:
        return []
    user = telling.case.graph.symbol(first.source)
    found = [
        *steps[: before or 0],
        Step(user, "step" if before else "entry", first, also=(second,)),
    ]
    for branch in branches:
        at = _place(steps, branch.symbol)
        onward = [Step(branch.symbol, "step")] if at is None else steps[at:]
        found += [replace(step, role="step") for step in onward[:-1]]
        found.append(replace(onward[-1], role="effect"))
    return found


def _place(steps: Sequence[Step], symbol: Symbol) -> int | None:
    """Where steps come by a symbol, or by what is inside of it or around it."""
    for at, step in enumerate(steps):
        if step.symbol.path == symbol.path and step.symbol.range.overlaps(symbol.range):
            return at
    return None


def _fork(telling: Telling, one: Symbol, other: Symbol) -> list[_Branch]:
    """The two as the only function that leads to both of them does, in the order of its calls."""
    graph = telling.case.graph
    both = [_ways_to(graph, each) for each in (one, other)]
    ways = [each - (both[0] & both[1]) for each in both]
    found: list[_Branch] = []
    seen = {one.id, other.id}
    for caller in _callers(graph, min(ways, key=len)):
        if caller in seen or telling.case.set_apart(graph.symbol(caller)):
            continue
        seen.add(caller)
        if not telling.exhibits.has(caller.path):
            continue
        calls = list(telling.calls.sure(graph.symbol(caller)))
        branches = [
            _Branch(each, edge)
            for each, way in zip((one, other), ways, strict=True)
            if (edge := _telling_call(telling, each, way, calls)) is not None
        ]
        if len(branches) < len(ways):
            continue
        if found:
            return []
        found = branches
    return sorted(found, key=lambda branch: branch.edge.line)


def _ways_to(graph: SymbolGraph, symbol: Symbol) -> set[SymbolId]:
    """What a call that leads to a symbol ends at."""
    ways = {symbol.id}
    holder = graph.container(symbol.id)
    if holder is not None and graph.kind(holder) in MEMBER_HOLDERS:
        ways.update(each for each in graph.members(holder) if graph.kind(each) == _CASE)
    return ways


def _callers(graph: SymbolGraph, ways: set[SymbolId]) -> Iterator[SymbolId]:
    for way in sorted(ways):
        for edge in graph.uses_of(way, files=_FILES, calls=True):
            if is_certain_call(edge) and not edge.source.is_file:
                yield edge.source


def _telling_call(
    telling: Telling, symbol: Symbol, ways: set[SymbolId], calls: Sequence[Edge]
) -> Edge | None:
    """Of some calls the one that leads to a symbol: to itself if one does, else by whose name it
    tells most."""
    leading = [edge for edge in calls if edge.target in ways]
    return max(
        leading,
        key=lambda edge: (edge.target == symbol.id, telling.calls.worth_of_name(edge)),
        default=None,
    )
