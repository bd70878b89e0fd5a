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
        origin = dirname(self.table.path) if self.module.package else str(self.is_below)
        return (self.table.facts.language, origin, self.module, self.name)

    @property
    def place(self) -> Key:
        """The parts that repeat when a search goes round in a circle."""
        return (self.module, self.name)

    @property
    def is_below(self) -> bool:
        """Whether the file is inside the module and sees its private names."""
        if self.table.spec.imports.style != "tree" or self.module.folder is None:
            return False
        path = self.table.path
        return path in self.module.files or path.startswith(self.module.folder + "/")


class PassedOn(msgspec.Struct, frozen=True):
    """A name that is imported inside a definition (an inline module)."""

    table: FileTable
    ordinal: int
    name: str

    @property
    def key(self) -> Key:
        """The parts of the question that the answer depends on."""
        return (self.table.path, self.ordinal, self.name)

    place = key


Question = ModuleMember | PassedOn
Search = Generator[Question, Values, Values]
"""Yields the questions it depends on, is sent their answers, and returns its own."""


class _Waiting(msgspec.Struct, frozen=True):
    """A search that has begun."""

    search: Search
    key: Key | None = None
    is_first: bool = False
    cuts: int = 0


class Searches:
    """Runs searches; memoised."""

    def __init__(self, begin: Callable[[Question], Search]) -> None:
        """``begin`` makes the search that answers a question."""
        self._begin = begin
        self._answers: dict[Key, Values] = {}
        self._cuts = 0
        """How many answers a cycle of re-exports has cut short."""

    def answer(self, question: Question) -> Values:
        """The answer to a question."""
        known = self._answers.get(question.key)
        return self.run(_only(question)) if known is None else known

    def run(self, search: Search) -> Values:
        """The result of a search. Those that wait for others are stacked here."""
        seen: set[Key] = set()
        waiting = [_Waiting(search)]
        answer: Values | None = None
        while waiting:
            try:
                asked = waiting[-1].search.send(cast("Values", answer))
            except StopIteration as stop:
                answer = cast("Values", stop.value)
                self._keep(waiting.pop(), answer)
                continue
            answer = self._answers.get(asked.key)
            if answer is None and asked.place in seen:
                self._cuts += 1
                answer = UNKNOWN
            elif answer is None:
                waiting.append(_Waiting(self._begin(asked), asked.key, not seen, self._cuts))
                seen.add(asked.place)
        return answer or UNKNOWN

    def _keep(self, done: _Waiting, answer: Values) -> None:
        if done.key is not None and (done.is_first or done.cuts == self._cuts):
            self._answers[done.key] = answer


def _only(question: Question) -> Search:
    return (yield question)
