"""Reads the rows of a table: lines of one definition that make or call the same thing, or name
others."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import chain, takewhile

from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import CALLS, HANDED_OVER, Reference
from explorer_core.index.symbols import CALLABLES, Edge, Symbol, SymbolId
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.memoised import memoised

FEWEST_ROWS = 5
"""How many rows a table must have."""
MAKING_KINDS = CLASS_KINDS | (CALLABLES - {"constructor"})
"""Kinds of what a row may make or call, and of what it may pass on."""
_SHARE = 0.6
"""In a table that calls a function, this share of the rows must pass something on. In a table
inside of a function, this share of the lines with calls among the rows must be rows: other code may
make things one by one."""
_SHARE_ALONE = 0.9
"""The share of a function's lines with calls that must be rows for it to have nothing else."""
_READ_ROWS = 12
"""About how many rows are checked for what they pass on."""


@dataclass(frozen=True, slots=True)
class Table:
    """A definition whose lines are alike."""

    holder: Symbol
    """The definition that has the rows."""
    made: Symbol | None
    """What each row makes or calls; None if the rows are mere names."""
    rows: dict[int, Edge]
    """The first line of each row, with the edge to what it makes, calls or names."""
    worth: float
    """How much of the question the table's names have."""


class Rows(Finder):
    """Reads the rows of tables."""

    def form_a_table(self, table: Table) -> bool:
        """Whether rows make up a table, as a function may also call something many times on the way
        to something else. Calls that register something pass on a function or type, or are all that
        their function does."""
        registers = table.made is not None and table.made.kind in CALLABLES
        if table.holder.kind not in CALLABLES:
            return not registers or self._passes_something_on(table)
        rows = [self._row(edge) for edge in table.rows.values()]
        inside = {each.line for row in rows for _, each in row}
        calls = {each.line for _, each in self.references_in(table.holder.id) if each.kind in CALLS}
        among = {line for line in calls if min(inside) <= line <= max(inside)}
        if len(inside & calls) < _SHARE * len(among):
            return False
        alone = len(rows) >= 2 * FEWEST_ROWS and len(inside & calls) >= _SHARE_ALONE * len(calls)
        alone = alone and self._are_rows_statements(table)
        return not registers or alone or self._passes_something_on(table)

    def _are_rows_statements(self, table: Table) -> bool:
        """Whether each row's line begins with its callee or the callee's receiver, so that the
        result of the call is not used."""
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

    def _passes_something_on(self, table: Table) -> bool:
        """Whether most rows pass something on."""
        lines = list(table.rows)[:: max(1, len(table.rows) // _READ_ROWS)]
        passing_lines = [line for line in lines if self.passed_on(table, line) is not None]
        return len(passing_lines) >= _SHARE * len(lines)

    def passed_on(self, table: Table, line: int) -> Symbol | None:
        """Returns the function, or else the type, that a row passes on."""
        row, made = table.rows[line], table.made
        if made is None:
            return self._graph.symbol(row.target)
        found = [
            self._graph.symbol(edge.target)
            for at, each in self._row(row)
            if each.kind in HANDED_OVER
            for edge in self._graph.edges_at(row.path, at)
            if not edge.is_by_name and edge.target != made.id
        ]
        found = [each for each in found if each.kind in MAKING_KINDS]
        return min(found, key=lambda each: each.kind not in CALLABLES, default=None)

    def _row(self, edge: Edge) -> list[tuple[int, Reference]]:
        """Returns the references of a row: all on its first line, and those on later lines that are
        indented further than the first."""
        references = self.references_in(edge.source)
        first = bisect_left(references, edge.line, key=lambda each: each[1].line)
        column = references[first][1].column
        row = takewhile(
            lambda each: each[1].line == edge.line or each[1].column > column, references[first:]
        )
        return list(row)

    def entries(self, holder: Symbol) -> dict[int, Edge]:
        """Returns the first function or type that each line of a list names. Empty unless most
        lines name one."""
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
        """Returns the references in a definition with their numbers, in the order of the text."""
        facts = self.case.index.view.facts(source.path)
        found: list[tuple[int, Reference]] = []
        if facts is not None:
            within = facts.references.in_scope(source.ordinal)
            found = [(at, facts.references[at]) for at in within]
        found.sort(key=lambda each: (each[1].line, each[1].column))
        return found
