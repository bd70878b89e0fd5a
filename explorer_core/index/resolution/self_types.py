"""What a type says that its own object is besides, without being a subtype of it (Scala)."""

from __future__ import annotations

from typing import Protocol

from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Instance, Values
from explorer_core.index.symbols import SymbolId

Required = tuple[tuple[SymbolId, ...], bool]


class NamedTypes(Protocol):
    """What this needs to know of types."""

    def types_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; UNKNOWN when nothing binds it."""
        ...


class SelfTypes:
    """Finds the types that whatever mixes a type in must have too; memoised."""

    def __init__(self, program: Program, types: NamedTypes) -> None:
        self._program = program
        self._types = types
        self._required: dict[SymbolId, Required] = {}

    def of(self, type_id: SymbolId) -> Required:
        """Those of the repository, and whether there are others."""
        if type_id not in self._required:
            self._required[type_id] = self._find(type_id)
        return self._required[type_id]

    def _find(self, type_id: SymbolId) -> Required:
        table = self._program.holder(type_id)
        scope = table.definitions[type_id.ordinal].container
        found: dict[SymbolId, None] = {}
        is_open = False
        for written in table.supertypes.get(type_id.ordinal, ()):
            if written.relation == "requires":
                values = self._types.types_named(table, scope, written.name, written.line)
                types = [value.id for value in values if isinstance(value, Instance)]
                is_open = is_open or not types
                found.update(dict.fromkeys(each for each in types if each != type_id))
        return tuple(found), is_open
