"""Whether what a line of code gives is taken by a later one, told by the names alone: a source of
what a function does, rather than what it comes to."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_ASSIGNS = re.compile(r"(?<![=!<>+\-*/|&^%~?:]):?=(?![=>~])")
_NAME = re.compile(r"(?<![.\w>])[$@]?[^\W\d]\w*")
_LISTED = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]\s*$")


def bound_on(code: str) -> list[str]:
    """The names that a line without comments gives a value: the last before the sign, or before the
    type behind a colon; of several in brackets all. Members of something are none."""
    sign = _ASSIGNS.search(code)
    if sign is None:
        return []
    written = code[: sign.start()].rstrip()
    if written.count("(") != written.count(")"):
        return []  # names an argument
    if (listed := _LISTED.search(written)) is not None and "," in listed[1]:
        return _NAME.findall(listed[1])
    named = written.partition(":")[0].rstrip()
    names = list(_NAME.finditer(named))
    return [names[-1][0]] if names and names[-1].end() == len(named) else []


def is_taken_later(code: Sequence[str], line: int, apart: Collection[int] = ()) -> bool:
    """Whether a later line of a function, ``apart`` from some, hands over a name that gets its
    value on a line, or takes a member of it. The last one does not count: it may just give it."""
    names = "|".join(map(re.escape, bound_on(code[line])))
    if not names:
        return False
    taken = re.compile(rf"(?<![.\w])(?:{names})(?:\s*[,)]|(?P<member>\.|->|\?\.))")
    later = [at for at in range(line + 1, len(code)) if re.search(r"\w", code[at])]
    return any(_takes(code[at], taken) for at in later[:-1] if at not in apart)


def _takes(code: str, taken: re.Pattern[str]) -> bool:
    """Whether a line takes a member of a name, or has it among arguments."""
    opened = code.find("(")
    for match in taken.finditer(code):
        among = 0 <= opened < match.start() or not code[: match.start()].strip()
        if among or match["member"]:
            return True
    return False
