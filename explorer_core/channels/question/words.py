"""The words of a text, and how some of them stand in it: as prose, in a literal, alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r"[^\w`/\\]*\s[^\w`/\\]*|['\u2019-]")
"""What may stand between two words of a run, so that neither code nor a path is one."""
_LEAST_PROSE = 0.75
"""Share of the words of a quotation that must follow the one before as they do in prose."""
_GAP, _ANY = r"(?:\\[a-z]|\W)+", r".{1,40}?"
"""What stands between two words of a text in a literal, and in place of a number."""
_LITERAL_MARKS = "\"'`"


@dataclass(frozen=True, slots=True)
class Token:
    """A word; ``joined`` says that nothing stands between it and the one before that would end a
    run."""

    text: str
    start: int
    end: int
    joined: bool


def words_of(line: str) -> list[Token]:
    """The words of a line in order, lowered."""
    found: list[Token] = []
    for match in WORD.finditer(line):
        joined = bool(found) and bool(_BETWEEN.fullmatch(line, found[-1].end, match.start()))
        found.append(Token(match[0].lower(), match.start(), match.end(), joined))
    return found


def is_prose(quoted: str) -> bool:
    """Whether a text is several words, most of which stand behind one another as in prose."""
    words = words_of(quoted)[1:]
    return bool(words) and sum(word.joined for word in words) >= _LEAST_PROSE * len(words)


def pattern_of(quoted: str) -> str:
    """A regular expression for a text as a file may have it: between its words code has other
    marks, with escapes among them, or begins another literal, and a number between others may be a
    value."""
    words = WORD.findall(quoted)
    fixed = [at for at, word in enumerate(words) if not word[0].isdigit()] or range(len(words))
    first, last = fixed[0], fixed[-1]
    parts = (re.escape(words[at]) if at in fixed else _ANY for at in range(first, last + 1))
    return rf"\b{_GAP.join(parts)}\b"


def in_literal(line: str, start: int, end: int) -> bool:
    """Whether a stretch of a line stands between two marks of a literal, as far as one line can
    tell. Three marks in a row head text of many lines, such as documentation."""
    for mark in _LITERAL_MARKS:
        before, after = (part.replace(3 * mark, "") for part in (line[:start], line[end:]))
        if before.count(mark) % 2 and mark in after:
            return True
    return False


def stands_alone(line: str, start: int, end: int) -> bool:
    """Whether a stretch is no part of longer words."""
    before, after = line[max(0, start - 1) : start], line[end : end + 1]
    return not (WORD.match(before) or WORD.match(after))
