"""What a new one of a kind is like, and where it is registered with others."""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.index.symbols import Edge, Symbol
from explorer_core.judges.offline.telling.step import Literal


@dataclass(frozen=True, slots=True)
class Registration:
    """A place that names several of a kind, so that a new one has to be named there as well."""

    user: Symbol
    """The definition, or the file, that names them."""
    edge: Edge | None
    """What is shown of it: one edge of it, to the example if it has one to that."""
    total: str
    """A sentence that says how many it names."""
    literal: Literal | None = None
    """What is shown where no edge leads to any: the line that has the name of one."""

    @property
    def line(self) -> int | None:
        """The line that is shown; None where nothing tells which."""
        if self.literal is not None:
            return self.literal.line
        return self.edge.line if self.edge is not None else None


@dataclass(frozen=True, slots=True)
class Example:
    """One of a kind for a new one to be like: a type of a family, a row of a table, a member of an
    enumeration or a file of a folder."""

    member: Symbol
    """The one itself. Of a row what it gives to ``made`` or names, else ``made``; of a member of an
    enumeration the ``enumerated`` type."""
    derivation: Edge | None
    """The edge by which a type derives from ``head``, or from what does."""
    places: tuple[Registration, ...]
    """Where it is named with others of its kind, as far as that is known."""
    said: float
    """How much of what the question tells is in the name of the kind."""
    is_row: bool = False
    """Whether it is a line of a table or of an enumeration, and no definition of its own."""
    made: Symbol | None = None
    """What every row of a table makes or calls, if they do."""
    enumerated: Symbol | None = None
    """What lists the members of the kind, which is the first of the ``places``."""
    named: bool = False
    """Whether the question has the whole name of the kind."""
    head: Symbol | None = None
    """The supertype that a new one has to have, if they are types."""
    used: tuple[Registration, ...] = ()
    """What uses some members of an enumeration, where nothing names most of them."""

    @property
    def is_registered(self) -> bool:
        """Whether anything but an enumeration itself is known to be changed."""
        return any(place.user != self.enumerated for place in self.places)

    @property
    def is_apart(self) -> bool:
        """Whether the member is to be shown beside the places: it is none of them."""
        return self.member != self.made and all(e.user != self.member for e in self.places)

    @property
    def tested(self) -> Symbol:
        """The definition whose tests tell how to test a new one."""
        return self.places[0].user if self.is_row else self.member
