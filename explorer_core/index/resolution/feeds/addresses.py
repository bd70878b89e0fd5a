"""Edges from a request at an address to the function that answers there.

``http.get(`/api/users/${id}/orders`)`` and ``router.get("/users/:id/orders", listOrders)`` have
nothing in common but most parts of a path. A function answers at an address if a call is given it
after that, or if its decorator or annotation has it. Of several functions the one is meant whose
address shares the most parts, and of equals the one that is registered with the verb of the request
(``get``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from explorer_core.index.extraction.facts import HOLE, TEXT, TOP, Address
from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.extraction.indexed_names import last_fixed, last_part
from explorer_core.index.extraction.reference_table import CALLS, Reference, ReferenceKind
from explorer_core.index.resolution.feeds.feed import Feed, last_reference_before
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import CALLBACK, Edge, SymbolId
from explorer_core.memoised import memoised

_FILES = 60
"""If more files may have an address with the same last part, it says nothing."""
_TELLING, _FEW = 2, 3
"""How many parts two addresses must share to match; one is enough if no more than ``_FEW``
functions are registered at similar addresses."""
_NOWHERE = (0, 0), (0, 0)
_GIVEN_TEXTS: frozenset[ReferenceKind] = frozenset({*CALLS, "decorator"})
_MARKS = 2
"""How many characters may stand between the start of a text literal and that of its content."""


class _Answer(msgspec.Struct, frozen=True, gc=False):
    """A function that answers at an address; whether that begins with a slash; and the words in the
    name of what registers the function."""

    function: SymbolId
    parts: tuple[str, ...]
    begins: bool
    words: frozenset[str]
    family: str

    @property
    def last(self) -> str:
        return last_fixed("/".join(self.parts))


class Addresses(Feed):
    """Finds who names addresses, and who answers there; memoised."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver)
        self._answers: dict[tuple[str, Address], _Answer | None] = {}

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what answers at the addresses that it names."""
        table = self._program.table_of(symbol_id)
        for address in table.addresses.get(symbol_id.ordinal, ()) if not symbol_id.is_file else ():
            if edge := self._edge(table, address):
                yield edge

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a function from what names the addresses that it answers at."""
        if not self._program.is_function(symbol_id):
            return
        answers = (self._answer(*each) for each in self._perhaps_of(symbol_id))
        own = (answer for answer in answers if answer and answer.function == symbol_id)
        for last in dict.fromkeys(answer.last for answer in own):
            for table in self._naming(last):
                for address in chain.from_iterable(table.addresses.values()):
                    if address.scope != TOP and last_fixed(address.parts) == last:
                        edge = self._edge(table, address)
                        if edge and edge.target == symbol_id:
                            yield edge

    def _perhaps_of(self, function: SymbolId) -> Iterator[tuple[FileTable, Address]]:
        """The addresses that a function may answer at: one that it is written after, those written
        before its name, and those that it is passed with."""
        table, definition = self._program.table_of(function), self._program.definition(function)
        around = (function.ordinal, definition.container)
        for address in (a for scope in around for a in table.addresses.get(scope, ())):
            if definition.start <= address.line <= definition.line:
                yield table, address
        names = self._mentions.names_of(function)
        for other in self._mentions.tables(self._mentions.paths_of(function)):
            for name in self._mentions.local_names(other, names) if other.addresses else ():
                for given in map(
                    other.facts.references.__getitem__, other.facts.references.named(name)
                ):
                    for address in other.addresses.get(given.scope, ()):
                        if _is_given(address, given):
                            yield other, address

    def _naming(self, name: str) -> Iterator[FileTable]:
        """The files that may have an address with a last part; none where there are many."""
        paths = sorted(self._program.source.files_mentioning(name)) if name else []
        return self._mentions.tables(paths if len(paths) <= _FILES else ())

    def _edge(self, table: FileTable, address: Address) -> Edge | None:
        """The edge from what names an address, unless it registers something there."""
        if self._answer(table, address) or self._registers(table, address):
            return None
        function = self._answering_at(table, address)
        source = table.id(address.scope)
        if function is None or function == source:
            return None
        return Edge("references", source, function, table.path, address.line, "graph:name")

    def _registers(self, table: FileTable, address: Address) -> bool:
        """Whether what is called with an address registers functions elsewhere in the file."""
        call = _call(table, address) if address.behind else None
        return call is not None and call.written in self._registering_in(table)

    @memoised
    def _registering_in(self, table: FileTable) -> frozenset[str]:
        """The calls by which a file registers functions at addresses."""
        answered = (a for a in table.facts.addresses if self._answer(table, a))
        calls = (_call(table, address) for address in answered)
        return frozenset(call.written for call in calls if call)

    def _answering_at(self, table: FileTable, address: Address) -> SymbolId | None:
        """The only function that may be meant by an address."""
        last = last_fixed(address.parts)
        near = [
            answer
            for other in self._naming(last)
            for each in chain.from_iterable(other.addresses.values())
            if last_fixed(each.parts) in ("", last)
            if (answer := self._answer(other, each)) and answer.last == last
        ]
        words = _words(_call(table, address))
        alike = [(rank, a) for a in near if (rank := _likeness(address, a))]
        # An anonymous function may be for anything (``describe("/users", () => ...)``).
        alike = [(r, a) for r, a in alike if a.words & words or not self._is_nameless(a)]
        if not address.parts.startswith("/"):
            family = table.spec.family_name
            alike = [(r, a) for r, a in alike if a.words & words or a.family != family]
        if not alike:
            return None
        best = max(rank for rank, _ in alike)
        meant = [a for rank, a in alike if rank == best]
        same = [a for a in meant if a.words & words]
        if not same and any(a.words & words for a in near):
            return None  # requests of this kind are answered elsewhere
        tells = len(alike) <= _FEW and best[2] >= -1 and same and address.names
        if best[0] < _TELLING and not tells:
            return None
        functions = {a.function for a in (same or meant)}
        return functions.pop() if len(functions) == 1 else None

    def _answer(self, table: FileTable, address: Address) -> _Answer | None:
        """The function that is registered at an address, if it is written to register one."""
        key = (table.path, address)
        if key not in self._answers:
            self._answers[key] = None  # in case the search comes back to it
            self._answers[key] = self._find_answer(table, address) if address.behind else None
        return self._answers[key]

    def _find_answer(self, table: FileTable, address: Address) -> _Answer | None:
        function = self._function(table, address)
        if function is None or self._is_group(function):
            return None
        parts = f"{self._before(table, address, function)}{address.parts}"
        words = _words(_call(table, address))
        if _names(table, address.scope, address):
            called = table.definitions[address.scope].name.partition("(")[0]
            words = frozenset(identifier_parts(last_part(called)))
        return _Answer(
            function, _split(parts), parts.startswith("/"), words, table.spec.family_name
        )

    def _function(self, table: FileTable, address: Address) -> SymbolId | None:
        """The function that answers at an address: one that is written after it, one whose head has
        it, or else the last one that is given with it."""
        scope = address.scope
        if _names(table, scope, address):
            return table.id(scope)
        headed = _headed(table, address)
        if headed is not None:
            call = _call(table, address)
            is_own = call is not None and call.kind == "decorator" and table.is_callable(headed)
            return table.id(headed) if is_own else None
        found: SymbolId | None = None
        references, (first, last) = table.facts.references, address.behind or _NOWHERE
        begin, end = references.up_to(scope, first), references.up_to(scope, last)
        for index in references.in_scope(scope)[max(begin - 1, 0) : end] if address.names else ():
            given = references[index]
            if _is_given(address, given):
                found = self._handed(table, index, given) or found
        return found

    def _is_nameless(self, answer: _Answer) -> bool:
        return self._program.kind(answer.function) == CALLBACK

    def _is_group(self, function: SymbolId) -> bool:
        """Whether a function registers others at further addresses."""
        table, definition = self._program.table_of(function), self._program.definition(function)
        own = function.ordinal, *table.children.get(function.ordinal, ())
        given = (a for scope in own for a in table.addresses.get(scope, ()))
        behind_name = (definition.line, definition.column + _MARKS)
        return any(self._answer(table, a) for a in given if (a.line, a.column) > behind_name)

    def _handed(self, table: FileTable, index: int, given: Reference) -> SymbolId | None:
        """The function that a reference means for certain, or that a text names."""
        resolution = self._resolver.resolve(table, index)
        if resolution is None or len(resolution.targets) != 1:
            return None
        known = resolution.witness != "graph:name" or given.receiver.startswith(TEXT)
        target = resolution.targets[0]
        return target if known and self._program.is_function(target) else None

    def _before(self, table: FileTable, address: Address, function: SymbolId) -> str:
        """The address that another one continues: those of the registered functions around it, that
        of the enclosing type, or that of the object it is registered on, if made with one in this
        file."""
        groups = [a.parts for a in _groups(table, address)]
        if groups:
            return "".join(reversed(groups))
        holder = (
            table.definitions[function.ordinal].container if function.path == table.path else TOP
        )
        own = [a for a in table.facts.addresses if _is_in_head(table, a, holder)]
        call = _call(table, address)
        made = table.by_scope.get(TOP, {}).get(call.receiver, ()) if call and not own else ()
        for ordinal in made:
            start, end = table.definitions[ordinal].start, table.definitions[ordinal].end
            own += [a for a in table.facts.addresses if start <= a.line <= end and a != address]
        return own[0].parts if len(own) == 1 else ""


