"""Functions as their callers see them, according to values and to written types.

A function and a variable of the type ``(item: Item) => void`` both have a shape: their parameters,
and the type of the receiver if there is one.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import RESULT, Definition, TypeBinding
from explorer_core.index.extraction.type_names import alternatives
from explorer_core.index.resolution.function_types import (
    Parameter,
    aliased,
    declared_parameters,
    element,
    function_type,
    named_function_type,
    parameters_of,
    receiver_function_type,
    type_arguments,
    type_parameters,
    types_first,
)
from explorer_core.index.resolution.functions.expected_types import ExpectedTypes
from explorer_core.index.resolution.functions.labels import label_of
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Instance, Value, Values, Written
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId

_NESTED = 6
"""The most type aliases that are followed in turn."""


class Shape(msgspec.Struct, frozen=True, gc=False):
    """A function as its callers see it: parameters and type of receiver, as written in a place."""

    place: Written
    parameters: tuple[Parameter, ...]
    receiver: str = ""

    def at(self, argument: str) -> Written | None:
        """The type of an argument's parameter, by position or name; None if unknown."""
        if not argument.lstrip("-").isdigit():
            named = (each.type for each in self.parameters if each.name == argument)
            return self.written(next(named, ""))
        number, last = int(argument), len(self.parameters) - 1
        if last >= 0 and number >= last and self.parameters[last].rest:
            return self.written(element(self.parameters[last].type, number - last))
        known = -1 <= number <= last and last >= 0
        return self.written(self.parameters[number].type if known else "")

    def written(self, text: str) -> Written | None:
        """A type that is written at that place; None for no text."""
        return msgspec.structs.replace(self.place, text=text) if text else None


