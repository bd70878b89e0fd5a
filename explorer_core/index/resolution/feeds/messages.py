"""From what hands a case of an enumeration over to what takes it and does something.

``tx.send(Event::Key(key))`` says by its case who is meant, whatever it goes through: the function
in which an arm for `Event::Key` does something. An enumeration of which no case carries anything,
or which many take, is of values like others; a function that only keeps what it is given sends
nothing. Types that stand in the one they derive from are its cases, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.held import memoised
from explorer_core.index.extraction.facts import TOP, Definition, Message
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.resolution.feeds.feed import Feed, feeding
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId

_TAKERS = 4
"""The most that do something with any case of an enumeration for it to be one of messages."""
_CASES = 2
"""The fewest types in a type that make an enumeration of it."""


class _Ends(msgspec.Struct, frozen=True, gc=False):
    """Who takes a case, and where it is handed over, by the file."""

    takers: tuple[SymbolId, ...] = ()
    given: tuple[tuple[FileTable, Message], ...] = ()


_NO_ENDS = _Ends()


class Messages(Feed):
    """Finds who makes and who takes messages; memoised by their enumerations."""

    def out_of(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what takes the cases that it hands over."""
        table = self._program.holder(symbol_id)
        for message in table.messages.get(symbol_id.ordinal, ()):
            if message.sends:
                takers = self._ends(self._case(table, message)).takers
                yield from self._edges(table, message, takers)

    def into(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that hand over the cases it takes."""
        table = self._program.holder(symbol_id)
        taken = (m for m in table.messages.get(symbol_id.ordinal, ()) if not m.sends)
        for case in dict.fromkeys(self._case(table, each) for each in taken):
            ends = self._ends(case)
            for other, message in ends.given if symbol_id in ends.takers else ():
                edges = self._edges(other, message, ends.takers)
                yield from (edge for edge in edges if edge.target == symbol_id)

    def taken(self, edge: Edge) -> list[range]:
        """The lines of what an edge leads to that are for what it hands over."""
        source, target = (self._program.holder(each) for each in (edge.source, edge.target))
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
        """The edges from where a case is handed over to those that take it: none where one of these
        is what is called, or has its name."""
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
                    yield feeding(source, each, message.line)

    def _passes_on(self, called: SymbolId) -> bool:
        """Whether what is called may pass on what it is given: it calls something in turn, or has
        no body that one could see."""
        if called.is_file:
            return True
        if self._program.definition(called).bodiless:
            return True
        used = self._program.holder(called).facts.references.within(called.ordinal)
        return any(each.kind == "call" for each in used)

    def _ends(self, case: SymbolId | None) -> _Ends:
        """The ends of a case."""
        holder = self._holder(case) if case else None
        return self._of(holder).get(case, _NO_ENDS) if case and holder else _NO_ENDS

    @memoised
    def _of(self, enum: SymbolId) -> dict[SymbolId, _Ends]:
        """The ends of each case of an enumeration; none where it is not of messages."""
        own = self._program.holder(enum)
        cases = {own.definitions[each].name for each in own.children.get(enum.ordinal, ())}
        takers: dict[SymbolId, dict[SymbolId, None]] = {}
        given: dict[SymbolId, list[tuple[FileTable, Message]]] = {}
        for table in self._mentions.tables(self._mentions.of(enum)):
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
        """Whether a definition is an enumeration of which some case carries something, or a type
        that has types in it which derive from it."""
        table = self._program.holder(enum)
        cases = table.children.get(enum.ordinal, ())
        if table.definitions[enum.ordinal].kind == "enum":
            return table.spec.cases_carry and any(_carries(table.definitions[e]) for e in cases)
        return sum(self._is_type_in(table.id(each), enum) for each in cases) >= _CASES

    def _is_type_in(self, inner: SymbolId, outer: SymbolId) -> bool:
        """Whether a definition is a type that derives from the one in which it stands."""
        if self._program.kind(inner) not in CLASS_KINDS:
            return False
        return outer in self._model.hierarchy.order(inner)

    def _case(self, table: FileTable, message: Message) -> SymbolId | None:
        """The case of an enumeration that a message is; one that carries something is but its maker
        where it is given as it is."""
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
        """Whether something is done, outside of tests and of the enumeration, with what a pattern
        takes: statements, or a call of a function of the repository."""
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
    """Whether a case of an enumeration has values of its own."""
    return case.signature.rstrip()[-1:] in (")", "}") or case.end > case.line
