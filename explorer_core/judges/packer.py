"""Which candidates go into a packet: the best, and others that are not more of the same.

What a set of candidates is worth is the sum, over directories, kinds and sources, of the square
root of what each group holds. Such a function is monotone and submodular (Lin and Bilmes, 2011), so
that picking greedily comes within 1 - 1/e of the best set.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from posixpath import dirname

from explorer_core.contracts import Candidate

MOST = 32
"""Candidates in a packet; a contract allows 20 to 40."""
_SURE = 8
"""Best ranked candidates that are in whatever they are."""
_POOL = 200

Group = Callable[[Candidate], str]


def pack(ranked: Sequence[Candidate], most: int = MOST) -> list[Candidate]:
    """At most ``most`` of the candidates, best ranked first; no place inside another's lines."""
    pool = list(_apart(ranked[:_POOL]))
    if len(pool) <= most:
        return pool
    weights = {each.id: math.exp(each.score - pool[0].score) for each in pool}
    groups = {each.id: tuple(_groups(each)) for each in pool}
    held: dict[tuple[int, str], float] = defaultdict(float)
    chosen: list[Candidate] = []
    rest = list(pool)
    while len(chosen) < most:
        if len(chosen) < _SURE:
            best = rest[0]
        else:
            best = max(rest, key=lambda each: _gain(groups[each.id], weights[each.id], held))
        for group in groups[best.id]:
            held[group] += weights[best.id]
        chosen.append(best)
        rest.remove(best)
    order = {each.id: at for at, each in enumerate(pool)}
    return sorted(chosen, key=lambda each: order[each.id])


def _gain(
    groups: Sequence[tuple[int, str]], weight: float, held: defaultdict[tuple[int, str], float]
) -> float:
    """What a candidate adds to the worth of those already chosen."""
    return sum(math.sqrt(held[group] + weight) - math.sqrt(held[group]) for group in groups)


def _groups(candidate: Candidate) -> Iterator[tuple[int, str]]:
    """Its directory, its kind and its sources."""
    kind = candidate.symbols[0].kind if candidate.symbols else ""
    marks = "".join(str(int(mark)) for mark in candidate.traits.model_dump().values())
    yield from enumerate((dirname(candidate.path), f"{kind} {marks}"))
    for source in candidate.provenance:
        yield 2, source


def _apart(ranked: Sequence[Candidate]) -> Iterator[Candidate]:
    """The candidates without those whose lines a better one of the same file covers."""
    kept: dict[str, list[Candidate]] = defaultdict(list)
    for each in ranked:
        inside = each.range is not None and any(
            other.range is not None and other.range.covers(each.range) for other in kept[each.path]
        )
        if not inside:
            kept[each.path].append(each)
            yield each
