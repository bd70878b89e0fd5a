"""Builds flows that fork: one function calls two definitions that no path joins.

``serve`` calls ``parse`` and then ``store``, and both rank best. A path through the graph would
show only one of them, or neither. If exactly one function calls both, it becomes a step, and the
two follow in the order of its calls, each with what the path has after it.
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
"""How many files are searched for callers; as many as for what leads in a path."""
_CASE_KIND = "constant"
"""The kind of a member that makes one case of its type when it is called, as an enum's variant
does. Constructors do not count: who calls one may only wire together what others use."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """A definition, and the call that leads to it. This is a call of the definition itself, or one
    that makes a case of the type that it is a member of."""

    symbol: Symbol
    edge: Edge


def find_fork(telling: Telling, steps: Sequence[Step], best: Sequence[Symbol]) -> list[Step]:
    """Returns the steps of a fork to ``best[0]`` and another definition; empty if there is none.

    The other is the first for which exactly one function calls both. ``steps`` of the path before
    the caller and after the two are kept. Definitions named like ``best[0]``, such as overloads,
    are left out: in a sentence the two could not be told apart.
    """
    for other in best[1:]:
        same_name = called(other) == called(best[0])
        if not same_name and (found := _fork_steps(telling, steps, best[0], other)):
            return found
    return []


def _fork_steps(telling: Telling, steps: Sequence[Step], one: Symbol, other: Symbol) -> list[Step]:
    """Returns the fork of two definitions; empty if the path already joins them, or if no function
    or several call both."""
    places = [at for each in (one, other) if (at := _index_of(steps, each)) is not None]
    branches = _branches_of_only_caller(telling, one, other) if len(places) < 2 else []
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
        at = _index_of(steps, branch.symbol)
        onward = [Step(branch.symbol, "step")] if at is None else steps[at:]
        found += [replace(step, role="step") for step in onward[:-1]]
        found.append(replace(onward[-1], role="effect"))
    return found


def _index_of(steps: Sequence[Step], symbol: Symbol) -> int | None:
    """Returns the index of the step that shares lines with a symbol."""
    for at, step in enumerate(steps):
        if step.symbol.path == symbol.path and step.symbol.range.overlaps(symbol.range):
            return at
    return None


def _branches_of_only_caller(telling: Telling, one: Symbol, other: Symbol) -> list[_Branch]:
    """Returns both definitions with the calls of the only function that leads to both, in call
    order."""
    graph = telling.case.graph
    both = [_targets_leading_to(graph, each) for each in (one, other)]
    targets = [each - (both[0] & both[1]) for each in both]
    found: list[_Branch] = []
    seen = {one.id, other.id}
    for caller in _callers_of(graph, min(targets, key=len)):
        if caller in seen or telling.case.is_set_apart(graph.symbol(caller)):
            continue
        seen.add(caller)
        if not telling.exhibits.has(caller.path):
            continue
        calls = list(telling.calls.sure(graph.symbol(caller)))
        branches = [
            _Branch(each, edge)
            for each, reached in zip((one, other), targets, strict=True)
            if (edge := _leading_call(telling, each, reached, calls)) is not None
        ]
        if len(branches) < len(targets):
            continue
        if found:
            return []
        found = branches
    return sorted(found, key=lambda branch: branch.edge.line)


def _targets_leading_to(graph: SymbolGraph, symbol: Symbol) -> set[SymbolId]:
    """Returns what a call may target to lead to ``symbol``: itself, or a case of its type."""
    ways = {symbol.id}
    holder = graph.container(symbol.id)
    if holder is not None and graph.kind(holder) in MEMBER_HOLDERS:
        ways.update(each for each in graph.members(holder) if graph.kind(each) == _CASE_KIND)
    return ways


def _callers_of(graph: SymbolGraph, targets: set[SymbolId]) -> Iterator[SymbolId]:
    for target in sorted(targets):
        for edge in graph.uses_of(target, files=_FILES, calls=True):
            if is_certain_call(edge) and not edge.source.is_file:
                yield edge.source


def _leading_call(
    telling: Telling, symbol: Symbol, targets: set[SymbolId], calls: Sequence[Edge]
) -> Edge | None:
    """Picks the call that leads to a symbol: of the symbol itself if there is one, else the one
    whose target is named most like the question."""
    leading = [edge for edge in calls if edge.target in targets]
    return max(
        leading,
        key=lambda edge: (edge.target == symbol.id, telling.calls.worth_of_name(edge)),
        default=None,
    )
