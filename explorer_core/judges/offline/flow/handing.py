"""Where a function is merely named, whether it may be handed over there to be called."""

from __future__ import annotations

import re

from explorer_core.index.symbols import CALLABLES, Edge
from explorer_core.judges.offline.telling.exhibit import Exhibits


def hands_over(exhibits: Exhibits, edge: Edge) -> bool:
    """Whether what an edge leads to may be handed over where it is named. It is not where it is
    taken away from what would call it, nor where a function gives its name as a literal by key: to
    choose what has that name (a page, say), not to have it called."""
    if not exhibits.has(edge.path):
        return True
    graph = exhibits.case.graph
    name = re.escape(graph.symbol(edge.target).name)
    lines = exhibits.source(edge.path).lines
    written = "".join(lines[edge.line - 1 : edge.line])
    if re.search(rf"-=\s*(?:\w+\.)*{name}\b", written):
        return False
    in_function = not edge.source.is_file and graph.kind(edge.source) in CALLABLES
    return not in_function or not re.search(rf"(?:\w:|=>)\s*[:\"']{name}(?!\w)", written)
