"""Near matches for a path that does not exist."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from difflib import SequenceMatcher

from explorer_core.contracts import Suggestion

_MAX_COMPARED = 60
_MIN_SCORE = 0.6
_MAX_MATCHES = 5


def near_matches(path: str, existing: Iterable[str]) -> tuple[Suggestion, ...]:
    """Up to `_MAX_MATCHES` existing paths most similar to ``path``, best first.

    Bigrams of the file name preselect candidates, since comparing all would take seconds on a large
    repository. The final score mixes the similarity of the names and of the whole paths; the better
    of the two weighs more.
    """
    target = path.replace("\\", "/").casefold().strip("/")
    name_bigrams = _bigrams(_name(target))
    compared = heapq.nlargest(
        _MAX_COMPARED,
        existing,
        key=lambda other: _dice(name_bigrams, _bigrams(_name(other.casefold()))),
    )
    scored = [(_similarity(target, other.casefold()), other) for other in compared]
    best = sorted((-score, other) for score, other in scored if score >= _MIN_SCORE)
    return tuple(
        Suggestion(path=other, score=round(-score, 3)) for score, other in best[:_MAX_MATCHES]
    )


def _similarity(target: str, other: str) -> float:
    path_ratio = SequenceMatcher(None, target, other, autojunk=False).ratio()
    name_ratio = SequenceMatcher(None, _name(target), _name(other), autojunk=False).ratio()
    return min(1.0, 0.75 * max(path_ratio, name_ratio) + 0.25 * min(path_ratio, name_ratio))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _bigrams(name: str) -> set[str]:
    return {name[index : index + 2] for index in range(max(1, len(name) - 1))}


def _dice(a: set[str], b: set[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b))
