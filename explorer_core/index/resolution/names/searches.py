"""Searches from module to module, on a stack of their own.

Files that include each other form chains as long as there are files, which would overflow the
interpreter's stack.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from posixpath import dirname
from typing import cast

import msgspec

from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import UNKNOWN, Values

Key = tuple[object, ...]


class ModuleMember(msgspec.Struct, frozen=True):
    """A name that is looked up in a module, as seen from a file."""

    table: FileTable
    module: Module
    name: str

    @property
    def key(self) -> Key:
        """The parts of the question that the answer depends on."""
        origin = dirname(self.table.path) if self.module.package else str(self.is_inside)
        return (self.table.facts.language, origin, self.module, self.name)

    @property
    def cycle_key(self) -> Key:
        """The parts that repeat when a search goes round in a circle."""
        return (self.module, self.name)

    @property
    def is_inside(self) -> bool:
        """Whether the file is inside the module and sees its private names."""
        if self.table.spec.imports.style != "tree" or self.module.folder is None:
            return False
        path = self.table.path
        return path in self.module.files or path.startswith(self.module.folder + "/")


class InlineImport(msgspec.Struct, frozen=True):
    """A name that is imported inside a definition (an inline module)."""

    table: FileTable
    ordinal: int
    name: str

    @property
    def key(self) -> Key:
        """The parts of the question that the answer depends on."""
        return (self.table.path, self.ordinal, self.name)

    cycle_key = key


Question = ModuleMember | InlineImport
Search = Generator[Question, Values, Values]
"""Yields the questions it depends on, is sent their answers, and returns its own."""


class _Suspended(msgspec.Struct, frozen=True):
    """A search that has begun."""

    search: Search
    key: Key | None = None
    is_first: bool = False
    cuts: int = 0


class Searches:
    """Runs searches; memoised."""

    def __init__(self, start: Callable[[Question], Search]) -> None:
        """``start`` makes the search that answers a question."""
        self._start = start
        self._answers: dict[Key, Values] = {}
        self._cuts = 0
        """How many answers a cycle of re-exports has cut short."""

    def answer(self, question: Question) -> Values:
        """The answer to a question."""
        known = self._answers.get(question.key)
        return self.run(_ask(question)) if known is None else known

    def run(self, search: Search) -> Values:
        """The result of a search. Those that wait for others are stacked here."""
        visited: set[Key] = set()
        stack = [_Suspended(search)]
        answer: Values | None = None
        while stack:
            try:
                question = stack[-1].search.send(cast("Values", answer))
            except StopIteration as stop:
                answer = cast("Values", stop.value)
                self._keep(stack.pop(), answer)
                continue
            answer = self._answers.get(question.key)
            if answer is None and question.cycle_key in visited:
                self._cuts += 1
                answer = UNKNOWN
            elif answer is None:
                stack.append(
                    _Suspended(self._start(question), question.key, not visited, self._cuts)
                )
                visited.add(question.cycle_key)
        return answer or UNKNOWN

    def _keep(self, finished: _Suspended, answer: Values) -> None:
        if finished.key is not None and (finished.is_first or finished.cuts == self._cuts):
            self._answers[finished.key] = answer


def _ask(question: Question) -> Search:
    return (yield question)
