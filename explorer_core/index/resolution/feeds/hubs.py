"""Edges from a call that runs stored callbacks to those who registered them.

``app.OnServe().BindFunc(f)`` registers a function, and ``app.OnServe().Trigger(event)`` has it
called. Both are called on the same thing, a hub, which is obtained by the same name. Its type has
one method that stores functions in a field, and another that takes what these functions take and
calls what is in that field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.extraction.type_names import bracket_end, split
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.function_types import (
    declared_parameters,
    function_type_parameters,
    parameters_of,
)
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Instance
from explorer_core.index.symbols import VARIABLES, Edge, SymbolId
from explorer_core.memoised import memoised

_CALL_DISTANCE = 6
"""How many references after that to a hub's giver are searched for the method called on it."""
_MAX_DEPTH = 4
"""How many methods of a type may pass a function on until one of them stores it."""
_MAX_FILES = 60
"""If more files mention a hub's giver, its name says nothing."""
_TYPE_NAME = re.compile(r"[^\W\d][\w.]*")


class _HubCall(msgspec.Struct, frozen=True, gc=False):
    """A call of a method on a hub."""

    table: FileTable
    index: int
    """The index of the reference to the method that is called."""
    method: SymbolId
    arguments: str
    """The arguments of the call that returns the hub, as written; others may return another hub."""

    @property
    def call(self) -> Reference:
        """The call itself."""
        return self.table.facts.references[self.index]

    @property
    def caller(self) -> SymbolId:
        """The definition that the call stands in."""
        return self.table.id(self.call.scope)

    @property
    def is_local(self) -> bool:
        """Whether the hub belongs to something that is made in the same definition."""
        head = _TYPE_NAME.match(self.call.receiver)
        bindings = self.table.bindings(self.call.scope, head[0].partition(".")[0]) if head else ()
        return any(binding.source in ("call", "construct") for binding in bindings)


class _ParameterTypes(msgspec.Struct, frozen=True, gc=False):
    """The types of what a method takes, by their simple names."""

    plain: frozenset[str]
    """The types of its parameters."""
    of_functions: frozenset[str]
    """The types of the parameters of functions that it is given."""


