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
from explorer_core.index.resolution.values import Collection, Instance, Values, all_outside
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
        for supertype in self._hierarchy.lookup_order(type_id):
            if collections := [*self._declared_collections(supertype)]:
                element_types = {
                    (collection.element.text, collection.keyed) for collection in collections
                }
                return collections[0] if len(element_types) == 1 else None
        return None

    def _declared_collections(self, type_id: SymbolId) -> Iterator[Collection]:
        """The collections from outside that a type declares as supertypes. One whose argument is
        the type itself is rather about the type (``Comparable<Job>``)."""
        for declaration in self._names.declarations(type_id):
            table = self._program.table_of(declaration)
            scope = table.definitions[declaration.ordinal].container
            for clause in table.supertypes.get(declaration.ordinal, ()):
                listed = reduced_collection(clause.collection)
                if listed is None or clause.owner:
                    continue
                values = self._types.lookup(table, scope, clause.name, clause.line)
                collection = self._elements.collection(
                    table, declaration.ordinal, listed, clause.line
                )
                if all_outside(values) and not self._has_instance(
                    type_id, self._elements.of(collection)
                ):
                    yield collection

    @staticmethod
    def _has_instance(type_id: SymbolId, values: Values) -> bool:
        return any(isinstance(value, Instance) and value.id == type_id for value in values)
