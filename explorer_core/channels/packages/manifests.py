"""External packages declared in the manifests of a workspace.

Formats are parsed with a library where there is one. Otherwise only the plain form of a declaration
is read, and whatever the manifest computes is left out.
"""

from __future__ import annotations

import asyncio
import configparser
import logging
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from posixpath import basename, dirname
from typing import Any, cast
from xml.etree import ElementTree

from explorer_core.channels.packages.installed import import_names, normalised
from explorer_core.channels.packages.lock_files import Locked, json_object, lock_reader
from explorer_core.channels.packages.manifest_formats import (
    build_script,
    cmake,
    gem_file,
    go_mod,
    package_swift,
    requirement_lines,
    setup_script,
)
from explorer_core.channels.packages.versions import stated_version
from explorer_core.contracts import Diagnostic
from explorer_core.workspace import SourceText, Workspace, WorkspaceError

logger = logging.getLogger(__name__)

Declared = Iterable[tuple[str, object]]
"""Names, each with the version or range as written in the manifest (see `stated_version`)."""


@dataclass(frozen=True, slots=True)
class DeclaredPackage:
    """An external package. ``line`` is where the manifest names it, 1-based. ``locked`` is the
    exact version from the nearest lock file in the manifest's folder or above. ``modules`` are its
    import names, if a lock file or an installed copy states them."""

    name: str
    version: str | None
    manifest: str
    line: int
    locked: str | None = None
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declarations:
    """The packages that manifests declare, the manifests read, and diagnostics for the others."""

    packages: tuple[DeclaredPackage, ...] = ()
    manifests: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


async def declared_packages(workspace: Workspace) -> Declarations:
    """Every package that a manifest of the workspace declares, in the order of the manifests."""
    return await asyncio.to_thread(_declared, workspace)


def is_manifest(path: str) -> bool:
    """Whether a file is a package manifest, by its name."""
    return _reader(path) is not None


def _declared(workspace: Workspace) -> Declarations:
    packages: list[DeclaredPackage] = []
    manifests: list[str] = []
    locks = _Locks()
    trouble: list[Diagnostic] = []
    for entry in workspace.files():
        read = _reader(entry.path)
        lock = lock_reader(entry.path)
        if read is None and lock is None:
            continue
        try:
            source = workspace.read(entry.path)
            locked = list(lock(source.text)) if lock is not None else []
            found = list(_with_lines(read(source.text), source)) if read is not None else []
        except Exception as error:  # noqa: BLE001 - costs this file only
            message = _omission_sentence(entry.path, error)
            trouble.append(Diagnostic(source="manifest", message=message))
            continue
        if read is not None:
            manifests.append(entry.path)
        locks.add(entry.path, locked)
        packages += found
    known = [locks.complete(each) for each in packages]
    return Declarations(tuple(_with_names(workspace, known)), tuple(manifests), tuple(trouble))


def _omission_sentence(path: str, error: Exception) -> str:
    """Why a file was not read. A parser's own message is withheld: it may quote the file."""
    if isinstance(error, WorkspaceError):
        return str(error)
    if isinstance(error, (MemoryError, RecursionError)):
        reason = "it is too deeply nested or too large to be parsed"
    elif isinstance(error, _BROKEN):
        reason = "it is not well-formed"
    else:
        logger.error("%s is left out.", path, exc_info=error)
        reason = f"reading it failed ({type(error).__name__})"
    return f"{path} is left out: {reason}."


class _Locks:
    """The packages in lock files, by folder."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Locked] = {}

    def add(self, path: str, packages: Iterable[Locked]) -> None:
        for each in packages:
            self._known.setdefault((dirname(path), normalised(each.name)), each)

    def complete(self, package: DeclaredPackage) -> DeclaredPackage:
        """The package completed from the nearest lock file in its manifest's folder or above."""
        name = normalised(package.name)
        for folder in _upwards(package.manifest):
            if (found := self._known.get((folder, name))) is not None:
                return replace(package, locked=found.version or None, modules=found.modules)
        return package


def _upwards(path: str) -> Iterator[str]:
    """The folder of a file and all its parents, up to the workspace's root (an empty string)."""
    while path:
        path = dirname(path)
        yield path


def _with_names(
    workspace: Workspace, packages: Sequence[DeclaredPackage]
) -> Iterator[DeclaredPackage]:
    """The packages; those of Python with the module names from their installed metadata."""
    python = [each for each in packages if _reader(each.manifest) in _PYTHON]
    folders = [dirname(each.manifest) for each in python]
    names = import_names(workspace, folders, {normalised(each.name) for each in python})
    for each in packages:
        modules = names.get(normalised(each.name)) if each in python else None
        yield replace(each, modules=modules) if modules else each


def _with_lines(found: Declared, source: SourceText) -> Iterator[DeclaredPackage]:
    """Each package once, with the first line that names it; packages that no line names are left
    out."""
    for name, version in dict(found).items():
        wanted = re.compile(rf"(?<![\w.-]){re.escape(name.rpartition(':')[2])}(?![\w-])", re.I)
        line = next((n for n, text in enumerate(source.lines, 1) if wanted.search(text)), None)
        if line is not None:
            yield DeclaredPackage(name, stated_version(version), source.path, line)


