"""An example of a kind, and the places where it is registered with others."""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.index.symbols import Edge, Symbol
from explorer_core.judges.offline.telling.step import Literal


@dataclass(frozen=True, slots=True)
class Registration:
    """A place that names several of a kind, so that a new one has to be named there too."""

    user: Symbol
    """The definition or file that names them."""
    edge: Edge | None
    """The edge that is shown: one to the example if there is any."""
    total: str
    """A sentence that says how many of the kind the place names."""
    literal: Literal | None = None
    """The line that is shown if no edge leads to any: one that has a name of the kind."""

    @property
    def line(self) -> int | None:
        """The line that is shown, or None if it is unknown."""
        if self.literal is not None:
            return self.literal.line
        return self.edge.line if self.edge is not None else None


@dataclass(frozen=True, slots=True)
class Example:
    """One of a kind, which a new one is to follow: a type of a family, a row of a table, a member
    of an enumeration, or a file of a folder."""

    member: Symbol
    """The example. For a row this is what the row passes to ``made`` or names, or else ``made``.
    For a member of an enumeration it is the ``enumerated`` type."""
    derivation: Edge | None
    """The edge by which a type derives from ``head`` or from a subtype of it."""
    places: tuple[Registration, ...]
    """The known places that name it with others of its kind."""
    worth: float
    """How much of the question is in the name of the kind."""
    is_row: bool = False
    """Whether it is a line of a table or enumeration, and no definition of its own."""
    made: Symbol | None = None
    """What every row of a table makes or calls, if they do."""
    enumerated: Symbol | None = None
    """The definition that lists the members of the kind; the first of ``places``."""
    is_named: bool = False
    """Whether the question has the whole name of the kind."""
    head: Symbol | None = None
    """The supertype of the new one, if the kind is a family of types."""
    used: tuple[Registration, ...] = ()
    """Users of some members of an enumeration, if no place names most of them."""

    @property
    def is_registered(self) -> bool:
        """Whether some place other than the enumeration itself has to change."""
        return any(place.user != self.enumerated for place in self.places)

    @property
    def is_apart(self) -> bool:
        """Whether the member is to be shown besides the places, as it is none of them."""
        return self.member != self.made and all(e.user != self.member for e in self.places)

    @property
    def tested(self) -> Symbol:
        """The definition whose tests show how to test a new one."""
        return self.places[0].user if self.is_row else self.member
