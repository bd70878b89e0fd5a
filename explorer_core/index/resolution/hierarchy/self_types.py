"""Self types: what a trait requires its object to be, without being a subtype of it (Scala).

In ``trait Audited { this: Ledger => ... }`` the members of `Ledger` are the object's own.
"""

from __future__ import annotations

from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.values import Instance
from explorer_core.index.symbols import SymbolId

Required = tuple[tuple[SymbolId, ...], bool]


class SelfTypes:
    """Finds the types that a trait requires of what mixes it in; memoised."""

    def __init__(self, program: Program, types: NamedTypes, evaluation: Evaluation) -> None:
        self._program = program
        self._types = types
        self._evaluation = evaluation

    def of(self, type_id: SymbolId) -> Required:
        """The required types in the repository, and whether there are others."""
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
