"""Paths of files: relative to the importing file, or below what an alias or package stands for.

The suffix is often left out: ``./cart`` means ``cart.ts`` beside the file, or ``cart/index.ts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, join, normpath

from explorer_core.index.resolution.finders.finder import ModuleFinder, is_above
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import folders_above, nearest


class PathFinder(ModuleFinder):
    """Finds modules by the paths of files."""

    def look_up(self, origin: str, module: str) -> Module | None:
        if module.startswith((".", "/")):
            base = normpath(join(dirname(origin), module)) if module[0] == "." else module[1:]
            target = self._file_at("" if base == "." else base) or self._built_from(base)
            is_name = self.rules.named_modules and "/" not in module[2:] and "." not in module[2:]
            return target or (self._only_ending(module[2:], origin) if is_name else None)
        if target := self._by_alias(origin, module):
            return target
        if self.rules.package_file and (package := self._package(origin, module)):
            return self._in_package(*package)
        head, _, rest = module.partition("/")
        if rest and not head.strip(self.rules.alias_marks):
            return self._only_ending(rest, origin)
        if rest and self.paths.is_folder(head):
            return self._file_at(module)
        return self._from_above(origin, module) if self.rules.package_file else None

    def _from_above(self, origin: str, module: str) -> Module | None:
        """A path that names no visible package but exists below a folder that the importing file is
        in: a page or bundler says that paths begin there. A mere name is not tried where there are
        packages, since it may be any package's."""
        head, _, rest = module.partition("/")
        if not rest and self.package_folder(origin) is not None:
            return None
        for folder in folders_above(origin):
            if rest and not self.paths.is_folder(join(folder, head)):
                continue
            target = self._file_at(join(folder, module))
            if target and target.files != (origin,):
                return target
        return None

    def _built_from(self, base: str) -> Module | None:
        """The source of a built file. A path into a folder that a package does not have means the
        file with that path, except for the suffix, below another folder there (``src/cli.ts`` for
        ``dist/cli.js``)."""
        rules = self.rules
        suffixes = filter(None, (rules.global_suffix, *rules.suffixes))
        names = base.removesuffix(next(filter(base.endswith, suffixes), "")).split("/")
        depth = len(names) - 1
        while depth and not self.paths.is_folder("/".join(names[:depth])):
            depth -= 1
        package, rest = "/".join(names[:depth]), "/".join(names[depth + 1 :])
        is_package = bool(rules.package_file) and join(package, rules.package_file) in self.paths
        return self._in_package(package, rest) if rest and is_package else None

    def _by_alias(self, origin: str, module: str) -> Module | None:
        for alias in self.repository.aliases(self.rules) if self.rules.alias_keys else ():
            path = alias.expand(module) if is_above(alias.folder, dirname(origin)) else None
            if path and (target := self._file_at(path)):
                return target
        return None

    def _package(self, origin: str, module: str) -> tuple[str, str] | None:
        """The folder of the repository's package that a module path begins with, and the rest of
        the path; None if there is none."""
        parts = module.split("/")
        name_length = 1 + module.startswith("@")
        folder = self.package_named("/".join(parts[:name_length]), origin)
        return None if folder is None else (folder, "/".join(parts[name_length:]))

    def _in_package(self, package: str, rest: str) -> Module | None:
        """A module of a package: below its folder, or else below the largest folder there that has
        it, since what is imported was built from one of these."""
        if target := self._file_at(join(package, rest) if rest else package):
            return target
        tails = [*self._spellings(rest)] if rest else []
        tails += [join(rest, index) for index in self.rules.index_files]
        for tail in tails:
            parents = [path[: -len(tail) - 1] for path in self.paths.ending(tail, ("",))]
            folders = [folder for folder in parents if dirname(folder) == package and folder]
            if folders:
                largest = max(folders, key=lambda folder: (self.paths.files_below(folder), folder))
                return Module((join(largest, tail),))
        return None

    def _file_at(self, base: str) -> Module | None:
        files = (file for file in self._spellings(base) if file in self.paths)
        file = next(files, None) or self.index_file(base)
        return Module((file,)) if file else None

    def _spellings(self, base: str) -> Iterator[str]:
        """The paths that ``base`` may stand for, the most likely first."""
        yield base
        for written_suffix, source_suffixes in self.rules.replace_suffixes.items():
            if base.endswith(written_suffix):
                yield from (base[: -len(written_suffix)] + suffix for suffix in source_suffixes)
        yield from (base + suffix for suffix in self.rules.suffixes)

    def _only_ending(self, tail: str, origin: str) -> Module | None:
        """The file whose path ends so, when only one is nearest."""
        tails = [
            *self._spellings(tail),
            *(join(tail, index_file) for index_file in self.rules.index_files),
        ]
        for end in tails:
            nearest_files = nearest(self.paths.ending(end, ("",)), origin)
            if nearest_files:
                return Module((nearest_files[0],)) if len(nearest_files) == 1 else None
        return None
