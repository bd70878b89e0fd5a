"""What a program is called, in a question about it: no part of it is what the question is about.

``AdGuard Home`` asks for no more of the folder ``home`` than ``the program`` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = frozenset((" ", "-"))


def without_name(question: str, name: str) -> str:
    """A question without the name of the program, where that is written in several words, and where
    it says more than that. One word stays: it is often that of the type that all begins with, or of
    what the program is about."""
    wanted = "".join(_WORD.findall(name)).casefold()
    words = [*_WORD.finditer(question)] if wanted else []
    kept: list[str] = []
    at = 0
    for first, word in enumerate(words):
        if word.start() >= at and (end := _end_of_name(question, words, first, wanted)):
            kept.append(question[at : word.start()])
            at = end
    left = "".join((*kept, question[at:]))
    return left if _WORD.search(left) else question


def _end_of_name(
    question: str, words: Sequence[re.Match[str]], first: int, wanted: str
) -> int | None:
    """Where a name ends that begins with a word; None where none does, or it is no more than that
    word."""
    said = ""
    for at in range(first, len(words)):
        if at > first and question[words[at - 1].end() : words[at].start()] not in _BETWEEN:
            return None
        said += words[at][0].casefold()
        if said == wanted:
            return words[at].end() if at > first else None
        if not wanted.startswith(said):
            return None
    return None
