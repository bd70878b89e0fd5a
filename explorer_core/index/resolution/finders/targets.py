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

_NO_WORD = re.compile(r"\W")


class Targets:
    """Finds the package of a file by its path; memoised."""

    def __init__(self, source: FactsSource, paths: PathTable) -> None:
        self._source = source
        self._paths = paths
        self._packages: dict[str, str] = {}
        self._declared: dict[str, dict[str, str]] = {}

    def package(self, path: str, rules: ImportRules) -> str:
        """The package that a file belongs to, as imports name it; empty if it belongs to none."""
        folder = dirname(path)
        if not rules.target_folders:
            return ""
        if folder not in self._packages:
            name = self._package(folder, rules)
            self._packages[folder] = _NO_WORD.sub("_", name)
        return self._packages[folder]

    def _package(self, folder: str, rules: ImportRules) -> str:
        around = [folder]
        while join(around[-1], rules.package_file) not in self._paths:
            if not around[-1]:
                return ""
            around.append(dirname(around[-1]))
        declared = self._targets(around[-1], rules)
        found = next((declared[each] for each in around if each in declared), "")
        if found or len(around) < 3 or around[-2] not in _below(around[-1], rules):
            return found
        return around[-3].rpartition("/")[2]

    def _targets(self, root: str, rules: ImportRules) -> dict[str, str]:
        """The names of the packages that a manifest declares, by their folders."""
        if root not in self._declared:
            found: dict[str, str] = {}
            facts = self._source.facts(join(root, rules.package_file))
            for each in facts.definitions if facts else ():
                if each.kind in NAMESPACES:
                    folder = self._folder(root, each.name, each.returns.strip('"'), rules, found)
                    found.setdefault(folder, each.name)
            self._declared[root] = found
        return self._declared[root]

    def _folder(
        self, root: str, name: str, path: str, rules: ImportRules, taken: dict[str, str]
    ) -> str:
        """The folder of a package: its path, else a folder of its name, else one of the folders for
        packages that contains sources itself."""
        if path:
            folder = normpath(join(root, path))
            return "" if folder == "." else folder
        own = (join(each, name) for each in _below(root, rules))
        alone = (each for each in _below(root, rules) if each not in taken)
        sources = (each for each in alone if self._holds_sources(each, rules))
        return next(chain(filter(self._paths.is_folder, own), sources), join(root, name))

    def _holds_sources(self, folder: str, rules: ImportRules) -> bool:
        return any(path.endswith(rules.suffixes) for path in self._paths.in_folder(folder))


def _below(root: str, rules: ImportRules) -> tuple[str, ...]:
    return tuple(join(root, each) for each in rules.target_folders)
