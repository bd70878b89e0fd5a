"""Declared packages and namespaces, of which any file may be."""

from __future__ import annotations

from explorer_core.index.resolution.finders.finder import ModuleFinder
from explorer_core.index.resolution.finders.modules import Module, dotted


class NamespaceFinder(ModuleFinder):
    """Finds packages by their names; whether files declare them is known to who looks inside."""

    def look_up(self, origin: str, module: str) -> Module | None:
        package = dotted(module)
        return Module(package=package) if package else None
