"""Assembles observations into candidates: stable ids, merged, snapped to declarations, ranked."""

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
