"""Finds the line that a question points to by ``path:line``."""

from __future__ import annotations

from explorer_core.channels.features.mentions import line_pointed_at
from explorer_core.contracts import Anchor
from explorer_core.index.symbols import SymbolId
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.step import Step

_AROUND = 5
"""How far from that line a line that can be quoted is looked for."""


def pointed_at(case: JudgeCase) -> Anchor | None:
    """Returns the one line that the question points to, or that the question it follows up points
    to."""
    return line_pointed_at((case.request.query, case.question), case.index.view.paths())


def pointed_step(exhibits: Exhibits) -> Step | None:
    """Returns a step for the definition around that line, or for the file, shown around the
    line."""
    place = pointed_at(exhibits.case)
    if place is None or not exhibits.has(place.path):
        return None
    last = len(exhibits.source(place.path).lines)
    if place.line > last:
        return None
    graph = exhibits.case.graph
    around = graph.enclosing(place.path, place.line)
    symbol = around or graph.symbol(SymbolId.of_file(place.path))
    near = range(max(1, place.line - _AROUND), min(last, place.line + _AROUND) + 1)
    quotable = (
        at
        for at in sorted(near, key=lambda at: abs(at - place.line))
        if at in symbol.range and any(map(str.isalpha, exhibits.quote(place.path, at)))
    )
    role = "definition" if around is not None else "text"
    return Step(symbol, role, line=next(quotable, place.line))
