"""Looks up what a reference stands for: a definition, a value of some type, or something outside.

Scopes come first, then imports, then the receiver's type. For ``cart.add(item)`` it finds the type
of ``cart`` and the members ``add`` of that type. Which of several definitions is meant by the way
the name is used is decided by `resolve.py`.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TypeGuard

import msgspec

from explorer_core.index.extraction.facts import DEFAULT, TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.semantic_model import SemanticModel
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.written_types import queried_value
from explorer_core.index.resolution.values import (
    OPAQUE,
    OUTSIDE,
    UNKNOWN,
    Defined,
    Instance,
    ObjectLiteral,
    Outside,
    Value,
    Values,
    all_outside,
    with_witness,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES

_CALL_KINDS = frozenset({"call", "construct"})
_TYPE_KINDS = frozenset({"type", "construct"})


class Lookup:
    """Looks references up: bare names, members, ``super`` and ``self``, local variables."""

    def __init__(self, program: Program, model: SemanticModel) -> None:
        self._program = program
        self._model = model

    def values(self, table: FileTable, reference: Reference) -> Values:
        """The values that a reference stands for."""
        reference = _with_lookup_scope(table, reference)
        if reference.receiver:
            return self._member_values(table, reference)
        scope, line, name = reference.scope, reference.line, reference.name
        if name in table.spec.super_names:
            if table.spec.super_calls:
                return self._model.supers.overridden(table, scope)
            bases = self._model.expressions.evaluate(table, scope, name, line)
            values = [Defined(b.id, "graph:type") for b in bases if isinstance(b, Instance)]
            classes = [value for value in values if self._program.kind(value.id) != "interface"]
            return tuple(classes or values)
        if self_values := self._self_values(table, reference):
            return self_values
        values = self._bare_name_values(table, reference)
        if reference.local:
            return self._local_values(table, reference, values)
        makes = reference.kind == "call" and name in table.spec.construct_members
        return values or (self._enclosing_types(table, reference) if makes else UNKNOWN)

    def _member_values(self, table: FileTable, reference: Reference) -> Values:
        """The values that a name after a receiver stands for."""
        model, receiver = self._model, reference.receiver
        scope, line, name = reference.scope, reference.line, reference.name
        if receiver == table.spec.root:
            return model.expressions.evaluate(table, scope, receiver + name, line) or OUTSIDE
        if super_members := model.supers.member(table, scope, receiver, name):
            return super_members
        values = model.expressions.evaluate(table, scope, receiver, line, local=reference.local)
        if not values and not reference.local:
            values = model.qualified_names.member(table, scope, receiver, name)
        elif name in table.spec.construct_members and not all_outside(values):
            members = model.members.named(table, values, name)
            is_self_or_class = last_part(receiver) in (
                *table.spec.self_names,
                table.spec.class_member,
            )
            constructed = [
                v for v in members if isinstance(v, Instance) and (is_self_or_class or v in values)
            ]
            values = (
                tuple(Defined(instance.id, "graph:type") for instance in constructed) or members
            )
        else:
            is_type = any(self._program.is_of_kind(v, MEMBER_HOLDERS) for v in values)
            values = model.members.named(table, values, name)
            if is_type and all_outside(values) and not reference.local:
                values = model.qualified_names.in_whole_package(table, receiver, name) or values
        is_read = reference.kind != "call" or table.spec.bare_members
        if name == table.spec.class_member and is_read:
            is_of_kind = self._program.is_of_kind  # the member gives a type, but names none
            values = tuple(v for v in values if not is_of_kind(v, MEMBER_HOLDERS))
        if any(isinstance(value, Defined) for value in values):
            return values
        return model.extensions.imported(table, name) or values

    def _bare_name_values(self, table: FileTable, reference: Reference) -> Values:
        """The values of a bare name. Where it is not called inside a lambda with a receiver, data
        members of that receiver come before its functions."""
        is_call = reference.kind in _CALL_KINDS
        implicit = self._model.implicit
        retries = not is_call and implicit.may_have_receiver(table, reference.scope, reference.line)
        values = UNKNOWN
        for calls in (is_call, None) if retries else (is_call,):
            values = self._model.scopes.lookup(
                table,
                reference.scope,
                reference.name,
                reference.line,
                local=reference.local,
                type_only=reference.kind in _TYPE_KINDS,
                calls=calls,
            )
            if values and is_call and all(self._is_never_called(table, value) for value in values):
                scopes = self._model.scopes
                values = scopes.function(table, reference.scope, reference.name) or values
            if values:
                break
        if not values and table.spec.markup_tables and reference.scope == TOP:
            return self._markup_values(table, reference.name)
        if not is_call or reference.local:
            return values
        name, line = reference.name, reference.line
        if all_outside(values):
            extension = implicit.extension(table, reference.scope, name, line)
            values = extension or self._base_extensions(table, reference) or values
        is_elsewhere = not any(isinstance(value, Defined) for value in values)
        return (self._model.extensions.imported(table, name) if is_elsewhere else UNKNOWN) or values

    def _base_extensions(self, table: FileTable, reference: Reference) -> Values:
        """The extension members called so of outside supertypes of the enclosing type."""
        if table.spec.static_extensions or not table.spec.implicit_self:
            return UNKNOWN
        types = self._model.owners.enclosing_types(table, reference.scope)
        bases = partial(chain.from_iterable, map(self._outside_bases, types))
        return with_witness(
            self._model.extensions.of_bases(table, bases, reference.name), "graph:scope"
        )

    def _outside_bases(self, value: Instance) -> tuple[str, ...]:
        return self._model.hierarchy.outside_bases(value.id)

    def _markup_values(self, table: FileTable, name: str) -> Values:
        """Resolves a name in markup: to a member of one of the tables in the component's default
        export (``markup_tables``), or of an object that one of its functions returns
        (``markup_makers``)."""
        exports = table.by_scope.get(TOP, {}).get(DEFAULT, ())
        tables = tuple(
            ObjectLiteral(table.id(ordinal), (key,))
            for ordinal in exports
            for key in table.spec.markup_tables
        )
        makers = tuple(
            Defined(table.id(maker), "graph:scope")
            for ordinal in exports
            for key in table.spec.markup_makers
            for maker in table.by_scope.get(ordinal, {}).get(key, ())
        )
        objects = (*tables, *self._model.calls.results(table, makers))
        members = self._model.members.named(table, objects, name) if objects else UNKNOWN
        return tuple(value for value in members if isinstance(value, Defined))

    def _is_never_called(self, table: FileTable, value: Value) -> bool:
        """Whether a value is a variable where only functions are called by name (Java)."""
        spec = table.spec
        return (
            spec.separate_functions
            and not spec.call_member
            and self._program.is_of_kind(value, VARIABLES)
        )

    def _self_values(self, table: FileTable, reference: Reference) -> Values:
        """Resolves calls of ``self``, ``cls`` and the like: to the enclosing type (``new self``,
        ``cls()``), or to the object (``self()``)."""
        names = table.spec.self_names
        is_self, local = self._model.owners.is_self, reference.local
        names_self = is_self(table, reference.scope, reference.name, local=local)
        if names_self and reference.name in table.spec.constructors:
            return self._this_as_constructor(table, reference)
        if reference.kind not in ("call", "construct") or not names_self:
            return UNKNOWN
        if reference.kind == "call" and reference.name == names[0]:
            types = self._model.owners.enclosing_types(table, reference.scope)
            return self._sibling_constructors(table, reference, types) or types
        return self._enclosing_types(table, reference)

    def _sibling_constructors(
        self, table: FileTable, reference: Reference, types: Values
    ) -> Values:
        """The other constructors of the enclosing object, where one constructor delegates to
        another by the keyword for the object (``this(0)``)."""
        definition = table.definition(reference.scope)
        if definition is None or definition.kind != "constructor":
            return UNKNOWN
        ids = (instance.id for instance in types if isinstance(instance, Instance))
        own_members = self._model.hierarchy.own_members
        others = (m for i in ids for m in own_members(i, definition.name))
        constructors = (Defined(m, "graph:type") for m in others if m != table.id(reference.scope))
        return tuple(
            value for value in constructors if self._program.kind(value.id) == "constructor"
        )

    def _this_as_constructor(self, table: FileTable, reference: Reference) -> Values:
        """Resolves the keyword for the object where it also names the constructors: to these if a
        constructor calls it, otherwise to the object."""
        types = self._model.owners.enclosing_types(table, reference.scope)
        if reference.kind != "call":
            return types or OPAQUE
        definition = table.definition(reference.scope)
        if definition is None or definition.kind != "constructor":
            return types
        member = self._model.hierarchy.member
        return tuple(v for instance in types for v in member(instance.id, reference.name)) or types

    def _enclosing_types(self, table: FileTable, reference: Reference) -> Values:
        types = self._model.owners.enclosing_types(table, reference.scope)
        return tuple(Defined(instance.id, "graph:scope") for instance in types)

    def _local_values(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """The values of a local variable that a reference names. A call means the function of the
        same name instead, if the variable got its value from that function or holds an object in a
        language with separate namespaces for functions and variables."""
        bindings = table.bindings(reference.scope, reference.name)
        holds_result = any(
            (binding.line, binding.source, binding.type) == (reference.line, "call", reference.name)
            for binding in bindings
        )
        is_object = bool(values) and all(_is_object(value) for value in values)
        are_separate = is_object and table.spec.separate_functions
        if reference.kind == "call" and (holds_result or are_separate):
            function_values = self._model.scopes.function(table, reference.scope, reference.name)
            if function_values:
                return function_values
        functions = self._held_functions(values) if reference.kind == "call" else UNKNOWN
        return functions or self._without_variables(values)

    def _held_functions(self, values: Values) -> Values:
        """The functions that fields are declared to hold by a type query (``f: typeof make``)."""
        fields = (v for v in values if self._is_variable(v))
        queried = (v.id for v in fields if self._has_type_query(v))
        declared = (v for field in queried for v in self._model.variables.declared_values(field))
        functions = (v for v in declared if self._program.is_of_kind(v, CALLABLES))
        return with_witness(tuple(functions), "graph:type")

    def _has_type_query(self, field: Defined) -> bool:
        holder = self._program.table_of(field.id)
        return bool(queried_value(self._program.definition(field.id).returns, holder))

    def _without_variables(self, values: Values) -> Values:
        """Drops the fields that a local variable was taken from: it is used instead of them."""
        return tuple(v for v in values if not self._is_variable(v)) or (
            OPAQUE if values else UNKNOWN
        )

    def _is_variable(self, value: Value) -> TypeGuard[Defined]:
        """Whether a value is a field or variable, and not made by wrapping a function
        (``const load = keep(() => { ... })``), which is called under whatever name it has."""
        if not self._program.is_of_kind(value, VARIABLES):
            return False
        return not self._program.table_of(value.id).is_wrapped_function(value.id.ordinal)


def _is_object(value: Value) -> bool:
    """Whether a value is an object of a known, named type."""
    return isinstance(value, Instance) or (isinstance(value, Outside) and bool(value.type))


def _with_lookup_scope(table: FileTable, reference: Reference) -> Reference:
    """The reference with the scope it is looked up in. Where a type's body is a scope, a decorator
    is looked up outside what it decorates."""
    if not table.spec.type_scopes:
        return reference
    decorated = table.definition(reference.scope)
    if decorated is None or reference.line > decorated.line:
        return reference
    if reference.line == decorated.line and reference.kind != "decorator":
        return reference
    return msgspec.structs.replace(reference, scope=decorated.container)
