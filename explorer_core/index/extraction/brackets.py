"""Matches brackets by counting, where no syntax tree says which belong together.

What counts as a bracket is up to the pattern that finds the marks: some texts have quotations, some
have arrows. Written types need more than counting (`type_names`).
"""

from __future__ import annotations

from collections.abc import Iterable
from re import Match


def closing_mark(
    marks: Iterable[Match[str]], opens: str, closes: str, depth: int = 0
) -> Match[str] | None:
    """Returns the mark that closes everything opened before it, with ``depth`` brackets open at the
    start. In a text read backwards, ``opens`` is the closing bracket."""
    for mark in marks:
        bracket = mark.group()
        if bracket == opens:
            depth += 1
        elif bracket == closes:
            depth -= 1
        else:
            continue
        if not depth:
            return mark
    return None
