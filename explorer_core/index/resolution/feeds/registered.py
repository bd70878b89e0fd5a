"""Edges from a call on a class to the methods that the body of the class registers for it (Ruby).

With ``after_create :scan`` in the body of `Change`, ``Change.create(n)`` runs `Change.scan`. The
code here does not show when or how, since `after_create` is from outside. Names alone connect them:
that of the called member (``create``) is a part of that of the registering one (``after_create``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Inherited, Instance, Value
from explorer_core.index.symbols import MEMBER_HOLDERS, Edge, SymbolId
from explorer_core.memoised import memoised

_RECEIVER = re.compile(r"(?:@{0,2}|\w+::(?:\w+::)*)(\w+)")


class _Registered(msgspec.Struct, frozen=True, gc=False):
    """A method, and the words in the name of what registers it."""

    method: SymbolId
    words: tuple[str, ...]


class Registered(Feed):
    """Finds registered methods, and what has them run; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the registered methods that it has run."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id) if table.spec.bare_calls else ():
            yield from self._edges(table, index)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a method from those that have it run."""
        if not self._program.is_function(symbol_id):
            return
        table = self._program.table_of(symbol_id)
        holder = self._holder(symbol_id)
        if holder is None or not table.spec.bare_calls:
            return
        words = [each.words for each in self._of(holder) if each.method == symbol_id]
        for other in self._mentions.tables(self._mentions.paths_of(holder)) if words else ():
            references = other.facts.references
            for name in sorted(references.names()):
                if any(_is_part(name, each) for each in words):
                    for index in references.named(name):
                        found = self._edges(other, index)
                        yield from (edge for edge in found if edge.target == symbol_id)

    def _edges(self, table: FileTable, index: int) -> Iterator[Edge]:
        used = table.facts.references[index]
        if used.kind != "call" or not self._is_called_so(used.receiver):
            return
        if used.name == table.spec.class_member or self._resolver.certain(table, index):
            return  # it asks for the type, or for what the repository has
        evaluate = self._model.expressions.evaluate
        values = evaluate(table, used.scope, used.receiver, used.line, local=used.local)
        source, path = table.id(used.scope), table.path
        for type_id in dict.fromkeys(filter(None, map(self._type, values))):
            for holder, each in self._inherited(type_id):
                fits = each.method != source and _is_part(used.name, each.words)
                if fits and (path == holder.path or path in self._mentions.paths_of(holder)):
                    yield feed_edge(source, each.method, used.line, "graph:name")

    @memoised
    def _is_called_so(self, receiver: str) -> bool:
        """Whether a receiver is a defined type's name, or is named like one. Evaluating any other
        is not worth the time."""
        name = _RECEIVER.fullmatch(receiver)
        if name is None:
            return False
        words = [word.capitalize() for word in identifier_parts(name[1])]
        ends = ("".join(words[at:]) for at in range(len(words)))
        return any(map(self._program.source.files_defining, (name[1], *ends)))

    def _type(self, value: Value) -> SymbolId | None:
        """The type that a value is, or is an object of."""
        if isinstance(value, Inherited):
            return value.type_id
        if isinstance(value, Defined):
            return value.id if self._program.kind(value.id) in MEMBER_HOLDERS else None
        return value.id if isinstance(value, Instance) else None

    @memoised
    def _inherited(self, type_id: SymbolId) -> list[tuple[SymbolId, _Registered]]:
        """The methods that the bodies of a type and its supertypes register, with their types."""
        order = self._model.hierarchy.lookup_order(type_id)
        return [(each, found) for each in order for found in self._of(each)]

    @memoised
    def _of(self, holder: SymbolId) -> list[_Registered]:
        """The methods that the body of a type registers: it gives their names to a call of
        something from outside the repository."""
        return list(self._find(holder))

    def _find(self, holder: SymbolId) -> Iterator[_Registered]:
        table = self._program.table_of(holder)
        references = table.facts.references
        words, on = tuple[str, ...](), 0
        for index in references.in_scope(holder.ordinal):
            named = references[index]
            if named.kind == "call":
                is_ours = named.receiver or self._resolver.resolve(table, index) is not None
                words = () if is_ours else tuple(identifier_parts(named.name))
                on = named.line
            elif named.kind == "argument" and len(words) > 1 and named.line == on:
                yield from (_Registered(meant, words) for meant in self._functions(table, index))


def _is_part(name: str, words: tuple[str, ...]) -> bool:
    """Whether a name consists of consecutive words of another one, but not of all."""
    own = tuple(identifier_parts(name))
    begin = range(len(words) - len(own) + 1)
    return 0 < len(own) < len(words) and any(words[at : at + len(own)] == own for at in begin)
