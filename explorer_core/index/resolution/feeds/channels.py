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

from explorer_core.index.extraction.facts import TOP, ChannelArgument, ChannelOperation
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import VARIABLES, Edge, SymbolId
from explorer_core.memoised import memoised

_WORD = re.compile(r"\w+")
_MAX_ARGUMENTS = 12
"""How many references after that to a function are searched for its arguments."""
_MAX_FUNCTIONS = 40
"""The most functions that a channel is followed through."""


class _End(msgspec.Struct, frozen=True, gc=False):
    """Who sends to a channel or receives from it, and on which line."""

    user: SymbolId
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
        for channel, own_end in self._used_channels(symbol_id):
            for other_end in self._ends(channel) if own_end.sends == sends else ():
                if other_end.sends != sends and other_end.user != symbol_id:
                    sender, receiver = (own_end, other_end) if sends else (other_end, own_end)
                    yield feed_edge(sender.user, receiver.user, sender.line)

    def _used_channels(self, symbol_id: SymbolId) -> Iterator[tuple[_Channel, _End]]:
        """The channels that a definition sends to or receives from."""
        table = self._program.table_of(symbol_id)
        for operation in table.channel_operations.get(symbol_id.ordinal, ()):
            end = _End(symbol_id, operation.line, operation.sends)
            if operation.local and operation.channel.isidentifier() and operation.scope != TOP:
                for channel in self._origins(_Variable(symbol_id, operation.channel)):
                    yield channel, end
            elif channel := self._holding_variable(table, operation):
                yield channel, end

    def _holding_variable(self, table: FileTable, operation: ChannelOperation) -> SymbolId | None:
        """The field or variable that holds the channel of a passage."""
        name = last_part(operation.channel)
        references = table.facts.references
        for index in references.named(name):
            if _is_channel_of(references[index], operation):
                return self._channel(table, index)
        return None

    def _channel(self, table: FileTable, index: int) -> SymbolId | None:
        """The definition that a reference means, if it holds a channel that carries something."""
        target = self._only_target(table, index)
        return target if target and self._type_carried_by(target) else None

    def _type_carried_by(self, symbol_id: SymbolId) -> str:
        """The type that the channel in a field or variable carries; empty if it holds none."""
        if self._program.kind(symbol_id) not in VARIABLES:
            return ""
        table, definition = self._program.table_of(symbol_id), self._program.definition(symbol_id)
        label = f".{definition.name}" if table.is_type(definition.container) else definition.name
        return _carried_type(table, definition.container, label)

    @memoised
    def _origins(self, variable: _Variable) -> tuple[_Channel, ...]:
        """The channels that a variable of a function may be: itself, or what calls pass for it."""
        channels: dict[_Channel, None] = {}
        variables = [variable]
        for current in variables:
            table, ordinal = self._program.table_of(current.function), current.function.ordinal
            if len(variables) > _MAX_FUNCTIONS or not _carried_type(table, ordinal, current.name):
                continue
            if current.name not in self._parameters(current.function):
                channels[current] = None
                continue
            channels.update(dict.fromkeys(self._passed_channels(table, ordinal, current.name)))
            variables += (v for v in self._passed_variables(table, current) if v not in variables)
        return tuple(channels)

    def _references_to(self, table: FileTable, ordinal: int) -> Iterator[tuple[FileTable, int]]:
        """The references to a function from where it may be called."""
        function = table.id(ordinal)
        paths = self._mentions.paths_of(function)
        if not self._is_visible_outside(table, ordinal):
            paths = [path for path in paths if dirname(path) == dirname(table.path)]
        return self._mentions.references(function, paths)

    def _passed_variables(self, table: FileTable, parameter: _Variable) -> Iterator[_Variable]:
        """The variables that callers pass to a function for a parameter."""
        names = self._parameters(parameter.function)
        for other, index in self._references_to(table, parameter.function.ordinal):
            call = other.facts.references[index]
            for passed in other.channel_arguments.get(call.scope, ()):
                is_call = passed.callee == (call.line, call.column)
                is_parameter = names[passed.index : passed.index + 1] == (parameter.name,)
                if is_call and is_parameter and parameter.function in self._functions(other, index):
                    yield _Variable(other.id(call.scope), passed.channel)

    @memoised
    def _parameters(self, function: SymbolId) -> tuple[str, ...]:
        """The names of a function's parameters."""
        definition = self._program.definition(function)
        written = parameters_of(definition.signature, definition.name)
        return tuple(parameter.partition(" ")[0] for parameter in written)

    def _passed_channels(
        self, table: FileTable, ordinal: int, parameter: str
    ) -> Iterator[SymbolId]:
        """The channels in fields and in files' variables that callers pass for a parameter."""
        function, carried = table.id(ordinal), _carried_type(table, ordinal, parameter)
        for other, index in self._references_to(table, ordinal):
            for argument in _arguments(other, index):
                if self._callee(other, argument) == (index, function):
                    channel = self._channel(other, argument)
                    if channel and self._type_carried_by(channel) == carried:
                        yield channel

    def _is_visible_outside(self, table: FileTable, function: int) -> bool:
        """Whether other packages may call a function: it is exported, and so is its type."""
        type_id = self._declaring_type(table.id(function))
        is_type_exported = type_id is None or self._program.definition(type_id).exported
        return is_type_exported and table.definitions[function].exported

    def _callee(self, table: FileTable, argument: int) -> tuple[int, SymbolId] | None:
        """The call that a channel is an argument of, and the function that is called: the nearest
        one before it with exactly one parameter for such a channel."""
        references = table.facts.references
        reference = references[argument]
        if reference.kind != "argument":
            return None
        channel = self._channel(table, argument)
        carried = self._type_carried_by(channel) if channel else ""
        for index in references.before(argument, _MAX_ARGUMENTS):
            call = references[index]
            if not carried or call.scope != reference.scope:
                return None
            resolution = self._resolver.resolve(table, index) if call.kind == "call" else None
            for target in resolution.targets if resolution else ():
                if self._channel_parameter(target, carried):
                    return index, target
        return None

    def _channel_parameter(self, function: SymbolId, carried: str) -> str:
        """A function's parameter for channels of a type; empty unless there is just one."""
        if not self._program.is_function(function):
            return ""
        table, ordinal = self._program.table_of(function), function.ordinal
        names = [
            name
            for name in _words_in_signature(table, ordinal)
            if _carried_type(table, ordinal, name) == carried
        ]
        return names[0] if len(names) == 1 else ""

    @memoised
    def _ends(self, channel: _Channel) -> tuple[_End, ...]:
        is_variable = isinstance(channel, _Variable)
        ends = self._variable_ends(channel) if is_variable else self._definition_ends(channel)
        return tuple(dict.fromkeys(ends))

    def _definition_ends(self, channel: SymbolId) -> Iterator[_End]:
        definition, carried = self._program.definition(channel), self._type_carried_by(channel)
        paths = self._mentions.paths_of(channel)
        if not definition.exported:
            paths = [path for path in paths if dirname(path) == dirname(channel.path)]
        for table in self._mentions.tables(paths):
            references = table.facts.references
            for index in references.named(definition.name):
                if self._channel(table, index) != channel:
                    continue
                use = references[index]
                for operation in table.channel_operations.get(use.scope, ()):
                    if _is_channel_of(use, operation):
                        yield _End(table.id(use.scope), operation.line, operation.sends)
                if callee := self._callee(table, index):
                    parameter = self._channel_parameter(callee[1], carried)
                    yield from self._variable_ends(_Variable(callee[1], parameter))

    def _variable_ends(self, variable: _Variable) -> Iterator[_End]:
        """The sends and receives of a function on a variable's channel, and those of the functions
        that it passes the channel to."""
        variables = [variable]
        for current in variables:
            function = current.function
            if len(variables) > _MAX_FUNCTIONS:
                return
            table = self._program.table_of(function)
            for operation in table.channel_operations.get(function.ordinal, ()):
                if operation.local and operation.channel == current.name:
                    yield _End(function, operation.line, operation.sends)
            for passed in table.channel_arguments.get(function.ordinal, ()):
                if passed.channel == current.name:
                    parameters = self._receiving_parameters(table, passed)
                    variables += (v for v in parameters if v not in variables)

    def _receiving_parameters(
        self, table: FileTable, passed: ChannelArgument
    ) -> Iterator[_Variable]:
        """The parameters of functions to which a channel is passed there."""
        index = table.facts.references.at(passed.scope, passed.callee)
        for function in self._functions(table, index) if index is not None else ():
            for name in self._parameters(function)[passed.index : passed.index + 1]:
                yield _Variable(function, name)


def _arguments(table: FileTable, call: int) -> Iterator[int]:
    """The references that may be arguments of a call."""
    references = table.facts.references
    call_reference = references[call]
    for index in references.after(call, _MAX_ARGUMENTS):
        if call_reference.kind != "call" or references[index].scope != call_reference.scope:
            return
        if references[index].kind == "argument":
            yield index


def _words_in_signature(table: FileTable, function: int) -> list[str]:
    """The words in the head of a function, its parameters among them."""
    return list(dict.fromkeys(_WORD.findall(table.definitions[function].signature)))


def _is_channel_of(reference: Reference, operation: ChannelOperation) -> bool:
    """Whether a reference is to the channel of a passage."""
    place = reference.scope, reference.line
    return place == (operation.scope, operation.line) and reference.written == operation.channel


def _carried_type(table: FileTable, scope: int, variable: str) -> str:
    """The simple name of the type that a variable's channel carries, as declared; empty if it is no
    channel, or one for mere signals."""
    for binding in table.bindings(scope, variable):
        word, _, element = binding.type.partition("[*]")
        if binding.source == "annotation" and word in table.spec.collection_words:
            return "" if element in table.spec.empty_types else last_part(element)
    return ""
