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

_CALLED = re.compile(r"(?:\w+\s*::\s*)*(\w+)(\W)\s*(?:\[|\(\s*(?:r?#*\"|\)|$))")
"""Matches a macro call with a list, a text or nothing: such a call does not return its argument."""


class Macros:
    """Finds macros by their names."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def named(self, table: FileTable, name: str) -> Values:
        """The macro called ``name`` in a file's own package; of several the nearest."""
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

    def modules(self, module: Module, files: Iterable[FileTable]) -> Iterator[Module]:
        """The submodules whose names are given to a macro among a module's items. It may declare
        them and re-export what they have."""
        for table in files:
            for name in self._given_names(table):
                if inside := self._program.finder(table).submodule(module, name):
                    yield inside

    @memoised
    def _given_names(self, table: FileTable) -> tuple[str, ...]:
        """The bare names outside all definitions of a file that has macro calls there, without the
        modules that it declares itself."""
        if table.spec.imports.style != "tree":
            return ()
        among = [*table.facts.references.within(TOP)]
        if all(each.kind != "macro" for each in among):
            return ()
        names = dict.fromkeys(each.name for each in among if not each.receiver)
        return tuple(name for name in names if (TOP, name) not in table.imports)

    def given(self, table: FileTable, expression: str) -> Values:
        """OUTSIDE for an expression that begins with a call of a macro which the repository does
        not have, unless the macro may return its argument; otherwise UNKNOWN."""
        mark = table.spec.macro_mark
        called = _CALLED.match(expression) if mark and mark in expression else None
        if called is None or called[2] != mark:
            return UNKNOWN
        known = self._program.is_common(called[1]) or any(
            _is_macro(other, ordinal)
            for other in self._program.defining(called[1], table.spec.family_name)
            for ordinal in other.by_name[called[1]]
        )
        return UNKNOWN if known else OUTSIDE


def _is_macro(table: FileTable, ordinal: int) -> bool:
    return table.definitions[ordinal].kind == "macro"
