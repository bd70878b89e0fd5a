"""Evaluates written types, as values of types in the repository or from outside.

``Job | None`` gives an object of `Job`, ``list[Job]`` a collection of such, and ``typeof job`` what
the variable `job` stands for.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import msgspec

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.type_names import (
    CLASS,
    WRITTEN_OUT,
    Listed,
    alternatives,
    reduced_collection,
    reduced_function,
    simple_type_name,
)
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.function_types import aliased
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.types.written_types import (
    is_own_type,
    member_type,
    queried_value,
    simple_type_text,
)
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Collection,
    Defined,
    Function,
    Instance,
    Outside,
    Value,
    Values,
    Written,
    nothing_of_ours,
)
from explorer_core.index.symbols import VARIABLES, SymbolId

_FIELDS = 8
"""The most fields among which a member that only a type names (``Shop[Name]``) may be any."""


@dataclass(eq=False, repr=False)
class NamedTypes:
    """Evaluates written types."""

    _program: Program
    _names: Names
    _model: Semantics
    _variables: Variables
    _elements: Elements
    _owners: Owners

    def type_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written, or of each in a union; `Outside` if from outside."""
        if written.startswith(WRITTEN_OUT):
            return self._model.listings.of(table, scope, written, line) or OUTSIDE
        if len(each := alternatives(written)) > 1:
            several = (self.type_named(table, scope, one, line) for one in each)
            found = dict.fromkeys(value for values in several for value in values)
            known = tuple(value for value in found if not isinstance(value, Outside))
            return known or tuple(found)
        if written in table.spec.self_names:
            own = self._owners.self_around(table, scope)
            return own or self._files_named(table, scope, written, line) or OUTSIDE
        if queried := queried_value(written, table):
            return self._model.expressions.evaluate(table, scope, queried, line)
        if written.startswith(CLASS):
            values = self.type_named(table, scope, written.removeprefix(CLASS), line)
            types = (value for value in values if isinstance(value, Instance))
            return tuple(Defined(each.id, "graph:type") for each in types) or OUTSIDE
        if called := reduced_function(written):
            name, result = called
            named = self.types_named(table, scope, name, line) if name else OUTSIDE
            around = table.beyond_variables(scope, result)
            given = Written(table.path, around, line, result)
            function = Function(simple_type_name(name), result=given)
            return (function,) if nothing_of_ours(named) else named
        if listed := reduced_collection(written):
            named = self.types_named(table, scope, listed.name, line) if listed.name else OUTSIDE
            if not nothing_of_ours(named):
                # What is written for the alias itself counts, too.
                return (*self._with_argument(table, scope, named, listed, line), *named)
            leads = listed.lent or (not listed.keyed and _may_lead(table, listed.name))
            return (self._elements.collection(table, scope, listed, line, leads=leads),)
        if written.endswith("]"):
            return self._type_of_member(table, scope, written, line) or OUTSIDE
        found = self.types_named(table, scope, written, line)
        if not nothing_of_ours(found):
            return found
        if is_own_type(written, table.spec):  # qualified, as in ``typing.Self``
            return self._owners.self_around(table, scope) or OUTSIDE
        functions = tuple(value for value in found if isinstance(value, Function))
        known = functions or self._files_named(table, scope, written, line)
        return known or (Outside(simple_type_name(written)),)

    def _files_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The files that the name of a type means, in languages where a file is a type."""
        if not table.spec.own_file:
            return UNKNOWN
        values = self._model.expressions.evaluate(table, scope, written, line)
        held = (self._variables.declared(v.id) for v in values if isinstance(v, Defined))
        found = (*values, *chain.from_iterable(held))
        return tuple(dict.fromkeys(value for value in found if isinstance(value, Module)))

    def _with_argument(
        self, table: FileTable, scope: int, named: Values, listed: Listed, line: int
    ) -> Values:
        """Values of a generic alias with an argument: those of the argument if it is an alias for
        its parameter (``type Ref<T> = T``), or collections of the argument if for one of its
        parameter (``type Jobs<T> = T[]``). The same goes for a type whose values lead to such or
        that extends one. UNKNOWN for other types."""
        alias = named[0] if len(named) == 1 and not listed.keyed else None
        if not isinstance(alias, Instance):
            return UNKNOWN
        holder = self._program.holder(alias.id)
        definition = holder.definitions[alias.id.ordinal]
        stated = definition.returns if definition.kind == "type" else _target(holder, alias.id)
        if not stated:
            return self._extended(table, scope, alias.id, listed, line)
        meant = simple_type_text(stated, holder)
        if holder.type_parameter(alias.id.ordinal, meant):
            values = self.type_named(table, scope, listed.element, line)
            return UNKNOWN if nothing_of_ours(values) else values
        inner = reduced_collection(meant)
        if inner is None or not holder.type_parameter(alias.id.ordinal, inner.element):
            return UNKNOWN
        given = self.type_named(holder, alias.id.ordinal, meant, definition.line)
        element = self._elements.collection(table, scope, listed, line).element
        return tuple(
            msgspec.structs.replace(value, element=element)
            for value in given
            if isinstance(value, Collection)
        )

    def _extended(
        self, table: FileTable, scope: int, type_id: SymbolId, listed: Listed, line: int
    ) -> Values:
        """The collection that a type extends, with what stands for its type parameter in it."""
        held = self._model.extended_collections.of(type_id)
        if held is None or held.keyed or held.element.path != type_id.path:
            return UNKNOWN
        holder = self._program.holder(type_id)
        if not holder.type_parameter(type_id.ordinal, held.element.text):
            return UNKNOWN
        element = self._elements.collection(table, scope, listed, line).element
        return (msgspec.structs.replace(held, element=element),)

    def types_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; UNKNOWN when nothing binds it."""
        found: list[Value] = []
        bare = written.strip(" *&?!'\"")
        for value in self._model.expressions.evaluate(table, scope, bare, line, type_only=True):
            if isinstance(value, Instance | Outside):
                found.append(value)
            elif isinstance(value, Module):
                whole = self._names.whole(table, value)
                found += self.objects_of(whole) or self._model.calls.called(table, whole)
            else:
                found += self.objects_of((value,)) or self._within_limit(value)
        known = [value for value in found if not isinstance(value, Outside)]
        return tuple(dict.fromkeys(known or found))

    def _within_limit(self, value: Value) -> Values:
        """Values of the bound of a type variable."""
        if not self._program.is_of_kind(value, VARIABLES):
            return UNKNOWN
        holder = self._program.holder(value.id)
        own = holder.definitions[value.id.ordinal]
        limits = (b for b in holder.bound(own.container, own.name) if b.source == "limit")
        return tuple(v for b in limits for v in self.type_named(holder, b.scope, b.type, b.line))

    def given(self, function: Function) -> Values:
        """The results of calling a value of a function type."""
        written = function.result
        table = self._program.table(written.path)
        if table is None or not written.text:
            return OUTSIDE
        return self.type_named(table, written.scope, written.text, written.line)

    def functions_named(self, type_id: SymbolId) -> Values:
        """The function type that a type is an alias for; UNKNOWN if it is none."""
        table = self._program.holder(type_id)
        definition = table.definitions[type_id.ordinal]
        if definition.kind != "type":
            return UNKNOWN
        meant = definition.returns or aliased(definition.signature)
        written = simple_type_text(meant, table)
        if not reduced_function(written):
            return UNKNOWN
        return self.type_named(table, type_id.ordinal, written, definition.line)

    def objects_of(self, values: Values) -> list[Instance]:
        """Objects of the types among ``values``, and of the functions that make objects."""
        defined = (value for value in values if isinstance(value, Defined))
        return [Instance(v.id) for v in defined if self.is_type(v) or self._makes_objects(v)]

    def instances_of(self, values: Values) -> list[Instance]:
        """Objects of the types among ``values``."""
        defined = (value for value in values if isinstance(value, Defined))
        return [Instance(value.id) for value in defined if self.is_type(value)]

    def is_type(self, value: Defined) -> bool:
        """Whether a definition is a type."""
        return self._program.holder(value.id).is_type(value.id.ordinal)

    def _type_of_member(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The values that a member of a type holds, as declared (``Shop["till"]``). If a type
        stands for the name (``Shop[Name]``), those of any field, unless there are many."""
        holder, name = member_type(written)
        values = self.type_named(table, scope, holder, line) if holder else OUTSIDE
        members = self._model.members.named(table, values, name) if name else self._fields(values)
        held: list[Value] = []
        for member in members:
            known = isinstance(member, Defined)
            held += self._variables.declared(member.id) if known else (member,)
        return tuple(dict.fromkeys(held))

    def _fields(self, values: Values) -> Values:
        """The fields of types; UNKNOWN if there are many."""
        types = (value.id for value in values if isinstance(value, Instance))
        holders = ((self._program.holder(each), each.ordinal) for each in types)
        found = [
            Defined(holder.id(each), "graph:type")
            for holder, ordinal in holders
            for each in holder.children.get(ordinal, ())
            if holder.is_variable(each)
        ]
        return tuple(found) if len(found) <= _FIELDS else UNKNOWN

    def _makes_objects(self, value: Defined) -> bool:
        return self._program.holder(value.id).makes_objects(value.id.ordinal)


def _target(table: FileTable, type_id: SymbolId) -> str:
    """The type that values of a type lead to (``deref``), as written; empty if none."""
    by = table.spec.leading_member
    written = ""
    for ordinal in table.members(type_id.ordinal, by) if by else ():
        written = simple_type_text(table.definitions[ordinal].returns, table)
        for named in table.members(type_id.ordinal, last_part(written)):
            written = table.definitions[named].returns
    return written


def _may_lead(table: FileTable, written: str) -> bool:
    """Whether values of a generic type from outside may have the members of its argument. They may
    if the type is imported or named by a path, from a root that is not known to exclude it."""
    opaque = table.spec.opaque_roots
    head, _, within = written.partition("::")
    imported = table.imports.get((TOP, head), ())
    roots = [each.module.partition("::")[0] for each in imported] or [head] * bool(within)
    return bool(opaque and roots) and not any(root in opaque for root in roots)
