"""Evaluates the parameters of anonymous functions, from what these are passed to.

In ``each((item) => item.go())`` nothing at ``item`` says what it is, but the declaration
``each(f: (item: Item) => void)`` does. A parameter is evaluated only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import ASSIGNED, ELEMENT, PLACE, Lambda, TypeBinding
from explorer_core.index.extraction.references import head_of
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.function_types import result, type_arguments
from explorer_core.index.resolution.functions.expected_types import ExpectedTypes
from explorer_core.index.resolution.functions.shapes import Shape, Shapes, signatures
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
    Written,
)
from explorer_core.index.symbols import SymbolId


class Handed(msgspec.Struct, frozen=True, gc=False):
    """The place that anonymous functions are passed or assigned to."""

    values: Values
    """The callees that they are passed to, or the variables that they are assigned to."""
    argument: str
    """Which argument they are, by position or name. `ASSIGNED` for no argument, and empty where a
    type is written for what they are."""
    keys: tuple[str, ...]
    """As in `Lambda`."""
    given: tuple[Written, ...]
    """The type arguments of the call; without an ``argument``, the written type."""


NOTHING = Handed((), "", (), ())
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
        place, _, key = binding.type.partition(".")
        values = self.given(table, binding.function, place)
        return self._model.members.named(table, values, key) if key and values else values

    def holders(self, table: FileTable, key: str) -> Values:
        """The objects that a key belongs to, if it stands in place of a receiver: those of the
        types expected there, or these types, in languages that keep static members apart."""
        number, _, place = key.removeprefix(PLACE).partition(".")
        if place:
            return self.given(table, int(number), place)
        around = self._around(table, int(number))
        is_apart = table.spec.statics_apart
        return tuple(Defined(each.id, "graph:type") for each in around) if is_apart else around

    def given(self, table: FileTable, number: int, place: str) -> Values:
        """The value of a function's parameter by position, or of its receiver (`RECEIVER`)."""
        function = table.facts.lambdas[number]
        handed = self._handed_to(table, function)
        values = self._evaluation.ask((handed, place), lambda: self._agreed(handed, place), UNKNOWN)
        return values or self._of_what_it_is_called_on(table, function, place)

    def implemented(self, table: FileTable, ordinal: int) -> tuple[SymbolId, ...]:
        """The members that a member of an object literal implements: those of its name in the types
        expected where the object stands."""
        members = (
            member
            for each in self.expected(table, ordinal)
            for member in self._hierarchy.member(each.id, table.definitions[ordinal].name)
        )
        return tuple(dict.fromkeys(m.id for m in members if isinstance(m, Defined)))

    def expected(self, table: FileTable, ordinal: int) -> tuple[Instance, ...]:
        """The types expected of the object that a definition is a member of."""
        number = table.of_objects.get(ordinal)
        return () if number is None else self._around(table, number)

    def _around(self, table: FileTable, number: int) -> tuple[Instance, ...]:
        """The types of the repository that are expected where an object stands."""
        function = table.facts.lambdas[number]
        handed = self._handed_to(table, function)
        found = self._evaluation.ask((handed, _EXPECTED), lambda: self._objects(handed), ())
        return found or self._put_into(table, function)

    def _put_into(self, table: FileTable, function: Lambda) -> tuple[Instance, ...]:
        """The types expected of an object that is passed to a member of a collection: those of the
        elements (``jobs.push({ id: 1 })``)."""
        listed = self._collections(*self._called_on(table, function))
        holders = (v for each in listed for v in self._types.holders(each.element, function.keys))
        return tuple(dict.fromkeys(holders))

    def _objects(self, handed: Handed) -> tuple[Instance, ...]:
        expected = self._expected(handed)
        holders = (v for each in expected for v in self._types.holders(each, handed.keys))
        return tuple(dict.fromkeys(holders))

    def _handed_to(self, table: FileTable, function: Lambda) -> Handed:
        return self._evaluation.ask(
            (table.path, function), lambda: self._handed(table, function), NOTHING
        )

    def _of_what_it_is_called_on(self, table: FileTable, function: Lambda, place: str) -> Values:
        """The value of a parameter that no signature declares. A scope function of the language
        passes on what it is called on (``job.let { it.run() }``), or what that may hold; a member
        of a collection passes its elements, if the function is its only argument."""
        member, values = self._called_on(table, function)
        what = table.spec.scope_functions.get(member)
        if what and what == {RECEIVER: "receiver", "0": "parameter"}.get(place):
            given = self._elements.held(values)
            return tuple(v for v in given if isinstance(v, Instance) or v != Outside())
        held = tuple(v for v in self._elements.held(values) if isinstance(v, Instance))
        if held and what == "held" and place == "0":
            own = self._handed_to(table, function).values
            return UNKNOWN if any(isinstance(v, Defined) for v in own) else held
        if place != "0" or function.keys or not function.alone:
            return UNKNOWN
        listed = (each for each in self._collections(member, values) if not each.keyed)
        found = (value for each in listed for value in self._elements.of(each))
        return tuple(dict.fromkeys(found))

    def _collections(self, member: str, values: Values) -> Iterator[Collection]:
        """The collections among values, except those whose type defines the member itself."""
        asked = (v for v in self._elements.held(values) if not self._has_own(v, member))
        return self._elements.collections(tuple(asked))

    def _has_own(self, value: Value, member: str) -> bool:
        found = self._hierarchy.member(value.id, member) if isinstance(value, Instance) else ()
        return any(isinstance(each, Defined) for each in found)

    def _called_on(self, table: FileTable, function: Lambda) -> tuple[str, Values]:
        """The name of the member that a function is passed to, and what that is called on."""
        before, _, name = function.callee.rpartition(".")
        if not before or function.argument in ("", ASSIGNED):
            return "", UNKNOWN
        on, scope, line = before.rstrip("?!"), function.scope, _line_before(table, function)
        values = self._evaluation.ask(
            (table.path, function, "called on"),
            lambda: self._model.expressions.evaluate(table, scope, on, line, local=function.local),
            UNKNOWN,
        )
        return name, values

    def _handed(self, table: FileTable, function: Lambda) -> Handed:
        """The place that a function is passed to. Many functions share one answer."""
        scope, line, callee = function.scope, _line_before(table, function), function.callee
        if not callee or not function.argument:
            written = (Written(table.path, scope, line, callee),) if callee else ()
            return Handed((), "", function.keys, written)
        values = self._model.expressions.evaluate(table, scope, callee, line, local=function.local)
        if callee in table.spec.super_names:
            values = tuple(Defined(v.id, "graph:type") for v in values if isinstance(v, Instance))
        arguments = type_arguments(callee) if callee.endswith(">") else ()
        given = tuple(Written(table.path, scope, line, each) for each in arguments)
        return Handed(values, function.argument, function.keys, given)

    def _agreed(self, handed: Handed, place: str) -> Values:
        """The value of a parameter, if all that the function may be passed to agree on it."""
        first: Values | None = None
        for shape in dict.fromkeys(self._shapes_of(handed)):
            written = shape.written(shape.receiver) if place == RECEIVER else shape.at(place)
            if written:
                values = self._types.values(written)
                if not values or (first is not None and values != first):
                    return UNKNOWN
                first = values
        return first or UNKNOWN

    def called(self, type_id: SymbolId) -> Values:
        """The results of a type's call signatures; UNKNOWN if these differ."""
        return self._evaluation.ask(("called", type_id), lambda: self._called(type_id), UNKNOWN)

    def _called(self, type_id: SymbolId) -> Values:
        found: set[Values] = set()
        for each in self._hierarchy.order(type_id):
            holder = self._program.holder(each)
            for binding in signatures(holder, each.ordinal):
                text = result(binding.type)
                written = Written(holder.path, each.ordinal, binding.line, text)
                found.add(self._types.values(written) if text else UNKNOWN)
        return found.pop() if len(found) == 1 else UNKNOWN

    def _shapes_of(self, handed: Handed) -> Iterator[Shape]:
        """The shapes that a function may have, by what it is passed to."""
        for written in self._expected(handed):
            if not handed.keys:
                yield from self._shapes.of_type(written)
            elif handed.keys[-1] == ELEMENT:
                for inner in self._types.written_at(written, handed.keys):
                    yield from self._shapes.of_type(inner)
            for member in self._types.members_at(written, handed.keys):
                yield from self._shapes.of_value(member)

    def _expected(self, handed: Handed) -> Iterator[Written]:
        """The declared types of what a function is passed or assigned to."""
        if not handed.argument:
            yield from handed.given
            return
        if handed.argument == ASSIGNED:
            yield from filter(None, map(self._shapes.declared, handed.values))
            return
        for value in self._shapes.visible(handed.values):
            for shape in self._shapes.of_value(value, handed.given):
                if written := shape.at(handed.argument):
                    yield written


def _line_before(table: FileTable, function: Lambda) -> int:
    """The line on which the callee of a function is evaluated. It is the one before, if the callee
    begins with a name that the function itself binds (``reader.onEnd = { reader in ... }``)."""
    bindings = table.bound(function.scope, head_of(function.callee) or "")
    own = (b for b in bindings if b.function >= 0 and table.facts.lambdas[b.function] == function)
    return function.line - 1 if any(own) else function.line