class Shapes:
    """Finds the shapes of what is called, through type aliases and overloads."""

    def __init__(self, program: Program, hierarchy: Hierarchy, types: ExpectedTypes) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._types = types

    def visible(self, values: Values) -> Values:
        """The overloads that callers see: if some have no body, only these."""
        bodiless = tuple(
            value
            for value in values
            if isinstance(value, Defined)
            and (definition := self._program.definition(value.id)).bodiless
            and definition.kind in CALLABLES
        )
        return bodiless or values

    def of_value(
        self, value: Value, given: tuple[Written, ...] = (), nested: int = _NESTED
    ) -> Iterator[Shape]:
        """The shapes of a value that is called; ``given`` are the call's type arguments."""
        if not isinstance(value, Defined | Instance):
            return
        holder = self._program.holder(value.id)
        ordinal = value.id.ordinal
        definition = holder.definitions[ordinal]
        if definition.kind in CALLABLES:
            place = Written(holder.path, ordinal, definition.line, "", self._given(value, given))
            yield self._shape(place, self._declared(holder, definition))
        elif written := self.declared(value):
            yield from self.of_type(written, nested)
        elif isinstance(value, Instance):
            yield from self._of_named(value.id, (), nested)
        elif holder.is_type(ordinal):
            makers = tuple(
                member
                for name in (*holder.spec.constructors, definition.name)
                for member in self._hierarchy.member(value.id, name)
                # A type nested in its supertype is a member of itself.
                if self._program.is_of_kind(member, CALLABLES)
            )
            for maker in self.visible(makers):
                yield from self.of_value(maker, given, nested)
            if not makers and holder.spec.labels_in_names:
                place = Written(holder.path, ordinal, definition.line, "")
                yield Shape(place, _fields(holder, ordinal))

    def declared(self, value: Value) -> Written | None:
        """The type that is written for a variable; None for other values."""
        if not isinstance(value, Defined | Instance):
            return None
        definition = self._program.definition(value.id)
        if definition.kind not in VARIABLES or not definition.returns:
            return None
        return Written(value.id.path, definition.container, definition.line, definition.returns)

    @staticmethod
    def _declared(holder: FileTable, definition: Definition) -> tuple[Parameter, ...]:
        """The parameters of a definition, under the names that its callers use."""
        signature, name, spec = definition.signature, definition.name, holder.spec
        found = declared_parameters(signature, name)
        if spec.labels_in_names:
            labels = (label_of(each, name, spec) for each in parameters_of(signature, name))
            named = zip(found, labels, strict=False)
            return tuple(msgspec.structs.replace(each, name=label) for each, label in named)
        return types_first(found, spec.self_names) if spec.types_first else found

    def _given(
        self, value: Defined | Instance, arguments: tuple[Written, ...]
    ) -> tuple[tuple[str, Written], ...]:
        """The arguments for the type parameters of a function, or of the type it makes."""
        holder = self._program.holder(value.id)
        definition = holder.definitions[value.id.ordinal] if arguments else None
        if definition and definition.kind == "constructor" and holder.is_type(definition.container):
            definition = holder.definitions[definition.container]
        if definition is None:
            return ()
        names = type_parameters(definition.signature, definition.name)
        return tuple(zip(names, arguments, strict=False))

    def of_type(self, written: Written, nested: int = _NESTED) -> Iterator[Shape]:
        """The shapes of the functions of a written type."""
        if (given := dict(written.given).get(written.text)) is not None:
            yield from self.of_type(given, nested - 1) if nested else ()
            return
        receiver, text = receiver_function_type(written.text) or ("", written.text)
        table = self._program.table(written.path)
        parameters = function_type(text)
        if parameters is None and table:
            parameters = named_function_type(text, table.spec.function_types)
        if parameters is not None:
            yield self._shape(written, parameters, receiver)
            return
        several = alternatives(written.text)
        for each in several if len(several) > 1 else ():
            yield from self.of_type(msgspec.structs.replace(written, text=each), nested)
        if len(several) != 1 or table is None or not nested:
            return
        for value in self._types.named(table, written):
            if isinstance(value, Instance):
                arguments = type_arguments(written.text)
                given = tuple(msgspec.structs.replace(written, text=each) for each in arguments)
                yield from self._of_named(value.id, given, nested - 1)

    def _of_named(
        self, type_id: SymbolId, arguments: tuple[Written, ...], nested: int
    ) -> Iterator[Shape]:
        """The same for a named type: its call signatures, or what it is an alias for."""
        for each in self._hierarchy.order(type_id):
            holder = self._program.holder(each)
            definition = holder.definitions[each.ordinal]
            names = type_parameters(definition.signature, definition.name)
            own = arguments if each == type_id else ()
            given = tuple(zip(names, own, strict=False))
            place = Written(holder.path, each.ordinal, definition.line, "", given)
            called = signatures(holder, each.ordinal)
            for binding in called:
                yield self._shape(place, declared_parameters(binding.type, ""))
            is_name = definition.kind == "type"
            text = aliased(definition.signature) if is_name else ""
            if is_name and not text and not called:
                yield self._shape(place, self._declared(holder, definition))
            if text and nested and not called:
                yield from self.of_type(msgspec.structs.replace(place, text=text), nested)
                if each == type_id:
                    return  # the rest is what it aliases, without its arguments

    def _shape(
        self, place: Written, parameters: tuple[Parameter, ...], receiver: str = ""
    ) -> Shape:
        """A shape, without the parameter for the function's own object."""
        table = self._program.table(place.path)
        own = table.spec.self_names if table else ()
        others = (each for each in parameters if each.name.partition(" ")[0] not in own)
        return Shape(place, tuple(others), receiver)


def _fields(table: FileTable, ordinal: int) -> tuple[Parameter, ...]:
    """The fields of a type, as the parameters of a constructor that nobody wrote."""
    inside = table.children.get(ordinal, ())
    fields = (table.definitions[each] for each in inside if table.is_variable(each))
    return tuple(Parameter(each.name, each.returns) for each in fields)


def signatures(table: FileTable, ordinal: int) -> list[TypeBinding]:
    """The call signatures of a type."""
    bindings = table.bound(ordinal, RESULT)
    return [binding for binding in bindings if binding.source == "signature"]
