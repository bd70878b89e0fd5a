"""The base of all module finders. What is not in the repository yields None."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, join

from explorer_core.index.languages.import_rules import ImportRules
from explorer_core.index.resolution.finders.aliases import Alias
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import PathTable, nearest


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository, as far as finders look modules up in it."""

    paths: PathTable
    imports_of: Callable[[str], Iterable[str]]
    """The modules that a file imports, as written."""
    packages: Callable[[ImportRules], Mapping[str, Sequence[str]]]
    """The folders with a package file, by the name that it gives them."""
    aliases: Callable[[ImportRules], Sequence[Alias]]
    """The path aliases, in the order in which they are tried."""


class ModuleFinder:
    """Finds the modules that files of one language import; memoised."""

    def __init__(self, rules: ImportRules, repository: Repository) -> None:
        self.rules = rules
        self.repository = repository
        self.paths = repository.paths
        self._modules: dict[tuple[str, str], Module | None] = {}

    def find(self, origin: str, module: str) -> Module | None:
        """The module that ``origin`` means by ``module``; None when it is not in the repository."""
        key = (self.origin_key(origin), module)
        if key not in self._modules:
            self._modules[key] = self.look_up(origin, module)
        return self._modules[key]

    def origin_key(self, origin: str) -> str:
        """The part of the importing file's path that `find` depends on: by default, its folder."""
        return dirname(origin)

    def look_up(self, origin: str, module: str) -> Module | None:
        """The answer that `find` keeps; None here, where imports lead to no files."""
        return None

    def submodule(self, module: Module, name: str) -> Module | None:
        """The module ``name`` inside another one."""
        if module.package:
            return Module(package=f"{module.package}.{name}")
        return None if module.folder is None else self.module_at(join(module.folder, name))

    def package(self, origin: str, name: str) -> Module | None:
        """The root of another package, where paths may begin with its name."""
        return None

    def is_inside(self, origin: str, other: str) -> bool:
        """Whether a file is in the module of another file, or in one nested in that."""
        return dirname(origin) == dirname(other)

    def package_folder(self, origin: str) -> str | None:
        """The folder of the package that a file is in; None where no package file lies above."""
        folder: str = dirname(origin)
        while join(folder, self.rules.package_file) not in self.paths:
            if not folder:
                return None
            folder = dirname(folder)
        return folder

    def package_named(self, name: str, origin: str) -> str | None:
        """The folder of the package of that name: the nearest one, if only one is."""
        folders = self.repository.packages(self.rules).get(name, ())
        nearest_files = nearest(
            (join(folder, self.rules.package_file) for folder in folders), origin
        )
        return dirname(nearest_files[0]) if len(nearest_files) == 1 else None

    def module_at(self, base: str) -> Module | None:
        """The module whose file is ``base`` plus a suffix, or whose folder is ``base``."""
        folder = base if self.paths.is_folder(base) else None
        file = self.index_file(base) or self.paths.first(base, self.rules.suffixes)
        if file:
            return Module((file,), folder)
        return Module((), folder) if folder else None

    def index_file(self, folder: str) -> str | None:
        """The file that stands for a folder."""
        files = (join(folder, name) for name in self.rules.index_files)
        return next((file for file in files if file in self.paths), None)


def is_above(folder: str, other: str) -> bool:
    """Whether a folder is another one, or contains it."""
    return not folder or other == folder or other.startswith(folder + "/")
