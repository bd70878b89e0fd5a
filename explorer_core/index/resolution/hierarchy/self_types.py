"""Self types: what a trait requires its object to be, without being a subtype of it (Scala).

In ``trait Audited { this: Ledger => ... }`` the members of `Ledger` are the object's own.
"""

from __future__ import annotations

from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.values import Instance
from explorer_core.index.symbols import SymbolId

RequiredTypes = tuple[tuple[SymbolId, ...], bool]


class SelfTypes:
    """Finds the types that a trait requires of what mixes it in; memoised."""

    def __init__(self, program: Program, types: NamedTypes, evaluation: Evaluation) -> None:
        self._program = program
        self._types = types
        self._evaluation = evaluation

    def of(self, type_id: SymbolId) -> RequiredTypes:
        """The required types in the repository, and whether there are others."""
        return self._evaluation.ask(
            ("required", type_id), lambda: self._find(type_id), ((), False), steps=0
        )

    def _find(self, type_id: SymbolId) -> RequiredTypes:
        table = self._program.table_of(type_id)
        scope = table.definitions[type_id.ordinal].container
        required: dict[SymbolId, None] = {}
        is_open = False
        for clause in table.supertypes.get(type_id.ordinal, ()):
            if clause.relation == "requires":
                values = self._types.lookup(table, scope, clause.name, clause.line)
                types = [value.id for value in values if isinstance(value, Instance)]
                is_open = is_open or not types
                required.update(
                    dict.fromkeys(
                        required_type for required_type in types if required_type != type_id
                    )
                )
        return tuple(required), is_open
