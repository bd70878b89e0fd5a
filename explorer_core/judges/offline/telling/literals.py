"""Names of a question that no definition has, but a string in data: the row of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from explorer_core.index.symbols import CALLABLES, VARIABLES, Symbol
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.statements import called

_NAME = re.compile(r"(?<![^\W_])[^\W_]+(?:[-_]+[^\W_]+)+")
"""A name of several parts with marks between them, as prose has few. It begins at no inner letter:
from each letter of a long run to its end would be quadratic."""
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
        name; nothing where no table has one."""
        for name in dict.fromkeys(_NAME.findall(self.case.question)):
            found = list(self._holding(name))
            if (row := next(filter(self._is_row, found), None)) is not None:
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
        """Whether it is data that has a name, and not what is local to a function."""
        graph = self.case.graph
        around = graph.containers(literal.holder.id)
        local = any(graph.kind(each) in CALLABLES for each in around)
        return literal.holder.kind in VARIABLES and not local
