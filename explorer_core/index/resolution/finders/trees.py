"""Trees of modules, each rooted in a package (``crate::tills::Till``, Rust)."""

from __future__ import annotations

from itertools import dropwhile
from posixpath import basename, dirname, join

from explorer_core.index.resolution.finders.finder import ModuleFinder
from explorer_core.index.resolution.finders.modules import Module, dotted
from explorer_core.index.resolution.finders.paths import stem


class TreeFinder(ModuleFinder):
    """Finds modules by their paths in a tree."""

    def origin_key(self, origin: str) -> str:
        return origin

    def package(self, origin: str, name: str) -> Module | None:
        return self._other_tree(origin, [name])

    def is_inside(self, origin: str, other: str) -> bool:
        folder = self._tree_folder(other)
        if self._may_be_root(other) and not self._has_root(dirname(other)):
            folder = dirname(other)
        return origin == other or not folder or origin.startswith(f"{folder}/")

    def look_up(self, origin: str, module: str) -> Module | None:
        parts = [part for part in dotted(module).split(".") if part]
        if not parts:
            return None
        here = self._tree_folder(origin)
        if parts[0] in self.rules.root_names:
            root = self._tree_root(origin)
            return None if root is None else self._descend(root, parts[1:])
        rest = list(dropwhile(lambda part: part in {self.rules.here, self.rules.climb}, parts))
        steps = parts[: len(parts) - len(rest)].count(self.rules.climb)
        for _ in range(steps):
            here = dirname(here)
        target = self._descend(here, rest)
        if not target and rest and not steps and self._may_be_root(origin):
            target = self._descend(dirname(origin), rest)
        return target or (None if len(rest) < len(parts) else self._other_tree(origin, parts))

    def _may_be_root(self, origin: str) -> bool:
        """Whether a file may root a tree under a name of its own, like a test or example."""
        return dirname(origin) == self._tree_root(origin)

    def _other_tree(self, origin: str, parts: list[str]) -> Module | None:
        """A module of another package: of one that has that name, or of a folder of that name with
        a source root inside."""
        for name in self._package_names(parts[0]):
            package = self.package_named(name, origin)
            if package is None:
                ends = (join(name, root) for root in self.rules.roots)
                folders = [folder for end in ends for folder in self.paths.folders_ending(end)]
            else:
                folders = [join(package, root) for root in self.rules.roots]
            if folders:
                return self._descend(folders[0], parts[1:])
        return None

    def _package_names(self, written: str) -> tuple[str, ...]:
        """The names that a package in a path may have (``shop_tills``: ``shop-tills``)."""
        spelling = self.rules.package_spelling
        return (written, written.replace(*spelling)) if spelling else (written,)

    def _tree_folder(self, origin: str) -> str:
        """The folder that holds the submodules of a file."""
        if basename(origin) in self.rules.index_files:
            return dirname(origin)
        return join(dirname(origin), stem(origin))

    def _tree_root(self, origin: str) -> str | None:
        """The nearest folder above with a file that roots a tree: any index file but the first,
        which stands for an inner folder. If there is none, the root has a name of its own (a test,
        an example), and lies in the package's top-level folder that contains the file."""
        folder: str = dirname(origin)
        while True:
            if self._has_root(folder):
                return folder
            if not folder:
                break
            folder = dirname(folder)
        package = self.package_folder(origin)
        path_in_package = None if package is None else origin[len(package) :].lstrip("/")
        return (
            join(package or "", path_in_package.partition("/")[0])
            if path_in_package and "/" in path_in_package
            else None
        )

    def _has_root(self, folder: str) -> bool:
        return any(join(folder, root) in self.paths for root in self.rules.index_files[1:])

    def _descend(self, folder: str, parts: list[str]) -> Module | None:
        if parts:
            target = self.module_at(join(folder, *parts))
            return target if target and target.files else None
        file = self.index_file(folder) or self.paths.first(folder, self.rules.suffixes)
        if file is None and not self.paths.is_folder(folder):
            return None
        return Module((file,) if file else (), folder)
