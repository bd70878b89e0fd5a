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
from explorer_core.index.extraction.type_names import past, split
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

_NEAR = 6
"""How many references after that to a hub's giver are searched for the method called on it."""
_DEEP = 4
"""How many methods of a type may pass a function on until one of them stores it."""
_FILES = 60
"""If more files mention a hub's giver, its name says nothing."""
_TYPE = re.compile(r"[^\W\d][\w.]*")


class _Asked(msgspec.Struct, frozen=True, gc=False):
    """A call of a method on a hub."""

    table: FileTable
    index: int
    """The index of the reference to the method that is called."""
    method: SymbolId
    given: str
    """The arguments of the call that returns the hub, as written; others may return another hub."""

    @property
    def used(self) -> Reference:
        """The call itself."""
        return self.table.facts.references[self.index]

    @property
    def who(self) -> SymbolId:
        """The definition that the call stands in."""
        return self.table.id(self.used.scope)

    @property
    def is_of_own(self) -> bool:
        """Whether the hub belongs to something that is made in the same definition."""
        head = _TYPE.match(self.used.receiver)
        bound = self.table.bindings(self.used.scope, head[0].partition(".")[0]) if head else ()
        return any(each.source in ("call", "construct") for each in bound)


class _Takes(msgspec.Struct, frozen=True, gc=False):
    """The types of what a method takes, by their simple names."""

    plain: frozenset[str]
    """The types of its parameters."""
    by_functions: frozenset[str]
    """The types of the parameters of functions that it is given."""


