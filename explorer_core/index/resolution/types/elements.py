"""Evaluates what is in lists, tables and other collections whose own types are from outside.

``jobs[0]`` and ``for job in jobs`` give a `Job` if `jobs` is declared as ``list[Job]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from explorer_core.index.extraction.facts import EACH, ENTERED, FIRST, VALUE
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.type_names import (
    WRITTEN_OUT,
    CollectionType,
    reduced_collection,
    simple_type_name,
    split,
)
from explorer_core.index.languages.collection_rules import CollectionResult
from explorer_core.index.resolution.function_types import aliased_type
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.types.written_types import simple_type_text
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Accessor,
    Collection,
    Defined,
    Instance,
    Value,
    Values,
    WrittenType,
)
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId


class Elements:
    """Evaluates the elements of values."""

    def __init__(self, program: Program, model: Semantics, variables: Variables) -> None:
        self._program = program
        self._model = model
        self._variables = variables

    @staticmethod
    def collection(
        table: FileTable, scope: int, listed: CollectionType, line: int, *, derefs: bool = False
    ) -> Collection:
        """The collection that a written type stands for."""
        type_scope = table.unshadowed_scope(scope, listed.element)
        element = WrittenType(table.path, type_scope, line, listed.element)
        name = simple_type_name(listed.name)
        if not name and table.spec.static_extensions:
            name = simple_type_name(listed.element)  # extensions of arrays name the element type
        return Collection(name, element=element, keyed=listed.keyed, derefs=derefs)

    def at(self, table: FileTable, values: Values, subscript: str) -> Values:
        """Subscripts values, or steps through them if the subscript is `EACH`."""
        spec = table.spec
        if spec.subscripts:
            return values
        elements: dict[Value, None] = {}
        for value in values:
            if isinstance(value, Defined):
                holder = self._program.table_of(value.id)
                payload = holder.payload_bindings(value.id.ordinal, subscript)
                elements.update(dict.fromkeys(self._variables.value_at(holder, payload, 0)))
        for value in self.stored_values(values):
            if subscript == ENTERED:
                elements.update(dict.fromkeys(self._enter(table, value)))
            elif isinstance(value, Instance):
                elements.update(dict.fromkeys(self._instance_elements(table, value, subscript)))
            elif isinstance(value, Collection):
                pattern = spec.collections.slice
                is_slice = pattern and compiled(pattern).match(subscript)
                selected = (
                    (value,) if is_slice else self._collection_elements(table, value, subscript)
                )
                elements.update(dict.fromkeys(selected))
        return tuple(elements)

    def _enter(self, table: FileTable, value: Value) -> Values:
        """Enters values (``with``): the block has what the type's entering member returns, or the
        element of a collection that is only stepped through for this; or else the value itself."""
        if isinstance(value, Collection):
            return UNKNOWN if value.keyed else self.of(value)
        members = self._model.members
        for name in table.spec.entering_members if isinstance(value, Instance) else ():
            if self._defines_member(table, value, name):
                return members.call_results(table, (value,), name)
        return (value,)

    def _defines_member(self, table: FileTable, value: Value, name: str) -> bool:
        """Whether the repository defines a member of that name for a value."""
        members = self._model.members.named(table, (value,), name) if name else ()
        return any(isinstance(member, Defined) for member in members)

    def _collection_elements(self, table: FileTable, value: Collection, subscript: str) -> Values:
        if subscript == FIRST:
            has_keys = value.type not in table.spec.collection_words
            return UNKNOWN if has_keys else self.of(value)
        if subscript == EACH and value.keyed and table.spec.collections.entries:
            return (value,)
        if subscript == VALUE and not value.keyed:
            return UNKNOWN
        at_position = _at_position(value, subscript) if table.spec.collections.lists_apart else None
        if at_position:
            return self.of(at_position)
        # A number may be a position with a type of its own, or any key.
        is_named_key = subscript != EACH and not subscript.isdigit()
        return self.of(value) if is_named_key or not value.keyed else UNKNOWN

    def _instance_elements(self, table: FileTable, value: Instance, subscript: str) -> Values:
        if aliased := self._aliased_collections(value):
            return self.at(table, aliased, subscript)
        call_results, rules = self._model.members.call_results, table.spec.collections
        names = rules.iterating_members if subscript == EACH else (rules.subscript_member,)
        extended = self._model.extended_collections.of(value.id)
        if extended and not (names and self._defines_member(table, value, names[0])):
            return self._collection_elements(table, extended, subscript)
        if subscript != EACH:
            member = rules.subscript_member
            return call_results(table, (value,), member) if member else UNKNOWN
        if not rules.iterating_members:
            return UNKNOWN
        iterator_member, next_member = rules.iterating_members
        iterators = call_results(table, (value,), iterator_member)
        from_collections = (
            self._collection_elements(table, i, EACH)
            for i in iterators
            if isinstance(i, Collection)
        )
        instances = tuple(i for i in iterators if isinstance(i, Instance))
        return tuple(v for values in from_collections for v in values) or call_results(
            table, instances, next_member
        )

    def stored_values(self, values: Values) -> Iterator[Value]:
        """Values, with variables and members of collections replaced by what they hold, and
        functions that are called by their bare names by what they return."""
        for value in values:
            if isinstance(value, Accessor):
                yield from self.accessor_result(value)
            elif self._program.is_of_kind(value, VARIABLES):
                yield from self._variables.declared_values(value.id)
            elif isinstance(value, Defined) and self._is_called_bare(value.id):
                yield from self._model.calls.results(self._program.table_of(value.id), (value,))
            else:
                yield value

    def _is_called_bare(self, symbol_id: SymbolId) -> bool:
        is_bare = self._program.table_of(symbol_id).spec.bare_members
        return is_bare and self._program.kind(symbol_id) in CALLABLES

    def _aliased_collections(self, value: Instance) -> tuple[Collection, ...]:
        """The collections that a type alias stands for."""
        holder = self._program.table_of(value.id)
        definition = holder.definitions[value.id.ordinal]
        if definition.kind != "type":
            return ()
        written = simple_type_text(definition.returns or aliased_type(definition.signature), holder)
        listed = reduced_collection(written)
        if listed is None:
            return ()
        values = self._model.types.evaluate(holder, value.id.ordinal, written, definition.line)
        return tuple(value for value in values if isinstance(value, Collection))

    def of(self, value: Collection) -> Values:
        """The elements of a collection."""
        element = value.element
        table = self._program.table(element.path)
        if table is None:
            return UNKNOWN
        text = element.text
        if not text.startswith(WRITTEN_OUT):
            text = simple_type_text(text, table)
        return self._model.types.evaluate(table, element.scope, text, element.line)

    def collections(self, values: Values) -> Iterator[Collection]:
        """The collections among values, and those that types there alias or extend."""
        for value in self.stored_values(values):
            if isinstance(value, Instance):
                extended = self._model.extended_collections.of(value.id)
                yield from (extended,) if extended else self._aliased_collections(value)
            elif isinstance(value, Collection):
                yield value

    @staticmethod
    def accessor(table: FileTable, value: Collection, name: str) -> Values:
        """The language's own member of a collection (``pop``); UNKNOWN for other names."""
        gives = table.spec.collections.element_members.get(name)
        return (Accessor(collection=value, gives=gives),) if gives else UNKNOWN

    def builtin_results(self, values: Values, gives: CollectionResult) -> Values:
        """The result of a function of the language for values (``sorted``)."""
        if gives == "same":
            return values
        collections = self.collections(values)
        results = (
            v
            for collection in collections
            for v in self.accessor_result(Accessor(collection=collection, gives=gives))
        )
        return tuple(dict.fromkeys(results))

    def accessor_result(self, accessor: Accessor) -> Values:
        """The result of a member of a collection."""
        if accessor.gives == "element":
            return self.of(accessor.collection)
        keyed = accessor.collection.keyed and accessor.gives == "same"
        return (msgspec.structs.replace(accessor.collection, keyed=keyed),)


def _at_position(value: Collection, position: str) -> Collection | None:
    """A list with only the element at one position of a written-out list; None for others."""
    written = value.element.text
    if value.keyed or not position.isdigit() or not written.startswith(WRITTEN_OUT):
        return None
    part = next(islice(split(written.removeprefix(WRITTEN_OUT), ","), int(position), None), "")
    element = msgspec.structs.replace(value.element, text=WRITTEN_OUT + part)
    return msgspec.structs.replace(value, element=element)
