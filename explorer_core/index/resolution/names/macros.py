"""Macros of a tree of modules, where one needs no path to be meant, only to be declared before; and
what they may declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from explorer_core.held import memoised
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import nearest
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import OUTSIDE, UNKNOWN, Defined, Values

_CALLED = re.compile(r"(?:\w+\s*::\s*)*(\w+)(\W)\s*(?:\[|\(\s*(?:r?#*\"|\)|$))")
"""A macro called with a list or a text, or with nothing: it does not pass on what it is given."""


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

    def modules(self, module: Module, files: Iterable[FileTable]) -> Iterator[Module]:
        """The modules inside of one that a macro among its items is given the names of, which may
        declare them and pass on what they have."""
        for table in files:
            for name in self._given_names(table):
                if inside := self._program.finder(table).submodule(module, name):
                    yield inside

    @memoised
    def _given_names(self, table: FileTable) -> tuple[str, ...]:
        """The bare names outside of all definitions of a file that has macros there, but for the
        modules that it declares itself."""
        if table.spec.imports.style != "tree":
            return ()
        among = [*table.facts.references.within(TOP)]
        if all(each.kind != "macro" for each in among):
            return ()
        names = dict.fromkeys(each.name for each in among if not each.receiver)
        return tuple(name for name in names if (TOP, name) not in table.imports)

    def given(self, table: FileTable, expression: str) -> Values:
        """What an expression stands for that begins with a call of a macro: nothing of the
        repository, where that has no macro of the name, unless it gives what it is given."""
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
