"""Edges from a call on a library's object to the functions that the object was given (Python).

``finished.connect(add_to_index)`` gives a function to an object in a file's variable.
``finished.send(document=doc)`` calls such functions, if they have parameters with the names of the
arguments. What these members do themselves is not visible here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import PLACE, TOP
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import all_outside
from explorer_core.index.symbols import VARIABLES, Edge, SymbolId
from explorer_core.memoised import memoised

_WORD = re.compile(r"\w+")
_NEAR = 4
"""How many references after that to an object are searched for a function that it is given."""
_WITHIN = 40
"""How many references after a call are searched for the names of its arguments."""
_FILES = 60
"""If more files mention an object, it says nothing."""


class _Called(msgspec.Struct, frozen=True, gc=False):
    """A call of an object's member, and the names of its arguments."""

    who: SymbolId
    line: int
    member: str
    names: frozenset[str]


class _Object(msgspec.Struct, frozen=True, gc=False):
    """The uses of an object: the functions that it is given, each with the member it is given by,
    if any, and the calls of its members."""

    functions: tuple[tuple[SymbolId, str], ...]
    calls: tuple[_Called, ...]


class Subscriptions(Feed):
    """Finds who calls members of objects, and the functions that these were given; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to functions given to the objects whose members it calls."""
        table, rows = self._program.table_of(symbol_id), self._references_in(symbol_id)
        references = table.facts.references
        named = {each.receiver for i in rows if _is_name(each := references[i])}
        found: dict[SymbolId, None] = {}
        for index in rows if named else ():
            used = references[index]
            if used.kind == "call" and PLACE + used.written in named:
                found.update(dict.fromkeys(self._object(table, index - 1)))
        for each in found:
            yield from (edge for edge in self._edges(each) if edge.source == symbol_id)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a function from calls of members of the objects it was given to."""
        if not self._program.is_function(symbol_id):
            return
        found: dict[SymbolId, None] = {}
        for table, index in self._mentions.references(
            symbol_id, self._mentions.paths_of(symbol_id)
        ):
            for giving in self._giving(table, index):
                found.update(dict.fromkeys(self._object(table, giving)))
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            used = table.facts.references[index]
            if used.line <= table.definitions[symbol_id.ordinal].line and used.kind != "type":
                found.update(dict.fromkeys(self._object(table, index)))
        for each in found:
            yield from (edge for edge in self._edges(each) if edge.target == symbol_id)

    def _edges(self, held: SymbolId) -> Iterator[Edge]:
        done = self._done_with(held)
        giving = {member for _, member in done.functions}
        for called in done.calls:
            for function, _ in done.functions if called.member not in giving else ():
                if function != called.who and self._takes(function, called.names):
                    yield feed_edge(called.who, function, called.line)

    def _takes(self, function: SymbolId, names: frozenset[str]) -> bool:
        """Whether a function has parameters for arguments of some names."""
        definition = self._program.definition(function)
        written = parameters_of(definition.signature, definition.name)
        own = {word[0] for each in written if (word := _WORD.search(each))}
        # A mark before the name of a parameter says that it takes all that is left.
        takes_others = any(not _WORD.match(each) for each in written)
        return names <= own or (takes_others and bool(names & own))

    def _object(self, table: FileTable, index: int) -> Iterator[SymbolId]:
        """The file's variable that a reference means, if it is set to an object from outside."""
        target = self._one(table, index) if index >= 0 else None
        if target is None or self._program.kind(target) not in VARIABLES:
            return
        holder, definition = self._program.table_of(target), self._program.definition(target)
        bound = holder.bindings(TOP, definition.name) if definition.container == TOP else ()
        is_made = bool(bound) and all(each.source in ("call", "construct") for each in bound)
        if is_made and all_outside(self._model.variables.declared_values(target)):
            yield target

    @memoised
    def _done_with(self, held: SymbolId) -> _Object:
        functions, calls = dict[tuple[SymbolId, str], None](), list[_Called]()
        paths = self._mentions.paths_of(held)
        for table, index in self._mentions.references(held, paths if len(paths) <= _FILES else ()):
            if held in self._object(table, index):
                functions.update(dict.fromkeys(self._given(table, index)))
                calls += self._calls(table, index)
        return _Object(tuple(functions), tuple(calls))

    def _given(self, table: FileTable, index: int) -> Iterator[tuple[SymbolId, str]]:
        """The functions that an object is given where a reference means it, each with the member
        that it is given by: the one it decorates, and those among the arguments of a member."""
        references = table.facts.references
        used = references[index]
        after = references.next(index)
        asked = after if after and after.receiver == used.written else None
        if used.scope != TOP and used.line <= table.definitions[used.scope].line:
            if table.is_callable(used.scope) and self._is_decorator(table, index):
                yield table.id(used.scope), asked.name if asked else ""
        elif asked and asked.kind == "call":
            for at in references.behind(index + 1, _NEAR):
                if index in self._giving(table, at):
                    for function in self._functions(table, at):
                        yield function, asked.name

    def _is_decorator(self, table: FileTable, index: int) -> bool:
        """Whether a reference in the head of a function is in one of its decorators."""
        references = table.facts.references
        near = range(max(index - _NEAR, 0), min(index + 2, len(references)))
        return any(
            references[at].kind == "decorator" and references[at].scope == references[index].scope
            for at in near
        )

    def _giving(self, table: FileTable, index: int) -> Iterator[int]:
        """The reference to the object whose member is called with a function as an argument."""
        references = table.facts.references
        used = references[index]
        if used.kind != "argument":
            return
        for at in range(index - 1, max(index - 2 - _NEAR, 0), -1):
            before = references[at]
            if before.scope != used.scope:
                return
            if before.kind == "call":
                if before.receiver and before.receiver == references[at - 1].written:
                    yield at - 1
                return

    def _calls(self, table: FileTable, index: int) -> Iterator[_Called]:
        """The call of a member with named arguments, where a reference means the object."""
        references = table.facts.references
        used = references[index]
        called = references.next(index)
        if called is None or called.kind != "call" or called.receiver != used.written:
            return
        written, names = called.written, set[str]()
        for at in references.behind(index + 1, _WITHIN):
            one = references[at]
            if one.scope != called.scope or (one.kind == "call" and one.written == written):
                break
            if one.receiver == PLACE + written:
                names.add(one.name)
        if names and called.scope != TOP:
            who = table.id(called.scope)
            yield _Called(who, called.line, called.name, frozenset(names))


def _is_name(reference: Reference) -> bool:
    """Whether a reference is the name of an argument."""
    return reference.receiver.startswith(PLACE)
