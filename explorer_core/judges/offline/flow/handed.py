"""Finds the line that hands a function over, such as the row of a route table that names a handler.

A function that a framework calls has no caller in the repository. But some line passes it on,
mostly beside a text that says what it is for: ``route("/users", list_users)``. If a flow begins at
such a function, that line becomes its first step. Not every line that names a function hands it
over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from explorer_core.credentials import credentials
from explorer_core.index.spine import STEPS
from explorer_core.index.symbols import CALLABLES, Edge, Symbol
from explorer_core.judges.offline.telling.calls import is_certain_call
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling

_FILES = 40
"""How many files that mention a function are searched."""


def with_handover(telling: Telling, steps: Sequence[Step]) -> list[Step]:
    """Adds a step in front, for the line that hands the first step's function over.

    This requires that nothing calls the function, that there is only one such line outside of
    tests, and that a text stands beside the name. Otherwise, or in a full flow, the steps stay as
    they are.
    """
    first = steps[0] if steps else None
    if first is None or len(steps) >= STEPS or first.symbol.kind not in CALLABLES:
        return list(steps)
    edge = None if _is_called(telling, first.symbol) else _only_edge(telling, first.symbol)
    text = _text_beside(telling, edge, first.symbol) if edge else ""
    if edge is None or not text or any(step.symbol.id == edge.source for step in steps):
        return list(steps)
    source = telling.case.graph.symbol(edge.source)
    lead = Step(source, "entry", edge, handover_text=text)
    return [lead, replace(first, role="step" if len(steps) > 1 else "effect"), *steps[1:]]


def _is_called(telling: Telling, symbol: Symbol) -> bool:
    calls = telling.case.graph.uses_of(symbol.id, files=_FILES, calls=True)
    return any(is_certain_call(edge) and _is_from_elsewhere(telling, edge) for edge in calls)


def _only_edge(telling: Telling, symbol: Symbol) -> Edge | None:
    """Returns the only edge that hands a symbol over. If several do and all stand in one table that
    names it in texts, returns the first."""
    graph = telling.case.graph
    edges = graph.handing_over(symbol.id, files=_FILES)
    found = [edge for edge in edges if _is_from_elsewhere(telling, edge)]
    in_texts = all(map(graph.is_in_text, found)) and len({edge.source for edge in found}) == 1
    known = in_texts or (len(found) == 1 and not found[0].is_by_name)
    return found[0] if known and telling.exhibits.has(found[0].path) else None


def _is_from_elsewhere(telling: Telling, edge: Edge) -> bool:
    """Whether an edge counts: it does not come from a test or the like, nor from the symbol
    itself."""
    source = telling.case.graph.symbol(edge.source)
    return edge.source != edge.target and not telling.case.is_set_apart(source)


def _text_beside(telling: Telling, edge: Edge, symbol: Symbol) -> str:
    """Returns the first text on an edge's line that is not the symbol's name. Empty if there is
    none, or if the quote of that line would not show it."""
    exhibits, path, line = telling.exhibits, edge.path, edge.line
    if credentials(exhibits.line(path, line), path):
        return ""
    texts = (each for each in exhibits.texts_on(path, line) if each.strip())
    text = next((each for each in texts if each != symbol.name), "")
    return text if text in exhibits.quote(path, line) else ""


def may_hand_over(exhibits: Exhibits, edge: Edge) -> bool:
    """Whether the function that an edge leads to may be handed over where it is named.

    Not if it is removed there (``hooks -= run``), nor if a function passes its name as a literal by
    key (``page: "settings"``): that selects something of this name, and has nothing called.
    """
    if not exhibits.has(edge.path):
        return True
    graph = exhibits.case.graph
    name = re.escape(graph.symbol(edge.target).name)
    written = exhibits.line(edge.path, edge.line)
    if re.search(rf"-=\s*(?:\w+\.)*{name}\b", written):
        return False
    in_function = not edge.source.is_file and graph.kind(edge.source) in CALLABLES
    return not in_function or not re.search(rf"(?:\w:|=>)\s*[:\"']{name}(?!\w)", written)
