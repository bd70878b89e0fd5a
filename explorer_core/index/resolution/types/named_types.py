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
    CollectionType,
    alternatives,
    reduced_collection,
    reduced_function,
    simple_type_name,
)
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.function_types import aliased_type
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
    WrittenType,
    all_outside,
)
from explorer_core.index.symbols import VARIABLES, SymbolId

_MAX_FIELDS = 8
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

    def evaluate(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written, or of each in a union; `Outside` if from outside."""
        if written.startswith(WRITTEN_OUT):
            return self._model.listings.elements(table, scope, written, line) or OUTSIDE
        if len(union_members := alternatives(written)) > 1:
            evaluated = (self.evaluate(table, scope, member, line) for member in union_members)
            results = dict.fromkeys(value for values in evaluated for value in values)
            known = tuple(value for value in results if not isinstance(value, Outside))
            return known or tuple(results)
        if written in table.spec.self_names:
            self_values = self._owners.self_values(table, scope)
            return self_values or self._files_named(table, scope, written, line) or OUTSIDE
        if queried := queried_value(written, table):
            return self._model.expressions.evaluate(table, scope, queried, line)
        if written.startswith(CLASS):
            values = self.evaluate(table, scope, written.removeprefix(CLASS), line)
            types = (value for value in values if isinstance(value, Instance))
            return tuple(Defined(instance.id, "graph:type") for instance in types) or OUTSIDE
        if reduced := reduced_function(written):
            name, result = reduced
            name_values = self.lookup(table, scope, name, line) if name else OUTSIDE
            type_scope = table.unshadowed_scope(scope, result)
            result_type = WrittenType(table.path, type_scope, line, result)
            function = Function(simple_type_name(name), result=result_type)
            return (function,) if all_outside(name_values) else name_values
        if listed := reduced_collection(written):
            name_values = self.lookup(table, scope, listed.name, line) if listed.name else OUTSIDE
            if not all_outside(name_values):
                # What is written for the alias itself counts, too.
                return (*self._with_argument(table, scope, name_values, listed, line), *name_values)
            derefs = listed.borrowed or (not listed.keyed and _may_deref(table, listed.name))
            return (self._elements.collection(table, scope, listed, line, derefs=derefs),)
        if written.endswith("]"):
            return self._member_type_values(table, scope, written, line) or OUTSIDE
        results = self.lookup(table, scope, written, line)
        if not all_outside(results):
            return results
        if is_own_type(written, table.spec):  # qualified, as in ``typing.Self``
            return self._owners.self_values(table, scope) or OUTSIDE
        functions = tuple(value for value in results if isinstance(value, Function))
        known = functions or self._files_named(table, scope, written, line)
        return known or (Outside(simple_type_name(written)),)

    def _files_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The files that the name of a type means, in languages where a file is a type."""
        if not table.spec.own_file:
            return UNKNOWN
        values = self._model.expressions.evaluate(table, scope, written, line)
        declared = (self._variables.declared_values(v.id) for v in values if isinstance(v, Defined))
        all_values = (*values, *chain.from_iterable(declared))
        return tuple(dict.fromkeys(value for value in all_values if isinstance(value, Module)))

    def _with_argument(
        self, table: FileTable, scope: int, name_values: Values, listed: CollectionType, line: int
    ) -> Values:
        """Values of a generic alias with an argument: those of the argument if it is an alias for
        its parameter (``type Ref<T> = T``), or collections of the argument if for one of its
        parameter (``type Jobs<T> = T[]``). The same goes for a type whose values lead to such or
        that extends one. UNKNOWN for other types."""
        alias = name_values[0] if len(name_values) == 1 and not listed.keyed else None
        if not isinstance(alias, Instance):
            return UNKNOWN
        holder = self._program.table_of(alias.id)
        definition = holder.definitions[alias.id.ordinal]
        target_text = (
            definition.returns if definition.kind == "type" else _deref_type_text(holder, alias.id)
        )
        if not target_text:
            return self._extended_collection(table, scope, alias.id, listed, line)
        aliased = simple_type_text(target_text, holder)
        if holder.type_parameter(alias.id.ordinal, aliased):
            values = self.evaluate(table, scope, listed.element, line)
            return UNKNOWN if all_outside(values) else values
        inner = reduced_collection(aliased)
        if inner is None or not holder.type_parameter(alias.id.ordinal, inner.element):
            return UNKNOWN
        alias_values = self.evaluate(holder, alias.id.ordinal, aliased, definition.line)
        element = self._elements.collection(table, scope, listed, line).element
        return tuple(
            msgspec.structs.replace(value, element=element)
            for value in alias_values
            if isinstance(value, Collection)
        )

    def _extended_collection(
        self, table: FileTable, scope: int, type_id: SymbolId, listed: CollectionType, line: int
    ) -> Values:
        """The collection that a generic type extends, with the written argument as its element."""
        extended = self._model.extended_collections.of(type_id)
        if extended is None or extended.keyed or extended.element.path != type_id.path:
            return UNKNOWN
        holder = self._program.table_of(type_id)
        if not holder.type_parameter(type_id.ordinal, extended.element.text):
            return UNKNOWN
        element = self._elements.collection(table, scope, listed, line).element
        return (msgspec.structs.replace(extended, element=element),)

    def lookup(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; UNKNOWN when nothing binds it."""
        values: list[Value] = []
        bare = written.strip(" *&?!'\"")
        for value in self._model.expressions.evaluate(table, scope, bare, line, type_only=True):
            if isinstance(value, Instance | Outside):
                values.append(value)
            elif isinstance(value, Module):
                exported = self._names.default_export(table, value)
                values += self.objects_of(exported) or self._model.calls.results(table, exported)
            else:
                values += self.objects_of((value,)) or self._limit_values(value)
        known = [value for value in values if not isinstance(value, Outside)]
        return tuple(dict.fromkeys(known or values))

    def _limit_values(self, value: Value) -> Values:
        """Values of the bound of a type variable."""
        if not self._program.is_of_kind(value, VARIABLES):
            return UNKNOWN
        holder = self._program.table_of(value.id)
        definition = holder.definitions[value.id.ordinal]
        limits = (
            b for b in holder.bindings(definition.container, definition.name) if b.source == "limit"
        )
        return tuple(v for b in limits for v in self.evaluate(holder, b.scope, b.type, b.line))

    def call_results(self, function: Function) -> Values:
        """The results of calling a value of a function type."""
        written = function.result
        table = self._program.table(written.path)
        if table is None or not written.text:
            return OUTSIDE
        return self.evaluate(table, written.scope, written.text, written.line)

    def aliased_function(self, type_id: SymbolId) -> Values:
        """The function type that a type is an alias for; UNKNOWN if it is none."""
        table = self._program.table_of(type_id)
        definition = table.definitions[type_id.ordinal]
        if definition.kind != "type":
            return UNKNOWN
        target_text = definition.returns or aliased_type(definition.signature)
        written = simple_type_text(target_text, table)
        if not reduced_function(written):
            return UNKNOWN
        return self.evaluate(table, type_id.ordinal, written, definition.line)

    def objects_of(self, values: Values) -> list[Instance]:
        """Objects of the types among ``values``, and of the functions that make objects."""
        defined = (value for value in values if isinstance(value, Defined))
        return [
            Instance(v.id) for v in defined if self.is_type(v) or self._is_constructor_function(v)
        ]

    def instances_of(self, values: Values) -> list[Instance]:
        """Objects of the types among ``values``."""
        defined = (value for value in values if isinstance(value, Defined))
        return [Instance(value.id) for value in defined if self.is_type(value)]

    def is_type(self, value: Defined) -> bool:
        """Whether a definition is a type."""
        return self._program.table_of(value.id).is_type(value.id.ordinal)

    def _member_type_values(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The values that a member of a type holds, as declared (``Shop["till"]``). If a type
        stands for the name (``Shop[Name]``), those of any field, unless there are many."""
        holder, name = member_type(written)
        values = self.evaluate(table, scope, holder, line) if holder else OUTSIDE
        members = self._model.members.named(table, values, name) if name else self._fields(values)
        declared: list[Value] = []
        for member in members:
            is_definition = isinstance(member, Defined)
            declared += self._variables.declared_values(member.id) if is_definition else (member,)
        return tuple(dict.fromkeys(declared))

    def _fields(self, values: Values) -> Values:
        """The fields of types; UNKNOWN if there are many."""
        types = (value.id for value in values if isinstance(value, Instance))
        holders = ((self._program.table_of(type_id), type_id.ordinal) for type_id in types)
        fields = [
            Defined(holder.id(child), "graph:type")
            for holder, ordinal in holders
            for child in holder.children.get(ordinal, ())
            if holder.is_variable(child)
        ]
        return tuple(fields) if len(fields) <= _MAX_FIELDS else UNKNOWN

    def _is_constructor_function(self, value: Defined) -> bool:
        return self._program.table_of(value.id).is_constructor_function(value.id.ordinal)


def _deref_type_text(table: FileTable, type_id: SymbolId) -> str:
    """The type that values of a type lead to (``deref``), as written; empty if none."""
    deref_member = table.spec.leading_member
    written = ""
    for ordinal in table.members(type_id.ordinal, deref_member) if deref_member else ():
        written = simple_type_text(table.definitions[ordinal].returns, table)
        for alias in table.members(type_id.ordinal, last_part(written)):
            written = table.definitions[alias].returns
    return written


def _may_deref(table: FileTable, written: str) -> bool:
    """Whether values of a generic type from outside may have the members of its argument. They may
    if the type is imported or named by a path, from a root that is not known to exclude it."""
    opaque = table.spec.opaque_roots
    head, _, rest = written.partition("::")
    imported = table.imports.get((TOP, head), ())
    roots = [binding.module.partition("::")[0] for binding in imported] or [head] * bool(rest)
    return bool(opaque and roots) and not any(root in opaque for root in roots)
