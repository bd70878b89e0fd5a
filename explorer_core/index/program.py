"""The repository as resolution sees it: tables of its files, and what a change makes stale."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname

from explorer_core.index.facts import TOP, FileFacts
from explorer_core.index.languages import LanguageSpec, names_modules
from explorer_core.index.modules import ModuleFinder
from explorer_core.index.paths import PathTable
from explorer_core.index.symbols import FactsSource, SymbolId
from explorer_core.index.tables import FileTable


class Program:
    """Per-file tables over a `FactsSource`, made when first needed."""

    def __init__(self, source: FactsSource, paths: PathTable | None = None) -> None:
        self.source = source
        self.paths = paths or PathTable(source.paths())
        self.modules = ModuleFinder(self.paths, self._modules_imported_by, self._packages)
        self._packages_by_file: dict[str, Mapping[str, list[str]]] = {}
        self._tables: dict[str, FileTable | None] = {}
        self._owned: dict[tuple[str, str], dict[str, list[SymbolId]]] = {}

    def after(self, changed: Collection[str]) -> Program:
        """The program now that these files have changed, come or gone. Tables of other files are
        shared with this one, which stays as it is."""
        there = self.source.paths()
        moved = any((path in self.paths) != (path in there) for path in changed)
        later = Program(self.source, None if moved else self.paths)
        if not moved and not any(map(names_modules, changed)):
            later.modules = self.modules
        later._tables = self._tables.copy()
        for path in changed:
            later._tables.pop(path, None)
        return later

    def table(self, path: str) -> FileTable | None:
        """The tables of a file; None when it has no facts."""
        try:
            return self._tables[path]
        except KeyError:
            facts = self.source.facts(path)
            table = self._tables[path] = None if facts is None else FileTable(path, facts)
            return table

    def holder(self, symbol_id: SymbolId) -> FileTable:
        """The tables of the file a symbol is in; raises KeyError when that file is gone."""
        table = self.table(symbol_id.path)
        if table is None or symbol_id.ordinal >= len(table.definitions):
            raise KeyError(symbol_id)
        return table

    def defining(self, name: str, family: str | None = None) -> Iterator[FileTable]:
        """The files with a definition of that name, sorted, of one language family if given."""
        for path in sorted(self.source.files_defining(name)):
            table = self.table(path)
            if table and (family is None or spec_of(table).family_name == family):
                yield table

    def owned(self, name: str, family: str) -> dict[str, list[SymbolId]]:
        """The members of that name which name the type they belong to, by its simple name."""
        key = (name, family)
        if key not in self._owned:
            found: dict[str, list[SymbolId]] = {}
            for table in self.defining(name, family):
                for owner, members in table.owned.items():
                    found.setdefault(owner, []).extend(map(table.id, members.get(name, ())))
            self._owned[key] = found
        return self._owned[key]

    def _modules_imported_by(self, path: str) -> Iterable[str]:
        facts: FileFacts | None = self.source.facts(path)
        return () if facts is None else (binding.module for binding in facts.imports)

    def _packages(self, file_name: str) -> Mapping[str, Sequence[str]]:
        """The folders that have a package file of that name, by the name it gives them."""
        if file_name not in self._packages_by_file:
            found: dict[str, list[str]] = {}
            for path in self.paths.named(file_name):
                if (facts := self.source.facts(path)) and (name := _package_name(facts)):
                    found.setdefault(name, []).append(dirname(path))
            self._packages_by_file[file_name] = found
        return self._packages_by_file[file_name]


def _package_name(facts: FileFacts) -> str:
    """The value of the key ``name`` at the top level of a package file; empty if there is none."""
    for definition in facts.definitions:
        if definition.name == "name" and definition.container == TOP:
            return definition.signature.partition(":")[2].strip(" \t\"',")
    return ""


def spec_of(table: FileTable) -> LanguageSpec:
    """What is known about the file's language."""
    return table.spec
