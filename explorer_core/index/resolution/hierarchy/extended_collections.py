"""Collections from outside that types of the repository extend (``class Jobs(dict[str, Job])``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer_core.index.extraction.type_names import reduced_collection
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.values import Collection, Instance, Values, nothing_of_ours
from explorer_core.index.symbols import SymbolId


@dataclass(eq=False, repr=False)
class ExtendedCollections:
    """Finds the collection that a type extends; memoised."""

    _program: Program
    _names: Names
    _types: NamedTypes
    _hierarchy: Hierarchy
    _elements: Elements
    _evaluation: Evaluation

    def of(self, type_id: SymbolId) -> Collection | None:
        """The collection that a type extends, or else its nearest supertype that extends one; None
        if that extends several, which may say different things."""
        return self._evaluation.ask(
            ("extended", type_id), lambda: self._find(type_id), None, steps=0
        )

    def _find(self, type_id: SymbolId) -> Collection | None:
        for each in self._hierarchy.order(type_id):
            if found := [*self._written(each)]:
                says = {(one.element.text, one.keyed) for one in found}
                return found[0] if len(says) == 1 else None
        return None

    def _written(self, type_id: SymbolId) -> Iterator[Collection]:
        """The collections from outside that a type declares as supertypes. One whose argument is
        the type itself is rather about the type (``Comparable<Job>``)."""
        for part in self._names.parts(type_id):
            table = self._program.holder(part)
            scope = table.definitions[part.ordinal].container
            for written in table.supertypes.get(part.ordinal, ()):
                listed = reduced_collection(written.listed)
                if listed is None or written.owner:
                    continue
                named = self._types.types_named(table, scope, written.name, written.line)
                found = self._elements.collection(table, part.ordinal, listed, written.line)
                if nothing_of_ours(named) and not self._is_in(type_id, self._elements.of(found)):
                    yield found

    @staticmethod
    def _is_in(type_id: SymbolId, values: Values) -> bool:
        return any(isinstance(value, Instance) and value.id == type_id for value in values)
