"""Brackets that are counted where no tree tells which belong together.

What is a bracket differs, and is said by the pattern that finds the marks: some texts have
quotations, some have arrows. Types as written are told apart by more than counting (`type_names`).
"""

from __future__ import annotations

from collections.abc import Iterable
from re import Match


def closing_mark(
    marks: Iterable[Match[str]], opens: str, closes: str, depth: int = 0
) -> Match[str] | None:
    """The mark by which all is closed that the marks before it open, with ``depth`` more that are
    open already; of a text read backwards ``opens`` is what closes."""
    for mark in marks:
        found = mark.group()
        if found == opens:
            depth += 1
        elif found == closes:
            depth -= 1
        else:
            continue
        if not depth:
            return mark
    return None
