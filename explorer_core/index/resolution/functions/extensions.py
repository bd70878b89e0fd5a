"""Extensions of types that are not of the repository (``fun String.toUrl()``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from explorer_core.contracts import Witness
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.finders.modules import dotted
from explorer_core.index.resolution.functions.receivers import Receivers
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.values import UNKNOWN, Collection, Defined, Outside, Values
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised


class Extensions:
    """Looks extension members up; memoised."""

    def __init__(
        self, program: Program, names: Names, owners: Owners, receivers: Receivers
    ) -> None:
        self._program = program
        self._names = names
        self._owners = owners
        self._receivers = receivers

    def of_value(self, table: FileTable, value: Outside, name: str) -> Values:
        """The extensions called ``name`` for the type of a value from outside, by its simple name
        and the value's elements. If a collection has none, those of other collections with such
        elements, by name only: the value's type may be one of these."""
        by_type = self._outside_extensions(table, name)
        of_type = [m for m in by_type.get(value.type, ()) if self._names.is_accessible(table, m)]
        if not isinstance(value, Collection):
            return tuple(Defined(m, "graph:type") for m in of_type) if value.type else UNKNOWN
        witness: Witness = "graph:type"
        applicable = self._receivers.applicable(of_type, value)
        if not applicable:
            others = (m for members in by_type.values() for m in members)
            of_collections = [m for m in others if self._receivers.receiver_collection(m)]
            visible = (m for m in of_collections if self._names.is_accessible(table, m))
            witness, applicable = "graph:name", self._receivers.applicable(visible, value)
        determining = self._receivers.determining_collection
        return tuple(Defined(m, witness, collection=determining(m, value)) for m in applicable)

    def of_bases(self, table: FileTable, bases: Callable[[], Iterable[str]], name: str) -> Values:
        """The members called ``name`` that extend the outside supertypes of some type. ``bases``
        returns the simple names of these; it is only called if there are such members."""
        by_type = self._outside_extensions(table, name)
        members = (m for base in (bases() if by_type else ()) for m in by_type.get(base, ()))
        return tuple(
            Defined(m, "graph:type") for m in members if self._names.is_accessible(table, m)
        )

    def of_any_type(self, table: FileTable, name: str, *, bare: bool) -> tuple[SymbolId, ...]:
        """The methods called ``name`` that extend any type from outside; if ``bare``, those that
        can be called without a receiver."""
        by_type = self._outside_extensions(table, name)
        return tuple(
            member
            for owner in sorted(by_type)
            for member in by_type[owner]
            if self._is_method(member, bare=bare) and self._names.is_accessible(table, member)
        )

    def _is_method(self, member: SymbolId, *, bare: bool) -> bool:
        definition = self._program.definition(member)
        return definition.kind == "method" and (definition.container == TOP or not bare)

    def imported(self, table: FileTable, name: str) -> Values:
        """The extensions that a file imports under a name, whatever types they extend."""
        if not table.spec.extension_members:
            return UNKNOWN
        extensions: dict[SymbolId, None] = {}
        for binding in table.imports.get((TOP, name), ()):
            by_owner = self._members_by_owner(binding.name, table.spec.family_name)
            members = [*chain.from_iterable(by_owner.values())]
            imported = {
                v.id for v in self._names.imported(table, binding) if isinstance(v, Defined)
            }
            in_module = [m for m in members if self._is_in_module(m, binding.module)]
            in_package = [m for m in in_module if self._package(m) == dotted(binding.module)]
            extensions |= dict.fromkeys(
                [m for m in members if m in imported] or in_package or in_module
            )
        return tuple(Defined(member, "graph:import") for member in extensions)

    def _is_in_module(self, member: SymbolId, module: str) -> bool:
        """Whether the module of an import is a member's package, or something in that."""
        package = self._package(member)
        return bool(package) and f"{dotted(module)}.".startswith(f"{package}.")

    def _package(self, member: SymbolId) -> str:
        return dotted(self._program.table_of(member).package)

    def _outside_extensions(self, table: FileTable, name: str) -> dict[str, list[SymbolId]]:
        """The extensions called ``name``, by the simple name of the type they extend."""
        is_known = table.spec.extension_members
        return self._extensions_of_outside_types(name, table.spec.family_name) if is_known else {}

    @memoised
    def _extensions_of_outside_types(self, name: str, family: str) -> dict[str, list[SymbolId]]:
        extensions: dict[str, list[SymbolId]] = {}
        for owner, members in self._members_by_owner(name, family).items():
            if outside := [m for m in members if self._extends_outside_type(m)]:
                extensions[owner] = outside
        return extensions

    def _extends_outside_type(self, member: SymbolId) -> bool:
        return not self._owners.of(self._program.table_of(member), member.ordinal)

    def _members_by_owner(self, name: str, family: str) -> dict[str, list[SymbolId]]:
        return {} if self._program.is_common(name) else self._program.members_by_owner(name, family)
