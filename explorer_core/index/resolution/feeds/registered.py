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
        type_id = self._declaring_type(symbol_id)
        if type_id is None or not table.spec.bare_calls:
            return
        words = [
            registration.words
            for registration in self._registered_by(type_id)
            if registration.method == symbol_id
        ]
        for other in self._mentions.tables(self._mentions.paths_of(type_id)) if words else ():
            references = other.facts.references
            for name in sorted(references.names()):
                if any(_is_part(name, registered_words) for registered_words in words):
                    for index in references.named(name):
                        edges = self._edges(other, index)
                        yield from (edge for edge in edges if edge.target == symbol_id)

    def _edges(self, table: FileTable, index: int) -> Iterator[Edge]:
        call = table.facts.references[index]
        if call.kind != "call" or not self._may_be_type_name(call.receiver):
            return
        if call.name == table.spec.class_member or self._resolver.certain(table, index):
            return  # it asks for the type, or for what the repository has
        evaluate = self._model.expressions.evaluate
        values = evaluate(table, call.scope, call.receiver, call.line, local=call.local)
        source, path = table.id(call.scope), table.path
        for type_id in dict.fromkeys(filter(None, map(self._type_of, values))):
            for supertype, registered in self._registered_in_supertypes(type_id):
                fits = registered.method != source and _is_part(call.name, registered.words)
                if fits and (path == supertype.path or path in self._mentions.paths_of(supertype)):
                    yield feed_edge(source, registered.method, call.line, "graph:name")

    @memoised
    def _may_be_type_name(self, receiver: str) -> bool:
        """Whether a receiver is a defined type's name, or is named like one. Evaluating any other
        is not worth the time."""
        name = _RECEIVER.fullmatch(receiver)
        if name is None:
            return False
        words = [word.capitalize() for word in identifier_parts(name[1])]
        suffixes = ("".join(words[start:]) for start in range(len(words)))
        return any(map(self._program.source.files_defining, (name[1], *suffixes)))

    def _type_of(self, value: Value) -> SymbolId | None:
        """The type that a value is, or is an object of."""
        if isinstance(value, Inherited):
            return value.type_id
        if isinstance(value, Defined):
            return value.id if self._program.kind(value.id) in MEMBER_HOLDERS else None
        return value.id if isinstance(value, Instance) else None

    @memoised
    def _registered_in_supertypes(self, type_id: SymbolId) -> list[tuple[SymbolId, _Registered]]:
        """The methods that the bodies of a type and its supertypes register, with their types."""
        order = self._model.hierarchy.lookup_order(type_id)
        return [
            (supertype, registered)
            for supertype in order
            for registered in self._registered_by(supertype)
        ]

    @memoised
    def _registered_by(self, type_id: SymbolId) -> list[_Registered]:
        """The methods that the body of a type registers: it gives their names to a call of
        something from outside the repository."""
        return list(self._find_registered(type_id))

    def _find_registered(self, type_id: SymbolId) -> Iterator[_Registered]:
        table = self._program.table_of(type_id)
        references = table.facts.references
        words, line = tuple[str, ...](), 0
        for index in references.in_scope(type_id.ordinal):
            reference = references[index]
            if reference.kind == "call":
                is_ours = reference.receiver or self._resolver.resolve(table, index) is not None
                words = () if is_ours else tuple(identifier_parts(reference.name))
                line = reference.line
            elif reference.kind == "argument" and len(words) > 1 and reference.line == line:
                yield from (_Registered(method, words) for method in self._functions(table, index))


def _is_part(name: str, words: tuple[str, ...]) -> bool:
    """Whether a name consists of consecutive words of another one, but not of all."""
    parts = tuple(identifier_parts(name))
    starts = range(len(words) - len(parts) + 1)
    return 0 < len(parts) < len(words) and any(
        words[start : start + len(parts)] == parts for start in starts
    )
