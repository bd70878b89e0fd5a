"""Evaluates the parameters of anonymous functions, from what these are passed to.

In ``each((item) => item.go())`` nothing at ``item`` says what it is, but the declaration
``each(f: (item: Item) => void)`` does. A parameter is evaluated only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import ASSIGNED, ELEMENT, UNNAMED, Lambda, TypeBinding
from explorer_core.index.extraction.references import head_of
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.function_types import result_type, type_arguments
from explorer_core.index.resolution.functions.expected_types import ExpectedTypes
from explorer_core.index.resolution.functions.shapes import Shape, Shapes, call_signatures
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Collection,
    Defined,
    Instance,
    Outside,
    Value,
    Values,
    WrittenType,
)
from explorer_core.index.symbols import SymbolId


class Destination(msgspec.Struct, frozen=True, gc=False):
    """The place that anonymous functions are passed or assigned to."""

    values: Values
    """The callees that they are passed to, or the variables that they are assigned to."""
    argument: str
    """Which argument they are, by position or name. `ASSIGNED` for no argument, and empty where a
    type is written for what they are."""
    keys: tuple[str, ...]
    """As in `Lambda`."""
    type_arguments: tuple[WrittenType, ...]
    """The type arguments of the call; without an ``argument``, the written type."""


NO_DESTINATION = Destination((), "", (), ())
_EXPECTED = "expected"
RECEIVER = "receiver"
"""Stands for the position of a parameter: the function's receiver."""


