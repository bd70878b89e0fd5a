"""What a line of code depends on, read from the indentation alone.

For ``save(row)`` this is the condition, loop or case right above it (``if row.changed:``), or an
earlier exit (``if not row: return``). Lines and offsets count from 0 in ``code``, the lines of a
definition without comments.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from explorer_core.channels.question.templates import without_literals
from explorer_core.index import languages

_WORD = re.compile(r"\w+")
_OPENING, _CLOSING = "([", ")]"


@functools.cache
def exit_pattern(language: str | None) -> re.Pattern[str]:
    """Returns a pattern for what leaves a function early, such as ``return``. It matches nothing if
    the language's spec has no such words."""
    spec = languages.spec(language) if language else None
    words = (*spec.leaving_words, *spec.failing_words) if spec else ()
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b")


@functools.cache
def catch_pattern(language: str | None) -> re.Pattern[str]:
    """Returns a pattern for a line that begins to handle errors, such as ``except``. It matches
    nothing if the language's spec has no such words."""
    words = languages.spec(language).catching_words if language else ()
    return re.compile(rf"[\s}}]*(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b")


def condition_above(code: Sequence[str], line: int) -> int | None:
    """Finds the head of the block that ``line`` is the first line of.

    The head is the line above, or the one before that if a brace stands between. It is indented
    less, closes all brackets that it opens, and has more than one word (``else {`` is none).
    """
    above = line - 1
    if above > 0 and code[above].strip() and not _WORD.search(code[above]):
        above -= 1
    if above < 0 or not _is_deeper(code[line], code[above]):
        return None
    head = without_literals(code[above]).rstrip()
    says = len(_WORD.findall(head)) > 1 and not head.endswith(",")
    return above if says and _is_balanced(head) else None


def enclosing_heads(code: Sequence[str], line: int) -> list[tuple[int, int]]:
    """Returns the heads of the blocks around a line, the innermost first, as (first line, last
    line).

    For an ``} else {`` this is the head of the ``if``. For a line that continues an expression,
    these are the blocks around the whole expression.
    """
    found: list[tuple[int, int]] = []
    outermost = len(_indent(code[0]))
    most, below, last = len(_indent(code[line])) - 1, line, -1
    for at in range(line - 1, 0, -1):
        indent = len(_indent(code[at]))
        if not code[at].strip() or not outermost < indent <= most:
            continue
        written = [without_literals(each) for each in code[at:below]]
        end = end_of_statement(written)
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


def enclosing_handler(
    code: Sequence[str], line: int, catches: re.Pattern[str]
) -> tuple[int, range] | None:
    """Finds the innermost error handler around a line.

    Returns the line of its head and the lines whose errors it handles, or None. ``catches`` is the
    pattern from `catch_pattern`.
    """
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


def is_block_head(code: Sequence[str], line: int) -> bool:
    """Whether a line is the head of a block: it closes all its brackets, and the next one is
    indented more."""
    below = next((each for each in code[line + 1 :] if _WORD.search(each)), "")
    return _is_deeper(below, code[line]) and _is_balanced(without_literals(code[line]))


def end_of_statement(code: Sequence[str]) -> int:
    """Returns the line on which all brackets that the first line opens are closed, apart from
    braces.

    -1 if the first line closes a bracket that it did not open; the number of lines if none closes
    all, or if a later line closes one too many first.
    """
    depth = 0
    for at, line in enumerate(code):
        for each in without_literals(line):
            depth += (each in _OPENING) - (each in _CLOSING)
            if depth < 0:
                return -1 if at == 0 else len(code)
        if depth == 0:
            return at
    return len(code)


def earlier_exits(code: Sequence[str], line: int, exits: re.Pattern[str]) -> list[tuple[int, int]]:
    """Finds the early exits that execution has to get past to reach a line, the nearest first.

    Each is (line of the condition, line of the exit), which are the same for ``if (!ok) return;``.
    Only exits in the blocks around the line count, since one nested deeper ends only its own
    branch. ``exits`` is the pattern from `exit_pattern`.
    """
    found: list[tuple[int, int]] = []
    around = _indent(code[line])
    inside: list[int] = []
    for at in range(line - 1, -1, -1):
        if len(_WORD.findall(code[at])) < 2 and not exits.search(code[at]):
            continue  # closes a block, or only begins one
        written = without_literals(code[at])
        if _is_deeper(code[at], around):
            inside.append(at)
            continue
        if _is_balanced(written):
            if leaving := _exit_of_block(code, inside, exits):
                found.append((at, leaving))
            elif not inside and exits.search(written) and _indent(code[at]) == around:
                found.append((at, at))
        inside = []
        if _is_deeper(around + ".", code[at]):
            around = _indent(code[at])
    return found


def _exit_of_block(code: Sequence[str], block: Sequence[int], exits: re.Pattern[str]) -> int | None:
    """Returns the line of a block that leaves it unconditionally: one that is nested no deeper than
    the block itself. ``block`` lists its lines from the last to the first."""
    least = min((len(_indent(code[at])) for at in block), default=0)
    return next(
        (at for at in block if len(_indent(code[at])) == least and exits.match(code[at].lstrip())),
        None,
    )


def last_statement(code: Sequence[str]) -> int:
    """Returns the line on which the last statement of a definition's own block begins; 0 if the
    definition has one line."""
    body = [at for at, each in enumerate(code) if _is_deeper(each, code[0]) and _WORD.search(each)]
    least = min((len(_indent(code[at])) for at in body), default=0)
    return max((at for at in body if len(_indent(code[at])) == least), default=0)


def exit_opening_block(code: Sequence[str], line: int, exits: re.Pattern[str]) -> int | None:
    """Returns the line of the early exit that begins the block below ``line``, if there is one."""
    below = line + 1
    if below < len(code) and code[below].strip() and not _WORD.search(code[below]):
        below += 1
    if below >= len(code) or not _is_deeper(code[below], code[line]):
        return None
    return below if exits.match(code[below].lstrip()) else None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _is_deeper(line: str, other: str) -> bool:
    """Whether a line is indented deeper than another and begins with the same white space."""
    here, there = map(_indent, (line, other))
    return len(here) > len(there) and here.startswith(there) and bool(line.strip())


def _is_balanced(code: str) -> bool:
    """Whether all round and square brackets that the code opens are closed again, in order."""
    depth = 0
    for each in code:
        depth += (each in _OPENING) - (each in _CLOSING)
        if depth < 0:
            return False
    return depth == 0
