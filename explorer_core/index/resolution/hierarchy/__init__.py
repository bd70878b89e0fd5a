"""Supertypes and subtypes, and the members that are found along them."""

from explorer_core.index.resolution.hierarchy.hierarchy import Base, Hierarchy

__all__ = ["Base", "Hierarchy"]