def _reader(path: str) -> _Reader | None:
    name = basename(path)
    return next((read for glob, read in _MANIFESTS.items() if fnmatchcase(name, glob)), None)


_Reader = Callable[[str], Declared]
_BROKEN = (
    ValueError,
    SyntaxError,
    configparser.Error,
    ElementTree.ParseError,
    KeyError,
    TypeError,
    AttributeError,
)
"""Raised by the parsers, and by our readers for content of an unexpected structure."""


# TOML


def _pyproject(text: str) -> Declared:
    tables = tomllib.loads(text)
    project = tables.get("project", {})
    lines: list[str] = [*project.get("dependencies", ()), *_build(tables)]
    for group in (project.get("optional-dependencies", {}), tables.get("dependency-groups", {})):
        lines += [each for listed in group.values() for each in listed if isinstance(each, str)]
    yield from requirement_lines(lines)
    poetry = tables.get("tool", {}).get("poetry", {})
    groups = [poetry, *poetry.get("group", {}).values()]
    for group in groups:
        yield from _table(group.get("dependencies", {}), besides=("python",))


def _build(tables: Mapping[str, Any]) -> Sequence[str]:
    return tables.get("build-system", {}).get("requires", ())


def _cargo(text: str) -> Declared:
    tables = tomllib.loads(text)
    for table in (tables, tables.get("workspace", {}), *tables.get("target", {}).values()):
        for name, value in table.items():
            if name.endswith("dependencies") and isinstance(value, dict):
                yield from _table(cast("dict[str, Any]", value))


def _table(table: Mapping[str, Any], besides: Sequence[str] = ()) -> Declared:
    """``name = "version"`` or ``name = {version = ..., package = ...}``."""
    for name, value in table.items():
        if name in besides:
            continue
        if isinstance(value, dict):
            name = str(cast("dict[str, Any]", value).get("package", name))
        yield name, value


def _version_catalog(text: str) -> Declared:
    tables = tomllib.loads(text)
    versions = tables.get("versions", {})
    for value in tables.get("libraries", {}).values():
        if isinstance(value, str):
            group, _, rest = value.partition(":")
            name, _, version = rest.partition(":")
            yield f"{group}:{name}", version
            continue
        about = cast("dict[str, Any]", value)
        module = about.get("module") or f"{about['group']}:{about['name']}"
        version: Any = about.get("version")
        if isinstance(version, dict):
            version = versions.get(cast("dict[str, Any]", version).get("ref"))
        yield module, version


# JSON


def _package_json(text: str) -> Declared:
    for name, value in json_object(text).items():
        if name.endswith("ependencies") and isinstance(value, dict):
            yield from cast("dict[str, Any]", value).items()


def _composer(text: str) -> Declared:
    for name, value in json_object(text).items():
        if name.startswith("require") and isinstance(value, dict):
            packages = cast("dict[str, Any]", value).items()
            yield from ((each, version) for each, version in packages if "/" in each)


# XML


def _xml(text: str) -> ElementTree.Element:
    if "<!ENTITY" in text:
        raise ValueError("entities are not expanded")
    root = ElementTree.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def _pom(text: str) -> Declared:
    root = _xml(text)
    properties = {each.tag: each.text or "" for each in root.findall("properties/*")}

    def value(element: ElementTree.Element, name: str) -> str:
        written = (element.findtext(name) or "").strip()
        return re.sub(r"\$\{([^}]+)\}", lambda m: properties.get(m[1], m[0]), written)

    for dependency in root.iter("dependency"):
        name = f"{value(dependency, 'groupId')}:{value(dependency, 'artifactId')}"
        yield name, value(dependency, "version")


def _msbuild(text: str) -> Declared:
    root = _xml(text)
    for reference in (*root.iter("PackageReference"), *root.iter("PackageVersion")):
        name = reference.get("Include") or reference.get("Update")
        if name:
            yield name, reference.get("Version") or reference.findtext("Version")


# INI


def _setup_cfg(text: str) -> Declared:
    config = configparser.ConfigParser(interpolation=None, strict=False)
    config.read_string(text)
    lines = config.get("options", "install_requires", fallback="").splitlines()
    if config.has_section("options.extras_require"):
        lines += [
            line
            for value in dict(config.items("options.extras_require")).values()
            for line in value.splitlines()
        ]
    return requirement_lines(lines)


def _requirements(text: str) -> Declared:
    return requirement_lines(text.splitlines())


_MANIFESTS: dict[str, _Reader] = {
    "pyproject.toml": _pyproject,
    "requirements*.txt": _requirements,
    "*requirements.txt": _requirements,
    "setup.cfg": _setup_cfg,
    "setup.py": setup_script,
    "package.json": _package_json,
    "go.mod": go_mod,
    "Cargo.toml": _cargo,
    "pom.xml": _pom,
    "build.gradle": build_script,
    "build.gradle.kts": build_script,
    "*.versions.toml": _version_catalog,
    "*.gemspec": gem_file,
    "Gemfile": gem_file,
    "composer.json": _composer,
    "*.csproj": _msbuild,
    "*.fsproj": _msbuild,
    "Directory.Packages.props": _msbuild,
    "CMakeLists.txt": cmake,
    "Package.swift": package_swift,
}
_PYTHON = (_pyproject, _requirements, _setup_cfg, setup_script)
