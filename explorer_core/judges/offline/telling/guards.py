"""What a line of code hangs on: the condition, loop or case right above it, told by the layout."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer_core.channels.question.templates import without_literals

_WORD = re.compile(r"\w+")
_OPENING, _CLOSING = "([", ")]"


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


def _is_deeper(line: str, other: str) -> bool:
    """Whether a line is indented by what another one is and more, with the same white space."""
    here, there = (each[: len(each) - len(each.lstrip())] for each in (line, other))
    return len(here) > len(there) and here.startswith(there) and bool(line.strip())


def _is_whole(code: str) -> bool:
    """Whether every bracket but those around blocks is opened and closed again."""
    depth = 0
    for each in code:
        depth += (each in _OPENING) - (each in _CLOSING)
        if depth < 0:
            return False
    return depth == 0
