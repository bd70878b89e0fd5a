"""Splits a file's text into three layers: code, comments and docstrings, string literals.

This is a lexical approximation driven by a language's comment marks. Text that it puts into the
wrong layer is still indexed, only under another field.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from explorer_core.index import languages

_LONG_STRINGS = (r'"(""[\s\S]*?""")', r"'(''[\s\S]*?''')")
_STRINGS = (
    r'"([^"\\\n]*(?:\\.[^"\\\n]*)*")',
    r"'([^'\\\n]*(?:\\.[^'\\\n]*)*')",
    r"`([^`]*`)",
)


@dataclass(frozen=True, slots=True)
class Layers:
    """``code`` has one item per line. ``docs`` and ``strings`` hold (0-based line, text, number of
    line ends in it). ``comment_lines`` are the 0-based lines covered by comments that begin their
    line."""

    code: list[str]
    docs: list[tuple[int, str, int]]
    strings: list[tuple[int, str, int]]
    comment_lines: set[int]


@dataclass(frozen=True, slots=True)
class Lexis:
    """How a language writes comments and strings; without a pattern everything is code.

    The pattern has ``comments`` groups, one for each way to write a comment, then those for long
    strings, then those for strings. Each alternative begins with a plain character, which the
    regular expression engine finds many times faster than a group.
    """

    pattern: re.Pattern[str] | None = None
    comments: int = 0
    docstrings: bool = False

    def layers(self, text: str) -> Layers:
        """Separate comments and strings from the code."""
        if self.pattern is None:
            return Layers(text.split("\n"), [], [], set())
        docs: list[tuple[int, str, int]] = []
        strings: list[tuple[int, str, int]] = []
        comment_lines: set[int] = set()
        pieces: list[str] = []
        comments, long_strings = self.comments, self.comments + len(_LONG_STRINGS)
        at = line = 0
        for match in self.pattern.finditer(text):
            start, end = match.span()
            kind = match.lastindex or 0
            before = text[at:start]
            at = end
            line += before.count("\n")
            found = text[start:end]
            breaks = 0
            if kind > long_strings:
                if "\n" in found:
                    breaks = found.count("\n")
                strings.append((line, found, breaks))
            else:
                breaks = found.count("\n")
                begins_line = _begins_line(before, bool(pieces))
                if kind <= comments or (begins_line and self.docstrings):
                    docs.append((line, found, breaks))
                else:
                    strings.append((line, found, breaks))
                if kind <= comments and begins_line:
                    comment_lines.update(range(line, line + 1 + breaks))
            pieces.append(before)
            pieces.append("\n" * breaks or " ")
            line += breaks
        pieces.append(text[at:])
        return Layers("".join(pieces).split("\n"), docs, strings, comment_lines)


def _begins_line(before: str, after_another: bool) -> bool:
    """Whether the match after the text ``before`` begins its line. ``after_another`` says whether
    another match precedes that text."""
    head, line_end, indent = before.rpartition("\n")
    return not indent.strip() and (bool(line_end) or not (after_another or head))


@functools.cache
def lexis_of(language: str | None) -> Lexis:
    """The lexis of a language. It is empty for languages without line comments, which are markup
    and prose."""
    if language is None:
        return Lexis()
    spec = languages.spec(language)
    if not spec.line_comments:
        return Lexis()
    comments = [_comment_pattern(mark, r"[^\n]*") for mark in spec.line_comments]
    if spec.block_comment:
        opening, closing = spec.block_comment
        comments.insert(0, _comment_pattern(opening, rf"[\s\S]*?{re.escape(closing)}"))
    pattern = re.compile("|".join((*comments, *_LONG_STRINGS, *_STRINGS)))
    return Lexis(pattern, len(comments), spec.docstrings)


def _comment_pattern(mark: str, rest: str) -> str:
    return f"{re.escape(mark[0])}({re.escape(mark[1:])}{rest})"
