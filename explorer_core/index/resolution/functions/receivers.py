"""Selects extensions of collections by the elements these have.

An extension is a function whose first parameter is the object that it is called on. If that is a
collection, its elements distinguish extensions of the same name:
``Limit(this IQueryable<Item> items)`` is not meant for other elements.
"""

from __future__ import annotations

from collections.abc import Iterable

from explorer_core.index.extraction.reduced_types import reduced_type
from explorer_core.index.extraction.type_names import owner_type, reduced_collection
from explorer_core.index.resolution.function_types import declared_parameters, read_types_first
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.written_types import simple_type_text
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Collection,
    Defined,
    Instance,
    Outside,
    Value,
    Values,
)
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_SAME, _INHERITED, _POSSIBLE = range(3)
"""How well a value's elements fit what an extension is written for, the best first."""


class Receivers:
    """Selects extensions of the same name by the elements of the value they are called on."""

    def __init__(self, program: Program, elements: Elements, hierarchy: Hierarchy) -> None:
        self._program = program
        self._elements = elements
        self._hierarchy = hierarchy

    @memoised
    def receiver_collection(self, member: SymbolId) -> Collection | None:
        """The collection that an extension is written for; None for other extensions."""
        table = self._program.table_of(member)
        definition, spec = table.definitions[member.ordinal], table.spec
        if not spec.types_first or not table.is_extension(member.ordinal):
            return None
        declared = declared_parameters(definition.signature, definition.name)
        receiver = next(iter(read_types_first(declared, ())), None)
        if receiver is None or owner_type(receiver.type, spec) != definition.owner:
            return None
        listed = reduced_collection(reduced_type(receiver.type, spec))
        line = definition.line
        return listed and self._elements.collection(table, member.ordinal, listed, line)

    def applicable(self, members: Iterable[SymbolId], value: Collection) -> tuple[SymbolId, ...]:
        """The members that may be called on a collection, by its elements. Of those with as many
        parameters, the ones that fit best."""
        elements = self._elements.of(value)
        ranks = {member: self._rank(member, value, elements) for member in members}
        best: dict[int, int] = {}
        for member, rank in ranks.items():
            if rank is not None:
                count = self._parameter_count(member)
                best[count] = min(rank, best.get(count, rank))
        return tuple(
            m for m, rank in ranks.items() if rank == best.get(self._parameter_count(m), -1)
        )

    def applicable_to_any(
        self, members: tuple[SymbolId, ...], values: Values
    ) -> tuple[SymbolId, ...]:
        """The members that may be called on one of several values; all, if one is no collection."""
        stored = tuple(self._elements.stored_values(values))
        collections = [value for value in stored if isinstance(value, Collection)]
        if not collections or len(collections) < len(stored):
            return members
        applicable = {m for value in collections for m in self.applicable(members, value)}
        return tuple(member for member in members if member in applicable)

    def _parameter_count(self, member: SymbolId) -> int:
        """How many parameters a member has."""
        return len(self._program.table_of(member).parameters(member.ordinal))

    def _rank(self, member: SymbolId, value: Collection, elements: Values) -> int | None:
        """How well a member fits a collection; None if it is written for other elements."""
        receiver = self.receiver_collection(member)
        if receiver is None or receiver.keyed != value.keyed or self._is_generic(member, receiver):
            return _POSSIBLE
        ranks = [
            self._element_rank(expected, element)
            for expected in self._elements.of(receiver)
            for element in elements
        ]
        known = [rank for rank in ranks if rank is not None]
        return min(known) if known else None if ranks else _POSSIBLE

    def _element_rank(self, expected: Value, element: Value) -> int | None:
        if expected == element:
            return _POSSIBLE if expected == Outside() else _SAME
        if isinstance(element, Instance):
            if isinstance(expected, Instance):
                return (
                    _INHERITED if expected.id in self._hierarchy.lookup_order(element.id) else None
                )
            spec = self._program.table_of(element.id).spec
            is_open = self._hierarchy.is_open(element.id)
            is_any = isinstance(expected, Outside) and expected.type in ("", *spec.any_types)
            return _POSSIBLE if is_open or is_any or type(expected) is not Outside else None
        return None if isinstance(expected, Instance) and _is_of_plain_type(element) else _POSSIBLE

    def _is_generic(self, member: SymbolId, receiver: Collection) -> bool:
        """Whether a member is written for a collection of its own type parameter."""
        table = self._program.table_of(member)
        return bool(table.type_parameter(member.ordinal, receiver.element.text))

    def determining_collection(self, member: SymbolId, value: Collection) -> Collection | None:
        """The collection that a member is called on, if its elements determine the result."""
        receiver = self.receiver_collection(member)
        return value if receiver and self._is_generic(member, receiver) else None

    def result(self, member: Defined) -> Values:
        """A member's result, if the elements of the collection it is called on determine it."""
        receiver, value = self.receiver_collection(member.id), member.collection
        if receiver is None or value is None:
            return UNKNOWN
        table = self._program.table_of(member.id)
        returns = table.definitions[member.id.ordinal].returns
        written, parameter = simple_type_text(returns, table), receiver.element.text
        if written == parameter:
            return self._elements.of(value)
        listed = reduced_collection(written)
        if listed is None or listed.element != parameter or listed.keyed:
            return UNKNOWN
        result_type = self._elements.collection(table, member.id.ordinal, listed, 0)
        return (Collection(result_type.type, element=value.element, keyed=False),)


def _is_of_plain_type(value: Value) -> bool:
    """Whether a value from outside is of a known type that is no collection or the like."""
    return type(value) is Outside and bool(value.type)
