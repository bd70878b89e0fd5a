"""Evaluates collections that are written out: ``[first, second]``, ``listOf(first, second)``.

Lists in brackets, and calls of the language's functions that make a collection of their arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.reduced_types import reduced_type
from explorer_core.index.extraction.type_names import (
    BY_KEY,
    OF,
    WRITTEN_OUT,
    bracket_end,
    find_top_level,
    reduced_collection,
    split,
)
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.values import (
    OUTSIDE,
    Collection,
    Instance,
    Part,
    Values,
    WrittenType,
    split_chain,
)
from explorer_core.index.symbols import SymbolId

_MAX_ELEMENTS = 24
"""If a collection has more elements than this, none is examined."""


class Listings:
    """Evaluates collections by the elements that are written in them."""

    def __init__(
        self, model: Semantics, evaluation: Evaluation, hierarchy: Hierarchy, elements: Elements
    ) -> None:
        self._model = model
        self._evaluation = evaluation
        self._hierarchy = hierarchy
        self._elements = elements

    def literal(
        self, table: FileTable, scope: int, expression: str, line: int
    ) -> tuple[Values, tuple[Part, ...]] | None:
        """The list that an expression begins with, and the parts after it, the first of which has
        the list's own subscripts; None for other expressions."""
        if not table.spec.collections.list_literals or not expression.startswith("["):
            return None
        end = bracket_end(expression, 0)
        parts = split_chain(f"_{expression[end:]}") if end > 0 else None
        if not parts or parts[0].called:
            return None
        return self._collection(table, scope, expression[1 : end - 1], line, keyed=False), parts

    def from_call(self, table: FileTable, scope: int, name: str, call: Part, line: int) -> Values:
        """The collection that a call of the language's own function makes: of the elements in its
        arguments, or of its type argument if it has one."""
        keyed = table.spec.collections.listing[name] == "pairs"
        opening = find_top_level(call.call_text, "(", 0)
        head, inner = call.call_text[:opening], call.call_text[opening + 1 :]
        types = head.partition("<")[2]
        if types:
            listed = reduced_collection(reduced_type(f"{call.name}<{types}", table.spec))
            written = f"{BY_KEY if keyed else OF}{listed.element}" if listed else ""
            return self._model.types.evaluate(table, scope, written, line) if written else OUTSIDE
        return self._collection(
            table, scope, inner[: bracket_end(f"({inner}", 0) - 2], line, keyed=keyed
        )

    @staticmethod
    def _collection(table: FileTable, scope: int, inner: str, line: int, *, keyed: bool) -> Values:
        parts = [*split(inner, ",")]
        if keyed:
            pairs = (pair.partition(table.spec.collections.pair_mark) for pair in parts)
            parts = [value for _, mark, value in pairs if mark]
        if not parts or len(parts) > _MAX_ELEMENTS:
            return OUTSIDE
        element = WrittenType(table.path, scope, line, WRITTEN_OUT + ", ".join(parts))
        return (Collection(element=element, keyed=keyed),)

    def elements(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The values of the expressions in a collection. If it has one type of elements, objects of
        the types that all expressions have in common. An element may depend on the variable that
        the collection is bound to (``last = [last.next]``)."""
        return self._evaluation.ask(
            (table.path, scope, written, line),
            lambda: self._find_elements(table, scope, written, line),
            OUTSIDE,
            steps=0,
        )

    def _find_elements(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        parts = split(written.removeprefix(WRITTEN_OUT), ",")
        element_values = [
            self._model.expressions.evaluate(table, scope, part, line) for part in parts
        ]
        if table.spec.collections.lists_apart:
            return tuple(dict.fromkeys(value for values in element_values for value in values))
        if len(set(element_values)) == 1:
            return element_values[0]
        return tuple(map(Instance, self._common_types(element_values)))

    def _common_types(self, element_values: list[Values]) -> Iterator[SymbolId]:
        """The types that all values are of, none of them a supertype of another one."""
        orders: list[tuple[SymbolId, ...]] = []
        for values in element_values:
            stored = tuple(self._elements.stored_values(values))
            known = [value.id for value in stored if isinstance(value, Instance)]
            if not known or len(known) < len(stored):
                return
            orders += map(self._hierarchy.lookup_order, known)
        candidates = [type_id for type_id in orders[0] if all(type_id in order for order in orders)]
        while candidates:
            yield candidates[0]
            supertypes = self._hierarchy.lookup_order(candidates[0])
            candidates = [type_id for type_id in candidates if type_id not in supertypes]
