"""What a line of code hangs on, told by the layout: the condition, loop or case right above it, or
the early exit that it comes after."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from explorer_core.channels.question.templates import without_literals
from explorer_core.index import languages

_WORD = re.compile(r"\w+")
_OPENING, _CLOSING = "([", ")]"


@functools.cache
def exits_of(language: str | None) -> re.Pattern[str]:
    """What leaves a function early in a language; nothing where none is known."""
    words = languages.spec(language).leaving_words if language else ()
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b")


def guard_of(code: Sequence[str], line: int) -> int | None:
    """The place of the line above another one in ``code`` (lines without comments) that is the head
    of what that stands in, a line with no more than a brace between them aside. It is indented
    less, holds whole expressions, and says more than that a block begins (``else {``)."""
    above = line - 1
    if above > 0 and code[above].strip() and not _WORD.search(code[above]):
        above -= 1
    if above < 0 or not _is_deeper(code[line], code[above]):
        return None
    head = without_literals(code[above]).rstrip()
    says = len(_WORD.findall(head)) > 1 and not head.endswith(",")
    return above if says and _is_whole(head) else None


def exits_above(code: Sequence[str], line: int, exits: re.Pattern[str]) -> list[tuple[int, int]]:
    """The early exits that a line is come to only past, the nearest first: the place of what each
    hangs on, and of the exit itself, which are one where a single line says both. They stand in the
    blocks around the line; an exit deeper than that only ends what is over. ``exits`` tells them,
    as `exits_of` gives it."""
    found: list[tuple[int, int]] = []
    around = _indent(code[line])
    inside: list[int] = []
    for at in range(line - 1, -1, -1):
        if len(_WORD.findall(code[at])) < 2 and not exits.search(code[at]):
            continue  # closes a block, or says no more than that one begins
        written = without_literals(code[at])
        if _is_deeper(code[at], around):
            inside.append(at)
            continue
        if _is_whole(written):
            if leaving := _leaving(code, inside, exits):
                found.append((at, leaving))
            elif not inside and exits.search(written) and _indent(code[at]) == around:
                found.append((at, at))
        inside = []
        if _is_deeper(around + ".", code[at]):
            around = _indent(code[at])
    return found


def _leaving(code: Sequence[str], block: Sequence[int], exits: re.Pattern[str]) -> int | None:
    """The line of a block, told from its end, that leaves: one that hangs on nothing else there."""
    least = min((len(_indent(code[at])) for at in block), default=0)
    return next(
        (at for at in block if len(_indent(code[at])) == least and exits.match(code[at].lstrip())),
        None,
    )


def exit_below(code: Sequence[str], line: int, exits: re.Pattern[str]) -> int | None:
    """The place of the early exit that a line is the head of, and which begins what hangs on it."""
    below = line + 1
    if below < len(code) and code[below].strip() and not _WORD.search(code[below]):
        below += 1
    if below >= len(code) or not _is_deeper(code[below], code[line]):
        return None
    return below if exits.match(code[below].lstrip()) else None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _is_deeper(line: str, other: str) -> bool:
    """Whether a line is indented by what another one is and more, with the same white space."""
    here, there = map(_indent, (line, other))
    return len(here) > len(there) and here.startswith(there) and bool(line.strip())


def _is_whole(code: str) -> bool:
    """Whether every bracket but those around blocks is opened and closed again."""
    depth = 0
    for each in code:
        depth += (each in _OPENING) - (each in _CLOSING)
        if depth < 0:
            return False
    return depth == 0
