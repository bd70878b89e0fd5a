"""Edges from what makes an event to the handlers of events of its type.

``bus.Publish(new Added(x))`` passes an `Added` to something that does not know its type, and so
does ``bus.Publish(added)`` where ``added`` is a variable that holds one made there. The method
`Listener.Handle(Added message)` handles it, if

- its type has the event as the argument of a supertype (``Listener : IHandle<Added>``);
- its type is listed after the event somewhere (``Added::class => [Listener::class]``);
- or an annotation from outside marks it as a handler, and the event is its only parameter.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference, ReferenceTable
from explorer_core.index.resolution.feeds.feed import feed_edge
from explorer_core.index.resolution.feeds.handing_on import HandingOn, parameter_types
from explorer_core.index.resolution.feeds.listed_types import ListedTypes
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised

_MAX_FILES = 60
"""If more files mention a type, it does not identify handlers."""
_MAX_MAKERS, _MAX_HANDLERS = 20, 12
"""If more places make a type, or more methods handle it, nothing is said of it, unless it is hardly
made or received in any other way."""
_DOMINANCE = 4
"""How much more often such a type is passed on and handled than otherwise made and received."""
_SUPERTYPE_DISTANCE = 4
"""How many references before an argument in a type's head are searched for its supertype."""
_HEAD_LINES = 4
"""On how many lines after a method's name its parameters may stand."""


class _Creation(msgspec.Struct, frozen=True, gc=False):
    """Where something is made and passed on."""

    maker: SymbolId
    line: int


