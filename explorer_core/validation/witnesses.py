"""The order of witnesses by how much their word counts."""

from __future__ import annotations

from typing import get_args

from explorer_core.contracts import Witness

_STRONGEST_FIRST: tuple[Witness, ...] = get_args(Witness)


def place_of(witness: Witness | None) -> int:
    """The rank of a witness, the strongest first; no witness comes last."""
    return len(_STRONGEST_FIRST) if witness is None else _STRONGEST_FIRST.index(witness)


def is_stronger(one: Witness | None, other: Witness | None) -> bool:
    """Whether ``one`` is a stronger witness than ``other``."""
    return place_of(one) < place_of(other)
