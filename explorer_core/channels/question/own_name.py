"""What a program is called, in a question about it: no part of it is what the question is about.

``AdGuard Home`` asks for no more of the folder ``home`` than ``the program`` does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = frozenset((" ", "-"))
_ALONE = re.compile(r"(?:['\u2019]s)?(?:[.?!,;:)]*(?:\s|$))")
"""What follows a word that is part of no other name."""


def without_name(question: str, name: str) -> str:
    """A question without the name of the program, where it says more than that. A single word is
    left out only where it is written as a proper name is, in a question of one line: the name is
    often also that of the type that all begins with, or of what the program is about, and in the
    report of an error part of other names."""
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
    """Where a name ends that begins with a word; None where none does, or it is one word that may
    be more than the name."""
    said = ""
    for at in range(first, len(words)):
        if at > first and question[words[at - 1].end() : words[at].start()] not in _BETWEEN:
            return None
        said += words[at][0].casefold()
        if said == wanted:
            whole = at > first or _is_proper_name(question, words[at])
            return words[at].end() if whole else None
        if not wanted.startswith(said):
            return None
    return None


def _is_proper_name(question: str, word: re.Match[str]) -> bool:
    """Whether a word stands by itself in a question of one line, with a capital that does not come
    of where it stands."""
    before = question[: word.start()]
    alone = not before.strip() or before[-1] in " ("
    begins = not before.strip() or before.rstrip()[-1] in ".?!:"
    capital = any(map(str.isupper, word[0][1:] if begins else word[0]))
    one_line = "\n" not in question.strip()
    return capital and alone and one_line and _ALONE.match(question, word.end()) is not None
