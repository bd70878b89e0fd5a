"""From what makes an event to what is there for events of its type.

``bus.Publish(new Added(x))`` hands an `Added` to something that knows nothing of it, and so does
``bus.Publish(added)`` where ``added`` is a variable that holds one made there; and
`Listener.Handle(Added message)` is there for such: its type is a listener for `Added`, by the
argument of a supertype (``Listener : IHandle<Added>``), or it is told by an annotation from
elsewhere that it is one, and has nothing else to be called with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from explorer_core.held import memoised
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference, ReferenceTable
from explorer_core.index.resolution.feeds.feed import Feed, feeding
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Instance
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, SymbolId

_FILES = 60
"""Files that mention a type for it to be one that tells handlers apart."""
_MAKERS, _HANDLERS = 20, 12
"""The most that make a type and have it handled: of a type of everything nothing is said, but of
one that is hardly made and taken otherwise."""
_HARDLY = 4
"""Times as often a type has to be handed on and handled as it is made and taken otherwise."""
_BEFORE = 4
"""References looked at before what is made for the call that it is given to."""
_ARGUMENTS = 4
"""References looked at in the head of a type before an argument for its supertype."""
_HEAD = 4
"""Lines after that of a method's name on which its parameters may be."""
_MAKING = ("construct", "call")
_WORD = re.compile(r"\w+")


class _Made(msgspec.Struct, frozen=True, gc=False):
    """Where something is made and handed on."""

    who: SymbolId
    line: int


