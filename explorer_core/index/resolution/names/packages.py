"""Packages as files declare them, each made up of all the files that declare it.

All files with ``package shop.tills`` are of the package ``shop.tills``, in whatever folders they
lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname
from typing import NamedTuple

from explorer_core.contracts import Witness
from explorer_core.index.extraction.facts import TOP, ImportBinding
from explorer_core.index.extraction.indexed_names import EVERYTHING
from explorer_core.index.extraction.kinds import TYPE_KINDS
from explorer_core.index.extraction.type_names import simple_type_name
from explorer_core.index.resolution.finders.modules import dotted
from explorer_core.index.resolution.finders.paths import nearest
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import UNKNOWN, Defined, Values
from explorer_core.index.symbols import MEMBER_HOLDERS, NAMESPACES, SymbolId
from explorer_core.memoised import memoised

NAMESAKES = 8
"""The most definitions of the same name that a reference may mean and still say something."""
_MAX_DECLARATIONS = 64
"""The most declarations of one type that are distinguished; of more, the first stands for all."""


class _Declared(NamedTuple):
    """Where the files of a language family declare a name."""

    by_package: dict[str, list[SymbolId]]
    declaring: frozenset[str]
    """The packages, and the types with a member of the name, wherever that is declared."""


class Packages:
    """Finds definitions by package and name; memoised."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def defining(
        self, table: FileTable, package: str, name: str, witness: Witness
    ) -> Iterator[Defined]:
        """The top-level definitions of a name in a declared package, in any of its files."""
        ids = self._declarations_of(table.spec.family_name, name).by_package.get(package, ())
        return (Defined(symbol_id, witness) for symbol_id in ids)

    def declaring_paths(self, table: FileTable, name: str) -> frozenset[str]:
        """The paths of the packages and types that declare something of a name."""
        return self._declarations_of(table.spec.family_name, name).declaring

    @memoised
    def _declarations_of(self, family: str, name: str) -> _Declared:
        by_package: dict[str, list[SymbolId]] = {}
        owners: set[str] = set()
        for table in self._program.defining(name, family):
            for ordinal in table.by_name[name]:
                package = package_of(table, ordinal)
                owner = table.definitions[ordinal].owner
                if package is None:
                    continue
                if owner and not _is_declared_by_path(table, ordinal):
                    owners.add(joined(package, simple_type_name(owner)))
                else:
                    by_package.setdefault(package, []).append(table.id(ordinal))
                for scope in table.exposed_in(ordinal):
                    if scope != TOP and table.definitions[scope].kind in NAMESPACES:
                        in_namespace = by_package.setdefault(_namespace_of(table, scope), [])
                        in_namespace.append(table.id(ordinal))
        return _Declared(by_package, frozenset({*by_package, *owners}))

    def visible(self, table: FileTable, package: str, name: str, witness: Witness) -> Values:
        """The definitions of a name in a package that may be meant in a file. Of types and their
        members only those nearest to the file: types of the same name in one package are of
        different programs in the repository, unless they are parts of one type. UNKNOWN if too many
        are left."""
        definitions = tuple(self.defining(table, package, name, witness))
        script_suffixes = table.spec.imports.script_suffixes
        if script_suffixes and not table.path.endswith(script_suffixes):
            definitions = tuple(
                value for value in definitions if not value.id.path.endswith(script_suffixes)
            )
        if table.spec.imports.target_folders:
            definitions = tuple(
                value for value in definitions if self._is_own_or_exported(table, value)
            )
        if table.spec.open_types:
            return definitions if len(definitions) <= _MAX_DECLARATIONS else definitions[:1]
        types = {value: value.id.path for value in definitions if self._is_type_or_member(value)}
        nearest_paths = set(nearest(types.values(), table.path))
        if len(nearest_paths) > NAMESAKES:
            return UNKNOWN
        return tuple(v for v in definitions if v not in types or types[v] in nearest_paths)

    def forward_declared(self, table: FileTable, name: str) -> Values:
        """The types that a file only declares under a name (``class Cart;``), as defined in the
        same namespace; of several those nearest to the file."""
        scopes = dict.fromkeys(
            binding.scope for binding in table.forward_declarations.get(name, ())
        )
        return tuple(
            dict.fromkeys(
                value
                for scope in scopes
                for value in self.visible(table, _namespace_of(table, scope), name, "graph:import")
                if self._program.is_of_kind(value, TYPE_KINDS)
            )
        )

    def _is_own_or_exported(self, table: FileTable, value: Defined) -> bool:
        """Whether a definition is of the file itself, or exported."""
        holder = self._program.table_of(value.id)
        return holder is table or holder.definitions[value.id.ordinal].exported

    def wildcards(self, table: FileTable) -> tuple[ImportBinding, ...]:
        """The wildcard imports that hold in a file: its own, and those that files in its folder or
        one above share with all files below (``global using``)."""
        shares = table.spec.imports.shared_wildcards
        return self._wildcards_with_shared(table) if shares else table.wildcards

    @memoised
    def _wildcards_with_shared(self, table: FileTable) -> tuple[ImportBinding, ...]:
        shared = (
            b
            for other in self._files_sharing_wildcards(table)
            for b in other.wildcards
            if b.exported
        )
        return (*table.wildcards, *shared)

    def _files_sharing_wildcards(self, table: FileTable) -> Iterator[FileTable]:
        """The other files that share their wildcard imports with a file."""
        for path in sorted(self._program.source.files_renaming(EVERYTHING)):
            folder = dirname(path)
            if path != table.path and (not folder or table.path.startswith(f"{folder}/")):
                other = self._program.table(path)
                if other and other.spec.family_name == table.spec.family_name:
                    yield other

    def is_accessible(self, table: FileTable, member: SymbolId) -> bool:
        """Whether a file is of the package that a member is in, or imports from it or from the type
        enclosing the member. Anything counts as open where imports do not name packages, or files
        of a build target see each other's imports. A file's members may be in any of its
        packages."""
        holder = self._program.table_of(member)
        rules = holder.spec.imports
        if holder is table or rules.style != "namespace" or rules.target_folders:
            return True
        own_package, name = dotted(holder.package), holder.definitions[member.ordinal].name
        inner_path = (
            (package_of(holder, member.ordinal) or own_package)
            .removeprefix(own_package)
            .lstrip(".")
        )
        visible = self._visible_paths(table)
        for package in map(dotted, _packages_of(holder)):
            path = joined(package, inner_path) if inner_path else package
            if not visible.isdisjoint((package, path, joined(path, name))):
                return True
            if inner_path and any(visible_path.startswith(f"{path}.") for visible_path in visible):
                return True
        return False

    @memoised
    def _visible_paths(self, table: FileTable) -> frozenset[str]:
        """The packages that a file is in or imports whole, and the paths of the types that it
        imports whole or by name."""
        enclosing = [path for package in _packages_of(table) for path in _enclosing(table, package)]
        named_imports = (b for b in table.facts.imports if b.name and b.name != EVERYTHING)
        imported = [dotted(binding.module) for binding in self.wildcards(table)]
        imported += [joined(dotted(binding.module), binding.name) for binding in named_imports]
        prefixes = enclosing if table.spec.imports.relative else [""]
        paths = (joined(prefix, path) for prefix in prefixes for path in imported)
        return frozenset((*enclosing, *paths))

    def reexported(self, table: FileTable, name: str) -> Values:
        """Looks a name up in packages that the file's own or an imported one re-exports whole."""
        visible = {table.package, *(dotted(binding.module) for binding in table.wildcards)}
        for package in sorted(self.declaring_paths(table, name)):
            reexporting = [package]
            for current in reexporting:
                reexporters = self._reexporting_packages(table.spec.family_name, current)
                reexporting += sorted(reexporters.difference(reexporting))
            if not visible.isdisjoint(reexporting[1:]):
                return self.visible(table, package, name, "graph:import")
        return UNKNOWN

    @memoised
    def _reexporting_packages(self, family: str, package: str) -> frozenset[str]:
        """The packages with a file that imports another package whole to re-export it."""
        tables = map(self._program.table, self._program.source.files_mentioning(package))
        return frozenset(
            other.package
            for other in tables
            if other and other.spec.family_name == family
            if any(b.exported and dotted(b.module) == package for b in other.wildcards)
        )

    def _is_type_or_member(self, value: Defined) -> bool:
        holder, ordinal = self._program.table_of(value.id), value.id.ordinal
        return holder.definitions[ordinal].kind in MEMBER_HOLDERS or holder.is_member(ordinal)


