"""A file's text in three layers: code, comments and documentation, string literals.

A lexical approximation driven by a language's comment marks. What it takes for the wrong kind is
still indexed, only under another field.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from explorer_core.index import languages

_STRINGS = (
    r'(?P<long>"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\')',
    r'(?P<string>"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'|`[^`]*`)',
)


@dataclass(frozen=True, slots=True)
class Layers:
    """``code`` has one item per line. ``docs`` and ``strings`` are (0-based line, text).
    ``comment_lines`` are the 0-based lines that hold nothing but comment."""

    code: list[str]
    docs: list[tuple[int, str]]
    strings: list[tuple[int, str]]
    comment_lines: set[int]


@dataclass(frozen=True, slots=True)
class Lexis:
    """How comments and strings are written; no pattern: everything is code."""

    pattern: re.Pattern[str] | None = None
    docstrings: bool = False

    def layers(self, text: str) -> Layers:
        """Take comments and strings out of the code."""
        if self.pattern is None:
            return Layers(text.split("\n"), [], [], set())
        docs: list[tuple[int, str]] = []
        strings: list[tuple[int, str]] = []
        comments: set[int] = set()
        pieces: list[str] = []
        at = line = 0
        for match in self.pattern.finditer(text):
            before = text[at : match.start()]
            at = match.end()
            line += before.count("\n")
            found = match[0]
            breaks = found.count("\n")
            kind = match.lastgroup
            if kind == "string":
                strings.append((line, found))
            else:
                begins_line = _begins_line(before, bool(pieces))
                if kind == "comment" or (begins_line and self.docstrings):
                    docs.append((line, found))
                else:
                    strings.append((line, found))
                if kind == "comment" and begins_line:
                    comments.update(range(line, line + 1 + breaks))
            pieces.append(before)
            pieces.append("\n" * breaks or " ")
            line += breaks
        pieces.append(text[at:])
        return Layers("".join(pieces).split("\n"), docs, strings, comments)


def _begins_line(before: str, after_another: bool) -> bool:
    """Whether what follows ``before``, itself perhaps after another match, begins its line."""
    head, line_end, indent = before.rpartition("\n")
    return not indent.strip() and (bool(line_end) or not (after_another or head))


@functools.cache
def lexis_of(language: str | None) -> Lexis:
    """The lexis of a language that has line comments; markup and prose have none to speak of."""
    if language is None:
        return Lexis()
    spec = languages.spec(language)
    if not spec.line_comments:
        return Lexis()
    comments = [re.escape(mark) + r"[^\n]*" for mark in spec.line_comments]
    if spec.block_comment:
        opening, closing = map(re.escape, spec.block_comment)
        comments.insert(0, rf"{opening}[\s\S]*?{closing}")
    pattern = "|".join((f"(?P<comment>{'|'.join(comments)})", *_STRINGS))
    return Lexis(re.compile(pattern), spec.docstrings)
