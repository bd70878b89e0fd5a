"""Finds tables whose rows are listed again elsewhere, for a question about such a table or a row.

A new kind of thing is often one more key of a map, and one more of the map with the titles, and of
the one with the icons. No edge joins these maps, but their rows have the same names. A type that
consists of strings (``"day" | "week"``) is such a list too, and its values are told apart as
strings. A table that the question does not name may be shown if it ranks well and its name has a
telling word of the title.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice

from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.change.names_together import Names, NamesTogether
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Literal
from explorer_core.judges.statements import called

_ROWS, _SHARE = 5, 0.6
"""How many rows a table must have, and which share of its names another place must have."""
_SHARE_UNNAMED, _RANKED, _LEAST_TELLING = 0.5, 20, 0.5
"""For a table that is not named: the share of its rows that a place must have; how many of the best
definitions are considered; and the share of what the title's most telling word says that a word of
its name must say."""
_SHARE_OF_LINES = 0.5
"""The share of a definition's lines that must be rows for it to be a table."""
_PLACES, _TABLES = 4, 5
"""How many places are shown besides the table, and how many definitions of a name are
considered."""
_STRINGS, _FILES = 3, 6
"""How many of a type's strings a file must have to tell them apart, and how many such files are
shown."""
_STRING = re.compile(r"""(["'`])([\w-]+)\1""")
_ROW = re.compile(r"""(\s*)((["'`:]?)(\w[\w-]*)\3)\s*(=>|:|,|=|$)""")
"""A line that begins with a name, quoted or not, and continues like a key or an entry of a list."""
_ARGUMENT_ROW = re.compile(r"""(\s*)((\w+)\.\w+\s*\(?\s*)(["'`:])(\w[\w-]*)""")
"""A line that calls a function of a receiver with a name; only that first argument counts."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A definition whose lines each begin with a name, or a type that consists of strings."""

    holder: Symbol
    rows: dict[str, int]
    """The names of the rows, each with its line, in order."""
    like: str = ""
    """For a type that consists of strings, the one that the question has."""


