"""Evaluates calls: of types, functions and objects, and of what variables hold.

``Cart()`` gives an object of `Cart`, and ``make_cart()`` what `make_cart` is declared to return.
"""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.functions.lambdas import Lambdas
from explorer_core.index.resolution.functions.receivers import Receivers
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.variables import MEANINGS, Variables
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Accessor,
    Defined,
    Function,
    Inherited,
    Instance,
    Opaque,
    Outside,
    Requested,
    Value,
    Values,
)
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId

_EVALUATED_KINDS = CALLABLES | VARIABLES
_MAX_SAMPLED = 6
"""If a name has more than `MEANINGS` definitions, only this many are evaluated: what they return
multiplies with every step."""


@dataclass(eq=False, repr=False)
class Calls:
    """Evaluates calls; memoised."""

    _program: Program
    _names: Names
    _types: NamedTypes
    _variables: Variables
    _owners: Owners
    _hierarchy: Hierarchy
    _elements: Elements
    _receivers: Receivers
    _lambdas: Lambdas
    _evaluation: Evaluation

    def results(self, table: FileTable, values: Values) -> Values:
        """The results of calling each of the values."""
        results: list[Value] = []
        for value in sampled(self._program, values):
            if isinstance(value, Accessor):
                results += self._elements.accessor_result(value)
            elif isinstance(value, Function):
                results += self._types.call_results(value)
            elif isinstance(value, Inherited):
                results.append(Inherited(type_id=value.type_id, held=value.held))
            elif isinstance(value, Requested):
                results += (
                    (value,)
                    if _has_transparent_members(table)
                    else self.results(table, value.fallback)
                )
            elif isinstance(value, Outside | Opaque):
                results.append(value)
            elif isinstance(value, Instance):
                results += self._object_results(table, value)
            elif isinstance(value, Module):
                module_results = self.results(table, self._names.default_export(table, value))
                results += module_results or (OUTSIDE if value.package else UNKNOWN)
            elif isinstance(value, Defined):
                results += self._definition_results(table, value)
        return tuple(dict.fromkeys(results))

    def _object_results(self, table: FileTable, value: Instance) -> Values:
        if operators := self.call_operators(table, value):
            return self.results(table, operators)
        results = self._lambdas.signature_results(value.id) or self.results(
            table, self._types.aliased_function(value.id)
        )
        return (*results, value) if _has_transparent_members(table) else results

    def _definition_results(self, table: FileTable, value: Defined) -> Values:
        definition = self._program.definition(value.id)
        if self._types.is_type(value):
            return (Instance(value.id),)
        if definition.kind == "constructor":
            type_id = self._owners.declaring_type(
                self._program.table_of(value.id), value.id.ordinal
            )
            if type_id is not None:
                return (Instance(type_id),)
        if definition.kind in CALLABLES:
            return self.declared_results(value) or tuple(self._types.objects_of((value,)))
        if definition.kind not in VARIABLES:
            return UNKNOWN
        spec = self._program.table_of(value.id).spec
        if spec.separate_functions and not spec.call_member:  # a record's accessor
            return self._variables.declared_values(value.id)
        return self._variable_results(table, value.id)

    def _variable_results(self, table: FileTable, variable: SymbolId) -> Values:
        """The results of calling the value of a variable."""
        return self._evaluation.ask(
            (variable, table.facts.language),
            lambda: self.results(table, self._variables.declared_values(variable)),
            UNKNOWN,
        )

    def declared_results(self, value: Defined) -> Values:
        """The declared results of a definition. A member that returns its own object returns one of
        the type it was looked up in. An inherited one that declares nothing may return one of that
        type."""
        values = self._receivers.result(value) or self._variables.declared_values(value.id)
        if value.receiver_type is None:
            return values
        if self._program.kind(value.receiver_type) in _EVALUATED_KINDS:  # a table with members
            own_objects = {v.id for v in self._own_object(value) if isinstance(v, Defined)}
            receiver = Defined(value.receiver_type, "graph:type")
            return tuple(
                receiver if isinstance(v, Defined) and v.id in own_objects else v for v in values
            )
        if not values:
            return (Inherited(type_id=value.receiver_type),)
        if not self._variables.returns_self(value.id):
            return values
        own_objects = self._own_object(value)
        return tuple(
            dict.fromkeys(Instance(value.receiver_type) if v in own_objects else v for v in values)
        )

    def _own_object(self, member: Defined) -> Values:
        """The object that a member has as its own."""
        return self._owners.self_values(self._program.table_of(member.id), member.id.ordinal)

    def call_operators(self, table: FileTable, value: Value) -> tuple[Defined, ...]:
        """The call operator of an object's type (``__call__``); none for other values."""
        name = table.spec.call_member
        if not name or not isinstance(value, Instance):
            return ()
        members = self._hierarchy.member(value.id, name)
        return tuple(member for member in members if isinstance(member, Defined))


def sampled(program: Program, values: Values) -> Values:
    """Drops all but the first few of the values to evaluate, if these are too many."""
    if len(values) <= MEANINGS:
        return values
    defined = (value for value in values if isinstance(value, Defined))
    evaluated = [value for value in defined if program.kind(value.id) in _EVALUATED_KINDS]
    left_out = frozenset(evaluated[_MAX_SAMPLED:] if len(evaluated) > MEANINGS else ())
    return tuple(value for value in values if value not in left_out)


def _has_transparent_members(table: FileTable) -> bool:
    """Whether members that return or make an object are called like others (``new``)."""
    return bool(table.spec.transparent_members or table.spec.construct_members)
