"""Packages that are folders, imported by their module's or repository's path plus their own (Go).

``example.org/shop/tills`` is the folder ``tills`` of a repository that imports its own packages by
``example.org/shop``.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from posixpath import dirname, join, normpath

from explorer_core.index.resolution.finders.finder import ModuleFinder
from explorer_core.index.resolution.finders.modules import Module

_SAMPLED_FILES = 200
"""About how many files are read to learn the prefix of a repository's own import paths."""


class FolderFinder(ModuleFinder):
    """Finds packages by the paths of their folders."""

    def look_up(self, origin: str, module: str) -> Module | None:
        if module.startswith("."):
            return self._package_at(normpath(join(dirname(origin), module)))
        if self.package_folder(origin) is not None:
            return self._in_named_package(module)
        for prefix in self._own_prefixes:
            if module == prefix:
                return self._package_at("")
            if module.startswith(prefix + "/"):
                return self._package_at(module[len(prefix) + 1 :])
        return None

    def _in_named_package(self, module: str) -> Module | None:
        """The folder of a path that begins with a package's name, the longest such name."""
        packages = self.repository.packages(self.rules)
        name, rest = module, ""
        while name:
            for folder in packages.get(name, ()):
                if package := self._package_at(join(folder, rest).rstrip("/")):
                    return package
            name, _, last = name.rpartition("/")
            rest = join(last, rest) if rest else last
        return None

    def _package_at(self, folder: str) -> Module | None:
        files = [p for p in self.paths.in_folder(folder) if p.endswith(self.rules.suffixes)]
        return Module(tuple(files), folder) if files else None

    @cached_property
    def _own_prefixes(self) -> list[str]:
        """The prefixes under which the repository imports its own folders, longest first.

        An import path whose tail is a folder here votes for what stands before that tail; foreign
        paths rarely end like several folders of this repository.
        """
        voters = self.paths.with_suffix(self.rules.suffixes)
        step = max(1, len(voters) // _SAMPLED_FILES)
        imported = {
            module for voter in voters[::step] for module in self.repository.imports_of(voter)
        }
        votes = Counter(filter(None, map(self._prefix_of, imported)))
        most = max(votes.values(), default=0)
        prefixes = [
            prefix
            for prefix, count in votes.items()
            if count * 3 >= most and "." in prefix.split("/")[0]
        ]
        return sorted(prefixes, key=lambda prefix: (-len(prefix), prefix))

    def _prefix_of(self, module: str) -> str | None:
        parts = module.split("/")
        for cut in range(1, len(parts)):
            if self.paths.is_folder("/".join(parts[cut:])):
                return "/".join(parts[:cut])
        return None
