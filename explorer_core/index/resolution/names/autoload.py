"""Types that need no import because their files are named after them (Ruby).

``Admin::HatRequest`` is found in ``admin/hat_request.rb``, by the names of file and folders alone.
"""

from __future__ import annotations

import re

from explorer_core.index.resolution.finders.paths import nearest, stem
from explorer_core.index.resolution.names.packages import NAMESAKES, Packages
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import UNKNOWN, Defined, Values
from explorer_core.index.symbols import MEMBER_HOLDERS

_WORD_BOUNDARY = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z\d])(?=[A-Z][a-z])")


class Autoload:
    """Finds types by the names of files and folders."""

    def __init__(self, program: Program, packages: Packages) -> None:
        self._program = program
        self._packages = packages

    def type_named_by_file(self, table: FileTable, name: str) -> Values:
        """The type whose file is named after it: the nearest, if only one is. Otherwise its
        declarations in a folder named after it, where the files of its nested types repeat them."""
        words = self._file_words(table, name)
        types = self._types(table, "", name) if words else []
        if in_named_file := [value for value in types if stem(value.id.path) in words]:
            return _from_nearest_file(in_named_file, table)
        in_named_folder = [v for v in types if not words.isdisjoint(v.id.path.split("/")[:-1])]
        return tuple(in_named_folder if len(in_named_folder) <= NAMESAKES else in_named_folder[:1])

    def qualified_type(self, table: FileTable, qualifiers: list[str], name: str) -> Values:
        """The same for a type that is qualified by those around it, which need not be declared
        anywhere else (``class Admin::Report``)."""
        words = self._file_words(table, name)
        types = self._types(table, ".".join(qualifiers), name) if words else []
        return _from_nearest_file([v for v in types if stem(v.id.path) in words], table)

    def _file_words(self, table: FileTable, name: str) -> frozenset[str]:
        """The possible names of a type's file or folder (``hat_request``); empty if none exists."""
        rules, paths = table.spec.imports, self._program.paths
        if not rules.autoload or not name[:1].isupper():
            return frozenset()
        words = frozenset({_WORD_BOUNDARY.sub("_", name).lower(), name.lower()})
        exists = any(paths.ending(w, rules.suffixes) or paths.folders_ending(w) for w in words)
        return words if exists else frozenset()

    def _types(self, table: FileTable, package: str, name: str) -> list[Defined]:
        definitions = self._packages.defining(table, package, name, "graph:import")
        return [value for value in definitions if self._program.kind(value.id) in MEMBER_HOLDERS]


def _from_nearest_file(values: list[Defined], table: FileTable) -> Values:
    """The values in the nearest file; UNKNOWN if several files are equally near."""
    nearest_paths = nearest({value.id.path for value in values}, table.path)
    return (
        tuple(v for v in values if v.id.path in nearest_paths)
        if len(nearest_paths) == 1
        else UNKNOWN
    )
