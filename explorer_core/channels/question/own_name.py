"""Removes the program's own name from a question about it, since that is not the subject.

``AdGuard Home`` refers to the folder ``home`` no more than ``the program`` would.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = frozenset((" ", "-"))
_ALONE = re.compile(r"(?:['\u2019]s)?(?:[.?!,;:)]*(?:\s|$))")
"""What follows a word that is not part of another name."""


def without_name(question: str, name: str) -> str:
    """The question without the program's name, unless nothing else would be left.

    A name of a single word is removed only where it is written as a proper name, in a question of
    one line. Such a name is often also that of the main type, or of the program's subject, and in
    an error report it is often part of other names."""
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
    """Where the name that begins at a word ends. None if no name begins there, or if it is a single
    word that may mean something else."""
    joined = ""
    for at in range(first, len(words)):
        if at > first and question[words[at - 1].end() : words[at].start()] not in _BETWEEN:
            return None
        joined += words[at][0].casefold()
        if joined == wanted:
            whole = at > first or _is_proper_name(question, words[at])
            return words[at].end() if whole else None
        if not wanted.startswith(joined):
            return None
    return None


def _is_proper_name(question: str, word: re.Match[str]) -> bool:
    """Whether a word stands alone in a question of one line, with a capital letter that is not due
    to its being first in a sentence."""
    before = question[: word.start()]
    alone = not before.strip() or before[-1] in " ("
    begins = not before.strip() or before.rstrip()[-1] in ".?!:"
    capital = any(map(str.isupper, word[0][1:] if begins else word[0]))
    one_line = "\n" not in question.strip()
    return capital and alone and one_line and _ALONE.match(question, word.end()) is not None
