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
    Outside,
    Table,
    Value,
    Values,
    nothing_of_ours,
    relabelled,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES

_CALLED = frozenset({"call", "construct"})
_WRITTEN_TYPES = frozenset({"type", "construct"})


class Lookup:
    """Looks references up: bare names, members, ``super`` and ``self``, local variables."""

    def __init__(self, program: Program, model: SemanticModel) -> None:
        self._program = program
        self._model = model

    def values(self, table: FileTable, reference: Reference) -> Values:
        """The values that a reference stands for."""
        reference = _seen_from_around(table, reference)
        if reference.receiver:
            return self._of_member(table, reference)
        scope, line, name = reference.scope, reference.line, reference.name
        if name in table.spec.super_names:
            if table.spec.super_calls:
                return self._model.supers.overridden(table, scope)
            bases = self._model.expressions.evaluate(table, scope, name, line)
            found = [Defined(b.id, "graph:type") for b in bases if isinstance(b, Instance)]
            made = [each for each in found if self._program.kind(each.id) != "interface"]
            return tuple(made or found)
        if own := self._own_type(table, reference):
            return own
        found = self._of_bare_name(table, reference)
        if reference.local:
            return self._of_local(table, reference, found)
        makes = reference.kind == "call" and name in table.spec.construct_members
        return found or (self._around(table, reference) if makes else UNKNOWN)

    def _of_member(self, table: FileTable, reference: Reference) -> Values:
        """The values that a name after a receiver stands for."""
        model, receiver = self._model, reference.receiver
        scope, line, name = reference.scope, reference.line, reference.name
        if receiver == table.spec.root:
            return model.expressions.evaluate(table, scope, receiver + name, line) or OUTSIDE
        if found := model.supers.member(table, scope, receiver, name):
            return found
        values = model.expressions.evaluate(table, scope, receiver, line, local=reference.local)
        if not values and not reference.local:
            values = model.qualified_names.member(table, scope, receiver, name)
        elif name in table.spec.construct_members and not nothing_of_ours(values):
            made = model.members.named(table, values, name)
            unnamed = last_part(receiver) in (*table.spec.self_names, table.spec.class_member)
            own = [v for v in made if isinstance(v, Instance) and (unnamed or v in values)]
            values = tuple(Defined(each.id, "graph:type") for each in own) or made
        else:
            is_type = any(self._program.is_of_kind(v, MEMBER_HOLDERS) for v in values)
            values = model.members.named(table, values, name)
            if is_type and nothing_of_ours(values) and not reference.local:
                values = model.qualified_names.in_whole_package(table, receiver, name) or values
        is_read = reference.kind != "call" or table.spec.bare_members
        if name == table.spec.class_member and is_read:
            is_of_kind = self._program.is_of_kind  # the member gives a type, but names none
            values = tuple(v for v in values if not is_of_kind(v, MEMBER_HOLDERS))
        if any(isinstance(value, Defined) for value in values):
            return values
        return model.extensions.imported(table, name) or values

    def _of_bare_name(self, table: FileTable, reference: Reference) -> Values:
        """The values of a bare name. Where it is not called inside a lambda with a receiver, data
        members of that receiver come before its functions."""
        calls = reference.kind in _CALLED
        implicit = self._model.implicit
        again = not calls and implicit.is_around(table, reference.scope, reference.line)
        found = UNKNOWN
        for meant in (calls, None) if again else (calls,):
            found = self._model.scopes.lookup(
                table,
                reference.scope,
                reference.name,
                reference.line,
                local=reference.local,
                type_only=reference.kind in _WRITTEN_TYPES,
                calls=meant,
            )
            if found and calls and all(self._is_never_called(table, each) for each in found):
                scopes = self._model.scopes
                found = scopes.function(table, reference.scope, reference.name) or found
            if found:
                break
        if not found and table.spec.markup_tables and reference.scope == TOP:
            return self._of_markup(table, reference.name)
        if not calls or reference.local:
            return found
        name, line = reference.name, reference.line
        if nothing_of_ours(found):
            extension = implicit.extension(table, reference.scope, name, line)
            found = extension or self._written_for_bases(table, reference) or found
        is_elsewhere = not any(isinstance(value, Defined) for value in found)
        return (self._model.extensions.imported(table, name) if is_elsewhere else UNKNOWN) or found

    def _written_for_bases(self, table: FileTable, reference: Reference) -> Values:
        """The members of a name that are written for what the type around is of elsewhere."""
        if table.spec.static_extensions or not table.spec.implicit_self:
            return UNKNOWN
        own = self._model.owners.around(table, reference.scope)
        bases = partial(chain.from_iterable, map(self._outside_bases, own))
        return relabelled(
            self._model.extensions.of_bases(table, bases, reference.name), "graph:scope"
        )

    def _outside_bases(self, value: Instance) -> tuple[str, ...]:
        return self._model.hierarchy.outside_bases(value.id)

    def _of_markup(self, table: FileTable, name: str) -> Values:
        """Resolves a name in markup: to a member of one of the tables in the component's default
        export (``markup_tables``), or of an object that one of its functions returns
        (``markup_makers``)."""
        whole = table.named.get(TOP, {}).get(DEFAULT, ())
        tables = tuple(
            Table(table.id(ordinal), (key,))
            for ordinal in whole
            for key in table.spec.markup_tables
        )
        makers = tuple(
            Defined(table.id(maker), "graph:scope")
            for ordinal in whole
            for key in table.spec.markup_makers
            for maker in table.named.get(ordinal, {}).get(key, ())
        )
        objects = (*tables, *self._model.calls.called(table, makers))
        found = self._model.members.named(table, objects, name) if objects else UNKNOWN
        return tuple(value for value in found if isinstance(value, Defined))

    def _is_never_called(self, table: FileTable, value: Value) -> bool:
        """Whether a value is a variable where only functions are called by name (Java)."""
        spec = table.spec
        return (
            spec.separate_functions
            and not spec.call_member
            and self._program.is_of_kind(value, VARIABLES)
        )

    def _own_type(self, table: FileTable, reference: Reference) -> Values:
        """Resolves calls of ``self``, ``cls`` and the like: to the enclosing type (``new self``,
        ``cls()``), or to the object (``self()``)."""
        names = table.spec.self_names
        is_self, local = self._model.owners.is_self, reference.local
        own = is_self(table, reference.scope, reference.name, local=local)
        if own and reference.name in table.spec.constructors:
            return self._this_as_constructor(table, reference)
        if reference.kind not in ("call", "construct") or not own:
            return UNKNOWN
        if reference.kind == "call" and reference.name == names[0]:
            around = self._model.owners.around(table, reference.scope)
            return self._constructors(table, reference, around) or around
        return self._around(table, reference)

    def _constructors(self, table: FileTable, reference: Reference, own: Values) -> Values:
        """The other constructors of the enclosing object, where one constructor delegates to
        another by the keyword for the object (``this(0)``)."""
        definition = table.definition(reference.scope)
        if definition is None or definition.kind != "constructor":
            return UNKNOWN
        ids = (each.id for each in own if isinstance(each, Instance))
        member = self._model.hierarchy.own_members
        others = (m for i in ids for m in member(i, definition.name))
        found = (Defined(m, "graph:type") for m in others if m != table.id(reference.scope))
        return tuple(value for value in found if self._program.kind(value.id) == "constructor")

    def _this_as_constructor(self, table: FileTable, reference: Reference) -> Values:
        """Resolves the keyword for the object where it also names the constructors: to these if a
        constructor calls it, otherwise to the object."""
        own = self._model.owners.around(table, reference.scope)
        if reference.kind != "call":
            return own or OPAQUE
        definition = table.definition(reference.scope)
        if definition is None or definition.kind != "constructor":
            return own
        member = self._model.hierarchy.member
        return tuple(v for each in own for v in member(each.id, reference.name)) or own

    def _around(self, table: FileTable, reference: Reference) -> Values:
        own = self._model.owners.around(table, reference.scope)
        return tuple(Defined(each.id, "graph:scope") for each in own)

    def _of_local(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """The values of a local variable that a reference names. A call means the function of the
        same name instead, if the variable got its value from that function or holds an object in a
        language with separate namespaces for functions and variables."""
        bindings = table.bound(reference.scope, reference.name)
        its_source = any(
            (each.line, each.source, each.type) == (reference.line, "call", reference.name)
            for each in bindings
        )
        is_object = bool(values) and all(_is_object(value) for value in values)
        apart = is_object and table.spec.separate_functions
        if reference.kind == "call" and (its_source or apart):
            found = self._model.scopes.function(table, reference.scope, reference.name)
            if found:
                return found
        functions = self._held_functions(values) if reference.kind == "call" else UNKNOWN
        return functions or self._but_fields(values)

    def _held_functions(self, values: Values) -> Values:
        """The functions that fields are declared to hold by a type query (``f: typeof make``)."""
        fields = (v for v in values if self._is_held(v))
        queried = (v.id for v in fields if self._is_queried(v))
        held = (v for field in queried for v in self._model.variables.declared(field))
        functions = (v for v in held if self._program.is_of_kind(v, CALLABLES))
        return relabelled(tuple(functions), "graph:type")

    def _is_queried(self, field: Defined) -> bool:
        holder = self._program.holder(field.id)
        return bool(queried_value(self._program.definition(field.id).returns, holder))

    def _but_fields(self, values: Values) -> Values:
        """Drops the fields that a local variable was taken from: it is used instead of them."""
        return tuple(v for v in values if not self._is_held(v)) or (OPAQUE if values else UNKNOWN)

    def _is_held(self, value: Value) -> TypeGuard[Defined]:
        """Whether a value is a field or variable, and not made by wrapping a function
        (``const load = keep(() => { ... })``), which is called under whatever name it has."""
        if not self._program.is_of_kind(value, VARIABLES):
            return False
        return not self._program.holder(value.id).is_made(value.id.ordinal)


def _is_object(value: Value) -> bool:
    """Whether a value is an object of a known, named type."""
    return isinstance(value, Instance) or (isinstance(value, Outside) and bool(value.type))


def _seen_from_around(table: FileTable, reference: Reference) -> Reference:
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