class Events(HandingOn):
    """Finds who makes events, and who handles them; memoised by type."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver)
        self._listed = ListedTypes(resolver)

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the handlers of what it makes and passes on."""
        table = self._program.table_of(symbol_id)
        if table.spec.structural_interfaces:  # types do not declare what they handle
            return
        for index in self._references_in(symbol_id):
            line = self._passing_line(table, index)
            event = self._made_type(table, index) if line else None
            if event is not None:
                yield from (
                    e for e in self._edges(event) if (e.source, e.line) == (symbol_id, line)
                )

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that make what it handles."""
        if not self._program.is_function(symbol_id):
            return
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            event = self._handled_type(table, index)
            if event is not None:
                yield from (edge for edge in self._edges(event) if edge.target == symbol_id)

    def _edges(self, event: SymbolId) -> Iterator[Edge]:
        creations, handlers = self._makers_and_handlers(event)
        for creation in creations:
            for handler in handlers:
                if handler != creation.maker:
                    yield feed_edge(creation.maker, handler, creation.line)

    @memoised
    def _makers_and_handlers(
        self, event: SymbolId
    ) -> tuple[tuple[_Creation, ...], tuple[SymbolId, ...]]:
        """Where events of a type are made, and what handles them; neither, if one is unknown."""
        paths = self._mentions.paths_of(event)
        references = (
            list(self._mentions.references(event, paths)) if len(paths) <= _MAX_FILES else []
        )
        handlers = [
            table.id(table.facts.references[index].scope)
            for table, index in references
            if self._handled_type(table, index) == event
        ]
        if not handlers:
            return (), ()
        # A call of a handler by its own name hands nothing over.
        names = {self._program.definition(handler).name for handler in handlers}
        creations, kept_count = list[_Creation](), 0
        for table, index in self._creations(event, references):
            call = self._receiving_call(table, index)
            if call is not None and table.facts.references[call].name in names:
                continue
            if line := self._passing_line(table, index):
                creations.append(_Creation(table.id(table.facts.references[index].scope), line))
            else:
                kept_count += 1
        receiver_count = len(self._receivers(event, references).difference(handlers))
        is_many = len(creations) > _MAX_MAKERS or len(handlers) > _MAX_HANDLERS
        is_dominant = kept_count * _DOMINANCE <= len(
            creations
        ) and receiver_count * _DOMINANCE <= len(handlers)
        if kept_count > len(creations) or (is_many and not is_dominant):
            return (), ()
        return tuple(creations), tuple(handlers)

    def _handled_type(self, table: FileTable, index: int) -> SymbolId | None:
        """The type of events that a method handles, if a reference in its head is to that type."""
        references = table.facts.references
        reference = references[index]
        if reference.kind != "type" or reference.scope == TOP:
            return None
        method = table.definitions[reference.scope]
        if method.kind != "method" or method.static or reference.line > method.line + _HEAD_LINES:
            return None
        type_id = self._declaring_type(table.id(reference.scope))
        if type_id is None:
            return None
        types = list(parameter_types(table, reference.scope).values())
        if types.count(reference.name) != 1 or len(types) > 2:
            return None
        event = self._made_type(table, index)
        if event in (None, type_id) or self._takes_in_other_methods(
            type_id, method.name, reference.name
        ):
            return None
        is_argument = self._is_supertype_argument(type_id, reference.name)
        is_argument = is_argument and self._may_be_required(
            table, reference.scope, type_id, reference.name
        )
        if is_argument or self._is_annotated_handler(table, reference.scope, types):
            return event
        is_only_parameter = len(types) == 1 and method.exported
        return (
            event
            if event and is_only_parameter and self._listed.are_listed(event, type_id)
            else None
        )

    def _takes_in_other_methods(self, type_id: SymbolId, name: str, parameter_type: str) -> bool:
        """Whether a type has methods of other names with a parameter of the same type, as a store
        of such objects has."""
        table = self._program.table_of(type_id)
        return any(
            parameter_type in parameter_types(table, other).values()
            for other in table.children.get(type_id.ordinal, ())
            if table.is_callable(other) and table.definitions[other].name != name
        )

    def _is_supertype_argument(self, type_id: SymbolId, event: str) -> bool:
        """Whether a type has an event as the argument of a supertype."""
        table = self._program.table_of(type_id)
        clauses = table.supertypes.get(type_id.ordinal, ())
        names = {last_part(clause.name) for clause in clauses if not clause.owner}
        references = table.facts.references
        for index in references.named(event) if names and event not in names else ():
            is_in_head = references[index].scope == type_id.ordinal
            preceding = _types_before(references, index) if is_in_head else ()
            if any(reference.name in names for reference in preceding):
                return True
        return False

    def _may_be_required(
        self, table: FileTable, method: int, type_id: SymbolId, event: str
    ) -> bool:
        """Whether a supertype may require a method: one from outside, or one that declares it
        without a body and not for this very event."""
        definition, program = table.definitions[method], self._program
        overridden = self._model.overriding.overridden(type_id, table.id(method))
        if not overridden:
            return definition.exported and self._model.hierarchy.is_open(type_id)
        return all(
            program.definition(base_method).bodiless
            and event
            not in parameter_types(program.table_of(base_method), base_method.ordinal).values()
            for base_method in overridden
        )

    def _is_annotated_handler(self, table: FileTable, method: int, types: list[str]) -> bool:
        """Whether an annotation from outside marks a method as a handler. It must have one
        parameter and no result, and override nothing."""
        definition = table.definitions[method]
        has_result = definition.returns and definition.returns not in table.spec.empty_types
        if len(types) != 1 or has_result or definition.overrides:
            return False
        return any(self._marks_handlers(table, index) for index in _annotations(table, method))

    def _marks_handlers(self, table: FileTable, index: int) -> bool:
        """Whether an annotation is from outside, and is mostly for functions with one parameter."""
        if self._resolver.resolve(table, index) is not None:
            return False
        return self._is_for_single_parameter(table.facts.references[index].name)

    @memoised
    def _is_for_single_parameter(self, name: str) -> bool:
        """Whether three in four of the functions that refer to a name have one parameter."""
        paths = sorted(self._program.source.files_mentioning(name))[:_MAX_FILES]
        counts = [
            len(parameter_types(table, method))
            for table in self._mentions.tables(paths)
            for method in {
                table.facts.references[i].scope for i in table.facts.references.named(name)
            }
            if method != TOP and table.is_callable(method)
        ]
        return counts.count(1) * 4 >= len(counts) * 3


def _annotations(table: FileTable, method: int) -> Iterator[int]:
    """The references in the annotations of a method."""
    references = table.facts.references
    for index in references.in_scope(method):
        is_before = references[index].line <= table.definitions[method].line
        if is_before and references[index].kind == "decorator":
            yield index


def _types_before(references: ReferenceTable, index: int) -> Iterator[Reference]:
    """The references before one, the nearest first, while they name types in its definition."""
    scope = references[index].scope
    for row in references.before(index, _SUPERTYPE_DISTANCE):
        reference = references[row]
        if reference.scope != scope or reference.kind not in ("type", "read"):
            return
        yield reference
