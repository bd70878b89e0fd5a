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
    Asked,
    Defined,
    Function,
    Inherited,
    Instance,
    Opaque,
    Outside,
    Value,
    Values,
)
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId

_EVALUATED = CALLABLES | VARIABLES
_SAMPLED = 6
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

    def called(self, table: FileTable, values: Values) -> Values:
        """The results of calling each of the values."""
        found: list[Value] = []
        for value in sampled(self._program, values):
            if isinstance(value, Accessor):
                found += self._elements.given(value)
            elif isinstance(value, Function):
                found += self._types.given(value)
            elif isinstance(value, Inherited):
                found.append(Inherited(of=value.of, held=value.held))
            elif isinstance(value, Asked):
                found += (value,) if _passes_on(table) else self.called(table, value.otherwise)
            elif isinstance(value, Outside | Opaque):
                found.append(value)
            elif isinstance(value, Instance):
                found += self._called_object(table, value)
            elif isinstance(value, Module):
                whole = self.called(table, self._names.whole(table, value))
                found += whole or (OUTSIDE if value.package else UNKNOWN)
            elif isinstance(value, Defined):
                found += self._called_definition(table, value)
        return tuple(dict.fromkeys(found))

    def _called_object(self, table: FileTable, value: Instance) -> Values:
        if meant := self.call_member(table, value):
            return self.called(table, meant)
        given = self._lambdas.called(value.id) or self.called(
            table, self._types.functions_named(value.id)
        )
        return (*given, value) if _passes_on(table) else given

    def _called_definition(self, table: FileTable, value: Defined) -> Values:
        definition = self._program.definition(value.id)
        if self._types.is_type(value):
            return (Instance(value.id),)
        if definition.kind == "constructor":
            made = self._owners.holder_of(self._program.holder(value.id), value.id.ordinal)
            if made is not None:
                return (Instance(made),)
        if definition.kind in CALLABLES:
            return self.results(value) or tuple(self._types.objects_of((value,)))
        if definition.kind not in VARIABLES:
            return UNKNOWN
        spec = self._program.holder(value.id).spec
        if spec.separate_functions and not spec.call_member:  # a record's accessor
            return self._variables.declared(value.id)
        return self._called_variable(table, value.id)

    def _called_variable(self, table: FileTable, variable: SymbolId) -> Values:
        """The results of calling the value of a variable."""
        return self._evaluation.ask(
            (variable, table.facts.language),
            lambda: self.called(table, self._variables.declared(variable)),
            UNKNOWN,
        )

    def results(self, value: Defined) -> Values:
        """The declared results of a definition. A member that returns its own object returns one of
        the type it was looked up in. An inherited one that declares nothing may return one of that
        type."""
        values = self._receivers.given(value) or self._variables.declared(value.id)
        if value.of is None:
            return values
        if self._program.kind(value.of) in _EVALUATED:  # a table with members
            own = {v.id for v in self._around(value) if isinstance(v, Defined)}
            held = Defined(value.of, "graph:type")
            return tuple(held if isinstance(v, Defined) and v.id in own else v for v in values)
        if not values:
            return (Inherited(of=value.of),)
        if not self._variables.gives_own(value.id):
            return values
        own = self._around(value)
        return tuple(dict.fromkeys(Instance(value.of) if v in own else v for v in values))

    def _around(self, member: Defined) -> Values:
        """The object that a member has as its own."""
        return self._owners.self_around(self._program.holder(member.id), member.id.ordinal)

    def call_member(self, table: FileTable, value: Value) -> tuple[Defined, ...]:
        """The call operator of an object's type (``__call__``); none for other values."""
        name = table.spec.call_member
        if not name or not isinstance(value, Instance):
            return ()
        found = self._hierarchy.member(value.id, name)
        return tuple(each for each in found if isinstance(each, Defined))


def sampled(program: Program, values: Values) -> Values:
    """Drops all but the first few of the values to evaluate, if these are too many."""
    if len(values) <= MEANINGS:
        return values
    defined = (value for value in values if isinstance(value, Defined))
    evaluated = [value for value in defined if program.kind(value.id) in _EVALUATED]
    left_out = frozenset(evaluated[_SAMPLED:] if len(evaluated) > MEANINGS else ())
    return tuple(value for value in values if value not in left_out)


def _passes_on(table: FileTable) -> bool:
    """Whether members that return or make an object are called like others (``new``)."""
    return bool(table.spec.transparent_members or table.spec.construct_members)
