"""Lock files: the exact versions of packages, and the modules they provide, where stated."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from posixpath import basename
from typing import Any, cast

from explorer_core.channels.packages.versions import stated_version

_GEM = re.compile(r"^ {4}([\w.-]+) \(([\w.-]+)\)$", re.M)
_YARN = re.compile(r"""^"?(@?[^@\s"]+)@[^\n]*:\n {2}version:? "?([\w.+-]+)"?$""", re.M)


@dataclass(frozen=True, slots=True)
class Locked:
    """A package in a lock file; ``modules`` are the namespaces its code uses."""

    name: str
    version: str | None
    modules: tuple[str, ...] = ()


Reader = Callable[[str], Iterable[Locked]]


def lock_reader(path: str) -> Reader | None:
    """The reader for a file of this name, if any. Readers raise whatever their parsers raise."""
    name = basename(path)
    return next((read for glob, read in _LOCKS.items() if fnmatchcase(name, glob)), None)


def _toml(text: str) -> Iterator[Locked]:
    for package in tomllib.loads(text).get("package", ()):
        yield Locked(package["name"], stated_version(package))


def _package_lock(text: str) -> Iterator[Locked]:
    content = json_object(text)
    listed = {**content.get("dependencies", {}), **content.get("packages", {})}
    for path, about in cast("dict[str, dict[str, Any]]", listed).items():
        name = path.rpartition("node_modules/")[2]
        if name and path.count("node_modules/") <= 1:
            yield Locked(name, stated_version(about))


def _yarn(text: str) -> Iterator[Locked]:
    for name, version in _YARN.findall(text):
        yield Locked(name, version)


def _composer(text: str) -> Iterator[Locked]:
    content = json_object(text)
    for package in (*content.get("packages", ()), *content.get("packages-dev", ())):
        spaces: Mapping[str, Any] = package.get("autoload", {}).get("psr-4", {})
        modules = tuple(space.strip("\\") for space in spaces if space.strip("\\"))
        yield Locked(package["name"], (stated_version(package) or "").lstrip("v"), modules)


def _pipfile(text: str) -> Iterator[Locked]:
    content = json_object(text)
    for group in ("default", "develop"):
        for name, about in content.get(group, {}).items():
            yield Locked(name, (stated_version(about) or "").lstrip("="))


def _nuget(text: str) -> Iterator[Locked]:
    for packages in json_object(text).get("dependencies", {}).values():
        for name, about in packages.items():
            yield Locked(name, stated_version(about.get("resolved")))


def _gems(text: str) -> Iterator[Locked]:
    for name, version in _GEM.findall(text):
        yield Locked(name, version)


def json_object(text: str) -> dict[str, Any]:
    """The content of a JSON file; an empty dictionary if that is not an object."""
    content = json.loads(text)
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}


_LOCKS: dict[str, Reader] = {
    "poetry.lock": _toml,
    "uv.lock": _toml,
    "Cargo.lock": _toml,
    "Pipfile.lock": _pipfile,
    "package-lock.json": _package_lock,
    "yarn.lock": _yarn,
    "composer.lock": _composer,
    "packages.lock.json": _nuget,
    "Gemfile.lock": _gems,
}
