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

_MAX_WRAPPERS = 3
"""How many wrappers, one inside the other, a case may be in when it is sent."""
_CAPITALISED = "^[A-Z]"
"""How cases are named where a language's spec does not say how types are."""
_LONGEST = 400
"""How many characters of a pattern are searched for a case."""


class Messages:
    """Gathers the messages of one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self._sent: dict[int, int] = {}
        """The end of a sent case's name, mapped to the end of the call's name."""
        self._matched: dict[tuple[int, int], tuple[int, bool]] = {}
        """The spans of patterns, mapped to the end of what is done and whether that is only a
        call."""

    def note_sent(self, node: Node) -> None:
        """Notes a possible case, if it is the only argument of a call that passes it on. Beside
        other arguments a case says how something is done."""
        enclosing = node.parent if self._is_case(node.end_byte) else None
        for _ in range(_MAX_WRAPPERS):
            while enclosing is not None and enclosing.type not in self._spec.argument_nodes:
                enclosing = enclosing.parent
            call = enclosing.parent if enclosing and enclosing.named_child_count == 1 else None
            if enclosing is None or call is None or call.parent is None:
                return
            if not self._returns_argument(call.start_byte, enclosing.start_byte):
                if not self._is_case(enclosing.start_byte):
                    self._sent[node.end_byte] = enclosing.start_byte
                return
            if call.parent.type not in self._spec.argument_nodes:
                return
            enclosing = call.parent

    def note_matched(self, pattern: Node, arm: Node, *, is_single_call: bool) -> None:
        """Notes a pattern whose arm has statements, or only the value of a call
        (``is_single_call``)."""
        if is_single_call:
            callee_end = self._source.flat.find("(", arm.start_byte, arm.end_byte)
            returns_argument = callee_end < 0 or self._returns_argument(arm.start_byte, callee_end)
            if returns_argument or self._is_case(callee_end) or span(pattern) in self._matched:
                return
        self._matched[span(pattern)] = arm.end_byte, is_single_call

    def settle(self, definitions: Definitions, references: References) -> tuple[Message, ...]:
        """Returns the messages in text order."""
        place = self._source.place
        messages: list[tuple[int, bool, tuple[int, int], bool]] = []
        for end, callee_end in self._sent.items():
            if callee_end in references.captured and (name := self._word_before(callee_end)):
                messages.append((end, True, place(callee_end - len(name)), False))
        ends = sorted(references.captured) if self._matched else []
        for (start, end), (arm_end, is_single_call) in self._matched.items():
            name_ends = ends[
                bisect_right(ends, start) : bisect_right(ends, min(end, start + _LONGEST))
            ]
            messages += [
                (case_end, False, place(arm_end), is_single_call)
                for case_end in self._cases(start, name_ends)
            ]
        return tuple(self._message(definitions, *message) for message in sorted(messages))

    def _message(
        self,
        definitions: Definitions,
        end: int,
        sends: bool,
        callee_or_arm_end: tuple[int, int],
        is_single_call: bool,
    ) -> Message:
        name = self._word_before(end)
        start = end - len(name)
        scope = definitions.frames.at(start).ordinal
        return Message(
            name, scope, *self._source.place(start), sends, callee_or_arm_end, is_single_call
        )

    def _cases(self, start: int, ends: list[int]) -> Iterator[int]:
        """Yields the ends of the names in a pattern that are cases of the matched value, rather
        than of something inside it."""
        flat, marks = self._source.flat, tuple(self._spec.separators)
        for end in ends:
            if flat.startswith(marks, end) or not self._is_case(end):
                continue
            text_before = flat[start : end - len(self._word_before(end))]
            depth = sum(map(text_before.count, "([{")) - sum(map(text_before.count, ")]}"))
            if depth == 1:
                wrapper = text_before[: text_before.find("(")]
                depth -= not wrapper or wrapper in self._spec.passed_on  # a tuple, or an option
            if not depth:
                yield end

    def _is_case(self, end: int) -> bool:
        """Whether the name that ends at an offset may be that of a case."""
        return (
            compiled(self._spec.type_name or _CAPITALISED).match(self._word_before(end)) is not None
        )

    def _returns_argument(self, start: int, end: int) -> bool:
        """Whether a called function only returns its argument."""
        if self._word_before(end) in self._spec.transparent_members:
            return True
        return self._source.piece(start, end) in self._spec.passed_on

    def _word_before(self, end: int) -> str:
        """Returns the word that ends at an offset."""
        flat, start = self._source.flat, end
        while start and (flat[start - 1].isalnum() or flat[start - 1] == "_"):
            start -= 1
        return flat[start:end]
