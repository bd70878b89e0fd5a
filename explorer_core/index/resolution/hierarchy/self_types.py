"""What a type says that its own object is besides, without being a subtype of it (Scala)."""

from __future__ import annotations

from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.values import Instance
from explorer_core.index.symbols import SymbolId

Required = tuple[tuple[SymbolId, ...], bool]


class SelfTypes:
    """Finds the types that whatever mixes a type in must have too; memoised."""

    def __init__(self, program: Program, types: NamedTypes, evaluation: Evaluation) -> None:
        self._program = program
        self._types = types
        self._evaluation = evaluation

    def of(self, type_id: SymbolId) -> Required:
        """Those of the repository, and whether there are others."""
        return self._evaluation.ask(
            ("required", type_id), lambda: self._find(type_id), ((), False), steps=0
        )

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
