"""Pseudo-relevance feedback: expands the query with terms of the first results.

RM3 (Abdul-Jaleel et al., "UMass at TREC 2004"): the terms of the best units, weighted by the score
of those units and by rarity, form a second query. It bridges a person's words and the code's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest

from explorer_core.index.search.bm25f import Search, UnitHit
from explorer_core.index.terms import text
from explorer_core.workspace import CachingReader

_UNITS = 10
_TERMS = 15
_POOL = 40
"""Terms with the most mass, whose scarcity is looked up."""
_LEAST = 0.001
"""Share of the best term's weight below which a term is left out. It would change nothing, and its
postings are costly to read, because such terms occur in nearly every unit."""


def expansion(search: Search, files: CachingReader, hits: Sequence[UnitHit]) -> dict[str, float]:
    """Terms with weights up to 1, drawn from the best ``hits`` (best first)."""
    mass: dict[str, float] = {}
    for hit in hits[:_UNITS]:
        counts = _counts(files, hit)
        total = sum(counts.values())
        for term, times in counts.items():
            mass[term] = mass.get(term, 0.0) + hit.score * times / total
    weighted = [
        (mass[term] * search.terms.scarcity(term), term)
        for term in nlargest(_POOL, mass, key=lambda term: (mass[term], term))
    ]
    best = nlargest(_TERMS, weighted)
    return {term: weight / best[0][0] for weight, term in best if weight > _LEAST * best[0][0]}


def _counts(files: CachingReader, hit: UnitHit) -> Mapping[str, int]:
    source = files.source(hit.path)
    return text.count("\n".join(source.lines[hit.start - 1 : hit.end])) if source else {}
