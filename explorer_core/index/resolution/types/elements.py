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
    Listed,
    reduced_collection,
    simple_type_name,
    split,
)
from explorer_core.index.languages.specification import Given
from explorer_core.index.resolution.function_types import aliased
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
    Written,
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
        table: FileTable, scope: int, listed: Listed, line: int, *, leads: bool = False
    ) -> Collection:
        """The collection that a written type stands for."""
        around = table.beyond_variables(scope, listed.element)
        element = Written(table.path, around, line, listed.element)
        name = simple_type_name(listed.name)
        if not name and table.spec.static_extensions:
            name = simple_type_name(listed.element)  # extensions of arrays name the element type
        return Collection(name, element=element, keyed=listed.keyed, leads=leads)

    def at(self, table: FileTable, values: Values, subscript: str) -> Values:
        """Subscripts values, or steps through them if the subscript is `EACH`."""
        spec = table.spec
        if spec.subscripts:
            return values
        found: dict[Value, None] = {}
        for value in values:
            if isinstance(value, Defined):
                holder = self._program.holder(value.id)
                carried = holder.carried(value.id.ordinal, subscript)
                found.update(dict.fromkeys(self._variables.bound(holder, carried, 0)))
        for value in self.held(values):
            if subscript == ENTERED:
                found.update(dict.fromkeys(self._entered(table, value)))
            elif isinstance(value, Instance):
                found.update(dict.fromkeys(self._of_instance(table, value, subscript)))
            elif isinstance(value, Collection):
                is_slice = spec.slice and compiled(spec.slice).match(subscript)
                given = (value,) if is_slice else self._of_collection(table, value, subscript)
                found.update(dict.fromkeys(given))
        return tuple(found)

    def _entered(self, table: FileTable, value: Value) -> Values:
        """Enters values (``with``): the block has what the type's entering member returns, or the
        element of a collection that is only stepped through for this; or else the value itself."""
        if isinstance(value, Collection):
            return UNKNOWN if value.keyed else self.of(value)
        members = self._model.members
        for name in table.spec.entering_members if isinstance(value, Instance) else ():
            if self._has(table, value, name):
                return members.called(table, (value,), name)
        return (value,)

    def _has(self, table: FileTable, value: Value, name: str) -> bool:
        """Whether the repository defines a member of that name for a value."""
        found = self._model.members.named(table, (value,), name) if name else ()
        return any(isinstance(each, Defined) for each in found)

    def _of_collection(self, table: FileTable, value: Collection, subscript: str) -> Values:
        if subscript == FIRST:
            has_keys = value.type not in table.spec.collection_words
            return UNKNOWN if has_keys else self.of(value)
        if subscript == EACH and value.keyed and table.spec.entries:
            return (value,)
        if subscript == VALUE and not value.keyed:
            return UNKNOWN
        placed = _at_place(value, subscript) if table.spec.lists_apart else None
        if placed:
            return self.of(placed)
        # A number may be a position with a type of its own, or any key.
        each = subscript != EACH and not subscript.isdigit()
        return self.of(value) if each or not value.keyed else UNKNOWN

    def _of_instance(self, table: FileTable, value: Instance, subscript: str) -> Values:
        if meant := self._meant(value):
            return self.at(table, meant, subscript)
        called, spec = self._model.members.called, table.spec
        names = spec.iterating_members if subscript == EACH else (spec.subscript_member,)
        extended = self._model.extended_collections.of(value.id)
        if extended and not (names and self._has(table, value, names[0])):
            return self._of_collection(table, extended, subscript)
        if subscript != EACH:
            member = spec.subscript_member
            return called(table, (value,), member) if member else UNKNOWN
        if not spec.iterating_members:
            return UNKNOWN
        stepped_through, each = spec.iterating_members
        iterators = called(table, (value,), stepped_through)
        listed = (
            self._of_collection(table, i, EACH) for i in iterators if isinstance(i, Collection)
        )
        own = tuple(i for i in iterators if isinstance(i, Instance))
        return tuple(v for values in listed for v in values) or called(table, own, each)

    def held(self, values: Values) -> Iterator[Value]:
        """Values, with variables and members of collections replaced by what they hold, and
        functions that are called by their bare names by what they return."""
        for value in values:
            if isinstance(value, Accessor):
                yield from self.given(value)
            elif self._program.is_of_kind(value, VARIABLES):
                yield from self._variables.declared(value.id)
            elif isinstance(value, Defined) and self._is_called_bare(value.id):
                yield from self._model.calls.called(self._program.holder(value.id), (value,))
            else:
                yield value

    def _is_called_bare(self, symbol_id: SymbolId) -> bool:
        is_bare = self._program.holder(symbol_id).spec.bare_members
        return is_bare and self._program.kind(symbol_id) in CALLABLES

    def _meant(self, value: Instance) -> tuple[Collection, ...]:
        """The collections that a type alias stands for."""
        holder = self._program.holder(value.id)
        definition = holder.definitions[value.id.ordinal]
        if definition.kind != "type":
            return ()
        written = simple_type_text(definition.returns or aliased(definition.signature), holder)
        listed = reduced_collection(written)
        if listed is None:
            return ()
        named = self._model.types.type_named(holder, value.id.ordinal, written, definition.line)
        return tuple(each for each in named if isinstance(each, Collection))

    def of(self, value: Collection) -> Values:
        """The elements of a collection."""
        element = value.element
        table = self._program.table(element.path)
        if table is None:
            return UNKNOWN
        text = element.text
        if not text.startswith(WRITTEN_OUT):
            text = simple_type_text(text, table)
        return self._model.types.type_named(table, element.scope, text, element.line)

    def collections(self, values: Values) -> Iterator[Collection]:
        """The collections among values, and those that types there alias or extend."""
        for value in self.held(values):
            if isinstance(value, Instance):
                extended = self._model.extended_collections.of(value.id)
                yield from (extended,) if extended else self._meant(value)
            elif isinstance(value, Collection):
                yield value

    @staticmethod
    def accessor(table: FileTable, value: Collection, name: str) -> Values:
        """The language's own member of a collection (``pop``); UNKNOWN for other names."""
        gives = table.spec.element_members.get(name)
        return (Accessor(of=value, gives=gives),) if gives else UNKNOWN

    def passed_on(self, values: Values, gives: Given) -> Values:
        """The result of a function of the language for values (``sorted``)."""
        if gives == "same":
            return values
        listed = self.collections(values)
        found = (v for each in listed for v in self.given(Accessor(of=each, gives=gives)))
        return tuple(dict.fromkeys(found))

    def given(self, accessor: Accessor) -> Values:
        """The result of a member of a collection."""
        if accessor.gives == "element":
            return self.of(accessor.of)
        keyed = accessor.of.keyed and accessor.gives == "same"
        return (msgspec.structs.replace(accessor.of, keyed=keyed),)


def _at_place(value: Collection, place: str) -> Collection | None:
    """A list with only the element at one position of a written-out list; None for others."""
    written = value.element.text
    if value.keyed or not place.isdigit() or not written.startswith(WRITTEN_OUT):
        return None
    part = next(islice(split(written.removeprefix(WRITTEN_OUT), ","), int(place), None), "")
    element = msgspec.structs.replace(value.element, text=WRITTEN_OUT + part)
    return msgspec.structs.replace(value, element=element)
