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

_MAX_FILES = 60
"""If more files may have an address with the same last part, it says nothing."""
_MIN_SHARED_PARTS, _MAX_FUNCTIONS = 2, 3
"""How many parts two addresses must share to match; one is enough if no more than
``_MAX_FUNCTIONS`` functions are registered at similar addresses."""
_NO_RANGE = (0, 0), (0, 0)
_TAKING_KINDS: frozenset[ReferenceKind] = frozenset({*CALLS, "decorator"})
_MAX_MARKS = 2
"""How many characters may stand between the start of a text literal and that of its content."""


class _Answer(msgspec.Struct, frozen=True, gc=False):
    """A function that answers at an address; whether that begins with a slash; and the words in the
    name of what registers the function."""

    function: SymbolId
    parts: tuple[str, ...]
    is_absolute: bool
    words: frozenset[str]
    family: str

    @property
    def last_part(self) -> str:
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
        answers = (self._answer_at(*candidate) for candidate in self._possible_addresses(symbol_id))
        own_answers = (answer for answer in answers if answer and answer.function == symbol_id)
        for last in dict.fromkeys(answer.last_part for answer in own_answers):
            for table in self._files_naming(last):
                for address in chain.from_iterable(table.addresses.values()):
                    if address.scope != TOP and last_fixed(address.parts) == last:
                        edge = self._edge(table, address)
                        if edge and edge.target == symbol_id:
                            yield edge

    def _possible_addresses(self, function: SymbolId) -> Iterator[tuple[FileTable, Address]]:
        """The addresses that a function may answer at: one that it is written after, those written
        before its name, and those that it is passed with."""
        table, definition = self._program.table_of(function), self._program.definition(function)
        scopes = (function.ordinal, definition.container)
        for address in (a for scope in scopes for a in table.addresses.get(scope, ())):
            if definition.start <= address.line <= definition.line:
                yield table, address
        names = self._mentions.names_of(function)
        for other in self._mentions.tables(self._mentions.paths_of(function)):
            for name in self._mentions.local_names(other, names) if other.addresses else ():
                for argument in map(
                    other.facts.references.__getitem__, other.facts.references.named(name)
                ):
                    for address in other.addresses.get(argument.scope, ()):
                        if _is_argument_after(address, argument):
                            yield other, address

    def _files_naming(self, name: str) -> Iterator[FileTable]:
        """The files that may have an address with a last part; none where there are many."""
        paths = sorted(self._program.source.files_mentioning(name)) if name else []
        return self._mentions.tables(paths if len(paths) <= _MAX_FILES else ())

    def _edge(self, table: FileTable, address: Address) -> Edge | None:
        """The edge from what names an address, unless it registers something there."""
        if self._answer_at(table, address) or self._registers(table, address):
            return None
        function = self._find_target(table, address)
        source = table.id(address.scope)
        if function is None or function == source:
            return None
        return Edge("references", source, function, table.path, address.line, "graph:name")

    def _registers(self, table: FileTable, address: Address) -> bool:
        """Whether what is called with an address registers functions elsewhere in the file."""
        call = _taking_call(table, address) if address.later_arguments else None
        return call is not None and call.written in self._registering_calls(table)

    @memoised
    def _registering_calls(self, table: FileTable) -> frozenset[str]:
        """The calls by which a file registers functions at addresses."""
        registering = (a for a in table.facts.addresses if self._answer_at(table, a))
        calls = (_taking_call(table, address) for address in registering)
        return frozenset(call.written for call in calls if call)

    def _find_target(self, table: FileTable, address: Address) -> SymbolId | None:
        """The only function that may be meant by an address."""
        last = last_fixed(address.parts)
        candidates = [
            answer
            for other in self._files_naming(last)
            for other_address in chain.from_iterable(other.addresses.values())
            if last_fixed(other_address.parts) in ("", last)
            if (answer := self._answer_at(other, other_address)) and answer.last_part == last
        ]
        words = _call_words(_taking_call(table, address))
        similar = [(rank, a) for a in candidates if (rank := _similarity(address, a))]
        # An anonymous function may be for anything (``describe("/users", () => ...)``).
        similar = [(r, a) for r, a in similar if a.words & words or not self._is_anonymous(a)]
        if not address.parts.startswith("/"):
            family = table.spec.family_name
            similar = [(r, a) for r, a in similar if a.words & words or a.family != family]
        if not similar:
            return None
        best = max(rank for rank, _ in similar)
        best_answers = [a for rank, a in similar if rank == best]
        same_words = [a for a in best_answers if a.words & words]
        if not same_words and any(a.words & words for a in candidates):
            return None  # requests of this kind are answered elsewhere
        is_specific = (
            len(similar) <= _MAX_FUNCTIONS
            and best[2] >= -1
            and same_words
            and address.may_name_handler
        )
        if best[0] < _MIN_SHARED_PARTS and not is_specific:
            return None
        functions = {a.function for a in (same_words or best_answers)}
        return functions.pop() if len(functions) == 1 else None

    def _answer_at(self, table: FileTable, address: Address) -> _Answer | None:
        """The function that is registered at an address, if it is written to register one."""
        key = (table.path, address)
        if key not in self._answers:
            self._answers[key] = None  # in case the search comes back to it
            self._answers[key] = (
                self._find_answer(table, address) if address.later_arguments else None
            )
        return self._answers[key]

    def _find_answer(self, table: FileTable, address: Address) -> _Answer | None:
        function = self._registered_function(table, address)
        if function is None or self._registers_nested(function):
            return None
        parts = f"{self._prefix(table, address, function)}{address.parts}"
        words = _call_words(_taking_call(table, address))
        if _is_callback_at(table, address.scope, address):
            callee = table.definitions[address.scope].name.partition("(")[0]
            words = frozenset(identifier_parts(last_part(callee)))
        return _Answer(
            function, _split_parts(parts), parts.startswith("/"), words, table.spec.family_name
        )

    def _registered_function(self, table: FileTable, address: Address) -> SymbolId | None:
        """The function that answers at an address: one that is written after it, one whose head has
        it, or else the last one that is given with it."""
        scope = address.scope
        if _is_callback_at(table, scope, address):
            return table.id(scope)
        headed = _headed(table, address)
        if headed is not None:
            call = _taking_call(table, address)
            is_decorated = (
                call is not None and call.kind == "decorator" and table.is_callable(headed)
            )
            return table.id(headed) if is_decorated else None
        function: SymbolId | None = None
        references, (first, last) = table.facts.references, address.later_arguments or _NO_RANGE
        begin, end = references.up_to(scope, first), references.up_to(scope, last)
        for index in (
            references.in_scope(scope)[max(begin - 1, 0) : end] if address.may_name_handler else ()
        ):
            argument = references[index]
            if _is_argument_after(address, argument):
                function = self._certain_function(table, index, argument) or function
        return function

    def _is_anonymous(self, answer: _Answer) -> bool:
        return self._program.kind(answer.function) == CALLBACK

    def _registers_nested(self, function: SymbolId) -> bool:
        """Whether a function registers others at further addresses."""
        table, definition = self._program.table_of(function), self._program.definition(function)
        scopes = function.ordinal, *table.children.get(function.ordinal, ())
        addresses = (a for scope in scopes for a in table.addresses.get(scope, ()))
        after_name = (definition.line, definition.column + _MAX_MARKS)
        return any(self._answer_at(table, a) for a in addresses if (a.line, a.column) > after_name)

    def _certain_function(
        self, table: FileTable, index: int, reference: Reference
    ) -> SymbolId | None:
        """The function that a reference means for certain, or that a text names."""
        resolution = self._resolver.resolve(table, index)
        if resolution is None or len(resolution.targets) != 1:
            return None
        is_known = resolution.witness != "graph:name" or reference.receiver.startswith(TEXT)
        target = resolution.targets[0]
        return target if is_known and self._program.is_function(target) else None

    def _prefix(self, table: FileTable, address: Address, function: SymbolId) -> str:
        """The address that another one continues: those of the registered functions around it, that
        of the enclosing type, or that of the object it is registered on, if made with one in this
        file."""
        outer_parts = [a.parts for a in _enclosing_addresses(table, address)]
        if outer_parts:
            return "".join(reversed(outer_parts))
        container = (
            table.definitions[function.ordinal].container if function.path == table.path else TOP
        )
        addresses = [a for a in table.facts.addresses if _is_in_head(table, a, container)]
        call = _taking_call(table, address)
        objects = (
            table.by_scope.get(TOP, {}).get(call.receiver, ()) if call and not addresses else ()
        )
        for ordinal in objects:
            start, end = table.definitions[ordinal].start, table.definitions[ordinal].end
            addresses += [
                a for a in table.facts.addresses if start <= a.line <= end and a != address
            ]
        return addresses[0].parts if len(addresses) == 1 else ""