class Hubs(Feed):
    """Finds who registers functions, and who has them called; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to those who registered the functions that it has called."""
        for hub, asked in self._asking(symbol_id, self._calls_of):
            for other in self._all_asked(hub):
                yield from self._edges(asked, other)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition that registers functions from those that have them called."""
        for hub, asked in self._asking(symbol_id, self._keeps):
            for other in self._all_asked(hub):
                yield from self._edges(other, asked)

    def _edges(self, calling: _Asked, keeping: _Asked) -> Iterator[Edge]:
        if calling.who == keeping.who or TOP in (calling.used.scope, keeping.used.scope):
            return
        apart = calling.given and keeping.given and calling.given != keeping.given
        if apart or (calling.is_of_own and keeping.is_of_own):
            return
        if self._joined(keeping.method, calling.method):
            yield feed_edge(calling.who, keeping.who, calling.used.line)

    # calls on hubs

    def _asking(
        self, symbol_id: SymbolId, fields: Callable[[SymbolId], frozenset[SymbolId]]
    ) -> Iterator[tuple[SymbolId, _Asked]]:
        """The givers of the hubs on which a definition calls methods, each with the call. Only
        methods with some ``fields`` count."""
        table = self._program.table_of(symbol_id)
        references = table.facts.references
        for index in self._references_in(symbol_id) if not symbol_id.is_file else ():
            used = references[index]
            if used.kind != "call" or not used.receiver:
                continue
            for at in references.before(index, _NEAR):
                given = _given(references[at], used)
                if given is None:
                    continue
                method = self._method(table, index)
                hub = self._giver(table, at) if method and fields(method) else None
                if hub and method:
                    yield hub, _Asked(table, index, method, given)
                break

    @memoised
    def _all_asked(self, hub: SymbolId) -> tuple[_Asked, ...]:
        return tuple(self._find_asked(hub))

    def _find_asked(self, hub: SymbolId) -> Iterator[_Asked]:
        name, paths = self._program.definition(hub).name, self._mentions.paths_of(hub)
        for table in self._mentions.tables(paths) if len(paths) <= _FILES else ():
            references = table.facts.references
            for index in references.named(name):
                for at in references.behind(index, _NEAR):
                    given = _given(references[index], references[at])
                    if given is None:
                        continue
                    method = self._method(table, at)
                    if method and self._giver(table, index) == hub:
                        yield _Asked(table, at, method, given)
                    break

    def _giver(self, table: FileTable, index: int) -> SymbolId | None:
        """The variable or method that gives a hub, if a reference means one. An override counts as
        what it overrides, so that all overrides are one giver."""
        target = self._one(table, index)
        if target is None or self._program.kind(target) not in VARIABLES | {"method"}:
            return None
        return min(self._overridden(target), default=target)

    def _method(self, table: FileTable, index: int) -> SymbolId | None:
        target = self._one(table, index)
        return target if target and self._program.kind(target) == "method" else None

    # what their methods do

    def _joined(self, keeping: SymbolId, calling: SymbolId) -> bool:
        """Whether one method calls what another stores: both use the same field, and the calling
        one takes what the stored functions take."""
        if not self._keeps(keeping) & self._calls_of(calling):
            return False
        kept, called = self._takes(keeping), self._takes(calling)
        return bool(kept.by_functions & called.plain) and not kept.by_functions & kept.plain

    @memoised
    def _keeps(self, method: SymbolId) -> frozenset[SymbolId]:
        """The fields in which a method, or one that it calls, stores functions it is given."""
        return frozenset(self._find_kept(method, _DEEP))

    def _find_kept(self, method: SymbolId, most: int) -> Iterator[SymbolId]:
        if not most or not self._takes(method).by_functions:
            return
        table = self._program.table_of(method)
        references = table.facts.references
        rows = references.in_scope(method.ordinal)
        own = self._words(table, method)
        calls = [references[index] for index in rows if references[index].kind == "call"]
        is_called = any(not each.receiver and each.name in own for each in calls)
        for index in rows:
            used = references[index]
            if used.kind == "call" and used.receiver:
                inner = self._method(table, index)
                if inner and inner != method and self._is_related(inner, method):
                    yield from self._find_kept(inner, most - 1)
                continue
            put = used.kind == "argument" or any(
                each.receiver == used.written and each.name not in table.spec.element_members
                for each in calls
            )
            field = self._field(table, index, method) if put and not is_called else None
            if field:
                yield field

    @memoised
    def _calls_of(self, method: SymbolId) -> frozenset[SymbolId]:
        """The fields that a method uses, if it calls something from a local variable."""
        return frozenset(self._find_called(method))

    def _find_called(self, method: SymbolId) -> Iterator[SymbolId]:
        table = self._program.table_of(method)
        references = table.facts.references
        rows = references.in_scope(method.ordinal)
        own = self._words(table, method)
        used = (references[index] for index in rows)
        calls = any(
            u.kind == "call" and u.local and not u.receiver and u.name not in own for u in used
        )
        for index in rows if calls else ():
            if field := self._field(table, index, method):
                yield field

    def _words(self, table: FileTable, method: SymbolId) -> set[str]:
        """The words in a method's parameters, their names among them."""
        definition = table.definitions[method.ordinal]
        written = parameters_of(definition.signature, definition.name)
        return {word for each in written for word in _TYPE.findall(each)}

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
        own, its = self._holder(member), self._holder(other)
        if own is None or its is None:
            return False
        order = self._model.hierarchy.lookup_order
        return own == its or own in order(its) or its in order(own)

    @memoised
    def _takes(self, method: SymbolId) -> _Takes:
        table = self._program.table_of(method)
        definition = table.definitions[method.ordinal]
        plain, given = set[str](), set[str]()
        declared = declared_parameters(definition.signature, definition.name)
        for written in (each.type for each in declared):
            opening = written.find("(")
            end = past(written, opening) if opening >= 0 else -1
            if end > 0:
                given.update(map(_type_of, split(written[opening + 1 : end - 1], ",")))
            elif name := _type_of(written):
                plain.add(name)
                given.update(self._by_functions_of(table, method.ordinal, name, definition.line))
        return _Takes(frozenset(plain - {""}), frozenset(given - {""}))

    def _by_functions_of(self, table: FileTable, scope: int, name: str, line: int) -> Iterator[str]:
        """The parameter types of functions that a type is an alias for, or its fields hold."""
        for value in self._model.types.lookup(table, scope, name, line):
            if isinstance(value, Instance):
                holder, ordinal = self._program.table_of(value.id), value.id.ordinal
                is_name = holder.definitions[ordinal].kind == "type"
                for each in (ordinal,) if is_name else holder.children.get(ordinal, ()):
                    one = holder.definitions[each]
                    if one.kind in ("type", "field"):
                        found = function_type_parameters(one.signature, one.name)
                        yield from map(_type_of, found or ())


def _given(giver: Reference, used: Reference) -> str | None:
    """The arguments of the call that gives a hub, if ``used`` is called on just its result. Empty
    if no call gives it; None if ``used`` is called on anything else."""
    if giver.scope != used.scope or used.kind != "call" or giver.name not in used.receiver:
        return None
    written = giver.written
    if used.receiver == written:
        return ""
    begins = giver.kind == "call" and used.receiver.startswith(f"{written}(")
    is_all = begins and past(used.receiver, len(written)) == len(used.receiver)
    return used.receiver[len(written) + 1 : -1].strip() if is_all else None


def _type_of(parameter: str) -> str:
    """The simple name of a parameter's type as written, after its name or alone."""
    _, colon, behind = parameter.partition(":")
    written = behind if colon else parameter.replace("...", " ").rpartition(" ")[2]
    found = _TYPE.search(written)
    return found[0].rpartition(".")[2] if found else ""