class Lambdas:
    """Evaluates the parameters of anonymous functions; memoised."""

    def __init__(
        self,
        program: Program,
        hierarchy: Hierarchy,
        types: NamedTypes,
        model: Semantics,
        elements: Elements,
        evaluation: Evaluation,
    ) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._model = model
        self._types = ExpectedTypes(program, hierarchy, types)
        self._shapes = Shapes(program, hierarchy, self._types)
        self._elements = elements
        self._evaluation = evaluation

    def parameter(self, table: FileTable, binding: TypeBinding) -> Values:
        """The value of a parameter, or of its member if it is destructured; UNKNOWN if the
        declarations of what is called disagree."""
        position, _, key = binding.type.partition(".")
        values = self.parameter_value(table, binding.function, position)
        return self._model.members.named(table, values, key) if key and values else values

    def key_holders(self, table: FileTable, key: str) -> Values:
        """The objects that a key belongs to, if it stands in place of a receiver: those of the
        types expected there, or these types, in languages that keep static members apart."""
        number, _, position = key.removeprefix(UNNAMED).partition(".")
        if position:
            return self.parameter_value(table, int(number), position)
        expected = self._expected_at(table, int(number))
        are_separate = table.spec.statics_apart
        return (
            tuple(Defined(instance.id, "graph:type") for instance in expected)
            if are_separate
            else expected
        )

    def parameter_value(self, table: FileTable, number: int, position: str) -> Values:
        """The value of a function's parameter by position, or of its receiver (`RECEIVER`)."""
        function = table.facts.lambdas[number]
        destination = self._destination(table, function)
        values = self._evaluation.ask(
            (destination, position), lambda: self._agreed_value(destination, position), UNKNOWN
        )
        return values or self._value_from_receiver(table, function, position)

    def implemented_members(self, table: FileTable, ordinal: int) -> tuple[SymbolId, ...]:
        """The members that a member of an object literal implements: those of its name in the types
        expected where the object stands."""
        members = (
            member
            for instance in self.expected_types(table, ordinal)
            for member in self._hierarchy.member(instance.id, table.definitions[ordinal].name)
        )
        return tuple(dict.fromkeys(m.id for m in members if isinstance(m, Defined)))

    def expected_types(self, table: FileTable, ordinal: int) -> tuple[Instance, ...]:
        """The types expected of the object that a definition is a member of."""
        number = table.literal_members.get(ordinal)
        return () if number is None else self._expected_at(table, number)

    def _expected_at(self, table: FileTable, number: int) -> tuple[Instance, ...]:
        """The types of the repository that are expected where an object stands."""
        function = table.facts.lambdas[number]
        destination = self._destination(table, function)
        types = self._evaluation.ask(
            (destination, _EXPECTED), lambda: self._expected_holders(destination), ()
        )
        return types or self._element_types(table, function)

    def _element_types(self, table: FileTable, function: Lambda) -> tuple[Instance, ...]:
        """The types expected of an object that is passed to a member of a collection: those of the
        elements (``jobs.push({ id: 1 })``)."""
        collections = self._collections(*self._receiver(table, function))
        holders = (
            v
            for collection in collections
            for v in self._types.holders(collection.element, function.keys)
        )
        return tuple(dict.fromkeys(holders))

    def _expected_holders(self, destination: Destination) -> tuple[Instance, ...]:
        expected = self._types_at_destination(destination)
        holders = (
            v
            for expected_type in expected
            for v in self._types.holders(expected_type, destination.keys)
        )
        return tuple(dict.fromkeys(holders))

    def _destination(self, table: FileTable, function: Lambda) -> Destination:
        return self._evaluation.ask(
            (table.path, function), lambda: self._find_destination(table, function), NO_DESTINATION
        )

    def _value_from_receiver(self, table: FileTable, function: Lambda, position: str) -> Values:
        """The value of a parameter that no signature declares. A scope function of the language
        passes on what it is called on (``job.let { it.run() }``), or what that may hold; a member
        of a collection passes its elements, if the function is its only argument."""
        member, values = self._receiver(table, function)
        role = table.spec.lambdas.scope_functions.get(member)
        if role and role == {RECEIVER: "receiver", "0": "parameter"}.get(position):
            stored = self._elements.stored_values(values)
            return tuple(v for v in stored if isinstance(v, Instance) or v != Outside())
        instances = tuple(
            v for v in self._elements.stored_values(values) if isinstance(v, Instance)
        )
        if instances and role == "held" and position == "0":
            callees = self._destination(table, function).values
            return UNKNOWN if any(isinstance(v, Defined) for v in callees) else instances
        if position != "0" or function.keys or not function.is_only_argument:
            return UNKNOWN
        collections = (
            collection for collection in self._collections(member, values) if not collection.keyed
        )
        elements = (value for collection in collections for value in self._elements.of(collection))
        return tuple(dict.fromkeys(elements))

    def _collections(self, member: str, values: Values) -> Iterator[Collection]:
        """The collections among values, except those whose type defines the member itself."""
        others = (
            v for v in self._elements.stored_values(values) if not self._defines_member(v, member)
        )
        return self._elements.collections(tuple(others))

    def _defines_member(self, value: Value, member: str) -> bool:
        members = self._hierarchy.member(value.id, member) if isinstance(value, Instance) else ()
        return any(isinstance(definition, Defined) for definition in members)

    def _receiver(self, table: FileTable, function: Lambda) -> tuple[str, Values]:
        """The name of the member that a function is passed to, and what that is called on."""
        qualifier, _, name = function.callee.rpartition(".")
        if not qualifier or function.argument in ("", ASSIGNED):
            return "", UNKNOWN
        receiver, scope, line = (
            qualifier.rstrip("?!"),
            function.scope,
            _callee_line(table, function),
        )
        values = self._evaluation.ask(
            (table.path, function, "called on"),
            lambda: self._model.expressions.evaluate(
                table, scope, receiver, line, local=function.local
            ),
            UNKNOWN,
        )
        return name, values

    def _find_destination(self, table: FileTable, function: Lambda) -> Destination:
        """The place that a function is passed to. Many functions share one answer."""
        scope, line, callee = function.scope, _callee_line(table, function), function.callee
        if not callee or not function.argument:
            written = (WrittenType(table.path, scope, line, callee),) if callee else ()
            return Destination((), "", function.keys, written)
        values = self._model.expressions.evaluate(table, scope, callee, line, local=function.local)
        if callee in table.spec.super_names:
            values = tuple(Defined(v.id, "graph:type") for v in values if isinstance(v, Instance))
        arguments = type_arguments(callee) if callee.endswith(">") else ()
        written_arguments = tuple(
            WrittenType(table.path, scope, line, argument) for argument in arguments
        )
        return Destination(values, function.argument, function.keys, written_arguments)

    def _agreed_value(self, destination: Destination, position: str) -> Values:
        """The value of a parameter, if all that the function may be passed to agree on it."""
        agreed: Values | None = None
        for shape in dict.fromkeys(self._shapes_of(destination)):
            written = (
                shape.written_type(shape.receiver)
                if position == RECEIVER
                else shape.parameter_type(position)
            )
            if written:
                values = self._types.values(written)
                if not values or (agreed is not None and values != agreed):
                    return UNKNOWN
                agreed = values
        return agreed or UNKNOWN

    def signature_results(self, type_id: SymbolId) -> Values:
        """The results of a type's call signatures; UNKNOWN if these differ."""
        return self._evaluation.ask(
            ("called", type_id), lambda: self._find_signature_results(type_id), UNKNOWN
        )

    def _find_signature_results(self, type_id: SymbolId) -> Values:
        results: set[Values] = set()
        for supertype in self._hierarchy.lookup_order(type_id):
            holder = self._program.table_of(supertype)
            for binding in call_signatures(holder, supertype.ordinal):
                text = result_type(binding.type)
                written = WrittenType(holder.path, supertype.ordinal, binding.line, text)
                results.add(self._types.values(written) if text else UNKNOWN)
        return results.pop() if len(results) == 1 else UNKNOWN

    def _shapes_of(self, destination: Destination) -> Iterator[Shape]:
        """The shapes that a function may have, by what it is passed to."""
        for written in self._types_at_destination(destination):
            if not destination.keys:
                yield from self._shapes.of_type(written)
            elif destination.keys[-1] == ELEMENT:
                for inner in self._types.types_at(written, destination.keys):
                    yield from self._shapes.of_type(inner)
            for member in self._types.members_at(written, destination.keys):
                yield from self._shapes.of_value(member)

    def _types_at_destination(self, destination: Destination) -> Iterator[WrittenType]:
        """The declared types of what a function is passed or assigned to."""
        if not destination.argument:
            yield from destination.type_arguments
            return
        if destination.argument == ASSIGNED:
            yield from filter(None, map(self._shapes.declared_type, destination.values))
            return
        for value in self._shapes.visible(destination.values):
            for shape in self._shapes.of_value(value, destination.type_arguments):
                if written := shape.parameter_type(destination.argument):
                    yield written


def _callee_line(table: FileTable, function: Lambda) -> int:
    """The line on which the callee of a function is evaluated. It is the one before, if the callee
    begins with a name that the function itself binds (``reader.onEnd = { reader in ... }``)."""
    bindings = table.bindings(function.scope, head_of(function.callee) or "")
    own_parameters = (
        b for b in bindings if b.function >= 0 and table.facts.lambdas[b.function] == function
    )
    return function.line - 1 if any(own_parameters) else function.line
