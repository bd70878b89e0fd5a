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

_MAX_RECEIVERS = 4
"""If more functions act on cases of an enumeration, it is not one of messages."""
_MIN_CASES = 2
"""A type with at least this many nested subtypes is an enumeration of these."""


class _CaseUses(msgspec.Struct, frozen=True, gc=False):
    """The functions that act on a case, and where it is passed on, with the file."""

    receivers: tuple[SymbolId, ...] = ()
    senders: tuple[tuple[FileTable, Message], ...] = ()


_NO_USES = _CaseUses()


class Messages(Feed):
    """Finds who sends messages, and who acts on them; memoised by enumeration."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what acts on the cases that it passes on."""
        table = self._program.table_of(symbol_id)
        for message in table.messages.get(symbol_id.ordinal, ()):
            if message.sends:
                receivers = self._case_uses(self._case(table, message)).receivers
                yield from self._edges(table, message, receivers)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that pass on the cases it acts on."""
        table = self._program.table_of(symbol_id)
        matched = (m for m in table.messages.get(symbol_id.ordinal, ()) if not m.sends)
        for case in dict.fromkeys(self._case(table, matching) for matching in matched):
            uses = self._case_uses(case)
            for other, message in uses.senders if symbol_id in uses.receivers else ():
                edges = self._edges(other, message, uses.receivers)
                yield from (edge for edge in edges if edge.target == symbol_id)

    def handled_lines(self, edge: Edge) -> list[range]:
        """The lines of an edge's target that are for what the edge hands over."""
        source, target = (
            self._program.table_of(symbol_id) for symbol_id in (edge.source, edge.target)
        )
        on_line = (
            m
            for m in source.messages.get(edge.source.ordinal, ())
            if m.sends and m.line == edge.line
        )
        cases = {self._case(source, message) for message in on_line} - {None}
        return [
            range(message.line, message.callee_or_arm_end[0] + 1)
            for message in target.messages.get(edge.target.ordinal, ())
            if not message.sends and self._case(target, message) in cases
        ]

    def _edges(
        self, table: FileTable, message: Message, receivers: tuple[SymbolId, ...]
    ) -> Iterator[Edge]:
        """The edges from where a case is passed on to what acts on it; none if one of these is
        called there itself, or has the name of what is called."""
        source, references = table.id(message.scope), table.facts.references
        call = references.at(message.scope, message.callee_or_arm_end)
        if not receivers or call is None:
            return
        name = references[call].name
        if any(self._program.definition(receiver).name == name for receiver in receivers):
            return
        if all(map(self._passes_on, self._resolver.certain(table, call))):
            for receiver in receivers:
                if receiver != source:
                    yield feed_edge(source, receiver, message.line)

    def _passes_on(self, function: SymbolId) -> bool:
        """Whether a function may pass on what it is given: it makes calls, or has no body here."""
        if function.is_file:
            return True
        if self._program.definition(function).bodiless:
            return True
        references = self._program.table_of(function).facts.references.within(function.ordinal)
        return any(reference.kind == "call" for reference in references)

    def _case_uses(self, case: SymbolId | None) -> _CaseUses:
        """Who acts on a case, and where it is passed on."""
        enum = self._declaring_type(case) if case else None
        return self._uses_by_case(enum).get(case, _NO_USES) if case and enum else _NO_USES

    @memoised
    def _uses_by_case(self, enum: SymbolId) -> dict[SymbolId, _CaseUses]:
        """The same for each case of an enumeration that is acted on; none if too many act."""
        enum_table = self._program.table_of(enum)
        cases = {
            enum_table.definitions[child].name
            for child in enum_table.children.get(enum.ordinal, ())
        }
        receivers: dict[SymbolId, dict[SymbolId, None]] = {}
        senders: dict[SymbolId, list[tuple[FileTable, Message]]] = {}
        for table in self._mentions.tables(self._mentions.paths_of(enum)):
            for message in table.facts.messages:
                if message.name not in cases or message.scope == TOP:
                    continue
                case = self._case(table, message)
                if case is None or self._declaring_type(case) != enum:
                    continue
                if message.sends:
                    senders.setdefault(case, []).append((table, message))
                elif self._acts_on(table, message, enum):
                    receivers.setdefault(case, {})[table.id(message.scope)] = None
        if (
            len({function for functions in receivers.values() for function in functions})
            > _MAX_RECEIVERS
        ):
            return {}
        return {
            case: _CaseUses(tuple(functions), tuple(senders.get(case, ())))
            for case, functions in receivers.items()
        }

    @memoised
    def _is_of_messages(self, enum: SymbolId) -> bool:
        """Whether a definition is an enumeration of which some case carries a value, or a type with
        nested types that derive from it."""
        table = self._program.table_of(enum)
        cases = table.children.get(enum.ordinal, ())
        if table.definitions[enum.ordinal].kind == "enum":
            return table.spec.cases_carry and any(
                _carries(table.definitions[child]) for child in cases
            )
        return sum(self._is_type_in(table.id(child), enum) for child in cases) >= _MIN_CASES

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
        case = self._only_target(table, index) if index is not None else None
        if case is None or index is None:
            return None
        kind, enclosing_type = self._program.kind(case), self._declaring_type(case)
        if kind == "constructor" and enclosing_type is not None:
            case, enclosing_type = enclosing_type, self._declaring_type(enclosing_type)
        if enclosing_type is None or not (
            kind == "constant" or self._is_type_in(case, enclosing_type)
        ):
            return None
        is_argument = kind == "constant" and references[index].kind == "argument"
        if is_argument and _carries(self._program.definition(case)):
            return None
        return case if self._is_of_messages(enclosing_type) else None

    def _acts_on(self, table: FileTable, message: Message, enum: SymbolId) -> bool:
        """Whether something is done for a pattern, outside tests and the enumeration: statements,
        or a call of a function of the repository."""
        if (
            table.definitions[message.scope].test
            or self._declaring_type(table.id(message.scope)) == enum
        ):
            return False
        if not message.is_single_call:
            return True
        references = table.facts.references
        start = references.at(message.scope, (message.line, message.column))
        for index in references.after(start, len(references)) if start is not None else ():
            reference = references[index]
            if (reference.line, reference.column) >= message.callee_or_arm_end:
                return False
            is_call = reference.scope == message.scope and reference.kind == "call"
            if is_call and any(True for _ in self._functions(table, index)):
                return True
        return False


def _carries(case: Definition) -> bool:
    """Whether a case of an enumeration carries values."""
    return case.signature.rstrip()[-1:] in (")", "}") or case.end > case.line
