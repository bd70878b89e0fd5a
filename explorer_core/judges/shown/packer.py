"""Selects the candidates of a packet: the best, and others that are not more of the same.

The worth of a set of candidates is the sum, over directories, kinds and sources, of the square root
of each group's total weight. Such a function is monotone and submodular (Lin and Bilmes, 2011), so
greedy selection comes within 1 - 1/e of the best set.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from posixpath import dirname

from explorer_core.contracts import Candidate

MOST = 32
"""Maximum number of candidates in a packet; a contract allows 20 to 40."""
_ALWAYS_INCLUDED = 8
"""Number of best ranked candidates that are always included."""
_POOL = 200

_Group = tuple[int, Hashable]


def pack(ranked: Sequence[Candidate]) -> list[Candidate]:
    """At most `MOST` of the candidates, best ranked first; none lies within the lines of
    another."""
    pool = list(_without_covered(ranked[:_POOL]))
    if len(pool) <= MOST:
        return pool
    weights = [math.exp(each.score - pool[0].score) for each in pool]
    groups = [tuple(_groups(each)) for each in pool]
    group_weights: dict[_Group, float] = defaultdict(float)
    chosen: list[int] = []

    def choose(at: int) -> None:
        for group in groups[at]:
            group_weights[group] += weights[at]
        chosen.append(at)

    for at in range(_ALWAYS_INCLUDED):
        choose(at)
    # A candidate's gain never increases, so most gains need not be recomputed (lazy greedy; Minoux,
    # 1978).
    heap = [
        (-_gain(groups[at], weights[at], group_weights), at) for at in range(len(chosen), len(pool))
    ]
    heapq.heapify(heap)
    while len(chosen) < MOST:
        _, at = heapq.heappop(heap)
        now = (-_gain(groups[at], weights[at], group_weights), at)
        if heap and now > heap[0]:
            heapq.heappush(heap, now)
        else:
            choose(at)
    return [pool[at] for at in sorted(chosen)]


def _gain(groups: Sequence[_Group], weight: float, group_weights: Mapping[_Group, float]) -> float:
    """The increase in worth from adding a candidate to those chosen."""
    return sum(
        math.sqrt(group_weights[group] + weight) - math.sqrt(group_weights[group])
        for group in groups
    )


def _groups(candidate: Candidate) -> Iterator[_Group]:
    """The groups of a candidate: its directory, its kind and its sources."""
    kind = candidate.symbols[0].kind if candidate.symbols else ""
    marks = tuple(vars(candidate.traits).values())
    yield from enumerate((dirname(candidate.path), (kind, marks)))
    for source in candidate.provenance:
        yield 2, source


def _without_covered(ranked: Sequence[Candidate]) -> Iterator[Candidate]:
    """The candidates, without those whose lines a better one of the same file covers."""
    kept: dict[str, list[Candidate]] = defaultdict(list)
    for each in ranked:
        inside = each.range is not None and any(
            other.range is not None and other.range.covers(each.range) for other in kept[each.path]
        )
        if not inside:
            kept[each.path].append(each)
            yield each
