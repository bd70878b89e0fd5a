"""Finds the functions that are assigned to fields, through which they are called.

In ``const struct driver gpu = {.draw = draw_frame}`` the function `draw_frame` implements the field
`driver.draw`, as a method implements that of an interface; so it does by
``driver->draw = draw_frame``. Where only its position identifies the field, its type must have as
many parameters as the function, since a macro may add and remove fields.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import Placement
from explorer_core.index.resolution.function_types import function_type_parameters, parameters_of
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
        if not self._program.table_of(function).spec.placed_members:
            return ()
        names = self._mentions.names_of(function)
        fields: dict[SymbolId, None] = {}
        for table in self._mentions.tables(self._mentions.paths_of(function)):
            for name in names if table.facts.placements else ():
                for placement in self._placements_by_name(table).get(name, ()):
                    if function in self._placed_functions(table, placement):
                        fields.update(dict.fromkeys(self._fields_at(table, placement, function)))
        return tuple(fields)

    @memoised
    def functions(self, field: SymbolId) -> tuple[SymbolId, ...]:
        """The functions that are assigned to a field."""
        return tuple(dict.fromkeys(self._find_functions(field)))

    def holds(self, symbol_id: SymbolId) -> bool:
        """Whether a symbol is a field whose type says that it holds functions."""
        return self._is_field(symbol_id) and self._expected_parameters(symbol_id) is not None

    def _is_field(self, symbol_id: SymbolId) -> bool:
        if symbol_id.is_file:
            return False
        table = self._program.table_of(symbol_id)
        definition = table.definitions[symbol_id.ordinal]
        container = table.definition(definition.container)
        is_member = table.is_type(definition.container) or (container and container.kind == "field")
        return table.spec.placed_members and definition.kind == "field" and bool(is_member)

    def _find_functions(self, field: SymbolId) -> Iterator[SymbolId]:
        if not self._is_field(field):
            return
        table = self._program.table_of(field)
        definition = table.definitions[field.ordinal]
        container = table.id(definition.container)
        is_in_type = table.is_type(definition.container)
        by_member = self._placements_by_member(container) if is_in_type else {}
        keys = (definition.name, self._position(container, field))
        placements = (
            *(placement for key in keys for placement in by_member.get(key, ())),
            *self._assignments(field, definition.name),
        )
        for other, placement in placements:
            for function in self._placed_functions(other, placement):
                if field in self._fields_at(other, placement, function):
                    yield function

    def _assignments(self, field: SymbolId, name: str) -> Iterator[tuple[FileTable, Placement]]:
        """The assignments to members that have the name of a field."""
        for table in self._mentions.tables(self._mentions.paths_of(field)):
            for placement in table.facts.placements:
                if placement.member_column >= 0 and placement.member == name:
                    yield table, placement

    @memoised
    def _placements_by_member(
        self, type_id: SymbolId
    ) -> dict[str, list[tuple[FileTable, Placement]]]:
        """The values of members in literals of files that mention a type, by name or position."""
        placements: dict[str, list[tuple[FileTable, Placement]]] = {}
        for table in self._mentions.tables(self._paths_mentioning(type_id)):
            for placement in (placement for placement in table.facts.placements if placement.type):
                placements.setdefault(placement.member, []).append((table, placement))
        return placements

    def _paths_mentioning(self, type_id: SymbolId) -> list[str]:
        """The files that mention a type or an alias of it."""
        paths = dict.fromkeys(self._mentions.paths_of(type_id))
        name = self._program.definition(type_id).name
        for table in list(self._mentions.tables(paths)):
            for ordinal, definition in enumerate(table.definitions):
                if definition.kind == "type" and name in definition.returns.split():
                    paths.update(dict.fromkeys(self._mentions.paths_of(table.id(ordinal))))
        return list(paths)

    @memoised
    def _placements_by_name(self, table: FileTable) -> dict[str, list[Placement]]:
        placements: dict[str, list[Placement]] = {}
        for placement in table.facts.placements:
            placements.setdefault(placement.name, []).append(placement)
        return placements

    def _placed_functions(self, table: FileTable, placement: Placement) -> tuple[SymbolId, ...]:
        """The functions that a placement's name means for certain. Mere declarations count only if
        none has a body, since otherwise each function would count twice."""
        targets = self._resolver.certain_at(table, placement.name, placement.line, placement.column)
        functions = tuple(filter(self._program.is_function, targets))
        defined = (f for f in functions if not self._program.definition(f).bodiless)
        return tuple(defined) or functions

    def _fields_at(
        self, table: FileTable, placement: Placement, function: SymbolId
    ) -> Iterator[SymbolId]:
        """The fields that a function is assigned to at one place."""
        if placement.member_column >= 0:
            targets = self._resolver.certain_at(
                table, placement.member, placement.line, placement.member_column
            )
            yield from filter(self._is_field, targets)
            return
        model = self._resolver.model
        for value in model.types.lookup(table, placement.scope, placement.type, placement.line):
            if not isinstance(value, Instance):
                continue
            if not placement.member.isdecimal():
                members = model.hierarchy.member(value.id, placement.member)
                yield from (member.id for member in members if isinstance(member, Defined))
                continue
            for holder in model.hierarchy.lookup_order(value.id):
                field = self._field_at(holder, int(placement.member))
                if field is not None and self._fits(field, function):
                    yield field

    def _field_at(self, type_id: SymbolId, position: int) -> SymbolId | None:
        """The field at a position (from 0); None if any member up to it is no variable."""
        table = self._program.table_of(type_id)
        children = table.children.get(type_id.ordinal, [])
        if position >= len(children) or any(
            not table.is_variable(child) for child in children[: position + 1]
        ):
            return None
        return table.id(children[position])

    def _position(self, type_id: SymbolId, field: SymbolId) -> str:
        children = self._program.table_of(type_id).children.get(type_id.ordinal, [])
        return str(children.index(field.ordinal)) if field.ordinal in children else ""

    def _fits(self, field: SymbolId, function: SymbolId) -> bool:
        """Whether the functions that a field is for have as many parameters."""
        definition = self._program.definition(function)
        parameters = parameters_of(definition.signature, definition.name)
        expected = self._expected_parameters(field)
        return expected is not None and len(expected) == len(parameters)

    def _expected_parameters(self, field: SymbolId) -> list[str] | None:
        """The parameters in a field's function type, or in the alias that it has as its type; None
        where it is for no functions."""
        definition = self._program.definition(field)
        parameters = function_type_parameters(definition.signature, definition.name)
        if parameters is None:
            for value in self._resolver.model.variables.declared_values(field):
                if isinstance(value, Instance):
                    alias = self._program.definition(value.id)
                    parameters = (
                        function_type_parameters(alias.signature, alias.name)
                        if alias.kind == "type"
                        else None
                    )
        return parameters
