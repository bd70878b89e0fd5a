"""Turns expressions into text; long ones lose the arguments of their calls.

The meaning of a chain such as ``new Request(...).header(...).send()`` depends on its names alone,
while its arguments may fill pages.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from explorer_core.index.extraction.brackets import closing_mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

LONG = 80
"""Up to how many bytes an expression is kept as written."""
LONGEST = 300
"""How many characters of a receiver are kept."""
_WIDEST = 20_000
"""How many bytes of the arguments of one call are considered."""
TEXT_LITERAL = r"""(?:"(?:[^"\\\n]|\\.)*"|(?<=[\s(\[{,=+.:?])'(?:[^'\\\n]|\\.)*')"""
"""Regex for a string, whose brackets do not count. What an apostrophe follows tells it from a
lifetime."""
_ARGUMENTS = re.compile(rf"\((?:{TEXT_LITERAL}|[^()])*+\)")
_PARENTHESIS = re.compile(rf"{TEXT_LITERAL}|[()]")
_ANGLE = re.compile(r"<|(?<![-=])>")
_ANGLE_BACKWARDS = re.compile(r"<|>(?![-=])")
_CLOSING = ")]}"
_SPACE = re.compile(r"\s+")


class Expressions:
    """Reads the expressions of one file, given where those that end in a name begin and end."""

    def __init__(
        self, source: Source, spec: LanguageSpec, captured: Mapping[int, tuple[int, int]]
    ) -> None:
        """``captured`` maps an end to a rank and the start. It must be complete when it is first
        used."""
        self._source = source
        self._spec = spec
        self._captured = captured
        self._name_ends: dict[int, list[int]] = {}
        self._partial_texts: dict[int, tuple[int, str]] = {}
        """The text of an expression so far and its end, by the expression's start."""

    def text(self, start: int, end: int) -> str:
        """Returns an expression as one line of text. Calls in a long one lose their arguments; a
        longer one keeps only its end."""
        if end - start <= LONG:
            return self._source.one_line(start, end, LONG)
        if not self._name_ends:
            for name_end in sorted(self._captured):
                self._name_ends.setdefault(self._captured[name_end][1], []).append(name_end)
        offset, text = self._partial_texts.get(start, (start, ""))
        if offset > end:
            offset, text = start, ""
        name_ends = self._name_ends.get(start, [])
        for name_end in [
            *name_ends[bisect_right(name_ends, offset) : bisect_left(name_ends, end)],
            end,
        ]:
            text = (text + self._chain_step(offset, name_end, text))[-LONGEST:]
            offset = name_end
        self._partial_texts[start] = (offset, text)
        return text

    def ending_before(self, end: int) -> tuple[int, int, int]:
        """Returns the start, the end of the name, and the end of the type arguments of the
        expression right before an offset. All are that offset if it ends in no name."""
        flat = self._source.flat
        while flat[end - 1 : end].isspace() or flat[end - 2 : end] == "?.":
            end -= 1
        name_end = _opening_angle(flat, end) if flat[end - 1 : end] == ">" else end
        captured = self._captured.get(name_end)
        return (captured[1], name_end, end) if captured else (end, end, end)

    def _chain_step(self, start: int, end: int, text_before: str) -> str:
        """Returns one step of a chain of calls: from the end of a name to the end of the next."""
        if not text_before or text_before in self._spec.casts:
            return receiver_text(self._source.piece(max(start, end - LONGEST), end))
        if end - start > _WIDEST:
            return "[]." + self._source.piece(end - LONG, end).rpartition(".")[2].strip()
        piece = self._without_comments(self._source.piece(start, end))
        tail = _without_type_arguments(piece)
        last_closing = max(map(tail.rfind, _CLOSING))
        if last_closing < 0:
            return _SPACE.sub("", tail)
        is_call = tail[0] in "({" and tail[last_closing] in ")}"
        is_single_call = is_call and not (tail[0] == "(" and _closes_early(tail, last_closing))
        return ("()" if is_single_call else "[]") + _SPACE.sub("", tail[last_closing + 1 :])

    def _without_comments(self, text: str) -> str:
        lines = text.split("\n")
        for mark in self._spec.line_comments if len(lines) > 1 else ():
            lines = [_without_comment(line, mark) for line in lines]
        return "\n".join(lines).strip()


def receiver_text(text: str) -> str:
    """Returns a receiver on one line. A long one loses arguments, then its beginning."""
    if len(text) > LONG or "\n" in text or "  " in text:
        text = _SPACE.sub(" ", text).strip()
        while len(text) > LONG:
            shorter = _ARGUMENTS.sub("\x00", text)
            if shorter == text:
                break
            text = shorter
        text = text.replace("\x00", "()")[-LONGEST:]
    return text


def _without_comment(line: str, mark: str) -> str:
    """Removes a line's comment, if it stands alone or after what ends an expression."""
    offset = line.find(mark)
    while offset >= 0:
        code = line[:offset].rstrip()
        if not code or code[-1] in _CLOSING:
            return code
        offset = line.find(mark, offset + len(mark))
    return line


def _without_type_arguments(text: str) -> str:
    """Removes the type arguments that stand before those of a call."""
    if not text.startswith(("::<", "<")):
        return text
    mark = closing_mark(_ANGLE.finditer(text), "<", ">")
    return text[mark.end() :] if mark else text


def _opening_angle(text: str, end: int) -> int:
    """Returns the start of the angle bracket that is closed before an offset, if it is near."""
    mark = closing_mark(_ANGLE_BACKWARDS.finditer(text[max(0, end - LONG) : end][::-1]), ">", "<")
    return end - mark.end() if mark else end


def _closes_early(text: str, end: int) -> bool:
    """Whether the parenthesis that ``text`` begins with is closed before the one at ``end``, as far
    as counting shows."""
    return closing_mark(_PARENTHESIS.finditer(text, 0, end), "(", ")") is not None
