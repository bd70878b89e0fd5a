"""The version of the analysis: a number that changes whenever a file might yield other rows."""

from __future__ import annotations

import functools
import hashlib
import re
from importlib import metadata, resources
from importlib.resources.abc import Traversable

_FIRST_MODULE = "workers.analysis"
"""The module that workers run. It and all that it imports from the index make up the engine."""
_PACKAGES = ("tree-sitter", "tree-sitter-language-pack", "snowballstemmer", "pystemmer")
"""snowballstemmer computes stems with pystemmer."""
_IMPORT = re.compile(r"from explorer_core\.index([.\w]*) import (\([^)]*\)|[^\n]*)")
_NAME = re.compile(r"\w+")


@functools.cache
def engine_version() -> int:
    """31 bits, never 0, that identify the installed analysis: code, language data and libraries.

    It is derived, so nobody can forget to change it. A store of another version is rebuilt.
    """
    return version_of(resources.files("explorer_core.index"), libraries())


def libraries() -> list[str]:
    """The libraries that rows depend on, with their versions."""
    return [f"{name} {metadata.version(name)}" for name in _PACKAGES]


def version_of(folder: Traversable, libraries: list[str]) -> int:
    """The version of the analysis in ``folder``."""
    digest = hashlib.sha256("\n".join(libraries).encode())
    files = [*_modules(folder), *_language_files(folder.joinpath("languages"))]
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode() + content)
    return int.from_bytes(digest.digest()[:4], "big") >> 1 or 1


def _modules(folder: Traversable) -> list[Traversable]:
    """The files of `_FIRST_MODULE` and of what it imports from the index, transitively."""
    found: dict[str, Traversable] = {}
    queue = [_FIRST_MODULE]
    for name in queue:
        file = _module_file(folder, name)
        if name in found or file is None:
            continue
        found[name] = file
        for match in _IMPORT.finditer(file.read_text(encoding="utf-8")):
            # An imported name may be a module or a member of one; only modules have a file.
            package = match[1].removeprefix(".")
            queue += [package, *(f"{package}.{each}" for each in _NAME.findall(match[2]))]
    return [found[name] for name in sorted(found)]


def _module_file(folder: Traversable, module: str) -> Traversable | None:
    """The file of a module of the index, given its dotted name; None if there is none."""
    path = module.strip(".").split(".")
    files = (folder.joinpath(*path[:-1], f"{path[-1]}.py"), folder.joinpath(*path, "__init__.py"))
    return next((file for file in files if file.is_file()), None)


def _language_files(folder: Traversable) -> list[Traversable]:
    data = [file for file in folder.iterdir() if file.name.endswith((".scm", ".toml"))]
    return sorted(data, key=lambda file: file.name)