class Listed(Finder):
    """Finds the table of one question."""

    def example(self, subject: Subject) -> Example | None:
        """Returns the largest of a subject's tables, with the places that have most of its rows'
        names. None if there are no such places."""
        tables = sorted(self._tables(subject), key=lambda each: -len(each.rows))
        found = ((each, self._places(each)) for each in tables)
        best = next(((each, places) for each, places in found if places), None)
        if best is None:
            return None
        return self._example(*best, 0.0)

    def _example(self, table: _Table, places: list[Registration], worth: float) -> Example:
        name, line = list(table.rows.items())[-1]
        if table.like:
            name, line = table.like, table.rows[table.like]
        total = f"It lists {len(table.rows)} names."
        whole = Registration(table.holder, None, total, Literal(table.holder, line, name))
        return Example(
            table.holder,
            None,
            (whole, *places),
            worth,
            is_row=True,
            enumerated=table.holder,
        )

    def ranked_example(self) -> Example | None:
        """Returns the `example` for a table that the question does not name: one that ranks well,
        has a telling word of the title in its name, and whose rows another file lists too. Of
        several it is the one whose name has most of the title."""
        for worth, symbol in sorted(self._ranked(), key=lambda each: -each[0]):
            for table in self._row_table(symbol):
                places = self._places(table, _SHARE_UNNAMED)
                if any(each.user.path != symbol.path for each in places):
                    return self._example(table, places, worth)
        return None

    def _ranked(self) -> Iterator[tuple[float, Symbol]]:
        """Yields the best ranked functions and data with a telling word of the title in their
        names, each after how much of the question the name has."""
        words = self._words
        weights = words.title_weights
        bar = _LEAST_TELLING * max(weights.values(), default=0.0)
        for symbol in self._ranked_first(_RANKED):
            named = text.words_in(symbol.name)
            is_telling = max((weights.get(word, 0.0) for word in named), default=0.0) >= bar > 0.0
            if is_telling and symbol.kind not in MEMBER_HOLDERS and not self._is_apart(symbol):
                yield words.worth(named), symbol

    def _tables(self, subject: Subject) -> Iterator[_Table]:
        """Yields the tables among what the question names."""
        named = self._words.names
        if subject.symbol.name in named and subject.symbol.kind not in MEMBER_HOLDERS:
            yield from self._row_table(subject.symbol)
        for name in named:
            for each in islice(self._graph.find(name), _TABLES):
                if each.kind in MEMBER_HOLDERS:
                    yield from self._string_tables(each)

    def _string_tables(self, holder: Symbol) -> Iterator[_Table]:
        """Yields the strings of a type that has nothing else, if the question has one of them."""
        if not self.exhibits.has(holder.path):
            return
        rows: dict[str, int] = {}
        lines = self.exhibits.source(holder.path).lines
        for line in range(holder.range.start, min(holder.range.end, len(lines)) + 1):
            *_, value = lines[line - 1].rpartition("=")
            strings = _STRING.findall(value)
            rows.update((each[1], line) for each in strings)
            if not strings and re.search(r"\w", value) and rows:
                return
        question_words = set(re.findall(r"\w+", self.case.question))
        like = next((each for each in rows if each in question_words), "")
        if len(rows) >= _ROWS and like:
            yield _Table(holder, rows, like)

    def _row_table(self, holder: Symbol) -> Iterator[_Table]:
        """Yields the largest group of rows of one shape in a definition, if they are much of it."""
        if not self.exhibits.has(holder.path):
            return
        lines = self.exhibits.source(holder.path).lines
        shapes: dict[tuple[str, str, str], dict[str, int]] = {}
        for line in range(holder.range.start, min(holder.range.end, len(lines)) + 1):
            if match := _ROW.match(lines[line - 1]):
                shape = match[1], match[3], match[5]
                shapes.setdefault(shape, {})[match[4]] = line
            elif match := _ARGUMENT_ROW.match(lines[line - 1]):
                shapes.setdefault((match[1], match[3], match[4]), {})[match[5]] = line
        most = max(shapes.values(), key=len, default=dict[str, int]())
        if len(most) >= max(_ROWS, _SHARE_OF_LINES * len(holder.range)):
            yield _Table(holder, most)

    def _places(self, table: _Table, share: float = _SHARE) -> list[Registration]:
        terms = {text.whole(name): at for at, name in enumerate(table.rows)}
        terms.pop("", None)
        together = NamesTogether(self.exhibits)
        if table.like:
            return self._strings_places(table, terms)
        least = max(_ROWS, share * len(terms))
        found = together.units(Names(dict.fromkeys(terms, ())), least, excluded=table.holder)
        places: list[Registration] = []
        self.exhibits.record_symbols(table.holder)
        for naming in islice(found, _PLACES):
            last = max(naming.rows, key=lambda row: (terms[row[2]], row[0]))
            places.append(together.place(naming, last, _count_sentence(table, naming.terms)))
        return places

    def _strings_places(self, table: _Table, terms: dict[str, int]) -> list[Registration]:
        """Returns the files that have several of the strings, including the one in the question."""
        together, term = NamesTogether(self.exhibits), text.whole(table.like)
        names = Names(dict.fromkeys(terms, (table.holder.path,)))
        found = together.files(names, 0, _STRINGS, beside=term, quoted=True)
        naming = [each for each in found if term in each.terms]
        naming.sort(key=lambda each: -len(each.terms))
        self.exhibits.record_symbols(table.holder)
        places: list[Registration] = []
        for each in naming[:_FILES]:
            users = {row: together.holder(each, row) for row in each.rows if row[2] == term}
            most = max(users, key=lambda row: len(each.within(users[row])))
            who, has = each.counted(users[most], _SHARE)
            places.append(together.place(each, most, _count_sentence(table, has, who)))
        return together.with_elsewhere(places, [each.path for each in naming[_FILES:]])


def _count_sentence(table: _Table, names: Collection[str], subject: str = "It") -> str:
    count = f"{len(names)} of the {len(table.rows)}"
    return f"{subject} contains {count} names listed by {called(table.holder)}."
