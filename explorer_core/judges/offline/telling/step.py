"""A step of the offline judge's flow, before it is put in words."""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.contracts import LineRange
from explorer_core.index.symbols import Edge, Symbol, SymbolId


@dataclass(frozen=True, slots=True)
class Literal:
    """A definition, and the line of it on which a name or a text stands."""

    holder: Symbol
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """A symbol of the flow, and what is known to tell of it."""

    symbol: Symbol
    role: str
    edge: Edge | None = None
    """What proves the fact. One that stands in another symbol is told only where the symbol itself
    calls nothing, unless ``led_to`` is set."""
    via: tuple[SymbolId, ...] = ()
    """What the edge passes through on its way to the next step."""
    meant: SymbolId | None = None
    """What the step is shown for, where that is not the edge's target but overrides it."""
    also: tuple[Edge, ...] = ()
    """Other calls by the symbol, or of it, to tell of."""
    further: str = ""
    """A sentence to be said after the fact."""
    literal: Literal | None = None
    """The text that the step is shown for."""
    line: int | None = None
    """The line that the question points to."""
    part: LineRange | None = None
    """The only lines of a long symbol to tell of."""
    led_to: bool = False
    """Whether an edge to the symbol is told even if the symbol calls something itself."""
    exact: bool = False
    """Whether the edge's own line is quoted, even if other lines have such an edge."""
    handed: str = ""
    """The text on the line of the edge, where that hands something over under a text."""