def _is_callback_at(table: FileTable, scope: int, address: Address) -> bool:
    """Whether a definition is the anonymous function that is written after an address."""
    callback = table.definition(scope)
    is_on_line = callback and callback.kind == CALLBACK and callback.line == address.line
    return bool(is_on_line and callback and 0 <= address.column - callback.column <= _MAX_MARKS)


def _enclosing_addresses(table: FileTable, address: Address) -> Iterator[Address]:
    """The addresses of the anonymous functions around an address, the innermost first."""
    for scope in table.scopes(address.scope):
        if scope != TOP and table.definitions[scope].kind == CALLBACK:
            others = (a for a in table.addresses.get(scope, ()) if a != address)
            yield from (a for a in others if _is_callback_at(table, scope, a))


def _is_argument_after(address: Address, reference: Reference) -> bool:
    """Whether a name that is not called follows an address in the arguments of its call."""
    first, last = address.later_arguments or _NO_RANGE
    return first <= (reference.line, reference.column) < last and reference.kind not in CALLS


def _headed(table: FileTable, address: Address) -> int | None:
    """The innermost definition before whose name an address is written."""
    children = table.children.get(address.scope, ())
    heads = (o for o in (*children, address.scope) if _is_in_head(table, address, o))
    return next(heads, None)