class Hubs(Feed):
    """Finds who registers functions, and who has them called; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to those who registered the functions that it has called."""
        for hub, hub_call in self._hub_calls_in(symbol_id, self._called_fields):
            for other in self._hub_calls(hub):
                yield from self._edges(hub_call, other)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition that registers functions from those that have them called."""
        for hub, hub_call in self._hub_calls_in(symbol_id, self._stored_fields):
            for other in self._hub_calls(hub):
                yield from self._edges(other, hub_call)

    def _edges(self, calling: _HubCall, keeping: _HubCall) -> Iterator[Edge]:
        if calling.caller == keeping.caller or TOP in (calling.call.scope, keeping.call.scope):
            return
        differ = calling.arguments and keeping.arguments and calling.arguments != keeping.arguments
        if differ or (calling.is_local and keeping.is_local):
            return
        if self._are_connected(keeping.method, calling.method):
            yield feed_edge(calling.caller, keeping.caller, calling.call.line)

    # calls on hubs

    def _hub_calls_in(
        self, symbol_id: SymbolId, fields: Callable[[SymbolId], frozenset[SymbolId]]
    ) -> Iterator[tuple[SymbolId, _HubCall]]:
        """The givers of the hubs on which a definition calls methods, each with the call. Only
        methods with some ``fields`` count."""
        table = self._program.table_of(symbol_id)
        references = table.facts.references
        for index in self._references_in(symbol_id) if not symbol_id.is_file else ():
            call = references[index]
            if call.kind != "call" or not call.receiver:
                continue
            for row in references.before(index, _CALL_DISTANCE):
                arguments = _giver_arguments(references[row], call)
                if arguments is None:
                    continue
                method = self._method(table, index)
                hub = self._giver(table, row) if method and fields(method) else None
                if hub and method:
                    yield hub, _HubCall(table, index, method, arguments)
                break

    @memoised
    def _hub_calls(self, hub: SymbolId) -> tuple[_HubCall, ...]:
        return tuple(self._find_hub_calls(hub))

    def _find_hub_calls(self, hub: SymbolId) -> Iterator[_HubCall]:
        name, paths = self._program.definition(hub).name, self._mentions.paths_of(hub)
        for table in self._mentions.tables(paths) if len(paths) <= _MAX_FILES else ():
            references = table.facts.references
            for index in references.named(name):
                for row in references.after(index, _CALL_DISTANCE):
                    arguments = _giver_arguments(references[index], references[row])
                    if arguments is None:
                        continue
                    method = self._method(table, row)
                    if method and self._giver(table, index) == hub:
                        yield _HubCall(table, row, method, arguments)
                    break

    def _giver(self, table: FileTable, index: int) -> SymbolId | None:
        """The variable or method that gives a hub, if a reference means one. An override counts as
        what it overrides, so that all overrides are one giver."""
        target = self._only_target(table, index)
        if target is None or self._program.kind(target) not in VARIABLES | {"method"}:
            return None
        return min(self._overridden(target), default=target)

    def _method(self, table: FileTable, index: int) -> SymbolId | None:
        target = self._only_target(table, index)
        return target if target and self._program.kind(target) == "method" else None

    # what their methods do

    def _are_connected(self, keeping: SymbolId, calling: SymbolId) -> bool:
        """Whether one method calls what another stores: both use the same field, and the calling
        one takes what the stored functions take."""
        if not self._stored_fields(keeping) & self._called_fields(calling):
            return False
        stored, called = self._parameter_types(keeping), self._parameter_types(calling)
        return bool(stored.of_functions & called.plain) and not stored.of_functions & stored.plain

    @memoised
    def _stored_fields(self, method: SymbolId) -> frozenset[SymbolId]:
        """The fields in which a method, or one that it calls, stores functions it is given."""
        return frozenset(self._find_stored_fields(method, _MAX_DEPTH))

    def _find_stored_fields(self, method: SymbolId, depth: int) -> Iterator[SymbolId]:
        if not depth or not self._parameter_types(method).of_functions:
            return
        table = self._program.table_of(method)
        references = table.facts.references
        rows = references.in_scope(method.ordinal)
        parameter_words = self._parameter_words(table, method)
        calls = [references[index] for index in rows if references[index].kind == "call"]
        is_called = any(not call.receiver and call.name in parameter_words for call in calls)
        for index in rows:
            reference = references[index]
            if reference.kind == "call" and reference.receiver:
                inner = self._method(table, index)
                if inner and inner != method and self._is_related(inner, method):
                    yield from self._find_stored_fields(inner, depth - 1)
                continue
            is_stored = reference.kind == "argument" or any(
                call.receiver == reference.written
                and call.name not in table.spec.collections.element_members
                for call in calls
            )
            field = self._field(table, index, method) if is_stored and not is_called else None
            if field:
                yield field

    @memoised
    def _called_fields(self, method: SymbolId) -> frozenset[SymbolId]:
        """The fields that a method uses, if it calls something from a local variable."""
        return frozenset(self._find_called_fields(method))

    def _find_called_fields(self, method: SymbolId) -> Iterator[SymbolId]:
        table = self._program.table_of(method)
        references = table.facts.references
        rows = references.in_scope(method.ordinal)
        parameter_words = self._parameter_words(table, method)
        uses = (references[index] for index in rows)
        calls = any(
            u.kind == "call" and u.local and not u.receiver and u.name not in parameter_words
            for u in uses
        )
        for index in rows if calls else ():
            if field := self._field(table, index, method):
                yield field

    def _parameter_words(self, table: FileTable, method: SymbolId) -> set[str]:
        """The words in a method's parameters, their names among them."""
        definition = table.definitions[method.ordinal]
        written = parameters_of(definition.signature, definition.name)
        return {word for parameter in written for word in _TYPE_NAME.findall(parameter)}

    def _field(self, table: FileTable, index: int, method: SymbolId) -> SymbolId | None:
        """The field of a method's own type that a reference means."""
        if not table.facts.references[index].receiver:
            return None
        resolution = self._resolver.resolve(table, index)
        for target in resolution.targets if resolution else ():
            is_field = not target.is_file and self._program.kind(target) == "field"
            if is_field and self._is_related(target, method):
                return target
        return None

    def _is_related(self, member: SymbolId, other: SymbolId) -> bool:
        """Whether two members are of one type, or of a type and one of its supertypes."""
        type_id, other_type = self._declaring_type(member), self._declaring_type(other)
        if type_id is None or other_type is None:
            return False
        order = self._model.hierarchy.lookup_order
        return type_id == other_type or type_id in order(other_type) or other_type in order(type_id)

    @memoised
    def _parameter_types(self, method: SymbolId) -> _ParameterTypes:
        table = self._program.table_of(method)
        definition = table.definitions[method.ordinal]
        plain, of_functions = set[str](), set[str]()
        declared = declared_parameters(definition.signature, definition.name)
        for written in (parameter.type for parameter in declared):
            opening = written.find("(")
            end = bracket_end(written, opening) if opening >= 0 else -1
            if end > 0:
                of_functions.update(
                    map(_simple_type_name, split(written[opening + 1 : end - 1], ","))
                )
            elif name := _simple_type_name(written):
                plain.add(name)
                of_functions.update(
                    self._function_parameter_types(table, method.ordinal, name, definition.line)
                )
        return _ParameterTypes(frozenset(plain - {""}), frozenset(of_functions - {""}))

    def _function_parameter_types(
        self, table: FileTable, scope: int, name: str, line: int
    ) -> Iterator[str]:
        """The parameter types of functions that a type is an alias for, or its fields hold."""
        for value in self._model.types.lookup(table, scope, name, line):
            if isinstance(value, Instance):
                holder, ordinal = self._program.table_of(value.id), value.id.ordinal
                is_alias = holder.definitions[ordinal].kind == "type"
                for member in (ordinal,) if is_alias else holder.children.get(ordinal, ()):
                    definition = holder.definitions[member]
                    if definition.kind in ("type", "field"):
                        parameters = function_type_parameters(definition.signature, definition.name)
                        yield from map(_simple_type_name, parameters or ())


def _giver_arguments(giver: Reference, method_call: Reference) -> str | None:
    """The arguments of the call that gives a hub, if ``method_call`` is made on just its result.
    Empty if no call gives it; None if ``method_call`` is made on anything else."""
    if (
        giver.scope != method_call.scope
        or method_call.kind != "call"
        or giver.name not in method_call.receiver
    ):
        return None
    written = giver.written
    if method_call.receiver == written:
        return ""
    is_called = giver.kind == "call" and method_call.receiver.startswith(f"{written}(")
    is_whole = is_called and bracket_end(method_call.receiver, len(written)) == len(
        method_call.receiver
    )
    return method_call.receiver[len(written) + 1 : -1].strip() if is_whole else None


def _simple_type_name(parameter: str) -> str:
    """The simple name of a parameter's type as written, after its name or alone."""
    _, colon, annotation = parameter.partition(":")
    written = annotation if colon else parameter.replace("...", " ").rpartition(" ")[2]
    match = _TYPE_NAME.search(written)
    return match[0].rpartition(".")[2] if match else ""
