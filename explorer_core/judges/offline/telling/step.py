"""A step of the offline judge's flow, before it is put in words."""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.contracts import LineRange
from explorer_core.index.symbols import Edge, Symbol, SymbolId


@dataclass(frozen=True, slots=True)
class Literal:
    """A name or a text on one line of a definition: ``name`` on ``line`` of ``holder``."""

    holder: Symbol
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One symbol of the flow, with all that its fact may be about."""

    symbol: Symbol
    role: str
    edge: Edge | None = None
    """The edge that the fact states. If its source is another symbol, it is stated only where this
    symbol makes no call of its own, unless ``states_incoming`` is set."""
    via: tuple[SymbolId, ...] = ()
    """The symbols between this step and the next that merely pass the flow on."""
    meant: SymbolId | None = None
    """The next step, where it overrides the edge's target instead of being it."""
    also: tuple[Edge, ...] = ()
    """Other calls to mention after the fact: calls by the symbol, or calls of it."""
    further: str = ""
    """A sentence to append to the fact."""
    literal: Literal | None = None
    """The text on account of which the step is shown."""
    line: int | None = None
    """The line that the question points to (``path:line``)."""
    part: LineRange | None = None
    """The part of a long symbol that the fact is limited to."""
    states_incoming: bool = False
    """Whether to state an edge to the symbol even if the symbol makes calls of its own."""
    exact: bool = False
    """Whether to quote the edge's own line, even if other lines of the symbol have the same
    edge."""
    handover_text: str = ""
    """The text beside the name on the edge's line, where that line hands a function over: the
    ``"/users"`` of ``route("/users", list_users)``."""
