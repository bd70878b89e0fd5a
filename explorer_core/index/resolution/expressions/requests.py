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
    Asked,
    Collection,
    Defined,
    Instance,
    Opaque,
    Outside,
    Part,
    Value,
    Values,
    nothing_of_ours,
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

    def given(
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
        asks = pattern and part.written and compiled(pattern).match(part.written)
        if not asks:
            return values
        argument, written, *others = asks.groups()
        among = "".join(each for each in others if each)
        generic = any(self._gives_parameter(each, argument, among) for each in functions)
        if not generic and (among or not self._says_nothing(table, values)):
            return values
        found = self._types.types_named(table, scope, argument or written or among, line)
        types = [value.id for value in found if isinstance(value, Instance)]
        if generic:
            return tuple(map(Instance, types)) or values
        if table.spec.boxes and written and not types:
            types = list(self._held(table, scope, line, written))
        return tuple(Asked(of=each, otherwise=values) for each in types) or values

    def _held(self, table: FileTable, scope: int, line: int, written: str) -> Iterator[SymbolId]:
        """The types whose values an argument may hold: it was itself made by a call that was given
        a type, or it has an outside generic type."""
        values = self._model.expressions.evaluate(table, scope, written, line)
        for value in self._elements.held(values):
            if isinstance(value, Asked):
                yield value.of
            elif isinstance(value, Collection) and self._is_box(value):
                held = self._elements.of(value)
                yield from (each.id for each in held if isinstance(each, Instance))

    def _is_box(self, value: Collection) -> bool:
        """Whether a value has a generic type that is imported by the file which names it."""
        holder = self._program.table(value.element.path)
        imported = holder is not None and (TOP, value.type) in holder.imports
        return imported and bool(value.type) and not value.keyed

    @staticmethod
    def _says_nothing(table: FileTable, values: Values) -> bool:
        """Whether nothing is known of a call's result, except that it may be anything."""
        anything = ("", *table.spec.any_types)
        return all(
            v.type in anything if type(v) is Outside else isinstance(v, Opaque) for v in values
        )

    def _gives_parameter(self, value: Value, argument: str | None, among: str) -> bool:
        """Whether a function returns a value of its first type parameter, if that is given as an
        ``argument``, or else of one that its parameters name; as a class, if the given one is
        ``among`` other arguments."""
        if not isinstance(value, Defined):
            return False
        holder, ordinal = self._program.holder(value.id), value.id.ordinal
        definition = holder.definitions[ordinal]
        if definition.kind not in CALLABLES or not definition.returns:
            return False
        name = simple_type_text(first_result(definition.returns, holder.spec), holder)
        if not name.isidentifier():
            return False
        is_own = bool(holder.type_parameter(ordinal, name))
        if argument:
            return is_own
        named = re.compile(rf"{holder.spec.class_of}\s*{name}\b" if among else rf"\b{name}\b")
        if not any(map(named.search, parameters_of(definition.signature, definition.name))):
            return False
        values = self._types.type_named(holder, ordinal, name, definition.line)
        return is_own or nothing_of_ours(values)
