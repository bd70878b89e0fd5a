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
    spec = languages.spec(language) if language else None
    words = (*spec.leaving_words, *spec.failing_words) if spec else ()
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b")


@functools.cache
def catches_of(language: str | None) -> re.Pattern[str]:
    """What begins the handling of errors in a language, at the start of a line; nothing where none
    is known."""
    words = languages.spec(language).catching_words if language else ()
    return re.compile(rf"[\s}}]*(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b")


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


def heads_around(code: Sequence[str], line: int) -> list[tuple[int, int]]:
    """The heads of the blocks that a line stands in, the innermost first, each by its first line
    and its last, from 0 on. Of one that says no more than that it is the other of two (``} else
    {``), that of the first. Where a line goes on with an expression, the blocks around all of
    that."""
    found: list[tuple[int, int]] = []
    outermost = len(_indent(code[0]))
    most, below, last = len(_indent(code[line])) - 1, line, -1
    for at in range(line - 1, 0, -1):
        indent = len(_indent(code[at]))
        if not code[at].strip() or not outermost < indent <= most:
            continue
        written = [without_literals(each) for each in code[at:below]]
        end = end_of(written)
        if end < 0 or not _WORD.search(code[at]):  # a brace, or the end of what begins above
            most, last = indent, max(last, at)
            continue
        end = max(last, at + end)
        joined = " ".join(written[: end - at + 1])
        is_head = end < below and not joined.rstrip().endswith(",")
        says = len(_WORD.findall(joined)) > 1
        if is_head and says:
            found.append((at, end))
        is_other = is_head and not says and code[at].lstrip().startswith("}")
        most, below, last = indent - (not is_other), at, -1
    return found


def caught_around(
    code: Sequence[str], line: int, catches: re.Pattern[str]
) -> tuple[int, range] | None:
    """The line, from 0 on, with the head of the innermost block around another that handles errors,
    and the lines of which it handles them; None where there is none. ``catches`` tells such heads,
    as `catches_of` gives it."""
    most, handler, end = len(_indent(code[line])) - 1, -1, 0
    for at in range(line - 1, -1, -1):
        indent = len(_indent(code[at]))
        if indent > most or not _WORD.search(code[at]):
            continue
        if handler < 0 and not catches.match(code[at]):
            most = indent - 1
        elif catches.match(code[at]):
            handler, end, most = max(handler, at), at, indent
        else:
            return handler, range(at + 1, end)
    return None


def is_head(code: Sequence[str], line: int) -> bool:
    """Whether a block begins below a line that closes all brackets it opens."""
    below = next((each for each in code[line + 1 :] if _WORD.search(each)), "")
    return _is_deeper(below, code[line]) and _is_whole(without_literals(code[line]))


def end_of(code: Sequence[str]) -> int:
    """The line on which all brackets are closed that the first opens, those of blocks apart, from 0
    on; -1 where that closes what it does not open, one past the last where none closes them."""
    depth = 0
    for at, line in enumerate(code):
        for each in without_literals(line):
            depth += (each in _OPENING) - (each in _CLOSING)
            if depth < 0:
                return -1 if at == 0 else len(code)
        if depth == 0:
            return at
    return len(code)


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
