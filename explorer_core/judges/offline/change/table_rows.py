"""The rows of a table: lines of one definition that make or call the same thing, or name others."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import chain, takewhile

from explorer_core.held import memoised
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import CALLS, HANDED, Reference
from explorer_core.index.symbols import CALLABLES, Edge, Symbol, SymbolId
from explorer_core.judges.offline.telling.finder import Finder

FEWEST_ROWS = 5
"""Fewest rows of a table."""
MAKING_KINDS = CLASS_KINDS | (CALLABLES - {"constructor"})
"""Kinds of what a row makes or calls, and of what it hands over."""
_SHARE = 0.6
"""How many of the rows must give something to a function, and how many of the lines among the rows
of one that call anything must be rows where a function has them: it may make things one by one."""
_ALONE = 0.9
"""How many of the lines of a function that call anything are rows where it has nothing else."""
_READ_ROWS = 12
"""Rows that are looked at for what they hand over, about."""


@dataclass(frozen=True, slots=True)
class Table:
    """A definition whose lines are alike."""

    holder: Symbol
    """What has the rows."""
    made: Symbol | None
    """What each row makes or calls; None where the rows are mere names."""
    rows: dict[int, Edge]
    """The first line of each row, with the edge that says what it makes, calls or names."""
    said: float
    """How much of what the question tells the names of the table have."""


class Rows(Finder):
    """Reads the rows of tables."""

    def make_a_table(self, table: Table) -> bool:
        """Whether rows stand by themselves, since a function may also make or call something many
        times on the way to something else. Calls that register something give it a function or a
        type, or are all that their function does."""
        registers = table.made is not None and table.made.kind in CALLABLES
        if table.holder.kind not in CALLABLES:
            return not registers or self._gives(table)
        rows = [self._row(edge) for edge in table.rows.values()]
        inside = {each.line for row in rows for _, each in row}
        calls = {each.line for _, each in self.references_in(table.holder.id) if each.kind in CALLS}
        among = {line for line in calls if min(inside) <= line <= max(inside)}
        if len(inside & calls) < _SHARE * len(among):
            return False
        alone = len(rows) >= 2 * FEWEST_ROWS and len(inside & calls) >= _ALONE * len(calls)
        alone = alone and self._is_each_a_statement(table)
        return not registers or alone or self._gives(table)

    def _is_each_a_statement(self, table: Table) -> bool:
        """Whether the line of each row begins with what it calls, or with what that is a member
        of: what a call gives is not used then."""
        name = table.made.name if table.made is not None else ""
        for line, edge in table.rows.items():
            called_so = (
                each for _, each in self._row(edge) if (each.line, each.name) == (line, name)
            )
            begun = [each.receiver or each.name for each in called_so]
            written = self.exhibits.line(table.holder.path, line).lstrip()
            if not written.startswith(tuple(begun)):
                return False
        return True

    def _gives(self, table: Table) -> bool:
        """Whether most of the rows hand over something."""
        lines = list(table.rows)[:: max(1, len(table.rows) // _READ_ROWS)]
        given = [line for line in lines if self.given(table, line) is not None]
        return len(given) >= _SHARE * len(lines)

    def given(self, table: Table, line: int) -> Symbol | None:
        """The function, or else the type, that a row hands over."""
        row, made = table.rows[line], table.made
        if made is None:
            return self._graph.symbol(row.target)
        found = [
            self._graph.symbol(edge.target)
            for at, each in self._row(row)
            if each.kind in HANDED
            for edge in self._graph.edges_at(row.path, at)
            if not edge.is_by_name and edge.target != made.id
        ]
        found = [each for each in found if each.kind in MAKING_KINDS]
        return min(found, key=lambda each: each.kind not in CALLABLES, default=None)

    def _row(self, edge: Edge) -> list[tuple[int, Reference]]:
        """What a row refers to: all on its first line, and on lines after it what stands farther
        right than that begins."""
        references = self.references_in(edge.source)
        first = bisect_left(references, edge.line, key=lambda each: each[1].line)
        column = references[first][1].column
        row = takewhile(
            lambda each: each[1].line == edge.line or each[1].column > column, references[first:]
        )
        return list(row)

    def entries(self, holder: Symbol) -> dict[int, Edge]:
        """The first function or type that each line of a list names, if most of them name one."""
        lines: dict[int, list[int]] = {}
        for at, each in self.references_in(holder.id):
            if each.kind == "table":
                lines.setdefault(each.line, []).append(at)
        if len(lines) < FEWEST_ROWS:
            return {}
        some = list(lines)[:: max(1, len(lines) // _READ_ROWS)]
        if sum(self._entry(holder, lines[line]) is not None for line in some) < _SHARE * len(some):
            return {}
        found = {line: self._entry(holder, lines[line]) for line in lines}
        return {line: edge for line, edge in found.items() if edge is not None}

    def _entry(self, holder: Symbol, references: list[int]) -> Edge | None:
        edges = chain.from_iterable(self._graph.edges_at(holder.path, at) for at in references)
        known = (edge for edge in edges if not edge.is_by_name)
        return next((edge for edge in known if self._graph.kind(edge.target) in MAKING_KINDS), None)

    @memoised
    def references_in(self, source: SymbolId) -> list[tuple[int, Reference]]:
        """The references in a definition with their numbers, in the order of the text."""
        facts = self.case.index.view.facts(source.path)
        found: list[tuple[int, Reference]] = []
        if facts is not None:
            within = facts.references.in_scope(source.ordinal)
            found = [(at, facts.references[at]) for at in within]
        found.sort(key=lambda each: (each[1].line, each[1].column))
        return found