class Events(Feed):
    """Finds who makes and who handles events; memoised by their types."""

    def out_of(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what handles what it makes and hands on."""
        table = self._program.holder(symbol_id)
        if table.spec.structural_interfaces:  # nothing says for what it listens
            return
        for index in self._references_in(symbol_id):
            line = self._handed_on(table, index)
            event = self._event(table, index) if line else None
            if event is not None:
                yield from (
                    e for e in self._edges(event) if (e.source, e.line) == (symbol_id, line)
                )

    def into(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that make what it handles."""
        if not self._program.is_function(symbol_id):
            return
        table = self._program.holder(symbol_id)
        for index in self._references_in(symbol_id):
            event = self._handled(table, index)
            if event is not None:
                yield from (edge for edge in self._edges(event) if edge.target == symbol_id)

    def _edges(self, event: SymbolId) -> Iterator[Edge]:
        made, handlers = self._of(event)
        for each in made:
            for handler in handlers:
                if handler != each.who:
                    yield feeding(each.who, handler, each.line)

    @memoised
    def _of(self, event: SymbolId) -> tuple[tuple[_Made, ...], tuple[SymbolId, ...]]:
        """Where events of a type are made, and what handles them; nothing where one is unknown."""
        paths = self._mentions.of(event)
        named = list(self._mentions.references(event, paths)) if len(paths) <= _FILES else []
        handlers = [
            table.id(table.facts.references[index].scope)
            for table, index in named
            if self._handled(table, index) == event
        ]
        if not handlers:
            return (), ()
        # What calls a handler by its name needs nobody to hand things over.
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

    def _making(
        self, event: SymbolId, named: list[tuple[FileTable, int]]
    ) -> Iterator[tuple[FileTable, int]]:
        """The references among some by which something of a type is made, outside of that."""
        for table, index in named:
            references = table.facts.references
            # A member of the type stands behind its name.
            at = index + (references[index].kind == "read")
            if at == len(references) or references[at].kind not in _MAKING:
                continue
            is_outside = not self._is_within(table, references[at].scope, event)
            if is_outside and self._event(table, at) == event:
                yield table, at

    def _taking(self, event: SymbolId, named: list[tuple[FileTable, int]]) -> set[SymbolId]:
        """The functions outside of a type that are given something of it, and the variables of
        it."""
        name = self._program.definition(event).name
        found = set[SymbolId]()
        for table, index in named:
            one = table.facts.references[index]
            is_outside = one.scope != TOP and not self._is_within(table, one.scope, event)
            if one.kind != "type" or not is_outside:
                continue
            if table.is_variable(one.scope) or name in _parameters(table, one.scope).values():
                found.add(table.id(one.scope))
        return found

    def _is_within(self, table: FileTable, scope: int, type_id: SymbolId) -> bool:
        """Whether a definition is that of a type, or stands in it."""
        while table.path == type_id.path and scope not in (TOP, type_id.ordinal):
            scope = table.definitions[scope].container
        return table.path == type_id.path and scope == type_id.ordinal

    def _handed_on(self, table: FileTable, index: int) -> int:
        """The line on which something is called with a value of the type that a reference means,
        made there, that knows nothing of the type: the value itself, or the variable that holds it;
        0 where nothing is."""
        if not self._is_making(table.facts.references[index]):
            return 0
        at = self._given_to(table, index)
        calls = self._given_variable(table, index) if at is None else [at]
        event = self._event(table, index) if calls else None
        if event is None or any(self._knows(table, each, event) for each in calls):
            return 0
        return table.facts.references[calls[-1] if at is None else index].line

    def _given_variable(self, table: FileTable, index: int) -> list[int]:
        """The calls that are given the variable which holds what is made where a reference is, and
        no other such variable, which they would compare it with."""
        references = table.facts.references
        made, names = references[index], table.handovers
        held = {
            name
            for name in names
            for binding in table.bound(made.scope, name)
            if binding.line == made.line and last_part(binding.type) in (made.name, made.written)
        }
        calls = (call for name in held for call in names[name])
        here = [at for at in calls if at > index and references[at].scope == made.scope]
        return [at for at in here if sum(at in given for given in names.values()) == 1]

    @staticmethod
    def _is_making(made: Reference) -> bool:
        """Whether a reference may make something, by the capital of its type: resolving every call
        within a call costs more than the types in small letters are worth."""
        if made.scope == TOP or made.kind not in _MAKING:
            return False
        return made.name[:1].isupper() or last_part(made.receiver)[:1].isupper()

    def _given_to(self, table: FileTable, index: int) -> int | None:
        """The call that is given a value of the type that a reference means, made there."""
        references = table.facts.references
        made = references[index]
        if not self._is_making(made):
            return None
        for at in references.before(index, _BEFORE):
            call = references[at]
            is_elsewhere = call.scope != made.scope or call.kind == "construct"
            if is_elsewhere or (call.line != made.line and not made.given):
                return None
            if call.kind == "call" and (call.arguments or not made.given):
                return at if call.arguments else None
        return None

    def _event(self, table: FileTable, index: int) -> SymbolId | None:
        """The one type that a reference means."""
        found: set[SymbolId] = set()
        for target in self._resolver.certain(table, index):
            kind = "" if target.is_file else self._program.kind(target)
            if kind == "constructor":
                found.update(filter(None, (self._holder(target),)))
            elif kind in MEMBER_HOLDERS:
                found.add(target)
            elif kind in CALLABLES and (given := self._own_maker(table, index, target)):
                found.add(given)
            else:
                return None
        return found.pop() if len(found) == 1 else None

    def _own_maker(self, table: FileTable, index: int, function: SymbolId) -> SymbolId | None:
        """The type of which a member is called that gives an object of it."""
        called = table.facts.references[index]
        type_name = last_part(called.receiver)
        if called.kind != "call" or not type_name[:1].isupper():
            return None
        holder = self._holder(function)
        if holder is None:
            return None
        written = f"{called.receiver}.{called.name}()"
        given = self._model.expressions.evaluate(table, called.scope, written, called.line)
        return holder if given == (Instance(holder),) else None

    def _knows(self, table: FileTable, index: int, event: SymbolId) -> bool:
        """Whether what is called has a parameter of a type, so that it is what takes the value."""
        resolution = self._resolver.resolve(table, index)
        name = self._program.definition(event).name
        for target in resolution.targets if resolution else ():
            if not self._program.is_function(target):
                return True
            if name in _parameters(self._program.holder(target), target.ordinal).values():
                return True
        return False

    def _handled(self, table: FileTable, index: int) -> SymbolId | None:
        """The type of which events are handled by the method in whose head a reference names it."""
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
        listens = self._listens(holder, named.name)
        if not listens and not any(True for _ in _annotations(table, named.scope)):
            return None
        given = list(_parameters(table, named.scope).values())
        if given.count(named.name) != 1 or len(given) > 2:
            return None
        event = self._event(table, index)
        if event in (None, holder) or self._has_others(holder, method.name, named.name):
            return None
        listens = listens and self._is_asked_for(table, named.scope, holder, named.name)
        return event if listens or self._is_told(table, named.scope, given) else None

    def _has_others(self, holder: SymbolId, name: str, given: str) -> bool:
        """Whether a type has methods of other names that are given something of the same type too,
        as what keeps such things has."""
        table = self._program.holder(holder)
        return any(
            given in _parameters(table, other).values()
            for other in table.children.get(holder.ordinal, ())
            if table.is_callable(other) and table.definitions[other].name != name
        )

    def _listens(self, holder: SymbolId, event: str) -> bool:
        """Whether a type names an event as the argument of a supertype."""
        table = self._program.holder(holder)
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
        """Whether a supertype may have asked for a method: one of elsewhere, or one that has it for
        whatever type it is given."""
        definition, program = table.definitions[method], self._program
        overridden = self._model.overriding.overridden(holder, table.id(method))
        if not overridden:
            return definition.exported and self._model.hierarchy.is_open(holder)
        return all(
            program.definition(each).bodiless
            and event not in _parameters(program.holder(each), each.ordinal).values()
            for each in overridden
        )

    def _is_told(self, table: FileTable, method: int, given: list[str]) -> bool:
        """Whether a method has an annotation from elsewhere that tells of such, nothing else to be
        called with, and nothing else to be called for: no result, and nothing that it overrides."""
        definition = table.definitions[method]
        gives = definition.returns and definition.returns not in table.spec.empty_types
        if len(given) != 1 or gives or definition.overrides:
            return False
        return any(self._tells(table, index) for index in _annotations(table, method))

    def _tells(self, table: FileTable, index: int) -> bool:
        """Whether an annotation is from elsewhere, and what has it is mostly given one thing."""
        if self._resolver.resolve(table, index) is not None:
            return False
        return self._is_for_takers_of_one(table.facts.references[index].name)

    @memoised
    def _is_for_takers_of_one(self, name: str) -> bool:
        """Whether three in four of what refers to a name in its head are given one thing."""
        users = sorted(self._program.source.files_mentioning(name))[:_FILES]
        given = [
            len(_parameters(table, method))
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


def _parameters(table: FileTable, function: int) -> dict[str, str]:
    """The simple names of the types of a function's parameters, by the names of these, as far as
    types are written; of a collection there is none."""
    found: dict[str, str] = {}
    for name in _WORD.findall(table.definitions[function].signature):
        for binding in table.bound(function, name):
            if binding.source == "annotation":
                found[name] = last_part(binding.type.partition("[")[0])
    return found


def _types_before(references: ReferenceTable, index: int) -> Iterator[Reference]:
    """The references before one, the nearest first, as far as types are named there in the same
    definition."""
    scope = references[index].scope
    for at in references.before(index, _ARGUMENTS):
        before = references[at]
        if before.scope != scope or before.kind not in ("type", "read"):
            return
        yield before
