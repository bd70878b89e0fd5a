"""The repository as resolution sees it: its file tables and module finders.

Knows which of these a change of some files invalidates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname
from typing import TypeGuard

from explorer_core.index.extraction.facts import Definition, DefinitionKind, FileFacts
from explorer_core.index.extraction.type_names import simple_type_name
from explorer_core.index.languages import affects_imports, language_of, spec
from explorer_core.index.languages.import_rules import ImportRules
from explorer_core.index.resolution.finders.aliases import Alias, aliases
from explorer_core.index.resolution.finders.finder import ModuleFinder, Repository, is_above
from explorer_core.index.resolution.finders.paths import PathTable
from explorer_core.index.resolution.finders.styles import finder_of
from explorer_core.index.resolution.finders.targets import Targets
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Value
from explorer_core.index.symbols import CALLABLES, FactsSource, SymbolId
from explorer_core.memoised import memoised

_MAX_DEFINING_FILES = 48
"""Nothing is guessed from a name that more files than this define: all would have to be read."""
_TEXT_VALUE = re.compile(r"""[:=]\s*["']([^"']+)["']""")


class Program:
    """The tables of files over a `FactsSource`, made when first needed."""

    def __init__(self, source: FactsSource, paths: PathTable | None = None) -> None:
        self.source = source
        self.paths = paths or PathTable(source.paths())
        self._repository = Repository(
            self.paths, self._modules_imported_by, self._packages, self._aliases
        )
        self._finders: dict[str, ModuleFinder] = {}
        self._targets = Targets(source, self.paths)
        self._packages_by_file: dict[str, Mapping[str, list[str]]] = {}
        self._aliases_by_key: dict[tuple[str, ...], list[Alias]] = {}
        self._tables: dict[str, FileTable | None] = {}

    def after(self, changed: Collection[str]) -> Program:
        """The program after these files have changed, come or gone. It shares the tables of other
        files with this one, which stays as it is."""
        paths = self.source.paths()
        paths_changed = any((path in self.paths) != (path in paths) for path in changed)
        successor = Program(self.source, None if paths_changed else self.paths)
        successor._tables = self._tables.copy()
        for path in changed:
            successor._tables.pop(path, None)
        if not paths_changed and not any(map(affects_imports, changed)):
            successor._finders, successor._targets = self._finders, self._targets
            return successor
        for path, table in self._tables.items():
            if table and successor._package(path, table.facts) != table.package:
                successor._tables.pop(path, None)
        return successor

    def table(self, path: str) -> FileTable | None:
        """The table of a file; None when it has no facts."""
        try:
            return self._tables[path]
        except KeyError:
            facts = self.source.facts(path)
            table = FileTable(path, facts, self._package(path, facts)) if facts else None
            self._tables[path] = table
            return table

    def _package(self, path: str, facts: FileFacts) -> str:
        """The package that a file declares, or else the one that its folder belongs to."""
        return facts.package or self._targets.package(path, spec(facts.language).imports)

    def finder(self, table: FileTable) -> ModuleFinder:
        """The module finder for the language of a file."""
        language = table.facts.language
        if language not in self._finders:
            self._finders[language] = finder_of(table.spec.imports, self._repository)
        return self._finders[language]

    def import_paths(self, table: FileTable) -> Iterator[str]:
        """Paths by which other files may import this one: its own, that of the folder it stands for
        (``index.ts``), and the names that packages and path aliases give it. The last part of each
        is what an import writes."""
        yield table.path
        finder = self.finder(table)
        if basename(table.path) in finder.rules.index_files:
            yield from (dirname(table.path), "..")
        packages = self._packages(finder.rules).items()
        names = [
            name
            for name, folders in packages
            if any(is_above(folder, table.path) for folder in folders)
        ]
        names += (alias.written for alias in self._aliases(finder.rules))
        for name in names:
            module = finder.find(table.path, name)
            if module is not None and table.path in module.files:
                yield name

    def table_of(self, symbol_id: SymbolId) -> FileTable:
        """The table of the file a symbol is in; raises KeyError when that file is gone."""
        table = self._tables.get(symbol_id.path) or self.table(symbol_id.path)
        if table is None or symbol_id.ordinal >= len(table.definitions):
            raise KeyError(symbol_id)
        return table

    def definition(self, symbol_id: SymbolId) -> Definition:
        """The definition of a symbol; raises KeyError when its file is gone."""
        return self.table_of(symbol_id).definitions[symbol_id.ordinal]

    def kind(self, symbol_id: SymbolId) -> DefinitionKind:
        """The kind of a definition; raises KeyError when its file is gone."""
        return self.definition(symbol_id).kind

    def is_function(self, symbol_id: SymbolId) -> bool:
        """Whether a symbol is a function or the like, and not a file."""
        return not symbol_id.is_file and self.kind(symbol_id) in CALLABLES

    def is_of_kind(self, value: Value, kinds: Collection[str]) -> TypeGuard[Defined]:
        """Whether a value is a definition of one of these kinds."""
        return isinstance(value, Defined) and self.kind(value.id) in kinds

    def defining(self, name: str, family: str | None = None) -> Iterator[FileTable]:
        """The files that define a name, sorted; only those of one language family if given."""
        for path in sorted(self.source.files_defining(name)):
            table = self.table(path)
            if table and (family is None or table.spec.family_name == family):
                yield table

    def is_common(self, name: str) -> bool:
        """Whether too many files define a name to guess anything from it."""
        return len(self.source.files_defining(name)) > _MAX_DEFINING_FILES

    @memoised
    def is_called_on_literals(self, name: str, family: str) -> bool:
        """Whether files of a language family call a member of that name on literals: then types of
        the language have one too."""
        languages = map(language_of, self.source.files_calling_on_literals(name))
        return any(language and spec(language).family_name == family for language in languages)

    @memoised
    def members_by_owner(self, name: str, family: str) -> dict[str, list[SymbolId]]:
        """The members of that name declared outside their type, by its simple name."""
        members: dict[str, list[SymbolId]] = {}
        for table in self.defining(name, family):
            for ordinal in table.by_name[name]:
                if owner := table.definitions[ordinal].owner:
                    members.setdefault(simple_type_name(owner), []).append(table.id(ordinal))
        return members

    def _modules_imported_by(self, path: str) -> Iterable[str]:
        facts: FileFacts | None = self.source.facts(path)
        return () if facts is None else (binding.module for binding in facts.imports)

    def _packages(self, rules: ImportRules) -> Mapping[str, Sequence[str]]:
        """The folders with a package file, by the name that it gives them."""
        if rules.package_file not in self._packages_by_file:
            folders: dict[str, list[str]] = {}
            for path in self.paths.named(rules.package_file) if rules.package_file else ():
                facts = self.source.facts(path)
                if facts and (name := _value_of(rules.package_key, facts)):
                    folders.setdefault(name, []).append(dirname(path))
            self._packages_by_file[rules.package_file] = folders
        return self._packages_by_file[rules.package_file]

    def _aliases(self, rules: ImportRules) -> Sequence[Alias]:
        """The path aliases with which imports may begin."""
        if rules.alias_keys not in self._aliases_by_key:
            self._aliases_by_key[rules.alias_keys] = aliases(self.source, rules)
        return self._aliases_by_key[rules.alias_keys]


def _value_of(key: str, facts: FileFacts) -> str:
    """The text under a dotted key of a data file; empty if there is none."""
    name = key.rpartition(".")[2]
    for ordinal, definition in enumerate(facts.definitions):
        if definition.name == name and facts.qualified_name(ordinal) == key:
            value = _TEXT_VALUE.search(definition.signature)
            return definition.returns.strip("\"'`") or (value[1] if value else "")
    return ""
