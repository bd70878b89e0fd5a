"""Finds the comment at a line, by the comment marks of the file's language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from explorer_core.index import languages

_MAX_LINES_AROUND = 60
"""Most lines of a comment that are read in either direction."""
_STRING_OR_ESCAPE = r"""(["'`])(?:\\.|(?!\1)[^\\])*+\1|\\."""
"""An unclosed quote, such as an apostrophe, counts as a letter. Escaped letters outside of strings
are skipped too; otherwise each escaped quote after an unclosed one would be tried as a string."""


def comment_at(path: str, lines: Sequence[str], line: int) -> str | None:
    """The whole comment that ``line`` (1-based) is part of, joined into one line; None if it is not
    in a comment."""
    if not 1 <= line <= len(lines):
        return None
    language = languages.language_of(path, lines[0])
    if language is None:
        return None
    spec = languages.spec(language)
    text = _line_comment(spec.line_comments, lines, line - 1)
    if text is None and spec.block_comment is not None:
        text = _block_comment(spec.block_comment, lines, line - 1)
    if text is None:
        text = _trailing_comment(spec.line_comments, lines[line - 1])
    return " ".join(text.split()) or None if text else None


def _line_comment(marks: Sequence[str], lines: Sequence[str], at: int) -> str | None:
    def content(index: int) -> str | None:
        text = lines[index].strip() if 0 <= index < len(lines) else ""
        mark = max((m for m in marks if text.startswith(m)), key=len, default=None)
        return None if mark is None else text.lstrip(mark).strip("!/ \t")

    if content(at) is None:
        return None
    first = last = at
    while at - first < _MAX_LINES_AROUND and content(first - 1) is not None:
        first -= 1
    while last - at < _MAX_LINES_AROUND and content(last + 1) is not None:
        last += 1
    return "\n".join(content(index) or "" for index in range(first, last + 1))


def _block_comment(marks: tuple[str, str], lines: Sequence[str], at: int) -> str | None:
    opening, closing = marks
    first = at
    while (start := _outside_strings(lines[first], (opening,))) is None:
        if (
            first == 0
            or at - first >= _MAX_LINES_AROUND
            or (first != at and closing in lines[first])
        ):
            return None
        first -= 1
    text = lines[first][start + len(opening) :]
    last = first
    while closing not in text:
        last += 1
        if last >= len(lines) or last - first > 2 * _MAX_LINES_AROUND:
            return None
        text += "\n" + lines[last]
    if at > last:
        return None
    body = text.partition(closing)[0]
    return "\n".join(each.strip().lstrip(opening[-1]).strip() for each in body.split("\n"))


def _trailing_comment(marks: Sequence[str], text: str) -> str | None:
    start = _outside_strings(text, tuple(f" {mark}" for mark in marks))
    if start is None or not text[:start].strip():
        return None
    comment = text[start + 1 :]
    mark = max((mark for mark in marks if comment.startswith(mark)), key=len)
    return comment.removeprefix(mark).strip()


def _outside_strings(text: str, marks: tuple[str, ...]) -> int | None:
    """The index of the first mark in a line that is not inside a string; None if there is none."""
    for token in _tokens(marks).finditer(text):
        if token["mark"] is not None:
            return token.start()
    return None


@lru_cache(maxsize=128)
def _tokens(marks: tuple[str, ...]) -> re.Pattern[str]:
    """Matches a mark, or a string or escape that may hide one."""
    any_mark = "|".join(map(re.escape, marks)) or "(?!)"
    return re.compile(f"{_STRING_OR_ESCAPE}|(?P<mark>{any_mark})", re.DOTALL)