def _names(table: FileTable, scope: int, address: Address) -> bool:
    """Whether a definition is the anonymous function that is written after an address."""
    around = table.definition(scope)
    at_name = around and around.kind == CALLBACK and around.line == address.line
    return bool(at_name and around and 0 <= address.column - around.column <= _MARKS)


def _groups(table: FileTable, address: Address) -> Iterator[Address]:
    """The addresses of the anonymous functions around an address, the innermost first."""
    for scope in table.scopes(address.scope):
        if scope != TOP and table.definitions[scope].kind == CALLBACK:
            named = (a for a in table.addresses.get(scope, ()) if a != address)
            yield from (a for a in named if _names(table, scope, a))


def _is_given(address: Address, given: Reference) -> bool:
    """Whether a name that is not called follows an address in the arguments of its call."""
    first, last = address.behind or _NOWHERE
    return first <= (given.line, given.column) < last and given.kind not in CALLS


def _headed(table: FileTable, address: Address) -> int | None:
    """The innermost definition before whose name an address is written."""
    inner = table.children.get(address.scope, ())
    heads = (o for o in (*inner, address.scope) if _is_in_head(table, address, o))
    return next(heads, None)


def _is_in_head(table: FileTable, address: Address, ordinal: int) -> bool:
    """Whether an address is written in a definition, before its name."""
    if ordinal == TOP or not address.behind:
        return False
    definition = table.definitions[ordinal]
    begins = definition.start <= address.line
    return begins and (address.line, address.column) < (definition.line, definition.column)


def _likeness(address: Address, answer: _Answer) -> tuple[int, int, int] | None:
    """How well a requested address matches one that is answered, the larger the better: how many
    parts they share, minus how many are filled in, and minus how many more one has. None if they do
    not match, share nothing, or may both be no addresses."""
    asked, same, other = _split(address.parts), 0, 0
    if not answer.begins and not address.parts.startswith("/"):
        return None
    for one, two in zip(reversed(asked), reversed(answer.parts), strict=False):
        if one == two:
            same += one != HOLE
        elif two == HOLE:
            other += 1
        else:
            return None
    more = len(asked) - len(answer.parts)
    if not same or (same == 1 and answer.parts[0] == HOLE) or (other and more < 0):
        return None
    return same, -other, -abs(more)


def _split(parts: str) -> tuple[str, ...]:
    return tuple(part for part in parts.split("/") if part)


def _words(call: Reference | None) -> frozenset[str]:
    return frozenset(identifier_parts(call.name) if call else ())


def _call(table: FileTable, address: Address) -> Reference | None:
    """The call that an address is given to, or the decorator that has it."""
    return last_reference_before(table, address.scope, (address.line, address.column), _GIVEN_TEXTS)
