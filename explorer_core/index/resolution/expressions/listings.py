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
    outside,
    past,
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
    Written,
    chain,
)
from explorer_core.index.symbols import SymbolId

_MOST = 24
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
        if not table.spec.list_literals or not expression.startswith("["):
            return None
        end = past(expression, 0)
        parts = chain(f"_{expression[end:]}") if end > 0 else None
        if not parts or parts[0].called:
            return None
        return self._collection(table, scope, expression[1 : end - 1], line, keyed=False), parts

    def given(self, table: FileTable, scope: int, name: str, called: Part, line: int) -> Values:
        """The collection that a call of the language's own function makes: of the elements in its
        arguments, or of its type argument if it has one."""
        keyed = table.spec.listing[name] == "pairs"
        opening = outside(called.written, "(", 0)
        head, inner = called.written[:opening], called.written[opening + 1 :]
        types = head.partition("<")[2]
        if types:
            listed = reduced_collection(reduced_type(f"{called.name}<{types}", table.spec))
            written = f"{BY_KEY if keyed else OF}{listed.element}" if listed else ""
            return self._model.types.type_named(table, scope, written, line) if written else OUTSIDE
        return self._collection(table, scope, inner[: past(f"({inner}", 0) - 2], line, keyed=keyed)

    @staticmethod
    def _collection(table: FileTable, scope: int, inner: str, line: int, *, keyed: bool) -> Values:
        parts = [*split(inner, ",")]
        if keyed:
            pairs = (each.partition(table.spec.pair_mark) for each in parts)
            parts = [value for _, mark, value in pairs if mark]
        if not parts or len(parts) > _MOST:
            return OUTSIDE
        element = Written(table.path, scope, line, WRITTEN_OUT + ", ".join(parts))
        return (Collection(element=element, keyed=keyed),)

    def of(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The values of the expressions in a collection. If it has one type of elements, objects of
        the types that all expressions have in common. An element may depend on the variable that
        the collection is bound to (``last = [last.next]``)."""
        return self._evaluation.ask(
            (table.path, scope, written, line),
            lambda: self._of(table, scope, written, line),
            OUTSIDE,
            steps=0,
        )

    def _of(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        parts = split(written.removeprefix(WRITTEN_OUT), ",")
        found = [self._model.expressions.evaluate(table, scope, each, line) for each in parts]
        if table.spec.lists_apart:
            return tuple(dict.fromkeys(value for values in found for value in values))
        if len(set(found)) == 1:
            return found[0]
        return tuple(map(Instance, self._common(found)))

    def _common(self, found: list[Values]) -> Iterator[SymbolId]:
        """The types that all values are of, none of them a supertype of another one."""
        orders: list[tuple[SymbolId, ...]] = []
        for values in found:
            held = tuple(self._elements.held(values))
            known = [value.id for value in held if isinstance(value, Instance)]
            if not known or len(known) < len(held):
                return
            orders += map(self._hierarchy.order, known)
        left = [each for each in orders[0] if all(each in order for order in orders)]
        while left:
            yield left[0]
            above = self._hierarchy.order(left[0])
            left = [each for each in left if each not in above]
