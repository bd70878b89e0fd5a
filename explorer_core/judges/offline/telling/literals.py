"""Names of a question that no definition has, but a string in data: the row of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from explorer_core.channels.question.query import understand
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import CALLABLES, VARIABLES, Symbol
from explorer_core.index.terms.lexis import Layers, lexis_of
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.statements import called

_NAME = re.compile(r"(?<![^\W_])[^\W_]+(?:[-_]+[^\W_]+)+")
"""A name of several parts with marks between them, as prose has few. It begins at no inner letter:
from each letter of a long run to its end would be quadratic."""
_ROWS = 5
"""Fewest rows of a table."""
_LOOKED_AT = 30
"""Of the best ranked files, those in which names are looked for."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A definition, and the line of it on which a string is that name and nothing else."""

    holder: Symbol
    line: int
    name: str


@dataclass(frozen=True)
class Literals:
    """Finds the names of one question in the strings of its best ranked files."""

    case: JudgeCase
    exhibits: Exhibits

    def of_question(self) -> list[Literal]:
        """The best ranked row of a table that has a name of the question, and what else has that
        name; nothing where no table has one. What lists names and nothing beside them comes last,
        and has to have one of the title: what else is said may be a guess."""
        titled = set(_NAME.findall(understand(self.case.question).title))
        for name in dict.fromkeys(_NAME.findall(self.case.question)):
            found = list(self._holding(name))
            rows = list(filter(self._is_row, found))
            full = (each for each in rows if self._says_more(each))
            if (row := next(full, rows[0] if rows and name in titled else None)) is not None:
                return [row, *(each for each in found if each is not row)]
        return []

    def _holding(self, name: str) -> Iterator[Literal]:
        """What has a name for a string, each once."""
        whole = re.compile(rf"""(["'`]){re.escape(name)}\1""")
        graph = self.case.graph
        seen: set[str] = set()
        for path in list(self.exhibits.file_ranks)[:_LOOKED_AT]:
            if not self.exhibits.has(path) or name not in self.exhibits.source(path).text:
                continue
            for line, written in enumerate(self.exhibits.source(path).lines, 1):
                holder = graph.enclosing(path, line) if whole.search(written) else None
                if (
                    holder is not None
                    and called(holder) not in seen
                    and not self.case.set_apart(holder)
                ):
                    seen.add(called(holder))
                    yield Literal(holder, line, name)

    def _is_row(self, literal: Literal) -> bool:
        """Whether it is data that has a name among others, and not what is local to a function. The
        only text that a definition holds is no row, unless as many as a table has rows are
        like it."""
        graph, holder = self.case.graph, literal.holder
        around = list(graph.containers(holder.id))
        if holder.kind not in VARIABLES or any(graph.kind(each) in CALLABLES for each in around):
            return False
        if not self._is_alone(holder):
            return True
        beside = list(map(graph.symbol, graph.members(around[0]))) if around else []
        runs = (list(run) for alone, run in groupby(beside, self._is_alone) if alone)
        return any(holder in run and len(run) >= _ROWS for run in runs)

    def _is_alone(self, holder: Symbol) -> bool:
        """Whether a definition is data that is one text."""
        if holder.kind not in VARIABLES or not self.exhibits.has(holder.path):
            return False
        lines = self.exhibits.source(holder.path).lines
        written = lines[holder.range.start - 1 : holder.range.end]
        layers = self._layers(holder.path, "\n".join(written))
        _, _, value = "".join(layers.code).rpartition("=")
        return len(layers.strings) == 1 and not re.search(r"\w", value)

    def _says_more(self, literal: Literal) -> bool:
        """Whether anything stands beside a name on its line, other than the marks of a literal."""
        line = self.exhibits.source(literal.holder.path).lines[literal.line - 1]
        name = re.compile(rf"""\w*(["'`]){re.escape(literal.name)}\1\w*""")
        layers = self._layers(literal.holder.path, name.sub("", line, count=1))
        return bool(layers.strings) or re.search(r"\w", "".join(layers.code)) is not None

    def _layers(self, path: str, written: str) -> Layers:
        return lexis_of(language_of(path)).layers(written)
