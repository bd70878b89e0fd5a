"""The text of expressions, of long ones without the arguments of the calls in them.

What a chain such as ``new Request(...).header(...).send()`` stands for depends on its names alone,
while its arguments may be pages of text.
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
"""Bytes of an expression that is kept as it is written."""
LONGEST = 300
"""Characters of a receiver."""
_WIDEST = 20_000
"""Bytes of the arguments of one call that are looked at."""
TEXT_LITERAL = r"""(?:"(?:[^"\\\n]|\\.)*"|(?<=[\s(\[{,=+.:?])'(?:[^'\\\n]|\\.)*')"""
"""Regex: a text, whose brackets are none; what an apostrophe follows tells it from a lifetime."""
_ARGUMENTS = re.compile(rf"\((?:{TEXT_LITERAL}|[^()])*+\)")
_PARENTHESIS = re.compile(rf"{TEXT_LITERAL}|[()]")
_ANGLE = re.compile(r"<|(?<![-=])>")
_ANGLE_BACK = re.compile(r"<|>(?![-=])")
_CLOSING = ")]}"
_SPACE = re.compile(r"\s+")


class Expressions:
    """Reads expressions off one file, given where those that end in a name end and begin."""

    def __init__(
        self, source: Source, spec: LanguageSpec, found: Mapping[int, tuple[int, int]]
    ) -> None:
        """``found`` has for each end a rank and the start; it is complete when first read."""
        self._source = source
        self._spec = spec
        self._found = found
        self._links: dict[int, list[int]] = {}
        self._begun: dict[int, tuple[int, str]] = {}
        """How far the expression that begins somewhere was put into text."""

    def text(self, start: int, end: int) -> str:
        """An expression as one line of text, the calls in it without their arguments where it is
        long; of one that is longer still, its end."""
        if end - start <= LONG:
            return self._source.one_line(start, end, LONG)
        if not self._links:
            for link in sorted(self._found):
                self._links.setdefault(self._found[link][1], []).append(link)
        at, text = self._begun.get(start, (start, ""))
        if at > end:
            at, text = start, ""
        links = self._links.get(start, [])
        for link in [*links[bisect_right(links, at) : bisect_left(links, end)], end]:
            text = (text + self._link(at, link, text))[-LONGEST:]
            at = link
        self._begun[start] = (at, text)
        return text

    def before(self, end: int) -> tuple[int, int, int]:
        """Where an expression begins, its name ends and its type arguments end that are right
        before an offset; nothing there if it ends in no name."""
        flat = self._source.flat
        while flat[end - 1 : end].isspace() or flat[end - 2 : end] == "?.":
            end -= 1
        opened = _opening(flat, end) if flat[end - 1 : end] == ">" else end
        found = self._found.get(opened)
        return (found[1], opened, end) if found else (end, end, end)

    def _link(self, start: int, end: int, before: str) -> str:
        """One step of a chain of calls: from the end of a name to the end of the next."""
        if not before or before in self._spec.casts:
            return receiver_text(self._source.piece(max(start, end - LONGEST), end))
        if end - start > _WIDEST:
            return "[]." + self._source.piece(end - LONG, end).rpartition(".")[2].strip()
        piece = self._without_comments(self._source.piece(start, end))
        tail = _without_type_arguments(piece)
        closed = max(map(tail.rfind, _CLOSING))
        if closed < 0:
            return _SPACE.sub("", tail)
        is_call = tail[0] in "({" and tail[closed] in ")}"
        is_one = is_call and not (tail[0] == "(" and _closes_early(tail, closed))
        return ("()" if is_one else "[]") + _SPACE.sub("", tail[closed + 1 :])

    def _without_comments(self, text: str) -> str:
        lines = text.split("\n")
        for mark in self._spec.line_comments if len(lines) > 1 else ():
            lines = [_without_comment(line, mark) for line in lines]
        return "\n".join(lines).strip()


def receiver_text(text: str) -> str:
    """A receiver as written on one line; where it is long, without arguments, then its tail."""
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
    """A line without its comment, where that stands alone or follows what ends an expression."""
    at = line.find(mark)
    while at >= 0:
        code = line[:at].rstrip()
        if not code or code[-1] in _CLOSING:
            return code
        at = line.find(mark, at + len(mark))
    return line


def _without_type_arguments(text: str) -> str:
    """Without the type arguments that stand before those of a call."""
    if not text.startswith(("::<", "<")):
        return text
    mark = closing_mark(_ANGLE.finditer(text), "<", ">")
    return text[mark.end() :] if mark else text


def _opening(text: str, end: int) -> int:
    """Where the angle bracket opens that is closed before an offset, if that is near."""
    mark = closing_mark(_ANGLE_BACK.finditer(text[max(0, end - LONG) : end][::-1]), ">", "<")
    return end - mark.end() if mark else end


def _closes_early(text: str, end: int) -> bool:
    """Whether the parenthesis that ``text`` begins with is closed before the one at ``end``, as far
    as counting tells."""
    return closing_mark(_PARENTHESIS.finditer(text, 0, end), "(", ")") is not None
