"""Near matches for a path that does not exist."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from difflib import SequenceMatcher

from explorer_core.contracts import Suggestion

_COMPARED = 60
_CUTOFF = 0.6
_MOST = 5


def near_matches(path: str, existing: Iterable[str]) -> tuple[Suggestion, ...]:
    """Up to `_MOST` existing paths most similar to ``path``, best first.

    Bigrams of the file name preselect candidates, since comparing all would take seconds on a large
    repository. The final score mixes the similarity of the names and of the whole paths; the better
    of the two weighs more.
    """
    wanted = path.replace("\\", "/").casefold().strip("/")
    name_pairs = _pairs(_name(wanted))
    compared = heapq.nlargest(
        _COMPARED, existing, key=lambda other: _dice(name_pairs, _pairs(_name(other.casefold())))
    )
    scored = [(_likeness(wanted, other.casefold()), other) for other in compared]
    best = sorted((-score, other) for score, other in scored if score >= _CUTOFF)
    return tuple(Suggestion(path=other, score=round(-score, 3)) for score, other in best[:_MOST])


def _likeness(wanted: str, other: str) -> float:
    whole = SequenceMatcher(None, wanted, other, autojunk=False).ratio()
    names = SequenceMatcher(None, _name(wanted), _name(other), autojunk=False).ratio()
    return min(1.0, 0.75 * max(whole, names) + 0.25 * min(whole, names))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _pairs(name: str) -> set[str]:
    return {name[at : at + 2] for at in range(max(1, len(name) - 1))}


def _dice(a: set[str], b: set[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b))
