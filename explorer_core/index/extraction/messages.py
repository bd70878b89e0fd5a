"""Finds cases of enumerations used as messages: passed to a call, or matched by a pattern.

``tx.send(Event::Key(key))`` sends one, and so does ``tx.send(Some(Event::Key(key)))``. The arm
``Event::Key(key) => self.press(key)`` receives it; an arm that only gives a value does not. Types
nested in the type they derive from are its cases: ``is Event.Key -> press(event.key)``.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import Message
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.source import span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.references import References
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_WRAPPED = 3
"""How many wrappers, one inside the other, a case may be in when it is sent."""
_CAPITAL = "^[A-Z]"
"""How cases are named where a language's spec does not say how types are."""
_LONGEST = 400
"""How many characters of a pattern are searched for a case."""


class Messages:
    """Gathers the messages of one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self._given: dict[int, int] = {}
        """The end of a sent case's name, mapped to the end of the call's name."""
        self._taken: dict[tuple[int, int], tuple[int, bool]] = {}
        """The spans of patterns, mapped to the end of what is done and whether that is only a
        call."""

    def give(self, node: Node) -> None:
        """Notes a possible case, if it is the only argument of a call that passes it on. Beside
        other arguments a case says how something is done."""
        around = node.parent if self._is_case(node.end_byte) else None
        for _ in range(_WRAPPED):
            while around is not None and around.type not in self._spec.argument_nodes:
                around = around.parent
            call = around.parent if around and around.named_child_count == 1 else None
            if around is None or call is None or call.parent is None:
                return
            if not self._gives(call.start_byte, around.start_byte):
                if not self._is_case(around.start_byte):
                    self._given[node.end_byte] = around.start_byte
                return
            if call.parent.type not in self._spec.argument_nodes:
                return
            around = call.parent

    def take(self, pattern: Node, done: Node, *, plain: bool) -> None:
        """Notes a pattern whose arm has statements, or (``plain``) only the value of a call."""
        if plain:
            called = self._source.flat.find("(", done.start_byte, done.end_byte)
            gives = called < 0 or self._gives(done.start_byte, called)
            if gives or self._is_case(called) or span(pattern) in self._taken:
                return
        self._taken[span(pattern)] = done.end_byte, plain

    def settle(self, definitions: Definitions, references: References) -> tuple[Message, ...]:
        """Returns the messages in text order."""
        place = self._source.place
        found: list[tuple[int, bool, tuple[int, int], bool]] = []
        for end, called in self._given.items():
            if called in references.found and (name := self._named(called)):
                found.append((end, True, place(called - len(name)), False))
        ends = sorted(references.found) if self._taken else []
        for (start, end), (done, plain) in self._taken.items():
            within = ends[
                bisect_right(ends, start) : bisect_right(ends, min(end, start + _LONGEST))
            ]
            found += [(case, False, place(done), plain) for case in self._cases(start, within)]
        return tuple(self._message(definitions, *each) for each in sorted(found))

    def _message(
        self, definitions: Definitions, end: int, sends: bool, other: tuple[int, int], plain: bool
    ) -> Message:
        name = self._named(end)
        start = end - len(name)
        scope = definitions.frames.at(start).ordinal
        return Message(name, scope, *self._source.place(start), sends, other, plain)

    def _cases(self, start: int, ends: list[int]) -> Iterator[int]:
        """Yields the ends of the names in a pattern that are cases of the matched value, rather
        than of something inside it."""
        flat, marks = self._source.flat, tuple(self._spec.separators)
        for end in ends:
            if flat.startswith(marks, end) or not self._is_case(end):
                continue
            before = flat[start : end - len(self._named(end))]
            depth = sum(map(before.count, "([{")) - sum(map(before.count, ")]}"))
            if depth == 1:
                around = before[: before.find("(")]
                depth -= not around or around in self._spec.passed_on  # a tuple, or an option
            if not depth:
                yield end

    def _is_case(self, end: int) -> bool:
        """Whether the name that ends at an offset may be that of a case."""
        return compiled(self._spec.type_name or _CAPITAL).match(self._named(end)) is not None

    def _gives(self, start: int, end: int) -> bool:
        """Whether a called function only returns its argument."""
        if self._named(end) in self._spec.transparent_members:
            return True
        return self._source.piece(start, end) in self._spec.passed_on

    def _named(self, end: int) -> str:
        """Returns the word that ends at an offset."""
        flat, start = self._source.flat, end
        while start and (flat[start - 1].isalnum() or flat[start - 1] == "_"):
            start -= 1
        return flat[start:end]
