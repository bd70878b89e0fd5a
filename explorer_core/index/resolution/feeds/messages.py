"""Edges from a call given an enumeration case to the functions that act on that case.

The case in ``tx.send(Event::Key(key))`` says who is meant, whatever it goes through: the function
with an arm for `Event::Key` that does something. Types nested in the type they derive from are its
cases, too (``emit(Event.Key(key))`` in Kotlin). If no case of an enumeration carries a value, or
many functions act on them, its cases are values like others. A called function that only stores
what it is given sends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import TOP, Definition, Message
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised

_TAKERS = 4
"""If more functions act on cases of an enumeration, it is not one of messages."""
_CASES = 2
"""A type with at least this many nested subtypes is an enumeration of these."""


class _Ends(msgspec.Struct, frozen=True, gc=False):
    """The functions that act on a case, and where it is passed on, with the file."""

    takers: tuple[SymbolId, ...] = ()
    given: tuple[tuple[FileTable, Message], ...] = ()


_NO_ENDS = _Ends()


class Messages(Feed):
    """Finds who sends messages, and who acts on them; memoised by enumeration."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what acts on the cases that it passes on."""
        table = self._program.table_of(symbol_id)
        for message in table.messages.get(symbol_id.ordinal, ()):
            if message.sends:
                takers = self._ends(self._case(table, message)).takers
                yield from self._edges(table, message, takers)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that pass on the cases it acts on."""
        table = self._program.table_of(symbol_id)
        taken = (m for m in table.messages.get(symbol_id.ordinal, ()) if not m.sends)
        for case in dict.fromkeys(self._case(table, each) for each in taken):
            ends = self._ends(case)
            for other, message in ends.given if symbol_id in ends.takers else ():
                edges = self._edges(other, message, ends.takers)
                yield from (edge for edge in edges if edge.target == symbol_id)

    def handled_lines(self, edge: Edge) -> list[range]:
        """The lines of an edge's target that are for what the edge hands over."""
        source, target = (self._program.table_of(each) for each in (edge.source, edge.target))
        on_line = (
            m
            for m in source.messages.get(edge.source.ordinal, ())
            if m.sends and m.line == edge.line
        )
        cases = {self._case(source, message) for message in on_line} - {None}
        return [
            range(message.line, message.other[0] + 1)
            for message in target.messages.get(edge.target.ordinal, ())
            if not message.sends and self._case(target, message) in cases
        ]

    def _edges(
        self, table: FileTable, message: Message, takers: tuple[SymbolId, ...]
    ) -> Iterator[Edge]:
        """The edges from where a case is passed on to what acts on it; none if one of these is
        called there itself, or has the name of what is called."""
        source, references = table.id(message.scope), table.facts.references
        at = references.at(message.scope, message.other)
        if not takers or at is None:
            return
        name = references[at].name
        if any(self._program.definition(each).name == name for each in takers):
            return
        if all(map(self._passes_on, self._resolver.certain(table, at))):
            for each in takers:
                if each != source:
                    yield feed_edge(source, each, message.line)

    def _passes_on(self, called: SymbolId) -> bool:
        """Whether a function may pass on what it is given: it makes calls, or has no body here."""
        if called.is_file:
            return True
        if self._program.definition(called).bodiless:
            return True
        used = self._program.table_of(called).facts.references.within(called.ordinal)
        return any(each.kind == "call" for each in used)

    def _ends(self, case: SymbolId | None) -> _Ends:
        """Who acts on a case, and where it is passed on."""
        holder = self._holder(case) if case else None
        return self._of(holder).get(case, _NO_ENDS) if case and holder else _NO_ENDS

    @memoised
    def _of(self, enum: SymbolId) -> dict[SymbolId, _Ends]:
        """The same for each case of an enumeration that is acted on; none if too many act."""
        own = self._program.table_of(enum)
        cases = {own.definitions[each].name for each in own.children.get(enum.ordinal, ())}
        takers: dict[SymbolId, dict[SymbolId, None]] = {}
        given: dict[SymbolId, list[tuple[FileTable, Message]]] = {}
        for table in self._mentions.tables(self._mentions.paths_of(enum)):
            for message in table.facts.messages:
                if message.name not in cases or message.scope == TOP:
                    continue
                case = self._case(table, message)
                if case is None or self._holder(case) != enum:
                    continue
                if message.sends:
                    given.setdefault(case, []).append((table, message))
                elif self._takes(table, message, enum):
                    takers.setdefault(case, {})[table.id(message.scope)] = None
        if len({who for each in takers.values() for who in each}) > _TAKERS:
            return {}
        return {
            case: _Ends(tuple(each), tuple(given.get(case, ()))) for case, each in takers.items()
        }

    @memoised
    def _is_of_messages(self, enum: SymbolId) -> bool:
        """Whether a definition is an enumeration of which some case carries a value, or a type with
        nested types that derive from it."""
        table = self._program.table_of(enum)
        cases = table.children.get(enum.ordinal, ())
        if table.definitions[enum.ordinal].kind == "enum":
            return table.spec.cases_carry and any(_carries(table.definitions[e]) for e in cases)
        return sum(self._is_type_in(table.id(each), enum) for each in cases) >= _CASES

    def _is_type_in(self, inner: SymbolId, outer: SymbolId) -> bool:
        """Whether a definition is a type nested in ``outer`` that derives from it."""
        if self._program.kind(inner) not in CLASS_KINDS:
            return False
        return outer in self._model.hierarchy.lookup_order(inner)

    def _case(self, table: FileTable, message: Message) -> SymbolId | None:
        """The enumeration case of a message. If a case that carries values is given alone, only its
        constructor is passed, which does not count."""
        references = table.facts.references
        index = references.at(message.scope, (message.line, message.column))
        found = self._one(table, index) if index is not None else None
        if found is None or index is None:
            return None
        kind, holder = self._program.kind(found), self._holder(found)
        if kind == "constructor" and holder is not None:
            found, holder = holder, self._holder(holder)
        if holder is None or not (kind == "constant" or self._is_type_in(found, holder)):
            return None
        is_given = kind == "constant" and references[index].kind == "argument"
        if is_given and _carries(self._program.definition(found)):
            return None
        return found if self._is_of_messages(holder) else None

    def _takes(self, table: FileTable, message: Message, enum: SymbolId) -> bool:
        """Whether something is done for a pattern, outside tests and the enumeration: statements,
        or a call of a function of the repository."""
        if table.definitions[message.scope].test or self._holder(table.id(message.scope)) == enum:
            return False
        if not message.plain:
            return True
        references = table.facts.references
        start = references.at(message.scope, (message.line, message.column))
        for index in references.behind(start, len(references)) if start is not None else ():
            one = references[index]
            if (one.line, one.column) >= message.other:
                return False
            is_call = one.scope == message.scope and one.kind == "call"
            if is_call and any(True for _ in self._functions(table, index)):
                return True
        return False


def _carries(case: Definition) -> bool:
    """Whether a case of an enumeration carries values."""
    return case.signature.rstrip()[-1:] in (")", "}") or case.end > case.line
