"""Included files, by their path or its end (``#include "tills/till.h"``)."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname, join, normpath

from explorer_core.index.resolution.finders.finder import ModuleFinder
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import nearest


class IncludeFinder(ModuleFinder):
    """Finds the files that others include."""

    def look_up(self, origin: str, module: str) -> Module | None:
        relative = normpath(join(dirname(origin), module))
        suffixes = ("", *self.rules.suffixes)
        file = self.paths.first(relative, suffixes)
        if file is None:
            file = self._only_nearest(self._ends_of(module), suffixes, origin)
        file = file or self._below_program_name(normpath(module), suffixes)
        return Module((file,)) if file else None

    def _below_program_name(self, module: str, suffixes: tuple[str, ...]) -> str | None:
        """The file whose path from the root follows one more folder: the name of the program
        itself, which exists only where it is built or installed (``<shop/src/till.h>``)."""
        _, _, path = module.partition("/")
        return self.paths.first(path, suffixes) if "/" in path else None

    def _ends_of(self, module: str) -> tuple[str, ...]:
        """How the path of an included file may end, the most reliable first: the folder of a
        package is mostly named like it."""
        prefix, folder = self.rules.package_prefix or ("", "")
        if not prefix or not module.startswith(prefix):
            return (normpath(module).lstrip("./"),)
        package, _, rest = module.removeprefix(prefix).partition("/")
        return f"{package}/{folder}/{rest}", f"{folder}/{rest}"

    def _only_nearest(
        self, ends: Iterable[str], suffixes: tuple[str, ...], origin: str
    ) -> str | None:
        """The only nearest file whose path ends in the first of ``ends`` that any file's does."""
        candidates = (self.paths.ending(end, suffixes) for end in ends)
        nearest_files = nearest(next(filter(None, candidates), ()), origin)
        return nearest_files[0] if len(nearest_files) == 1 else None
