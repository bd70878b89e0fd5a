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
    bound_on,
    filled_on,
    fills_of,
    names_on,
)
from explorer_core.judges.offline.telling.calls import Calls
from explorer_core.judges.offline.telling.conditions import Conditions
from explorer_core.judges.offline.telling.declared import is_bodiless
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.guards import end_of

_COMPARES = re.compile(r"[=!<>]=|&&|\|\|")
"""Operators by which a function that decides something differs from one that only returns a
value."""
_SCARCE = 0.7
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
        caught = self.conditions.caught(symbol, line)
        for head in self.conditions.around(symbol, line):
            if caught is not None and head.start < caught[0]:
                break
            found: dict[Symbol, Edge] = {}
            giving = list(self._giving(symbol, head))
            for lines in (head, *giving):
                for edge in sure:
                    meant = self._meant(edge) if edge.line in lines else None
                    if meant is not None:
                        found.setdefault(meant, edge)
            decision = Decision(head, _with_given(head, giving), tuple(found.items()))
            decisions.append(decision)
            if found:
                return decision
        if caught is None:
            return decisions[0] if decisions else None
        handler, block = caught
        head = LineRange(start=handler, end=handler)
        raising = self._raising(symbol, sure, handler, block)
        return Decision(head, head, raising, caught=True)

    def _raising(
        self, symbol: Symbol, sure: Sequence[Edge], handler: int, block: LineRange
    ) -> tuple[tuple[Symbol, Edge], ...]:
        """Returns the callee in a block that raises the error named by the handler's head, or else
        the most informative callee in the block. At most one is returned."""
        on_line = {edge.target for edge in self._graph.uses(symbol.id) if edge.line == handler}
        written = self.exhibits.line(symbol.path, handler)
        errors = {each for each in on_line if self._is_last(each, written)}
        called = [
            (meant, edge)
            for edge in sure
            if edge.line in block and (meant := self._meant(edge)) is not None
        ]
        raising = [
            (meant, raised)
            for meant, _ in called
            for raised in self._graph.uses(meant.id)
            if raised.target in errors and self.conditions.leaves_on(meant, raised.line)
        ]
        return tuple(raising[:1] or called[:1])

    def _is_last(self, named: SymbolId, written: str) -> bool:
        """Whether a line names a definition itself, rather than as a qualifier of one of its
        members."""
        name = re.escape(self._graph.symbol(named).name)
        return re.search(rf"\b{name}\b(?!\s*(?:::|\.|\\))", written) is not None

    def _giving(self, symbol: Symbol, head: LineRange) -> Iterator[LineRange]:
        """Yields, for each name in a block's head, the nearest statement above that assigns it."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        fills = fills_of(language_of(symbol.path))
        names = [
            name for at in range(head.start, head.end + 1) for name in names_on(code[at - first])
        ]
        for name in dict.fromkeys(names):
            above = range(head.start - first - 1, -1, -1)
            given = ((at, (*bound_on(code[at]), *filled_on(code[at], fills))) for at in above)
            gives = (at for at, names in given if name in names)
            if (at := next(gives, None)) is not None:
                end = min(at + end_of(code[at:]), len(code) - 1)
                yield LineRange(start=first + at, end=first + max(at, end))

    def _meant(self, edge: Edge) -> Symbol | None:
        """Returns what runs at a call: the callee, or its only override if it has no body. None if
        that is a test or the like, only returns a value, or is called from very many places."""
        called = self._graph.symbol(edge.target)
        found = {called.id}
        if is_bodiless(self.case.index, called):
            found = {each.source for each in self._graph.overridden_by(called.id)}
        own = [each for each in map(self._graph.symbol, found) if not self.case.set_apart(each)]
        if len(own) != 1 or self.calls.scarcity(edge) < _SCARCE:
            return None
        return own[0] if self._may_decide(own[0]) else None

    def _may_decide(self, symbol: Symbol) -> bool:
        """Whether a definition does more than return a value that is set elsewhere."""
        code = self.exhibits.code_of(symbol) if self.exhibits.has(symbol.path) else []
        return not self.calls.only_gives(symbol) or any(map(_COMPARES.search, code))


def _with_given(head: LineRange, giving: Sequence[LineRange]) -> LineRange:
    """Extends a head upwards by one line, if that line assigns a value tested in the head."""
    above = LineRange(start=head.start - 1, end=head.start - 1)
    return LineRange(start=above.start, end=head.end) if above in giving else head
