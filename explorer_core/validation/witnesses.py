"""How much those who vouch for a relation vouch for."""

from __future__ import annotations

from typing import get_args

from explorer_core.contracts import Witness

_STRONGEST_FIRST: tuple[Witness, ...] = get_args(Witness)


def place_of(witness: Witness | None) -> int:
    """The place of a witness among all, the strongest first; nobody comes last."""
    return len(_STRONGEST_FIRST) if witness is None else _STRONGEST_FIRST.index(witness)


def is_stronger(one: Witness | None, other: Witness | None) -> bool:
    """Whether ``one`` vouches for more than ``other``."""
    return place_of(one) < place_of(other)
