"""Edges from a call on a library's object to the functions that the object was given (Python).

``finished.connect(add_to_index)`` gives a function to an object in a file's variable.
``finished.send(document=doc)`` calls such functions, if they have parameters with the names of the
arguments. What these members do themselves is not visible here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import TOP, UNNAMED
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import all_outside
from explorer_core.index.symbols import VARIABLES, Edge, SymbolId
from explorer_core.memoised import memoised

_WORD = re.compile(r"\w+")
_FUNCTION_DISTANCE = 4
"""How many references after that to an object are searched for a function that it is given."""
_ARGUMENT_DISTANCE = 40
"""How many references after a call are searched for the names of its arguments."""
_MAX_FILES = 60
"""If more files mention an object, it says nothing."""


class _MemberCall(msgspec.Struct, frozen=True, gc=False):
    """A call of an object's member, and the names of its arguments."""

    caller: SymbolId
    line: int
    member: str
    names: frozenset[str]


class _ObjectUses(msgspec.Struct, frozen=True, gc=False):
    """The uses of an object: the functions that it is given, each with the member it is given by,
    if any, and the calls of its members."""

    functions: tuple[tuple[SymbolId, str], ...]
    calls: tuple[_MemberCall, ...]


class Subscriptions(Feed):
    """Finds who calls members of objects, and the functions that these were given; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to functions given to the objects whose members it calls."""
        table, rows = self._program.table_of(symbol_id), self._references_in(symbol_id)
        references = table.facts.references
        receivers = {each.receiver for i in rows if _is_argument_name(each := references[i])}
        variables: dict[SymbolId, None] = {}
        for index in rows if receivers else ():
            reference = references[index]
            if reference.kind == "call" and UNNAMED + reference.written in receivers:
                variables.update(dict.fromkeys(self._object_variable(table, index - 1)))
        for each in variables:
            yield from (edge for edge in self._edges(each) if edge.source == symbol_id)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a function from calls of members of the objects it was given to."""
        if not self._program.is_function(symbol_id):
            return
        variables: dict[SymbolId, None] = {}
        for table, index in self._mentions.references(
            symbol_id, self._mentions.paths_of(symbol_id)
        ):
            for object_index in self._receiving_object(table, index):
                variables.update(dict.fromkeys(self._object_variable(table, object_index)))
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            reference = table.facts.references[index]
            if (
                reference.line <= table.definitions[symbol_id.ordinal].line
                and reference.kind != "type"
            ):
                variables.update(dict.fromkeys(self._object_variable(table, index)))
        for variable in variables:
            yield from (edge for edge in self._edges(variable) if edge.target == symbol_id)

    def _edges(self, variable: SymbolId) -> Iterator[Edge]:
        uses = self._object_uses(variable)
        giving_members = {member for _, member in uses.functions}
        for call in uses.calls:
            for function, _ in uses.functions if call.member not in giving_members else ():
                if function != call.caller and self._accepts(function, call.names):
                    yield feed_edge(call.caller, function, call.line)

    def _accepts(self, function: SymbolId, names: frozenset[str]) -> bool:
        """Whether a function has parameters for arguments of some names."""
        definition = self._program.definition(function)
        written = parameters_of(definition.signature, definition.name)
        parameters = {word[0] for parameter in written if (word := _WORD.search(parameter))}
        # A mark before the name of a parameter says that it takes all that is left.
        takes_others = any(not _WORD.match(parameter) for parameter in written)
        return names <= parameters or (takes_others and bool(names & parameters))

    def _object_variable(self, table: FileTable, index: int) -> Iterator[SymbolId]:
        """The file's variable that a reference means, if it is set to an object from outside."""
        target = self._only_target(table, index) if index >= 0 else None
        if target is None or self._program.kind(target) not in VARIABLES:
            return
        holder, definition = self._program.table_of(target), self._program.definition(target)
        bindings = holder.bindings(TOP, definition.name) if definition.container == TOP else ()
        is_made = bool(bindings) and all(
            binding.source in ("call", "construct") for binding in bindings
        )
        if is_made and all_outside(self._model.variables.declared_values(target)):
            yield target

    @memoised
    def _object_uses(self, variable: SymbolId) -> _ObjectUses:
        functions, calls = dict[tuple[SymbolId, str], None](), list[_MemberCall]()
        paths = self._mentions.paths_of(variable)
        for table, index in self._mentions.references(
            variable, paths if len(paths) <= _MAX_FILES else ()
        ):
            if variable in self._object_variable(table, index):
                functions.update(dict.fromkeys(self._functions_given(table, index)))
                calls += self._member_calls(table, index)
        return _ObjectUses(tuple(functions), tuple(calls))

    def _functions_given(self, table: FileTable, index: int) -> Iterator[tuple[SymbolId, str]]:
        """The functions that an object is given where a reference means it, each with the member
        that it is given by: the one it decorates, and those among the arguments of a member."""
        references = table.facts.references
        reference = references[index]
        following = references.next(index)
        member = following if following and following.receiver == reference.written else None
        if reference.scope != TOP and reference.line <= table.definitions[reference.scope].line:
            if table.is_callable(reference.scope) and self._is_decorator(table, index):
                yield table.id(reference.scope), member.name if member else ""
        elif member and member.kind == "call":
            for row in references.after(index + 1, _FUNCTION_DISTANCE):
                if index in self._receiving_object(table, row):
                    for function in self._functions(table, row):
                        yield function, member.name

    def _is_decorator(self, table: FileTable, index: int) -> bool:
        """Whether a reference in the head of a function is in one of its decorators."""
        references = table.facts.references
        nearby = range(max(index - _FUNCTION_DISTANCE, 0), min(index + 2, len(references)))
        return any(
            references[row].kind == "decorator" and references[row].scope == references[index].scope
            for row in nearby
        )

    def _receiving_object(self, table: FileTable, index: int) -> Iterator[int]:
        """The reference to the object whose member is called with a function as an argument."""
        references = table.facts.references
        argument = references[index]
        if argument.kind != "argument":
            return
        for row in range(index - 1, max(index - 2 - _FUNCTION_DISTANCE, 0), -1):
            reference = references[row]
            if reference.scope != argument.scope:
                return
            if reference.kind == "call":
                if reference.receiver and reference.receiver == references[row - 1].written:
                    yield row - 1
                return

    def _member_calls(self, table: FileTable, index: int) -> Iterator[_MemberCall]:
        """The call of a member with named arguments, where a reference means the object."""
        references = table.facts.references
        reference = references[index]
        call = references.next(index)
        if call is None or call.kind != "call" or call.receiver != reference.written:
            return
        written, names = call.written, set[str]()
        for row in references.after(index + 1, _ARGUMENT_DISTANCE):
            other = references[row]
            if other.scope != call.scope or (other.kind == "call" and other.written == written):
                break
            if other.receiver == UNNAMED + written:
                names.add(other.name)
        if names and call.scope != TOP:
            caller = table.id(call.scope)
            yield _MemberCall(caller, call.line, call.name, frozenset(names))


def _is_argument_name(reference: Reference) -> bool:
    """Whether a reference is the name of an argument."""
    return reference.receiver.startswith(UNNAMED)
