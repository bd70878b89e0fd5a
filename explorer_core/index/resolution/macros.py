"""Macros of a tree of modules, where one needs no path to be meant, only to be declared before."""

from __future__ import annotations

from explorer_core.index.resolution.paths import nearest
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import UNKNOWN, Defined, Values


class Macros:
    """Finds macros by their names."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def named(self, table: FileTable, name: str) -> Values:
        """The macro of a name in a file's own package; of several the nearest."""
        if table.spec.imports.style != "tree" or self._program.is_common(name):
            return UNKNOWN
        found = {
            other.path: tuple(Defined(other.id(o), "graph:import") for o in ordinals)
            for other in self._program.defining(name, table.spec.family_name)
            if (ordinals := [o for o in other.by_name[name] if _is_macro(other, o)])
        }
        package = self._program.finder(table).package_folder
        folder = package(table.path) if found else None
        close = nearest((path for path in found if package(path) == folder), table.path)
        return found[close[0]] if len(close) == 1 else UNKNOWN


def _is_macro(table: FileTable, ordinal: int) -> bool:
    return table.definitions[ordinal].kind == "macro"