def _is_in_head(table: FileTable, address: Address, ordinal: int) -> bool:
    """Whether an address is written in a definition, before its name."""
    if ordinal == TOP or not address.later_arguments:
        return False
    definition = table.definitions[ordinal]
    starts_before = definition.start <= address.line
    return starts_before and (address.line, address.column) < (definition.line, definition.column)


def _similarity(address: Address, answer: _Answer) -> tuple[int, int, int] | None:
    """How well a requested address matches one that is answered, the larger the better: how many
    parts they share, minus how many are filled in, and minus how many more one has. None if they do
    not match, share nothing, or may both be no addresses."""
    requested, shared, filled = _split_parts(address.parts), 0, 0
    if not answer.is_absolute and not address.parts.startswith("/"):
        return None
    for part, answer_part in zip(reversed(requested), reversed(answer.parts), strict=False):
        if part == answer_part:
            shared += part != HOLE
        elif answer_part == HOLE:
            filled += 1
        else:
            return None
    length_difference = len(requested) - len(answer.parts)
    if (
        not shared
        or (shared == 1 and answer.parts[0] == HOLE)
        or (filled and length_difference < 0)
    ):
        return None
    return shared, -filled, -abs(length_difference)


def _split_parts(parts: str) -> tuple[str, ...]:
    return tuple(part for part in parts.split("/") if part)


def _call_words(call: Reference | None) -> frozenset[str]:
    return frozenset(identifier_parts(call.name) if call else ())


def _taking_call(table: FileTable, address: Address) -> Reference | None:
    """The call that an address is given to, or the decorator that has it."""
    return last_reference_before(
        table, address.scope, (address.line, address.column), _TAKING_KINDS
    )
