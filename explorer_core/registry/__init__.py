"""Assemble: observations become candidates with stable ids, merged, snapped and marked."""

from explorer_core.registry.declarations import (
    WIDEST_WINDOW,
    DeclarationMap,
    DeclarationSource,
)
from explorer_core.registry.registry import Registry
from explorer_core.registry.traits import traits_of

__all__ = [
    "WIDEST_WINDOW",
    "DeclarationMap",
    "DeclarationSource",
    "Registry",
    "traits_of",
]