def _packages_of(table: FileTable) -> tuple[str, ...]:
    """The packages that a file declares, or else the one its folder belongs to."""
    return table.facts.packages or (table.package,)


def enclosing_packages(table: FileTable) -> Iterator[str]:
    """A file's own package, those around it that the language sees, the nameless one."""
    return _enclosing(table, table.package)


def _enclosing(table: FileTable, package: str) -> Iterator[str]:
    package = dotted(package)
    while package:
        yield package
        package = package.rpartition(".")[0] if table.spec.imports.relative else ""
    yield ""


def package_of(table: FileTable, ordinal: int) -> str | None:
    """The path of the package, namespaces and types that a definition is in; None for a local."""
    parts: list[str] = []
    if _is_declared_by_path(table, ordinal):
        parts.append(dotted(table.definitions[ordinal].owner))
    container = table.definitions[ordinal].container
    while container != TOP:
        enclosing = table.definitions[container]
        if enclosing.kind not in NAMESPACES and enclosing.kind not in MEMBER_HOLDERS:
            return None
        parts.append(dotted(enclosing.name))
        if _is_declared_by_path(table, container):
            parts.append(dotted(enclosing.owner))
        container = enclosing.container
    if table.package:
        parts.append(dotted(table.package))
    return ".".join(reversed(parts))


def _namespace_of(table: FileTable, scope: int) -> str:
    """The path of a namespace of a file, or of the file's package."""
    if scope == TOP:
        return dotted(table.package)
    return joined(package_of(table, scope), table.definitions[scope].name)


def _is_declared_by_path(table: FileTable, ordinal: int) -> bool:
    """Whether a type is declared by a path to what it is nested in (``class Shop::Cart``)."""
    definition = table.definitions[ordinal]
    return bool(definition.owner) and table.spec.open_types and table.is_type(ordinal)


def joined(package: str | None, name: str) -> str:
    """The dotted path of a name in a package."""
    return f"{package}.{dotted(name)}" if package else dotted(name)
