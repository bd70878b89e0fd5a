"""A step of the offline judge's flow, before it is put in words."""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.index.symbols import Edge, Symbol, SymbolId


@dataclass(frozen=True, slots=True)
class Literal:
    """A definition, and the line of it on which a name or a text stands."""

    holder: Symbol
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """A symbol of the flow. ``edge`` proves the fact, and ``via`` is what it passes through;
    ``meant`` is what the step is shown for where that is not the edge's target. An edge that stands
    in another symbol is told only where the symbol itself calls nothing, unless ``led_to`` is set.
    ``exact`` has the edge's own line quoted even if other lines have such an edge. ``also`` are
    other calls by the symbol or of it to tell of, ``further`` is a sentence after the fact,
    ``literal`` a string that the step is shown for, ``line`` the one that the question points to,
    and ``handed`` the text on the line where an edge hands something over."""

    symbol: Symbol
    role: str
    edge: Edge | None = None
    via: tuple[SymbolId, ...] = ()
    meant: SymbolId | None = None
    also: tuple[Edge, ...] = ()
    further: str = ""
    literal: Literal | None = None
    line: int | None = None
    led_to: bool = False
    exact: bool = False
    handed: str = ""
