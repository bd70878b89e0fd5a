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

_FILES = 60
"""If more files mention a type, it does not identify handlers."""
_MAKERS, _HANDLERS = 20, 12
"""If more places make a type, or more methods handle it, nothing is said of it, unless it is hardly
made or received in any other way."""
_HARDLY = 4
"""How much more often such a type is passed on and handled than otherwise made and received."""
_ARGUMENTS = 4
"""How many references before an argument in a type's head are searched for its supertype."""
_HEAD = 4
"""On how many lines after a method's name its parameters may stand."""


class _Made(msgspec.Struct, frozen=True, gc=False):
    """Where something is made and passed on."""

    who: SymbolId
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
            line = self._handed_on(table, index)
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
            event = self._handled(table, index)
            if event is not None:
                yield from (edge for edge in self._edges(event) if edge.target == symbol_id)

    def _edges(self, event: SymbolId) -> Iterator[Edge]:
        made, handlers = self._of(event)
        for each in made:
            for handler in handlers:
                if handler != each.who:
                    yield feed_edge(each.who, handler, each.line)

    @memoised
    def _of(self, event: SymbolId) -> tuple[tuple[_Made, ...], tuple[SymbolId, ...]]:
        """Where events of a type are made, and what handles them; neither, if one is unknown."""
        paths = self._mentions.paths_of(event)
        named = list(self._mentions.references(event, paths)) if len(paths) <= _FILES else []
        handlers = [
            table.id(table.facts.references[index].scope)
            for table, index in named
            if self._handled(table, index) == event
        ]
        if not handlers:
            return (), ()
        # A call of a handler by its own name hands nothing over.
        names = {self._program.definition(each).name for each in handlers}
        made, kept = list[_Made](), 0
        for table, index in self._making(event, named):
            at = self._given_to(table, index)
            if at is not None and table.facts.references[at].name in names:
                continue
            if line := self._handed_on(table, index):
                made.append(_Made(table.id(table.facts.references[index].scope), line))
            else:
                kept += 1
        taking = len(self._taking(event, named).difference(handlers))
        is_many = len(made) > _MAKERS or len(handlers) > _HANDLERS
        is_only_that = kept * _HARDLY <= len(made) and taking * _HARDLY <= len(handlers)
        if kept > len(made) or (is_many and not is_only_that):
            return (), ()
        return tuple(made), tuple(handlers)

    def _handled(self, table: FileTable, index: int) -> SymbolId | None:
        """The type of events that a method handles, if a reference in its head is to that type."""
        references = table.facts.references
        named = references[index]
        if named.kind != "type" or named.scope == TOP:
            return None
        method = table.definitions[named.scope]
        if method.kind != "method" or method.static or named.line > method.line + _HEAD:
            return None
        holder = self._holder(table.id(named.scope))
        if holder is None:
            return None
        given = list(parameter_types(table, named.scope).values())
        if given.count(named.name) != 1 or len(given) > 2:
            return None
        event = self._made_type(table, index)
        if event in (None, holder) or self._has_others(holder, method.name, named.name):
            return None
        listens = self._listens(holder, named.name)
        listens = listens and self._is_asked_for(table, named.scope, holder, named.name)
        if listens or self._is_told(table, named.scope, given):
            return event
        is_alone = len(given) == 1 and method.exported
        return event if event and is_alone and self._listed.are_listed(event, holder) else None

    def _has_others(self, holder: SymbolId, name: str, given: str) -> bool:
        """Whether a type has methods of other names with a parameter of the same type, as a store
        of such objects has."""
        table = self._program.table_of(holder)
        return any(
            given in parameter_types(table, other).values()
            for other in table.children.get(holder.ordinal, ())
            if table.is_callable(other) and table.definitions[other].name != name
        )

    def _listens(self, holder: SymbolId, event: str) -> bool:
        """Whether a type has an event as the argument of a supertype."""
        table = self._program.table_of(holder)
        written = table.supertypes.get(holder.ordinal, ())
        names = {last_part(each.name) for each in written if not each.owner}
        references = table.facts.references
        for index in references.named(event) if names and event not in names else ():
            is_in_head = references[index].scope == holder.ordinal
            before = _types_before(references, index) if is_in_head else ()
            if any(each.name in names for each in before):
                return True
        return False

    def _is_asked_for(self, table: FileTable, method: int, holder: SymbolId, event: str) -> bool:
        """Whether a supertype may require a method: one from outside, or one that declares it
        without a body and not for this very event."""
        definition, program = table.definitions[method], self._program
        overridden = self._model.overriding.overridden(holder, table.id(method))
        if not overridden:
            return definition.exported and self._model.hierarchy.is_open(holder)
        return all(
            program.definition(each).bodiless
            and event not in parameter_types(program.table_of(each), each.ordinal).values()
            for each in overridden
        )

    def _is_told(self, table: FileTable, method: int, given: list[str]) -> bool:
        """Whether an annotation from outside marks a method as a handler. It must have one
        parameter and no result, and override nothing."""
        definition = table.definitions[method]
        gives = definition.returns and definition.returns not in table.spec.empty_types
        if len(given) != 1 or gives or definition.overrides:
            return False
        return any(self._tells(table, index) for index in _annotations(table, method))

    def _tells(self, table: FileTable, index: int) -> bool:
        """Whether an annotation is from outside, and is mostly for functions with one parameter."""
        if self._resolver.resolve(table, index) is not None:
            return False
        return self._is_for_takers_of_one(table.facts.references[index].name)

    @memoised
    def _is_for_takers_of_one(self, name: str) -> bool:
        """Whether three in four of the functions that refer to a name have one parameter."""
        users = sorted(self._program.source.files_mentioning(name))[:_FILES]
        given = [
            len(parameter_types(table, method))
            for table in self._mentions.tables(users)
            for method in {
                table.facts.references[i].scope for i in table.facts.references.named(name)
            }
            if method != TOP and table.is_callable(method)
        ]
        return given.count(1) * 4 >= len(given) * 3


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
    for at in references.before(index, _ARGUMENTS):
        before = references[at]
        if before.scope != scope or before.kind not in ("type", "read"):
            return
        yield before
