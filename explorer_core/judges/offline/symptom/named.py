"""A symptom that is told by the words of a name: an error that has a case of its own, a state."""

from __future__ import annotations

from explorer_core.index.symbols import Edge
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.data import data_said
from explorer_core.judges.offline.telling.exhibit import Exhibits

_WORDS = 3
"""Fewest words of a name that stand side by side for no other reason."""


def named_symptom(case: JudgeCase, exhibits: Exhibits) -> Edge | None:
    """Where the best ranked definition of those that do certainly uses data that a question names
    in words; None where no ranked one does."""
    said = {each.id for each in data_said(case, exhibits, _WORDS)}
    for path, line in exhibits.ranks if said else ():
        user = case.graph.enclosing(path, line)
        if user is None or case.set_apart(user):
            continue
        uses = case.graph.uses(user.id)
        found = (e for e in uses if e.target in said and e.witness != "graph:name")
        if (edge := next(found, None)) is not None:
            return edge
    return None
