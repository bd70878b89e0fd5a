"""Evaluates the types expected at a place, and what keys lead to from a value of one.

In ``{ plugins: [{ load() {} }] }``, where an ``Options`` is expected, the keys ``plugins``,
`ELEMENT` and ``load`` lead to the ``load`` of what ``Options.plugins`` is declared to hold.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import ELEMENT
from explorer_core.index.extraction.type_names import alternatives, collection, constituents
from explorer_core.index.resolution.function_types import aliased, element, function_type
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
    Written,
)
from explorer_core.index.symbols import SymbolId

_PARTS = 200
"""The most types that one is taken apart into; generated ones have thousands."""


class ExpectedTypes:
    """Evaluates written types."""

    def __init__(self, program: Program, hierarchy: Hierarchy, types: NamedTypes) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._types = types

    def named(self, table: FileTable, written: Written) -> Values:
        """Values of a type that is written by its name."""
        text = simple_type_text(written.text, table)
        return self._types.type_named(table, written.scope, text, written.line)

    def values(self, written: Written) -> Values:
        """Values of a written type, or of each type of a union; UNKNOWN for a type parameter
        without an argument, whatever its bound."""
        table = self._program.table(written.path)
        absent = table.spec.null_types if table else ()
        found: list[Values] = []
        for text in alternatives(written.text):
            one = msgspec.structs.replace(written, text=text)
            given = dict(written.given).get(text)
            if text not in absent:
                found.append(self._of_one(one) if given is None else self.values(given))
        values = dict.fromkeys(value for each in found for value in each)
        known = tuple(value for value in values if not isinstance(value, Outside))
        return known or (tuple(values) if all(found) else UNKNOWN)

    def _of_one(self, written: Written) -> Values:
        table, text = self._program.table(written.path), written.text
        if table is None or function_type(text) is not None:
            return UNKNOWN
        is_lookup = text.endswith("]") and collection(text, table.spec.type_arguments) is None
        if is_lookup or self._is_parameter(table, written, text):
            return UNKNOWN
        return tuple(self._filled(table, written, value) for value in self.named(table, written))

    @staticmethod
    def _is_parameter(table: FileTable, written: Written, text: str) -> bool:
        """Whether a type is a type parameter of a scope that it is written in."""
        return any(table.type_parameter(scope, text) for scope in table.scopes(written.scope))

    def _filled(self, table: FileTable, written: Written, value: Value) -> Value:
        """A collection with the argument that is given for the type parameter of its elements. If
        there is none, a value from outside without known elements."""
        if not isinstance(value, Collection):
            return value
        given = dict(written.given).get(value.element.text)
        if given is not None:
            return msgspec.structs.replace(value, element=given)
        unknown = self._is_parameter(table, written, value.element.text)
        return Outside(value.type) if unknown else value

    def members_at(self, written: Written, keys: tuple[str, ...]) -> Iterator[Value]:
        """The members that keys lead to from a value of a written type."""
        if keys and keys[-1] != ELEMENT:
            for holder in self.holders(written, keys):
                yield from self._hierarchy.member(holder.id, keys[-1])

    def holders(self, written: Written, keys: tuple[str, ...]) -> Iterator[Instance]:
        """The objects that all keys but the last lead to; that one is a member of theirs."""
        for holder in self.written_at(written, keys[:-1]):
            for each in self._parts(holder):
                yield from (v for v in self.values(each) if isinstance(v, Instance))

    def written_at(self, written: Written, keys: tuple[str, ...]) -> Iterator[Written]:
        """The types written for what keys lead to from a value of a written type."""
        if not keys:
            yield written
            return
        for each in self._parts(written):
            for inner in self._one_key(each, keys[0]):
                yield from self.written_at(inner, keys[1:])

    def _one_key(self, written: Written, key: str) -> Iterator[Written]:
        if key == ELEMENT:
            if text := element(written.text, 0):
                yield msgspec.structs.replace(written, text=text)
            return
        for member in self._members(self.values(written), key):
            if isinstance(member, Defined):
                one = self._program.definition(member.id)
                if one.returns:
                    yield Written(member.id.path, one.container, one.line, one.returns)

    def _parts(self, written: Written) -> Iterator[Written]:
        """The types that a union or intersection is made of, with aliases taken apart."""
        found: dict[Written, None] = {}
        names = [written]
        for name in names:
            for text in constituents(name.text):
                part = msgspec.structs.replace(name, text=self._must_be(name, text))
                if part not in found and len(found) < _PARTS:
                    found[part] = None
                    types = (v.id for v in self.values(part) if isinstance(v, Instance))
                    names += filter(None, map(self._meant, types))
        yield from found

    def _must_be(self, written: Written, text: str) -> str:
        """The type itself, or the bound of a type parameter that has no argument."""
        table = self._program.table(written.path)
        if table is None or text in dict(written.given):
            return text
        scopes = table.scopes(written.scope)
        bounds = (each.type for scope in scopes for each in table.type_parameter(scope, text))
        return next(filter(None, bounds), text)

    def _meant(self, type_id: SymbolId) -> Written | None:
        """The type that a type is an alias for, if that is made of several types or is a list."""
        holder = self._program.holder(type_id)
        definition = holder.definitions[type_id.ordinal]
        text = aliased(definition.signature) if definition.kind == "type" else ""
        several = len(constituents(text)) > 1 or bool(element(text, 0))
        place = Written(holder.path, type_id.ordinal, definition.line, text)
        return place if text and several else None

    def _members(self, holders: Values, name: str) -> Iterator[Value]:
        for holder in holders:
            if isinstance(holder, Instance):
                yield from self._hierarchy.member(holder.id, name)
