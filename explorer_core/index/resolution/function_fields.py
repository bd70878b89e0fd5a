"""Finds the functions that are assigned to fields, through which they are called.

In ``const struct driver gpu = {.draw = draw_frame}`` the function `draw_frame` implements the field
`driver.draw`, as a method implements that of an interface; so it does by
``driver->draw = draw_frame``. Where only its position identifies the field, its type must have as
many parameters as the function, since a macro may add and remove fields.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import Placement
from explorer_core.index.resolution.function_types import function_behind, parameters_of
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Instance
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised


class FunctionFields:
    """Finds the fields that a function is assigned to, and a field's functions; memoised."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._program = resolver.program
        self._mentions = resolver.mentions

    def fields(self, function: SymbolId) -> tuple[SymbolId, ...]:
        """The fields that a function is assigned to."""
        if not self._program.is_function(function):
            return ()
        if not self._program.holder(function).spec.placed_members:
            return ()
        names = self._mentions.names_of(function)
        found: dict[SymbolId, None] = {}
        for table in self._mentions.tables(self._mentions.of(function)):
            for name in names if table.facts.placements else ():
                for placed in self._placements(table).get(name, ()):
                    if function in self._meant(table, placed):
                        found.update(dict.fromkeys(self._members(table, placed, function)))
        return tuple(found)

    @memoised
    def functions(self, field: SymbolId) -> tuple[SymbolId, ...]:
        """The functions that are assigned to a field."""
        return tuple(dict.fromkeys(self._find_functions(field)))

    def holds(self, symbol_id: SymbolId) -> bool:
        """Whether a symbol is a field whose type says that it holds functions."""
        return self._is_field(symbol_id) and self._asked(symbol_id) is not None

    def _is_field(self, symbol_id: SymbolId) -> bool:
        if symbol_id.is_file:
            return False
        table = self._program.holder(symbol_id)
        definition = table.definitions[symbol_id.ordinal]
        around = table.definition(definition.container)
        is_member = table.is_type(definition.container) or (around and around.kind == "field")
        return table.spec.placed_members and definition.kind == "field" and bool(is_member)

    def _find_functions(self, field: SymbolId) -> Iterator[SymbolId]:
        if not self._is_field(field):
            return
        table = self._program.holder(field)
        definition = table.definitions[field.ordinal]
        container = table.id(definition.container)
        is_of_type = table.is_type(definition.container)
        written = self._written_for(container) if is_of_type else {}
        members = (definition.name, self._place(container, field))
        placements = (
            *(each for member in members for each in written.get(member, ())),
            *self._assigned(field, definition.name),
        )
        for other, placed in placements:
            for function in self._meant(other, placed):
                if field in self._members(other, placed, function):
                    yield function

    def _assigned(self, field: SymbolId, name: str) -> Iterator[tuple[FileTable, Placement]]:
        """The assignments to members that have the name of a field."""
        for table in self._mentions.tables(self._mentions.of(field)):
            for placed in table.facts.placements:
                if placed.assigned >= 0 and placed.member == name:
                    yield table, placed

    @memoised
    def _written_for(self, type_id: SymbolId) -> dict[str, list[tuple[FileTable, Placement]]]:
        """The values of members in literals of files that mention a type, by name or position."""
        found: dict[str, list[tuple[FileTable, Placement]]] = {}
        for table in self._mentions.tables(self._paths(type_id)):
            for placed in (each for each in table.facts.placements if each.type):
                found.setdefault(placed.member, []).append((table, placed))
        return found

    def _paths(self, type_id: SymbolId) -> list[str]:
        """The files that mention a type or an alias of it."""
        paths = dict.fromkeys(self._mentions.of(type_id))
        name = self._program.definition(type_id).name
        for table in list(self._mentions.tables(paths)):
            for ordinal, one in enumerate(table.definitions):
                if one.kind == "type" and name in one.returns.split():
                    paths.update(dict.fromkeys(self._mentions.of(table.id(ordinal))))
        return list(paths)

    @memoised
    def _placements(self, table: FileTable) -> dict[str, list[Placement]]:
        found: dict[str, list[Placement]] = {}
        for each in table.facts.placements:
            found.setdefault(each.name, []).append(each)
        return found

    def _meant(self, table: FileTable, placed: Placement) -> tuple[SymbolId, ...]:
        """The functions that a placement's name means for certain. Mere declarations count only if
        none has a body, since otherwise each function would count twice."""
        meant = self._resolver.certain_at(table, placed.name, placed.line, placed.column)
        functions = tuple(filter(self._program.is_function, meant))
        defined = (f for f in functions if not self._program.definition(f).bodiless)
        return tuple(defined) or functions

    def _members(
        self, table: FileTable, placed: Placement, function: SymbolId
    ) -> Iterator[SymbolId]:
        """The fields that a function is assigned to at one place."""
        if placed.assigned >= 0:
            meant = self._resolver.certain_at(table, placed.member, placed.line, placed.assigned)
            yield from filter(self._is_field, meant)
            return
        model = self._resolver.model
        for value in model.types.types_named(table, placed.scope, placed.type, placed.line):
            if not isinstance(value, Instance):
                continue
            if not placed.member.isdecimal():
                members = model.hierarchy.member(value.id, placed.member)
                yield from (each.id for each in members if isinstance(each, Defined))
                continue
            for holder in model.hierarchy.order(value.id):
                field = self._field_at(holder, int(placed.member))
                if field is not None and self._fits(field, function):
                    yield field

    def _field_at(self, type_id: SymbolId, place: int) -> SymbolId | None:
        """The field at a position (from 0); None if any member up to it is no variable."""
        table = self._program.holder(type_id)
        children = table.children.get(type_id.ordinal, [])
        if place >= len(children) or any(not table.is_variable(c) for c in children[: place + 1]):
            return None
        return table.id(children[place])

    def _place(self, type_id: SymbolId, field: SymbolId) -> str:
        children = self._program.holder(type_id).children.get(type_id.ordinal, [])
        return str(children.index(field.ordinal)) if field.ordinal in children else ""

    def _fits(self, field: SymbolId, function: SymbolId) -> bool:
        """Whether the functions that a field is for have as many parameters."""
        definition = self._program.definition(function)
        own = parameters_of(definition.signature, definition.name)
        asked = self._asked(field)
        return asked is not None and len(asked) == len(own)

    def _asked(self, field: SymbolId) -> list[str] | None:
        """The parameters in a field's function type, or in the alias that it has as its type; None
        where it is for no functions."""
        definition = self._program.definition(field)
        found = function_behind(definition.signature, definition.name)
        if found is None:
            for value in self._resolver.model.variables.declared(field):
                if isinstance(value, Instance):
                    named = self._program.definition(value.id)
                    found = (
                        function_behind(named.signature, named.name)
                        if named.kind == "type"
                        else None
                    )
        return found
