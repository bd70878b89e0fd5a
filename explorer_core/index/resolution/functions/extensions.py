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
        found = self._of_other_types(table, name)
        own = [m for m in found.get(value.type, ()) if self._names.is_seen(table, m)]
        if not isinstance(value, Collection):
            return tuple(Defined(m, "graph:type") for m in own) if value.type else UNKNOWN
        how: Witness = "graph:type"
        fitting = self._receivers.fitting(own, value)
        if not fitting:
            others = (m for members in found.values() for m in members)
            alike = [m for m in others if self._receivers.collection(m)]
            seen = (m for m in alike if self._names.is_seen(table, m))
            how, fitting = "graph:name", self._receivers.fitting(seen, value)
        asked_of = self._receivers.asked_of
        return tuple(Defined(m, how, within=asked_of(m, value)) for m in fitting)

    def of_bases(self, table: FileTable, bases: Callable[[], Iterable[str]], name: str) -> Values:
        """The members of a name that are written for types which are not of the repository, and of
        which a type is one: their simple names are ``bases``, which are only asked for where there
        are such members."""
        found = self._of_other_types(table, name)
        own = (m for base in (bases() if found else ()) for m in found.get(base, ()))
        return tuple(Defined(m, "graph:type") for m in own if self._names.is_seen(table, m))

    def of_any_type(self, table: FileTable, name: str, *, bare: bool) -> tuple[SymbolId, ...]:
        """The methods called ``name`` that extend any type from outside; if ``bare``, those that
        can be called without a receiver."""
        found = self._of_other_types(table, name)
        return tuple(
            member
            for owner in sorted(found)
            for member in found[owner]
            if self._is_method(member, bare=bare) and self._names.is_seen(table, member)
        )

    def _is_method(self, member: SymbolId, *, bare: bool) -> bool:
        definition = self._program.definition(member)
        return definition.kind == "method" and (definition.container == TOP or not bare)

    def imported(self, table: FileTable, name: str) -> Values:
        """The extensions that a file imports under a name, whatever types they extend."""
        if not table.spec.extension_members:
            return UNKNOWN
        found: dict[SymbolId, None] = {}
        for binding in table.imports.get((TOP, name), ()):
            owned = self._owned(binding.name, table.spec.family_name)
            members = [*chain.from_iterable(owned.values())]
            bound = {v.id for v in self._names.imported(table, binding) if isinstance(v, Defined)}
            near = [m for m in members if self._is_of(m, binding.module)]
            in_it = [m for m in near if self._package(m) == dotted(binding.module)]
            found |= dict.fromkeys([m for m in members if m in bound] or in_it or near)
        return tuple(Defined(member, "graph:import") for member in found)

    def _is_of(self, member: SymbolId, module: str) -> bool:
        """Whether the module of an import is a member's package, or something in that."""
        package = self._package(member)
        return bool(package) and f"{dotted(module)}.".startswith(f"{package}.")

    def _package(self, member: SymbolId) -> str:
        return dotted(self._program.holder(member).package)

    def _of_other_types(self, table: FileTable, name: str) -> dict[str, list[SymbolId]]:
        """The extensions called ``name``, by the simple name of the type they extend."""
        is_known = table.spec.extension_members
        return self._for_others(name, table.spec.family_name) if is_known else {}

    @memoised
    def _for_others(self, name: str, family: str) -> dict[str, list[SymbolId]]:
        found: dict[str, list[SymbolId]] = {}
        for owner, members in self._owned(name, family).items():
            if others := [m for m in members if self._is_for_others(m)]:
                found[owner] = others
        return found

    def _is_for_others(self, member: SymbolId) -> bool:
        return not self._owners.of(self._program.holder(member), member.ordinal)

    def _owned(self, name: str, family: str) -> dict[str, list[SymbolId]]:
        return {} if self._program.is_common(name) else self._program.owned(name, family)
