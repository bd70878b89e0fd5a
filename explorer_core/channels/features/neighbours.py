"""Graph features: a definition gains score from the matching definitions around it.

One step of personalised PageRank (Haveliwala, "Topic-sensitive PageRank", 2002) from the best
matches. Weight passes along an edge divided by the square root of the source's number of targets.
"""

from __future__ import annotations

from collections.abc import Mapping

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import SymbolId

_SOURCES = 40


def spread_weight(
    graph: SymbolGraph, weights: Mapping[SymbolId, float]
) -> tuple[dict[SymbolId, float], dict[SymbolId, float]]:
    """The weight each definition receives from its users, and from what it uses itself."""
    from_users: dict[SymbolId, float] = {}
    from_used: dict[SymbolId, float] = {}
    best = sorted(weights, key=lambda each: (-weights[each], each))[:_SOURCES]
    for source in best:
        targets = {
            edge.target
            for edge in graph.leaving(source)
            if edge.target != source and (not edge.is_by_name or edge.namesakes == 1)
        }
        for target in sorted(targets):
            share = weights[source] / len(targets) ** 0.5
            from_users[target] = from_users.get(target, 0.0) + share
            from_used[source] = from_used.get(source, 0.0) + weights.get(target, 0.0) / (
                len(targets) ** 0.5
            )
    return from_users, from_used
