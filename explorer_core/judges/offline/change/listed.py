"""Where the rows of a table are listed again, for a question that names the table or a row of it.

A new kind is often one more key of a map or one more string of a list, and of another one for its
title, and one for its icon. No edge joins them; they have the same names for their rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from explorer_core.channels.question.query import understand
from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.change.registration import Example, Registration
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.change.together import Together
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.literals import Literal
from explorer_core.judges.statements import as_called, called

_ROWS, _SHARE = 5, 0.6
"""Fewest rows of a table, and how many of all another must have the names of."""
_FILLED = 0.5
"""How many of the lines of a definition that is named are rows if it is a table."""
_PLACES, _TABLES = 4, 5
"""Places that are told beside the table, and definitions that are looked at for it."""
_ROW = re.compile(r"""(\s*)((["'`:]?)(\w[\w-]*)\3)\s*(=>|:|,|=|$)""")
"""A line that begins with a name, a string or not, and goes on as that of a key or of a list."""


@dataclass(frozen=True, slots=True)
class _Table:
    """What has the rows, and the name and the line of each in order."""

    holder: Symbol
    rows: dict[str, int]


@dataclass(frozen=True)
class Listed:
    """Finds the table of one question."""

    case: JudgeCase
    exhibits: Exhibits

    def example(self, subject: Subject) -> Example | None:
        """The largest of the tables of a subject, with what else has the names of most of its rows;
        None where nothing has."""
        tables = sorted(self._tables(subject), key=lambda each: -len(each.rows))
        found = ((each, self._places(each)) for each in tables)
        best = next(((each, places) for each, places in found if places), None)
        if best is None:
            return None
        table, places = best
        name, line = list(table.rows.items())[-1]
        total = f"It lists {len(table.rows)} names."
        whole = Registration(table.holder, None, total, Literal(table.holder, line, name))
        return Example(
            table.holder,
            None,
            (whole, *places),
            0.0,
            is_row=True,
            enumerated=table.holder,
        )

    def _tables(self, subject: Subject) -> Iterator[_Table]:
        """The tables of what has a string that the question names, that among their rows; or of
        what it names itself."""
        for literal in subject.literals[:_TABLES]:
            yield from self._table(literal.holder, literal.name)
        named = {each.text for each in understand(self.case.question).identifiers}
        if subject.symbol.name in named and subject.symbol.kind not in MEMBER_HOLDERS:
            yield from self._table(subject.symbol, None)

    def _table(self, holder: Symbol, row: str | None) -> Iterator[_Table]:
        """The most rows of one shape in a definition, ``row`` among them, or else they have to be
        most of it."""
        if not self.exhibits.has(holder.path):
            return
        lines = self.exhibits.source(holder.path).lines
        shapes: dict[tuple[str, str, str], dict[str, int]] = {}
        for line in range(holder.range.start, min(holder.range.end, len(lines)) + 1):
            if match := _ROW.match(lines[line - 1]):
                shape = match[1], match[3], match[5]
                shapes.setdefault(shape, {})[match[4]] = line
        fit = [each for each in shapes.values() if row is None or row in each]
        most = max(fit, key=len) if fit else {}
        least = max(_ROWS, _FILLED * len(holder.range) if row is None else 0)
        if len(most) >= least:
            yield _Table(holder, most)

    def _places(self, table: _Table) -> list[Registration]:
        terms = {text.whole(name): at for at, name in enumerate(table.rows)}
        terms.pop("", None)
        together = Together(self.case, self.exhibits)
        least = max(_ROWS, _SHARE * len(terms))
        found = together.naming(dict.fromkeys(terms, ()), least, but=table.holder)
        places: list[Registration] = []
        self.case.registry.learn_of([as_called(table.holder)])
        for naming in islice(found, _PLACES):
            count = f"{len(naming.terms)} of the {len(table.rows)} names"
            total = f"It has {count} that {called(table.holder)} lists."
            last = max(naming.rows, key=lambda row: (terms[row[2]], row[0]))
            places.append(together.place(naming, last, total))
        return places
