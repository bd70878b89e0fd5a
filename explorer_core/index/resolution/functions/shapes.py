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
    aliased_type,
    declared_parameters,
    element_type,
    function_type,
    named_function_type,
    parameters_of,
    read_types_first,
    receiver_function_type,
    type_arguments,
    type_parameters,
)
from explorer_core.index.resolution.functions.expected_types import ExpectedTypes
from explorer_core.index.resolution.functions.labels import label_of
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Instance, Value, Values, WrittenType
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId

_MAX_ALIASES = 6
"""The most type aliases that are followed in turn."""


class Shape(msgspec.Struct, frozen=True, gc=False):
    """A function as its callers see it: parameters and type of receiver, as written in a place."""

    place: WrittenType
    parameters: tuple[Parameter, ...]
    receiver: str = ""

    def parameter_type(self, argument: str) -> WrittenType | None:
        """The type of an argument's parameter, by position or name; None if unknown."""
        if not argument.lstrip("-").isdigit():
            types = (parameter.type for parameter in self.parameters if parameter.name == argument)
            return self.written_type(next(types, ""))
        number, last = int(argument), len(self.parameters) - 1
        if last >= 0 and number >= last and self.parameters[last].rest:
            return self.written_type(element_type(self.parameters[last].type, number - last))
        is_known = -1 <= number <= last and last >= 0
        return self.written_type(self.parameters[number].type if is_known else "")

    def written_type(self, text: str) -> WrittenType | None:
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
        self, value: Value, arguments: tuple[WrittenType, ...] = (), depth: int = _MAX_ALIASES
    ) -> Iterator[Shape]:
        """The shapes of a value that is called; ``arguments`` are the call's type arguments."""
        if not isinstance(value, Defined | Instance):
            return
        holder = self._program.table_of(value.id)
        ordinal = value.id.ordinal
        definition = holder.definitions[ordinal]
        if definition.kind in CALLABLES:
            place = WrittenType(
                holder.path, ordinal, definition.line, "", self._substitution(value, arguments)
            )
            yield self._shape(place, self._declared_parameters(holder, definition))
        elif written := self.declared_type(value):
            yield from self.of_type(written, depth)
        elif isinstance(value, Instance):
            yield from self._of_named_type(value.id, (), depth)
        elif holder.is_type(ordinal):
            constructors = tuple(
                member
                for name in (*holder.spec.constructors, definition.name)
                for member in self._hierarchy.member(value.id, name)
                # A type nested in its supertype is a member of itself.
                if self._program.is_of_kind(member, CALLABLES)
            )
            for constructor in self.visible(constructors):
                yield from self.of_value(constructor, arguments, depth)
            if not constructors and holder.spec.labels_in_names:
                place = WrittenType(holder.path, ordinal, definition.line, "")
                yield Shape(place, _fields(holder, ordinal))

    def declared_type(self, value: Value) -> WrittenType | None:
        """The type that is written for a variable; None for other values."""
        if not isinstance(value, Defined | Instance):
            return None
        definition = self._program.definition(value.id)
        if definition.kind not in VARIABLES or not definition.returns:
            return None
        return WrittenType(value.id.path, definition.container, definition.line, definition.returns)

    @staticmethod
    def _declared_parameters(holder: FileTable, definition: Definition) -> tuple[Parameter, ...]:
        """The parameters of a definition, under the names that its callers use."""
        signature, name, spec = definition.signature, definition.name, holder.spec
        parameters = declared_parameters(signature, name)
        if spec.labels_in_names:
            labels = (
                label_of(parameter, name, spec) for parameter in parameters_of(signature, name)
            )
            labelled = zip(parameters, labels, strict=False)
            return tuple(
                msgspec.structs.replace(parameter, name=label) for parameter, label in labelled
            )
        return read_types_first(parameters, spec.self_names) if spec.types_first else parameters

    def _substitution(
        self, value: Defined | Instance, arguments: tuple[WrittenType, ...]
    ) -> tuple[tuple[str, WrittenType], ...]:
        """The arguments for the type parameters of a function, or of the type it makes."""
        holder = self._program.table_of(value.id)
        definition = holder.definitions[value.id.ordinal] if arguments else None
        if definition and definition.kind == "constructor" and holder.is_type(definition.container):
            definition = holder.definitions[definition.container]
        if definition is None:
            return ()
        names = type_parameters(definition.signature, definition.name)
        return tuple(zip(names, arguments, strict=False))

    def of_type(self, written: WrittenType, depth: int = _MAX_ALIASES) -> Iterator[Shape]:
        """The shapes of the functions of a written type."""
        if (substituted := dict(written.substitution).get(written.text)) is not None:
            yield from self.of_type(substituted, depth - 1) if depth else ()
            return
        receiver, text = receiver_function_type(written.text) or ("", written.text)
        table = self._program.table(written.path)
        parameters = function_type(text)
        if parameters is None and table:
            parameters = named_function_type(text, table.spec.function_types)
        if parameters is not None:
            yield self._shape(written, parameters, receiver)
            return
        union_members = alternatives(written.text)
        for member in union_members if len(union_members) > 1 else ():
            yield from self.of_type(msgspec.structs.replace(written, text=member), depth)
        if len(union_members) != 1 or table is None or not depth:
            return
        for value in self._types.named(table, written):
            if isinstance(value, Instance):
                arguments = type_arguments(written.text)
                substituted = tuple(
                    msgspec.structs.replace(written, text=argument) for argument in arguments
                )
                yield from self._of_named_type(value.id, substituted, depth - 1)

    def _of_named_type(
        self, type_id: SymbolId, arguments: tuple[WrittenType, ...], depth: int
    ) -> Iterator[Shape]:
        """The same for a named type: its call signatures, or what it is an alias for."""
        for supertype in self._hierarchy.lookup_order(type_id):
            holder = self._program.table_of(supertype)
            definition = holder.definitions[supertype.ordinal]
            names = type_parameters(definition.signature, definition.name)
            own_arguments = arguments if supertype == type_id else ()
            substitution = tuple(zip(names, own_arguments, strict=False))
            place = WrittenType(holder.path, supertype.ordinal, definition.line, "", substitution)
            call_bindings = call_signatures(holder, supertype.ordinal)
            for binding in call_bindings:
                yield self._shape(place, declared_parameters(binding.type, ""))
            is_alias = definition.kind == "type"
            text = aliased_type(definition.signature) if is_alias else ""
            if is_alias and not text and not call_bindings:
                yield self._shape(place, self._declared_parameters(holder, definition))
            if text and depth and not call_bindings:
                yield from self.of_type(msgspec.structs.replace(place, text=text), depth)
                if supertype == type_id:
                    return  # the rest is what it aliases, without its arguments

    def _shape(
        self, place: WrittenType, parameters: tuple[Parameter, ...], receiver: str = ""
    ) -> Shape:
        """A shape, without the parameter for the function's own object."""
        table = self._program.table(place.path)
        self_names = table.spec.self_names if table else ()
        other_parameters = (
            parameter
            for parameter in parameters
            if parameter.name.partition(" ")[0] not in self_names
        )
        return Shape(place, tuple(other_parameters), receiver)


def _fields(table: FileTable, ordinal: int) -> tuple[Parameter, ...]:
    """The fields of a type, as the parameters of a constructor that nobody wrote."""
    children = table.children.get(ordinal, ())
    fields = (table.definitions[child] for child in children if table.is_variable(child))
    return tuple(Parameter(field.name, field.returns) for field in fields)


def call_signatures(table: FileTable, ordinal: int) -> list[TypeBinding]:
    """The call signatures of a type."""
    bindings = table.bindings(ordinal, RESULT)
    return [binding for binding in bindings if binding.source == "signature"]
