"""Protocol classes, and the classes that have all of their members without declaring it.

``class Parser(Protocol)`` is such a class by the name of its base, which is of the language's own
library. Another class implements it if it has each of its members, the methods with as many
parameters. A single method is not specific enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined
from explorer_core.index.symbols import CALLABLES, SymbolId
from explorer_core.memoised import memoised

_ENOUGH_METHODS = 2
"""A class with this many methods is specific enough."""
_MAX_CLASSES = 120
"""If more classes have a protocol's rarest member, none of them is examined."""
_MAX_FILES = 400
"""If more files mention the name of the base, none of them is examined."""
_WORD = re.compile(r"\w+")


class ProtocolClasses:
    """Finds protocol classes, and the classes that implement them; memoised."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self._program = program
        self._hierarchy = hierarchy

    def supertypes(self, type_id: SymbolId) -> list[SymbolId]:
        """The protocol classes whose members a class has."""
        table = self._program.table_of(type_id)
        if not table.spec.protocol_bases:
            return []
        names = (table.definitions[child].name for child in table.children.get(type_id.ordinal, ()))
        protocols = (protocol for name in names for protocol in self._protocols_with(name, table))
        return [
            protocol for protocol in dict.fromkeys(protocols) if self._implements(type_id, protocol)
        ]

    def subtypes(self, type_id: SymbolId) -> list[SymbolId]:
        """The classes that have all members of a protocol class; none where too many may."""
        required = self._required_members(type_id)
        if not required:
            return []
        family = self._program.table_of(type_id).spec.family_name
        by_member = [
            self._classes_with(self._program.definition(member).name, family) for member in required
        ]
        rarest = min(by_member, key=len)
        return (
            [class_id for class_id in rarest if self._implements(class_id, type_id)]
            if len(rarest) <= _MAX_CLASSES
            else []
        )

    def members(self, type_id: SymbolId, name: str) -> Iterator[SymbolId]:
        """The members called ``name`` in the protocol classes that a class implements."""
        table = self._program.table_of(type_id)
        for protocol in self._protocols_with(name, table) if table.spec.protocol_bases else ():
            if self._implements(type_id, protocol):
                yield from self._hierarchy.own_members(protocol, name)

    def _protocols_with(self, name: str, table: FileTable) -> list[SymbolId]:
        """The protocol classes with a member called ``name``."""
        spec = table.spec
        return self._protocols_by_member(spec.family_name, spec.protocol_bases).get(name, [])

    @memoised
    def _protocols_by_member(
        self, family: str, bases: tuple[str, ...]
    ) -> dict[str, list[SymbolId]]:
        """The protocol classes of a language family, by the names of their members. They are
        recognised by the names of their bases."""
        files_mentioning = self._program.source.files_mentioning
        paths = sorted({path for base in bases for path in files_mentioning(base)})
        searched = paths if len(paths) <= _MAX_FILES else ()
        tables = (other for path in searched if (other := self._program.table(path)) is not None)
        protocols: dict[str, list[SymbolId]] = {}
        for other in tables:
            if other.spec.family_name == family:
                for ordinal in other.supertypes:
                    for member in self._required_members(other.id(ordinal)):
                        name = self._program.definition(member).name
                        protocols.setdefault(name, []).append(other.id(ordinal))
        return protocols

    def _classes_with(self, name: str, family: str) -> list[SymbolId]:
        """The classes that define a member called ``name``."""
        classes = (
            table.id(container)
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
            if (container := table.definitions[ordinal].container) != TOP
            and table.is_type(container)
        )
        return list(dict.fromkeys(classes))

    @memoised
    def _required_members(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The members that a protocol class requires; none if a class is not one, has a base in the
        repository, or requires too little."""
        table = self._program.table_of(type_id)
        children = table.children.get(type_id.ordinal, ())
        methods = sum(table.is_callable(child) for child in children)
        is_protocol = methods >= _ENOUGH_METHODS and self._has_protocol_base(table, type_id.ordinal)
        is_protocol = is_protocol and not self._hierarchy.supertypes(type_id)
        return tuple(map(table.id, children)) if is_protocol else ()

    def _has_protocol_base(self, table: FileTable, ordinal: int) -> bool:
        clauses = table.supertypes.get(ordinal, ())
        return any(last_part(clause.name) in table.spec.protocol_bases for clause in clauses)

    @memoised
    def _implements(self, type_id: SymbolId, protocol: SymbolId) -> bool:
        table = self._program.table_of(type_id)
        return not self._has_protocol_base(table, type_id.ordinal) and all(
            self._has_member(type_id, member) for member in self._required_members(protocol)
        )

    def _has_member(self, type_id: SymbolId, required: SymbolId) -> bool:
        definition = self._program.definition(required)
        members = self._hierarchy.member(type_id, definition.name)
        definitions = [value.id for value in members if isinstance(value, Defined)]
        if definition.kind not in CALLABLES:
            return bool(members) and (bool(definitions) or definition.kind == "field")
        return any(self._has_enough_parameters(member, required) for member in definitions)

    def _has_enough_parameters(self, method: SymbolId, other: SymbolId) -> bool:
        """Whether a method has as many parameters as another one, or more that have defaults."""
        own_parameters, other_parameters = self._parameters(method), self._parameters(other)
        additional = own_parameters[len(other_parameters) :]
        is_enough = len(own_parameters) >= len(other_parameters) and all(
            "=" in parameter for parameter in additional
        )
        return is_enough and self._program.kind(method) in CALLABLES

    def _parameters(self, method: SymbolId) -> list[str]:
        definition = self._program.definition(method)
        written = parameters_of(definition.signature, definition.name)
        return [parameter for parameter in written if _WORD.search(parameter)]
