"""Declared packages and namespaces, which any file may belong to (``using Shop.Tills;``)."""

from __future__ import annotations

from explorer_core.index.resolution.finders.finder import ModuleFinder
from explorer_core.index.resolution.finders.modules import Module, dotted


class NamespaceFinder(ModuleFinder):
    """Finds packages by name. Whether files declare one shows when something is looked up in it."""

    def look_up(self, origin: str, module: str) -> Module | None:
        package = dotted(module)
        return Module(package=package) if package else None
