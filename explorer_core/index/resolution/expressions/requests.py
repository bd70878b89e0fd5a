"""Values that are requested by their class: ``container.get(Till.class)``, ``get<Till>()``.

If the function that is called returns one of its type parameters, that is the class. If nothing is
known of the function or its result, the value may be one of the class, and only members that the
class has are looked up in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.type_names import first_result
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.written_types import simple_type_text
from explorer_core.index.resolution.values import (
    Collection,
    Defined,
    Instance,
    Opaque,
    Outside,
    Part,
    Requested,
    Value,
    Values,
    all_outside,
)
from explorer_core.index.symbols import CALLABLES, SymbolId


class Requests:
    """Evaluates calls that are given a class."""

    def __init__(
        self, program: Program, types: NamedTypes, elements: Elements, model: Semantics
    ) -> None:
        self._program = program
        self._types = types
        self._elements = elements
        self._model = model

    def results(
        self,
        table: FileTable,
        scope: int,
        line: int,
        part: Part,
        functions: Values,
        values: Values,
    ) -> Values:
        """The results of a call: ``values``, by its ``functions``, or the objects it requests."""
        pattern = table.spec.asked_class
        match = pattern and part.call_text and compiled(pattern).match(part.call_text)
        if not match:
            return values
        argument, written, *groups = match.groups()
        class_argument = "".join(group for group in groups if group)
        generic = any(
            self._returns_parameter(function, argument, class_argument) for function in functions
        )
        if not generic and (class_argument or not self._is_unknown(table, values)):
            return values
        requested = self._types.lookup(table, scope, argument or written or class_argument, line)
        types = [value.id for value in requested if isinstance(value, Instance)]
        if generic:
            return tuple(map(Instance, types)) or values
        if table.spec.boxes and written and not types:
            types = list(self._held_types(table, scope, line, written))
        return tuple(Requested(type_id=type_id, fallback=values) for type_id in types) or values

    def _held_types(
        self, table: FileTable, scope: int, line: int, written: str
    ) -> Iterator[SymbolId]:
        """The types whose values an argument may hold: it was itself made by a call that was given
        a type, or it has an outside generic type."""
        values = self._model.expressions.evaluate(table, scope, written, line)
        for value in self._elements.stored_values(values):
            if isinstance(value, Requested):
                yield value.type_id
            elif isinstance(value, Collection) and self._is_box(value):
                elements = self._elements.of(value)
                yield from (element.id for element in elements if isinstance(element, Instance))

    def _is_box(self, value: Collection) -> bool:
        """Whether a value has a generic type that is imported by the file which names it."""
        holder = self._program.table(value.element.path)
        imported = holder is not None and (TOP, value.type) in holder.imports
        return imported and bool(value.type) and not value.keyed

    @staticmethod
    def _is_unknown(table: FileTable, values: Values) -> bool:
        """Whether nothing is known of a call's result, except that it may be anything."""
        any_types = ("", *table.spec.any_types)
        return all(
            v.type in any_types if type(v) is Outside else isinstance(v, Opaque) for v in values
        )

    def _returns_parameter(self, value: Value, argument: str | None, class_argument: str) -> bool:
        """Whether a function returns a value of its first type parameter, if that is given as an
        ``argument``, or else of one that its parameters name; as a class, if the given one is
        a ``class_argument`` among others."""
        if not isinstance(value, Defined):
            return False
        holder, ordinal = self._program.table_of(value.id), value.id.ordinal
        definition = holder.definitions[ordinal]
        if definition.kind not in CALLABLES or not definition.returns:
            return False
        name = simple_type_text(first_result(definition.returns, holder.spec), holder)
        if not name.isidentifier():
            return False
        is_type_parameter = bool(holder.type_parameter(ordinal, name))
        if argument:
            return is_type_parameter
        mention = re.compile(
            rf"{holder.spec.class_of}\s*{name}\b" if class_argument else rf"\b{name}\b"
        )
        if not any(map(mention.search, parameters_of(definition.signature, definition.name))):
            return False
        values = self._types.evaluate(holder, ordinal, name, definition.line)
        return is_type_parameter or all_outside(values)
