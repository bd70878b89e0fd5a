"""A symptom that is told by the words of a name: an error that has a case of its own, a state."""

from __future__ import annotations

from explorer_core.index.symbols import Edge
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.data import data_said
from explorer_core.judges.offline.telling.exhibit import Exhibits

_WORDS = 3
"""Fewest words of a name that stand side by side for no other reason."""


def named_symptom(case: JudgeCase, exhibits: Exhibits) -> Edge | None:
    """Where the best ranked definition of those that do uses the data that a question names in
    words; None where no ranked one does."""
    graph, ranks = case.graph, exhibits.ranks
    for data in data_said(case, exhibits, _WORDS):
        ranked: list[tuple[int, int, Edge]] = []
        for edge in graph.incoming(data.id):
            if edge.relation in ("calls", "references") and not edge.source.is_file:
                user = graph.symbol(edge.source)
                if (rank := ranks.get((user.path, user.line))) is not None:
                    ranked.append((rank, edge.line, edge))
        if ranked:
            return min(ranked)[-1]
    return None
