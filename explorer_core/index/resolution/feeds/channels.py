"""Edges from a send to a channel to those that receive from it (Go).

A channel is known by the field, or the variable of a file or a function, that holds it. Where it is
a parameter, calls of the function say which channel it is, and so on through their callers. In
``jobs <- job`` it is `jobs`. A channel for mere signals carries nothing, and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname

import msgspec

from explorer_core.index.extraction.facts import TOP, Passage, Passing
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import VARIABLES, Edge, SymbolId
from explorer_core.memoised import memoised

_WORD = re.compile(r"\w+")
_ARGUMENTS = 12
"""How many references after that to a function are searched for its arguments."""
_PASSED = 40
"""The most functions that a channel is followed through."""


class _End(msgspec.Struct, frozen=True, gc=False):
    """Who sends to a channel or receives from it, and on which line."""

    who: SymbolId
    line: int
    sends: bool


class _Variable(msgspec.Struct, frozen=True, gc=False):
    """A variable of a function."""

    function: SymbolId
    name: str


_Channel = SymbolId | _Variable


class Channels(Feed):
    """Finds who sends to channels, and who receives from them; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to those that receive what it sends."""
        return self._edges(symbol_id, sends=True)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that send what it receives."""
        return self._edges(symbol_id, sends=False)

    def _edges(self, symbol_id: SymbolId, *, sends: bool) -> Iterator[Edge]:
        for channel, own in self._reached(symbol_id):
            for other in self._ends(channel) if own.sends == sends else ():
                if other.sends != sends and other.who != symbol_id:
                    put, taken = (own, other) if sends else (other, own)
                    yield feed_edge(put.who, taken.who, put.line)

    def _reached(self, symbol_id: SymbolId) -> Iterator[tuple[_Channel, _End]]:
        """The channels that a definition sends to or receives from."""
        table = self._program.table_of(symbol_id)
        for passage in table.passages.get(symbol_id.ordinal, ()):
            end = _End(symbol_id, passage.line, passage.sends)
            if passage.local and passage.channel.isidentifier() and passage.scope != TOP:
                for channel in self._origins(_Variable(symbol_id, passage.channel)):
                    yield channel, end
            elif channel := self._held(table, passage):
                yield channel, end

    def _held(self, table: FileTable, passage: Passage) -> SymbolId | None:
        """The field or variable that holds the channel of a passage."""
        name = last_part(passage.channel)
        references = table.facts.references
        for index in references.named(name):
            if _stands_at(references[index], passage):
                return self._channel(table, index)
        return None

    def _channel(self, table: FileTable, index: int) -> SymbolId | None:
        """The definition that a reference means, if it holds a channel that carries something."""
        found = self._one(table, index)
        return found if found and self._carried(found) else None

    def _carried(self, held: SymbolId) -> str:
        """The type that the channel in a field or variable carries; empty if it holds none."""
        if self._program.kind(held) not in VARIABLES:
            return ""
        table, definition = self._program.table_of(held), self._program.definition(held)
        label = f".{definition.name}" if table.is_type(definition.container) else definition.name
        return _carried(table, definition.container, label)

    @memoised
    def _origins(self, variable: _Variable) -> tuple[_Channel, ...]:
        """The channels that a variable of a function may be: itself, or what calls pass for it."""
        found: dict[_Channel, None] = {}
        variables = [variable]
        for each in variables:
            table, ordinal = self._program.table_of(each.function), each.function.ordinal
            if len(variables) > _PASSED or not _carried(table, ordinal, each.name):
                continue
            if each.name not in self._parameters(each.function):
                found[each] = None
                continue
            found.update(dict.fromkeys(self._given(table, ordinal, each.name)))
            variables += (v for v in self._passed(table, each) if v not in variables)
        return tuple(found)

    def _calls(self, table: FileTable, ordinal: int) -> Iterator[tuple[FileTable, int]]:
        """The references to a function from where it may be called."""
        function = table.id(ordinal)
        paths = self._mentions.paths_of(function)
        if not self._is_seen(table, ordinal):
            paths = [path for path in paths if dirname(path) == dirname(table.path)]
        return self._mentions.references(function, paths)

    def _passed(self, table: FileTable, parameter: _Variable) -> Iterator[_Variable]:
        """The variables that callers pass to a function for a parameter."""
        names = self._parameters(parameter.function)
        for other, index in self._calls(table, parameter.function.ordinal):
            call = other.facts.references[index]
            for passing in other.passings.get(call.scope, ()):
                is_here = passing.called == (call.line, call.column)
                is_it = names[passing.place : passing.place + 1] == (parameter.name,)
                if is_here and is_it and parameter.function in self._functions(other, index):
                    yield _Variable(other.id(call.scope), passing.channel)

    @memoised
    def _parameters(self, function: SymbolId) -> tuple[str, ...]:
        """The names of a function's parameters."""
        definition = self._program.definition(function)
        written = parameters_of(definition.signature, definition.name)
        return tuple(each.partition(" ")[0] for each in written)

    def _given(self, table: FileTable, ordinal: int, parameter: str) -> Iterator[SymbolId]:
        """The channels in fields and in files' variables that callers pass for a parameter."""
        function, carried = table.id(ordinal), _carried(table, ordinal, parameter)
        for other, index in self._calls(table, ordinal):
            for argument in _arguments(other, index):
                if self._callee(other, argument) == (index, function):
                    channel = self._channel(other, argument)
                    if channel and self._carried(channel) == carried:
                        yield channel

    def _is_seen(self, table: FileTable, function: int) -> bool:
        """Whether other packages may call a function: it is exported, and so is its type."""
        holder = self._holder(table.id(function))
        around = holder is None or self._program.definition(holder).exported
        return around and table.definitions[function].exported

    def _callee(self, table: FileTable, argument: int) -> tuple[int, SymbolId] | None:
        """The call that a channel is an argument of, and the function that is called: the nearest
        one before it with exactly one parameter for such a channel."""
        references = table.facts.references
        given = references[argument]
        if given.kind != "argument":
            return None
        channel = self._channel(table, argument)
        carried = self._carried(channel) if channel else ""
        for index in references.before(argument, _ARGUMENTS):
            called = references[index]
            if not carried or called.scope != given.scope:
                return None
            resolution = self._resolver.resolve(table, index) if called.kind == "call" else None
            for target in resolution.targets if resolution else ():
                if self._parameter(target, carried):
                    return index, target
        return None

    def _parameter(self, function: SymbolId, carried: str) -> str:
        """A function's parameter for channels of a type; empty unless there is just one."""
        if not self._program.is_function(function):
            return ""
        table, ordinal = self._program.table_of(function), function.ordinal
        names = [n for n in _in_head(table, ordinal) if _carried(table, ordinal, n) == carried]
        return names[0] if len(names) == 1 else ""

    @memoised
    def _ends(self, channel: _Channel) -> tuple[_End, ...]:
        is_variable = isinstance(channel, _Variable)
        found = self._ends_of(channel) if is_variable else self._find_ends(channel)
        return tuple(dict.fromkeys(found))

    def _find_ends(self, channel: SymbolId) -> Iterator[_End]:
        definition, carried = self._program.definition(channel), self._carried(channel)
        paths = self._mentions.paths_of(channel)
        if not definition.exported:
            paths = [path for path in paths if dirname(path) == dirname(channel.path)]
        for table in self._mentions.tables(paths):
            references = table.facts.references
            for index in references.named(definition.name):
                if self._channel(table, index) != channel:
                    continue
                use = references[index]
                for passage in table.passages.get(use.scope, ()):
                    if _stands_at(use, passage):
                        yield _End(table.id(use.scope), passage.line, passage.sends)
                if called := self._callee(table, index):
                    parameter = self._parameter(called[1], carried)
                    yield from self._ends_of(_Variable(called[1], parameter))

    def _ends_of(self, variable: _Variable) -> Iterator[_End]:
        """The sends and receives of a function on a variable's channel, and those of the functions
        that it passes the channel to."""
        variables = [variable]
        for each in variables:
            function = each.function
            if len(variables) > _PASSED:
                return
            table = self._program.table_of(function)
            for passage in table.passages.get(function.ordinal, ()):
                if passage.local and passage.channel == each.name:
                    yield _End(function, passage.line, passage.sends)
            for passing in table.passings.get(function.ordinal, ()):
                if passing.channel == each.name:
                    given = self._taking(table, passing)
                    variables += (v for v in given if v not in variables)

    def _taking(self, table: FileTable, passing: Passing) -> Iterator[_Variable]:
        """The parameters of functions to which a channel is passed there."""
        index = table.facts.references.at(passing.scope, passing.called)
        for function in self._functions(table, index) if index is not None else ():
            for name in self._parameters(function)[passing.place : passing.place + 1]:
                yield _Variable(function, name)


def _arguments(table: FileTable, call: int) -> Iterator[int]:
    """The references that may be arguments of a call."""
    references = table.facts.references
    called = references[call]
    for index in references.behind(call, _ARGUMENTS):
        if called.kind != "call" or references[index].scope != called.scope:
            return
        if references[index].kind == "argument":
            yield index


def _in_head(table: FileTable, function: int) -> list[str]:
    """The words in the head of a function, its parameters among them."""
    return list(dict.fromkeys(_WORD.findall(table.definitions[function].signature)))


def _stands_at(reference: Reference, passage: Passage) -> bool:
    """Whether a reference is to the channel of a passage."""
    at = reference.scope, reference.line
    return at == (passage.scope, passage.line) and reference.written == passage.channel


def _carried(table: FileTable, scope: int, variable: str) -> str:
    """The simple name of the type that a variable's channel carries, as declared; empty if it is no
    channel, or one for mere signals."""
    for binding in table.bindings(scope, variable):
        word, _, element = binding.type.partition("[*]")
        if binding.source == "annotation" and word in table.spec.collection_words:
            return "" if element in table.spec.empty_types else last_part(element)
    return ""
