"""Macros in languages with a tree of modules (Rust), and the modules that these may declare.

A macro is visible without a path once it is declared. In ``mods! { cart, till }`` it may declare
the modules whose names it is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import nearest
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import OUTSIDE, UNKNOWN, Defined, Values
from explorer_core.memoised import memoised

_MACRO_CALL = re.compile(r"(?:\w+\s*::\s*)*(\w+)(\W)\s*(?:\[|\(\s*(?:r?#*\"|\)|$))")
"""Matches a macro call with a list, a text or nothing: such a call does not return its argument."""


class Macros:
    """Finds macros by their names."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def named(self, table: FileTable, name: str) -> Values:
        """The macro called ``name`` in a file's own package; of several the nearest."""
        if table.spec.imports.style != "tree" or self._program.is_common(name):
            return UNKNOWN
        macros = {
            other.path: tuple(Defined(other.id(o), "graph:import") for o in ordinals)
            for other in self._program.defining(name, table.spec.family_name)
            if (ordinals := [o for o in other.by_name[name] if _is_macro(other, o)])
        }
        package_folder = self._program.finder(table).package_folder
        folder = package_folder(table.path) if macros else None
        nearest_paths = nearest(
            (path for path in macros if package_folder(path) == folder), table.path
        )
        return macros[nearest_paths[0]] if len(nearest_paths) == 1 else UNKNOWN

    def modules(self, module: Module, files: Iterable[FileTable]) -> Iterator[Module]:
        """The submodules whose names are given to a macro among a module's items. It may declare
        them and re-export what they have."""
        for table in files:
            for name in self._bare_names_at_top(table):
                if submodule := self._program.finder(table).submodule(module, name):
                    yield submodule

    @memoised
    def _bare_names_at_top(self, table: FileTable) -> tuple[str, ...]:
        """The bare names outside all definitions of a file that has macro calls there, without the
        modules that it declares itself."""
        if table.spec.imports.style != "tree":
            return ()
        references = [*table.facts.references.within(TOP)]
        if all(reference.kind != "macro" for reference in references):
            return ()
        names = dict.fromkeys(reference.name for reference in references if not reference.receiver)
        return tuple(name for name in names if (TOP, name) not in table.imports)

    def outside_call(self, table: FileTable, expression: str) -> Values:
        """OUTSIDE for an expression that begins with a call of a macro which the repository does
        not have, unless the macro may return its argument; otherwise UNKNOWN."""
        mark = table.spec.macro_mark
        call = _MACRO_CALL.match(expression) if mark and mark in expression else None
        if call is None or call[2] != mark:
            return UNKNOWN
        known = self._program.is_common(call[1]) or any(
            _is_macro(other, ordinal)
            for other in self._program.defining(call[1], table.spec.family_name)
            for ordinal in other.by_name[call[1]]
        )
        return UNKNOWN if known else OUTSIDE


def _is_macro(table: FileTable, ordinal: int) -> bool:
    return table.definitions[ordinal].kind == "macro"
