"""Evaluates the types expected at a place, and what keys lead to from a value of one.

In ``{ plugins: [{ load() {} }] }``, where an ``Options`` is expected, the keys ``plugins``,
`ELEMENT` and ``load`` lead to the ``load`` of what ``Options.plugins`` is declared to hold.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import ELEMENT
from explorer_core.index.extraction.type_names import alternatives, collection, constituents
from explorer_core.index.resolution.function_types import aliased_type, element_type, function_type
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.written_types import simple_type_text
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

_MAX_CONSTITUENTS = 200
"""The most types that one is taken apart into; generated ones have thousands."""


class ExpectedTypes:
    """Evaluates written types."""

    def __init__(self, program: Program, hierarchy: Hierarchy, types: NamedTypes) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._types = types

    def named(self, table: FileTable, written: WrittenType) -> Values:
        """Values of a type that is written by its name."""
        text = simple_type_text(written.text, table)
        return self._types.evaluate(table, written.scope, text, written.line)

    def values(self, written: WrittenType) -> Values:
        """Values of a written type, or of each type of a union; UNKNOWN for a type parameter
        without an argument, whatever its bound."""
        table = self._program.table(written.path)
        null_types = table.spec.null_types if table else ()
        evaluated: list[Values] = []
        for text in alternatives(written.text):
            alternative = msgspec.structs.replace(written, text=text)
            argument = dict(written.substitution).get(text)
            if text not in null_types:
                evaluated.append(
                    self._single_type_values(alternative)
                    if argument is None
                    else self.values(argument)
                )
        values = dict.fromkeys(
            value for alternative_values in evaluated for value in alternative_values
        )
        known = tuple(value for value in values if not isinstance(value, Outside))
        return known or (tuple(values) if all(evaluated) else UNKNOWN)

    def _single_type_values(self, written: WrittenType) -> Values:
        table, text = self._program.table(written.path), written.text
        if table is None or function_type(text) is not None:
            return UNKNOWN
        is_indexed = text.endswith("]") and collection(text, table.spec.type_arguments) is None
        if is_indexed or self._is_parameter(table, written, text):
            return UNKNOWN
        return tuple(
            self._with_type_argument(table, written, value) for value in self.named(table, written)
        )

    @staticmethod
    def _is_parameter(table: FileTable, written: WrittenType, text: str) -> bool:
        """Whether a type is a type parameter of a scope that it is written in."""
        return any(table.type_parameter(scope, text) for scope in table.scopes(written.scope))

    def _with_type_argument(self, table: FileTable, written: WrittenType, value: Value) -> Value:
        """A collection with the argument that is given for the type parameter of its elements. If
        there is none, a value from outside without known elements."""
        if not isinstance(value, Collection):
            return value
        argument = dict(written.substitution).get(value.element.text)
        if argument is not None:
            return msgspec.structs.replace(value, element=argument)
        is_parameter = self._is_parameter(table, written, value.element.text)
        return Outside(value.type) if is_parameter else value

    def members_at(self, written: WrittenType, keys: tuple[str, ...]) -> Iterator[Value]:
        """The members that keys lead to from a value of a written type."""
        if keys and keys[-1] != ELEMENT:
            for holder in self.holders(written, keys):
                yield from self._hierarchy.member(holder.id, keys[-1])

    def holders(self, written: WrittenType, keys: tuple[str, ...]) -> Iterator[Instance]:
        """The objects that all keys but the last lead to; that one is a member of theirs."""
        for holder in self.types_at(written, keys[:-1]):
            for constituent in self._constituents(holder):
                yield from (v for v in self.values(constituent) if isinstance(v, Instance))

    def types_at(self, written: WrittenType, keys: tuple[str, ...]) -> Iterator[WrittenType]:
        """The types written for what keys lead to from a value of a written type."""
        if not keys:
            yield written
            return
        for constituent in self._constituents(written):
            for inner in self._types_at_key(constituent, keys[0]):
                yield from self.types_at(inner, keys[1:])

    def _types_at_key(self, written: WrittenType, key: str) -> Iterator[WrittenType]:
        if key == ELEMENT:
            if text := element_type(written.text, 0):
                yield msgspec.structs.replace(written, text=text)
            return
        for member in self._members(self.values(written), key):
            if isinstance(member, Defined):
                definition = self._program.definition(member.id)
                if definition.returns:
                    yield WrittenType(
                        member.id.path, definition.container, definition.line, definition.returns
                    )

    def _constituents(self, written: WrittenType) -> Iterator[WrittenType]:
        """The types that a union or intersection is made of, with aliases taken apart."""
        parts: dict[WrittenType, None] = {}
        pending = [written]
        for current in pending:
            for text in constituents(current.text):
                part = msgspec.structs.replace(current, text=self._bound_or_self(current, text))
                if part not in parts and len(parts) < _MAX_CONSTITUENTS:
                    parts[part] = None
                    types = (v.id for v in self.values(part) if isinstance(v, Instance))
                    pending += filter(None, map(self._alias_target, types))
        yield from parts

    def _bound_or_self(self, written: WrittenType, text: str) -> str:
        """The type itself, or the bound of a type parameter that has no argument."""
        table = self._program.table(written.path)
        if table is None or text in dict(written.substitution):
            return text
        scopes = table.scopes(written.scope)
        bounds = (binding.type for scope in scopes for binding in table.type_parameter(scope, text))
        return next(filter(None, bounds), text)

    def _alias_target(self, type_id: SymbolId) -> WrittenType | None:
        """The type that a type is an alias for, if that is made of several types or is a list."""
        holder = self._program.table_of(type_id)
        definition = holder.definitions[type_id.ordinal]
        text = aliased_type(definition.signature) if definition.kind == "type" else ""
        is_compound = len(constituents(text)) > 1 or bool(element_type(text, 0))
        target = WrittenType(holder.path, type_id.ordinal, definition.line, text)
        return target if text and is_compound else None

    def _members(self, holders: Values, name: str) -> Iterator[Value]:
        for holder in holders:
            if isinstance(holder, Instance):
                yield from self._hierarchy.member(holder.id, name)
