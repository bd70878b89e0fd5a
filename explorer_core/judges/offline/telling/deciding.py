"""What decides whether a line is reached.

For ``log("no results")`` below ``if results.empty():`` this is ``empty``, or the call that gave
``results`` its value. In an error handler it is what raises the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer_core.contracts import LineRange
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges.offline.telling.assignments import (
    assigned_names,
    names_in_expression,
    output_argument_pattern,
    output_arguments,
)
from explorer_core.judges.offline.telling.calls import Calls
from explorer_core.judges.offline.telling.conditions import Conditions
from explorer_core.judges.offline.telling.declared import is_bodiless
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.guards import end_of_statement

_COMPARES = re.compile(r"[=!<>]=|&&|\|\|")
"""Operators by which a function that decides something differs from one that only returns a
value."""
_LEAST_SCARCITY = 0.7
"""The least `Calls.scarcity` that a deciding call may have. A function that is called everywhere
decides nothing."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What decides at the head of one block."""

    head: LineRange
    written: LineRange
    """The head, with the line right above it if that assigns a value tested in the head."""
    deciding: tuple[tuple[Symbol, Edge], ...]
    """The callees that decide, each with the edge to it. If errors are ``caught``, these are what
    raises them, and the edge is the one to the error, if that is known."""
    caught: bool = False


@dataclass(frozen=True)
class Deciding(Finder):
    """Finds what decides, in the definitions of one case."""

    calls: Calls
    conditions: Conditions

    def on(self, symbol: Symbol, line: int) -> Decision | None:
        """Returns the decision that a line depends on, or None if it is in no block.

        This is the innermost block around the line where some deciding callee is known, or else the
        innermost block. In an error handler, what raises the error decides.
        """
        sure = sorted(self.calls.sure(symbol), key=self.calls.worth_on_line, reverse=True)
        decisions: list[Decision] = []
        handling = self.conditions.handler_of(symbol, line)
        for head in self.conditions.heads_of_blocks_around(symbol, line):
            if handling is not None and head.start < handling[0]:
                break
            deciders: dict[Symbol, Edge] = {}
            assignments = list(self._assignments_of(symbol, head))
            for lines in (head, *assignments):
                for edge in sure:
                    decider = self._target_at_run_time(edge) if edge.line in lines else None
                    if decider is not None:
                        deciders.setdefault(decider, edge)
            decision = Decision(
                head, _with_assignment_above(head, assignments), tuple(deciders.items())
            )
            decisions.append(decision)
            if deciders:
                return decision
        if handling is None:
            return decisions[0] if decisions else None
        handler, block = handling
        head = LineRange(start=handler, end=handler)
        raising = self._raiser_or_callee(symbol, sure, handler, block)
        return Decision(head, head, raising, caught=True)

    def _raiser_or_callee(
        self, symbol: Symbol, sure: Sequence[Edge], handler: int, block: LineRange
    ) -> tuple[tuple[Symbol, Edge], ...]:
        """Returns the callee in a block that raises the error named by the handler's head, or else
        the most informative callee in the block. At most one is returned."""
        on_line = {edge.target for edge in self._graph.uses(symbol.id) if edge.line == handler}
        handler_line = self.exhibits.line(symbol.path, handler)
        errors = {each for each in on_line if self._is_named_itself(each, handler_line)}
        called = [
            (callee, edge)
            for edge in sure
            if edge.line in block and (callee := self._target_at_run_time(edge)) is not None
        ]
        raising = [
            (callee, raised)
            for callee, _ in called
            for raised in self._graph.uses(callee.id)
            if raised.target in errors and self.conditions.is_exit(callee, raised.line)
        ]
        return tuple(raising[:1] or called[:1])

    def _is_named_itself(self, symbol: SymbolId, code: str) -> bool:
        """Whether a line names a definition itself, rather than as a qualifier of one of its
        members."""
        name = re.escape(self._graph.symbol(symbol).name)
        return re.search(rf"\b{name}\b(?!\s*(?:::|\.|\\))", code) is not None

    def _assignments_of(self, symbol: Symbol, head: LineRange) -> Iterator[LineRange]:
        """Yields, for each name in a block's head, the nearest statement above that assigns it."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        fills = output_argument_pattern(language_of(symbol.path))
        names = [
            name
            for at in range(head.start, head.end + 1)
            for name in names_in_expression(code[at - first])
        ]
        for name in dict.fromkeys(names):
            above = range(head.start - first - 1, -1, -1)
            assigned_above = (
                (at, (*assigned_names(code[at]), *output_arguments(code[at], fills)))
                for at in above
            )
            matching = (at for at, names in assigned_above if name in names)
            if (at := next(matching, None)) is not None:
                end = min(at + end_of_statement(code[at:]), len(code) - 1)
                yield LineRange(start=first + at, end=first + max(at, end))

    def _target_at_run_time(self, edge: Edge) -> Symbol | None:
        """Returns what runs at a call: the callee, or its only override if it has no body. None if
        that is a test or the like, only returns a value, or is called from very many places."""
        called = self._graph.symbol(edge.target)
        found = {called.id}
        if is_bodiless(self.case.index, called):
            found = {each.source for each in self._graph.overridden_by(called.id)}
        candidates = [
            each for each in map(self._graph.symbol, found) if not self.case.is_set_apart(each)
        ]
        if len(candidates) != 1 or self.calls.scarcity(edge) < _LEAST_SCARCITY:
            return None
        return candidates[0] if self._may_decide(candidates[0]) else None

    def _may_decide(self, symbol: Symbol) -> bool:
        """Whether a definition does more than return a value that is set elsewhere."""
        code = self.exhibits.code_of(symbol) if self.exhibits.has(symbol.path) else []
        return not self.calls.only_returns_value(symbol) or any(map(_COMPARES.search, code))


def _with_assignment_above(head: LineRange, assignments: Sequence[LineRange]) -> LineRange:
    """Extends a head upwards by one line, if that line assigns a value tested in the head."""
    above = LineRange(start=head.start - 1, end=head.start - 1)
    return LineRange(start=above.start, end=head.end) if above in assignments else head
