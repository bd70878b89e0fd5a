"""Edges from a call that has a library start a job to the function that is the job.

``ReportJob.perform_later(3)`` runs `ReportJob.perform`, and ``build.delay(3)`` runs `build`. The
code here does not show when or how, since the called member comes from a supertype or a decorator
of a library. In the first case its name begins with that of the job; in the second it is called on
the job.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.users import Users
from explorer_core.index.resolution.values import Defined, Inherited
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, SymbolId
from explorer_core.memoised import memoised


class Starts(Feed):
    """Finds jobs, and who has them started."""

    def __init__(self, resolver: Resolver, users: Users) -> None:
        super().__init__(resolver)
        self._users = users

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the jobs that it has started."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            yield from self._edges(table, index)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a job from what has it started."""
        if not self._program.is_function(symbol_id):
            return
        type_id = self._declaring_type(symbol_id)
        if type_id is None:
            references = self._references_after(symbol_id) if self._is_decorated(symbol_id) else ()
        else:
            is_open = self._model.hierarchy.is_open(type_id)
            references = self._names_beginning_with(symbol_id, type_id) if is_open else ()
        for other, index in references:
            yield from (e for e in self._edges(other, index) if e.target == symbol_id)

    def _references_after(self, function: SymbolId) -> Iterator[tuple[FileTable, int]]:
        """The references right after those to a function, where one to its member would stand."""
        for table, index in self._mentions.references(function, self._mentions.paths_of(function)):
            yield table, index + 1

    def _names_beginning_with(
        self, member: SymbolId, type_id: SymbolId
    ) -> Iterator[tuple[FileTable, int]]:
        """References to names that begin with a member's, in files that mention its type."""
        name, type_name = (
            self._program.definition(member).name,
            self._program.definition(type_id).name,
        )
        for table in self._mentions.tables(self._mentions.paths([type_name], type_id.path)):
            for longer in table.facts.references.beginning(name):
                for index in table.facts.references.named(longer):
                    receiver = table.facts.references[index].receiver
                    if name in _name_prefixes(longer) and self._begins_with_type(
                        table, receiver, type_id
                    ):
                        yield table, index

    def _edges(self, table: FileTable, index: int) -> Iterator[Edge]:
        references = table.facts.references
        if index >= len(references):
            return
        call = references[index]
        if call.kind != "call" or not call.receiver or call.local:
            return
        started = self._started_member(table, index, call)
        if started is None and table.spec.decorated_members:
            function = self._function_called_on(table, index)
            started = function if function and self._starts_receiver(call.name) else None
        if started is not None:
            yield feed_edge(table.id(call.scope), started, call.line, "graph:name")

    def _started_member(self, table: FileTable, index: int, call: Reference) -> SymbolId | None:
        """The member that a type defines itself and with whose name that of the called one begins
        (``perform`` of ``perform_later``); None for other calls."""
        head = last_part(call.receiver.partition("(")[0].partition(".")[0])
        names = self._defined_prefixes(call.name) if self._is_defined(head) else ()
        if not names:
            return None
        if self._resolver.resolve(table, index) is not None:
            return None
        model = self._model
        values = model.expressions.evaluate(table, call.scope, call.receiver, call.line)
        for value in values:
            type_id = value.type_id if isinstance(value, Inherited) else None
            if isinstance(value, Defined) and self._program.kind(value.id) in MEMBER_HOLDERS:
                type_id = value.id
            if type_id is None or not self._begins_with_type(table, call.receiver, type_id):
                continue
            for name in names if model.hierarchy.is_open(type_id) else ():
                for member in model.hierarchy.own_members(type_id, name):
                    definition = self._program.definition(member)
                    if definition.kind in CALLABLES and not definition.static:
                        return member
        return None

    @memoised
    def _defined_prefixes(self, name: str) -> list[str]:
        """The beginnings of a name that some definition has as its name."""
        files_defining = self._program.source.files_defining
        return [prefix for prefix in _name_prefixes(name) if files_defining(prefix)]

    @memoised
    def _is_defined(self, name: str) -> bool:
        return bool(self._program.source.files_defining(name))

    def _begins_with_type(self, table: FileTable, receiver: str, type_id: SymbolId) -> bool:
        """Whether an expression begins with what its file calls a type."""
        name = self._program.definition(type_id).name
        names = (name, *table.local_names.get(name, ()))
        return last_part(receiver.partition("(")[0]) in names or any(
            receiver.startswith(f"{known_name}.") for known_name in names
        )

    @memoised
    def _starts_receiver(self, name: str) -> bool:
        """Whether a member of that name starts what it is called on, rather than describing it: it
        is called on some function that nothing calls."""
        paths = sorted(self._program.source.files_mentioning(name))
        functions = (
            self._function_called_on(table, index)
            for table in self._mentions.tables(paths)
            for index in table.facts.references.named(name)
        )
        return any(function and not self._is_called(function) for function in functions)

    def _is_called(self, function: SymbolId) -> bool:
        uses = self._users.uses(function, self._mentions.paths_of(function), None, calls=True)
        return any(edge.relation == "calls" for edge in uses)

    def _function_called_on(self, table: FileTable, index: int) -> SymbolId | None:
        """The function that a member is called on, if its decorator may provide the member."""
        call = table.facts.references[index]
        receiver = table.facts.references[index - 1] if index else None
        if receiver is None or receiver.scope != call.scope or call.local:
            return None
        if receiver.written != call.receiver or self._resolver.resolve(table, index) is not None:
            return None
        function = self._only_target(table, index - 1)
        return function if function and self._is_decorated(function) else None

    def _is_decorated(self, function: SymbolId) -> bool:
        """Whether it is a function with a decorator from outside the repository."""
        if not self._program.is_function(function):
            return False
        table = self._program.table_of(function)
        references = table.facts.references
        return any(
            references[index].kind == "decorator"
            and references[index].line <= table.definitions[function.ordinal].line
            and self._resolver.resolve(table, index) is None
            for index in references.in_scope(function.ordinal)
        )


def _name_prefixes(name: str) -> list[str]:
    """The first words of a name, without the whole name, the longest first."""
    ends = [
        index
        for index in range(1, len(name))
        if name[index] == "_" or (name[index].isupper() and not name[index - 1].isupper())
    ]
    return [name[:index] for index in reversed(ends) if name[index - 1] != "_"]
