"""Splits text into words; tells whether words stand in prose, in a literal, or alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r"[^\w`/\\]*\s[^\w`/\\]*|['\u2019-]")
"""What may separate two words of a run; excludes code and paths."""
_LEAST_PROSE = 0.75
"""Share of a quotation's words that must follow the word before them as in prose."""
_GAP, _ANY = r"(?:\\[a-z]|\W)+", r".{1,40}?"
"""Patterns for the text between two words in a literal, and for what may replace a number."""
_LITERAL_MARKS = "\"'`"


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case. ``joined``: nothing between it and the previous word ends a run."""

    text: str
    start: int
    end: int
    joined: bool


def words_of(line: str) -> list[Token]:
    """The words of a line in order, in lower case."""
    found: list[Token] = []
    for match in WORD.finditer(line):
        joined = bool(found) and bool(_BETWEEN.fullmatch(line, found[-1].end, match.start()))
        found.append(Token(match[0].lower(), match.start(), match.end(), joined))
    return found


def is_prose(quoted: str) -> bool:
    """Whether a text has several words, most of which follow one another as in prose."""
    words = words_of(quoted)[1:]
    return bool(words) and sum(word.joined for word in words) >= _LEAST_PROSE * len(words)


def pattern_of(quoted: str) -> str:
    """A regular expression for a text as it may occur in a file. Between its words code may have
    other punctuation, escapes, or the start of another literal. A number between other words may be
    a value."""
    words = WORD.findall(quoted)
    fixed = [at for at, word in enumerate(words) if not word[0].isdigit()] or range(len(words))
    first, last = fixed[0], fixed[-1]
    parts = (re.escape(words[at]) if at in fixed else _ANY for at in range(first, last + 1))
    return rf"\b{_GAP.join(parts)}\b"


def in_literal(line: str, start: int, end: int) -> bool:
    """Whether a stretch of a line lies between the quotation marks of a literal, as far as one line
    shows. Three marks in a row start multi-line text, such as documentation, and do not count."""
    for mark in _LITERAL_MARKS:
        before, after = (part.replace(3 * mark, "") for part in (line[:start], line[end:]))
        if before.count(mark) % 2 and mark in after:
            return True
    return False


def stands_alone(line: str, start: int, end: int) -> bool:
    """Whether a stretch is not part of longer words."""
    before, after = line[max(0, start - 1) : start], line[end : end + 1]
    return not (WORD.match(before) or WORD.match(after))
