"""What a new one of a kind is like, and where it is registered with others."""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.index.symbols import Edge, Symbol
from explorer_core.judges.offline.telling.step import Literal


@dataclass(frozen=True, slots=True)
class Registration:
    """What refers to several members: an edge of it, to the example if it has one, or the line
    where it has the name of one, and the total in a sentence."""

    user: Symbol
    edge: Edge | None
    total: str
    literal: Literal | None = None

    @property
    def line(self) -> int | None:
        """Where it does."""
        if self.literal is not None:
            return self.literal.line
        return self.edge.line if self.edge is not None else None


@dataclass(frozen=True, slots=True)
class Example:
    """A ``member`` to go by. ``head`` is the supertype that a new one has, if they are types, and
    ``derivation`` the edge by which the member derives from it, or from what does; ``places`` are
    where it and others are registered, as far as that is known; ``said`` is how much of the
    question names the family. For the row of a table (``is_row``) ``made`` is what the row makes or
    calls, if it does, and ``member`` what it gives to that or names, or else ``made``. An
    ``enumerated`` type is the first place itself, and the ``member``. ``named`` says that the
    question has the whole name of the family. ``used`` is what uses some of what is enumerated,
    where nothing names most of it."""

    member: Symbol
    derivation: Edge | None
    places: tuple[Registration, ...]
    said: float
    is_row: bool = False
    made: Symbol | None = None
    enumerated: Symbol | None = None
    named: bool = False
    head: Symbol | None = None
    used: tuple[Registration, ...] = ()

    @property
    def is_registered(self) -> bool:
        """Whether anything but an enumeration itself is known to be changed."""
        return any(place.user != self.enumerated for place in self.places)

    @property
    def is_apart(self) -> bool:
        """Whether the member is none of the places."""
        return self.member != self.made and all(e.user != self.member for e in self.places)

    @property
    def tested(self) -> Symbol:
        """What its tests are tests of."""
        return self.places[0].user if self.is_row else self.member
