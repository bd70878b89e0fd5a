"""Looks up members of types and objects, of modules, and of what variables and functions give.

``cart.add`` is looked up in the type of `cart` and its supertypes, ``shop.Cart`` in the module
`shop`. A value from outside has only extensions, and what the language says of collections.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import msgspec

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.expressions.calls import Calls, sampled
from explorer_core.index.resolution.expressions.entries import Entries
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.functions.extensions import Extensions
from explorer_core.index.resolution.hierarchy.extended_collections import ExtendedCollections
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.types.visibility import Visibility
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Accessor,
    Collection,
    Defined,
    Function,
    Inherited,
    Instance,
    ObjectLiteral,
    Opaque,
    Outside,
    Requested,
    UnrelatedObject,
    Value,
    Values,
    all_outside,
    with_witness,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, SymbolId


@dataclass(eq=False, repr=False)
class Members:
    """Looks members up; memoised."""

    _program: Program
    _names: Names
    _types: NamedTypes
    _variables: Variables
    _hierarchy: Hierarchy
    _extended_collections: ExtendedCollections
    _elements: Elements
    _entries: Entries
    _extensions: Extensions
    _visibility: Visibility
    _calls: Calls
    _evaluation: Evaluation

    def named(self, table: FileTable, values: Values, name: str) -> Values:
        """The values' members called ``name``."""
        members: list[Value] = []
        for value in sampled(self._program, values):
            members += self.of_value(table, value, name)
        known = [value for value in members if not isinstance(value, Outside | Opaque)]
        if not known and name == table.spec.class_member:
            known = [Defined(v.id, "graph:type") for v in values if isinstance(v, Instance)]
        if not known and name in table.spec.transparent_members:
            known = [value for value in values if isinstance(value, Instance | Requested)]
        if not known and "." + name in table.spec.owner_suffixes:
            known = self._types.objects_of(values)
        makers = (*table.spec.construct_members, *table.spec.derived_makers)
        if name in makers and all(isinstance(v, Inherited) for v in known):
            receivers = (v for v in values if isinstance(v, Instance | Defined))
            known = [
                Instance(v.id)
                for v in receivers
                if isinstance(v, Instance) or self._types.is_type(v)
            ] or known
        return tuple(dict.fromkeys(known or members))

    def call_results(self, table: FileTable, values: Values, name: str) -> Values:
        """The results of calling the values' members called ``name``."""
        return self._calls.results(table, self.named(table, values, name))

    def of_value(self, table: FileTable, value: Value, name: str) -> Values:
        """One value's members called ``name``."""
        if isinstance(value, Opaque | UnrelatedObject):
            return (value,)
        if isinstance(value, Accessor):
            return self.named(table, self._elements.accessor_result(value), name)
        if isinstance(value, Collection):
            own = self._elements.accessor(table, value, name)
            own = own or (value.derefs and self._dereferenced_members(table, value, name))
            if own := own or self._boxed_values(table, value):
                return own
        if isinstance(value, Function) and name == table.spec.call_member:
            return (value,)
        if isinstance(value, Inherited):
            return self._of_inherited(table, value, name)
        if isinstance(value, Requested):
            found = self._hierarchy.member(value.type_id, name)
            members = tuple(member for member in found if isinstance(member, Defined))
            members = (
                with_witness(members, value.witness) if value.witness == "graph:name" else members
            )
            is_box = table.spec.boxes and not found  # a box may hold what is asked for
            return members or ((value,) if is_box else self.named(table, value.fallback, name))
        if isinstance(value, Outside):
            own = (*table.spec.construct_members, *table.spec.transparent_members)
            found = self._extensions.of_value(table, value, name)
            return found or ((value,) if name in own else OUTSIDE)
        if isinstance(value, Module):
            return self._of_module(table, value, name) or OUTSIDE
        if isinstance(value, Instance):
            return self._of_instance(table, value, name)
        if isinstance(value, ObjectLiteral):
            holder = self._program.table_of(value.id)
            found = self._entries.of_function(holder, value, name)
            return found or (UNKNOWN if value.keys else self._of_spread(holder, value.id, name))
        return self._of_definition(table, value, name)

    def _boxed_values(self, table: FileTable, value: Collection) -> Values:
        """The value that an object of a generic type from outside may hold, for any member of it
        (``box.value`` of a ``Box<Till>``). Only for imported types, in languages with such
        boxes."""
        is_imported = bool(value.type) and (TOP, value.type) in table.imports
        if not is_imported or value.keyed or not table.spec.boxes:
            return UNKNOWN
        contents = self._elements.of(value)
        return tuple(
            Requested(type_id=v.id, fallback=OUTSIDE) for v in contents if isinstance(v, Instance)
        )

    def _of_instance(self, table: FileTable, value: Instance, name: str) -> Values:
        members = self._hierarchy.member(value.id, name, static=False)
        if not all_outside(members):
            return members
        bases = partial(self._hierarchy.outside_bases, value.id)
        if extensions := self._extensions.of_bases(table, bases, name):
            return extensions
        dereferenced = (
            self._dereferenced_members(table, value, name) if table.spec.opaque_roots else UNKNOWN
        )
        return self._extended_collection_member(table, value, name) or dereferenced or members

    def _extended_collection_member(self, table: FileTable, value: Instance, name: str) -> Values:
        """The language's own member of a collection (``pop``), for a type that extends one."""
        if name not in table.spec.collections.element_members:
            return UNKNOWN
        extended = self._extended_collections.of(value.id)
        return self._elements.accessor(table, extended, name) if extended else UNKNOWN

    def _dereferenced_members(
        self, table: FileTable, value: Collection | Instance, name: str
    ) -> Values:
        """The members called ``name`` of what a value points to, as a smart pointer does, unless
        such pointers have that member themselves (``unwrap``)."""
        if name in table.spec.transparent_members:
            return UNKNOWN
        return self._evaluation.ask(
            (table.path, "leads", value, name),
            lambda: self._find_dereferenced_members(table, value, name),
            UNKNOWN,
            steps=0,
        )

    def _find_dereferenced_members(
        self, table: FileTable, value: Collection | Instance, name: str
    ) -> Values:
        members = self.named(table, tuple(self._dereferenced(table, value)), name)
        return tuple(member for member in members if isinstance(member, Defined))

    def _dereferenced(self, table: FileTable, value: Collection | Instance) -> Iterator[Value]:
        """The values that a value points to (by the ``deref`` of its type), or lends."""
        deref_member = table.spec.leading_member
        if deref_member and isinstance(value, Instance):
            results = self._calls.results(table, self._hierarchy.member(value.id, deref_member))
            yield from (result for result in results if result != value)
        for collection in self._elements.collections((value,)):
            if collection.derefs:
                yield from self._elements.of(collection)

    def _of_inherited(self, table: FileTable, value: Inherited, name: str) -> Values:
        """The members called ``name`` of the type whose value an inherited member may return. They
        are known by name only, and must be visible to the file. If there are none, ``name`` is
        taken to be inherited, too."""
        if value.is_other(bare_members=table.spec.bare_members):
            return (UnrelatedObject(),)
        candidates = self._hierarchy.member(value.type_id, name)
        defined = (member for member in candidates if isinstance(member, Defined))
        members = tuple(
            member for member in defined if self._visibility.is_visible(table, member.id)
        )
        inherited = Inherited(type_id=value.type_id, called=False, held=value.held)
        return with_witness(members, "graph:name") or (inherited,)

    def _of_definition(self, table: FileTable, value: Defined, name: str) -> Values:
        holder = self._program.table_of(value.id)
        kind = holder.definitions[value.id.ordinal].kind
        if kind in MEMBER_HOLDERS:
            values = self._hierarchy.member(value.id, name, static=True)
            return (Inherited(type_id=value.id),) if values == OUTSIDE else values
        if kind in NAMESPACES:
            values = with_witness(
                self._names.in_scope(holder, value.id.ordinal, name), value.witness
            )
            return values or self._names.in_namespace(holder, value.id.ordinal, name)
        if kind == "field" and (members := holder.by_scope.get(value.id.ordinal, {}).get(name)):
            # The members of an anonymous type that is written for the field.
            return tuple(Defined(holder.id(ordinal), "graph:type") for ordinal in members)
        if payload := holder.payload_bindings(value.id.ordinal, name):
            return self._variables.value_at(holder, payload, 0)
        ordinals = holder.assigned_members(value.id.ordinal, name)
        receiver_type = value.id if holder.spec.tables_inherit else None
        assigned = tuple(
            Defined(holder.id(o), value.witness, receiver_type=receiver_type) for o in ordinals
        )
        if assigned and receiver_type:
            return assigned
        is_called = kind in CALLABLES
        if is_called and value.witness == "graph:name" and holder.is_extension(value.id.ordinal):
            return OUTSIDE  # uncalled, it is rather a member of the value
        if is_called and (assigned or not table.spec.bare_members):
            return assigned or self._of_property(table, value, name)
        entries = UNKNOWN
        if not is_called:
            entries = self._entries.of_variable(holder, value, name)
            entries = entries or self._of_spread(holder, value.id, name)
        values = entries or self._evaluation.ask(
            (table.path, value.id, value.receiver_type, name),
            lambda: self.named(table, self._read_value(table, value, called=is_called), name),
            UNKNOWN,
            steps=0,
        )
        # Assigning to a member that the variable's type has defines no new one.
        values = _with_receiver(receiver_type, values) if receiver_type else values
        return assigned if assigned and all_outside(values) else values

    def _of_spread(self, holder: FileTable, object_id: SymbolId, name: str) -> Values:
        """The members called ``name`` that the object in a variable, or made by a function,
        includes from another one (``...other``). Two objects may include each other."""
        spread = self._entries.spread_object(holder, object_id.ordinal)
        return self._evaluation.ask(
            ("taken in", object_id, name),
            lambda: self.named(holder, spread, name),
            UNKNOWN,
            steps=0,
        )

    def _of_property(self, table: FileTable, function: Defined, name: str) -> Values:
        """The members called ``name`` of what a property holds, if an uncalled function has the
        property's name and the language keeps the two apart."""
        holder = self._program.table_of(function.id)
        definition = holder.definitions[function.id.ordinal]
        if not holder.spec.separate_functions or not holder.is_type(definition.container):
            return UNKNOWN
        assignments = holder.field_assignments(definition.container, definition.name)
        return self.named(table, self._variables.value_at(holder, assignments, 0), name)

    def _read_value(self, table: FileTable, value: Defined, *, called: bool) -> Values:
        """The value of a definition's bare name: its result if it is called, or what it holds."""
        return (
            self._calls.results(table, (value,)) if called else self._calls.declared_results(value)
        )

    def _of_module(self, table: FileTable, module: Module, name: str) -> Values:
        """The values of a name in a module: its own, or else members of its default export. The
        latter also come before names that the module hides."""
        values = self._names.member(table, module, name)
        if values and not all(self._is_hidden(value) for value in values):
            return values
        return self.named(table, self._names.default_export(table, module), name) or values

    def _is_hidden(self, value: Value) -> bool:
        return isinstance(value, Defined) and not self._program.definition(value.id).exported


def _with_receiver(table: SymbolId, members: Values) -> Values:
    """Members that a table inherits from another one, marked as looked up in ``table``."""
    replace = msgspec.structs.replace
    return tuple(
        replace(v, receiver_type=table)
        if isinstance(v, Defined) and v.receiver_type is not None
        else v
        for v in members
    )
