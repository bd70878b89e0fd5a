"""Packages that are folders, in languages where no file names its own (Swift).

A manifest lies above folders in which each folder is a package of that name: ``Sources/Shop`` is
the package `Shop`. Packages that it declares may lie elsewhere, at a path that it gives.
"""

from __future__ import annotations

import re
from itertools import chain
from posixpath import dirname, join, normpath

from explorer_core.index.languages.import_rules import ImportRules
from explorer_core.index.resolution.finders.paths import PathTable
from explorer_core.index.symbols import NAMESPACES, FactsSource

_NON_WORD = re.compile(r"\W")


class Targets:
    """Finds the package of a file by its path; memoised."""

    def __init__(self, source: FactsSource, paths: PathTable) -> None:
        self._source = source
        self._paths = paths
        self._packages: dict[str, str] = {}
        self._names_by_root: dict[str, dict[str, str]] = {}

    def package(self, path: str, rules: ImportRules) -> str:
        """The package that a file belongs to, as imports name it; empty if it belongs to none."""
        folder = dirname(path)
        if not rules.target_folders:
            return ""
        if folder not in self._packages:
            name = self._package(folder, rules)
            self._packages[folder] = _NON_WORD.sub("_", name)
        return self._packages[folder]

    def _package(self, folder: str, rules: ImportRules) -> str:
        ancestors = [folder]
        while join(ancestors[-1], rules.package_file) not in self._paths:
            if not ancestors[-1]:
                return ""
            ancestors.append(dirname(ancestors[-1]))
        declared = self._targets(ancestors[-1], rules)
        name = next((declared[ancestor] for ancestor in ancestors if ancestor in declared), "")
        if name or len(ancestors) < 3 or ancestors[-2] not in _target_folders(ancestors[-1], rules):
            return name
        return ancestors[-3].rpartition("/")[2]

    def _targets(self, root: str, rules: ImportRules) -> dict[str, str]:
        """The names of the packages that a manifest declares, by their folders."""
        if root not in self._names_by_root:
            names: dict[str, str] = {}
            facts = self._source.facts(join(root, rules.package_file))
            for definition in facts.definitions if facts else ():
                if definition.kind in NAMESPACES:
                    folder = self._folder(
                        root, definition.name, definition.returns.strip('"'), rules, names
                    )
                    names.setdefault(folder, definition.name)
            self._names_by_root[root] = names
        return self._names_by_root[root]

    def _folder(
        self, root: str, name: str, path: str, rules: ImportRules, taken: dict[str, str]
    ) -> str:
        """The folder of a package: its path, else a folder of its name, else one of the folders for
        packages that contains sources itself."""
        if path:
            folder = normpath(join(root, path))
            return "" if folder == "." else folder
        by_name = (join(parent, name) for parent in _target_folders(root, rules))
        free = (parent for parent in _target_folders(root, rules) if parent not in taken)
        sources = (parent for parent in free if self._holds_sources(parent, rules))
        return next(chain(filter(self._paths.is_folder, by_name), sources), join(root, name))

    def _holds_sources(self, folder: str, rules: ImportRules) -> bool:
        return any(path.endswith(rules.suffixes) for path in self._paths.in_folder(folder))


def _target_folders(root: str, rules: ImportRules) -> tuple[str, ...]:
    return tuple(join(root, folder) for folder in rules.target_folders)
