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
        holder = self._holder(symbol_id)
        if holder is None:
            found = self._on(symbol_id) if self._is_decorated(symbol_id) else ()
        else:
            is_open = self._model.hierarchy.is_open(holder)
            found = self._beginning(symbol_id, holder) if is_open else ()
        for other, index in found:
            yield from (e for e in self._edges(other, index) if e.target == symbol_id)

    def _on(self, function: SymbolId) -> Iterator[tuple[FileTable, int]]:
        """The references right after those to a function, where one to its member would stand."""
        for table, index in self._mentions.references(function, self._mentions.paths_of(function)):
            yield table, index + 1

    def _beginning(self, member: SymbolId, holder: SymbolId) -> Iterator[tuple[FileTable, int]]:
        """References to names that begin with a member's, in files that mention its type."""
        name, of = self._program.definition(member).name, self._program.definition(holder).name
        for table in self._mentions.tables(self._mentions.paths([of], holder.path)):
            for longer in table.facts.references.beginning(name):
                for index in table.facts.references.named(longer):
                    receiver = table.facts.references[index].receiver
                    if name in _beginnings(longer) and self._names(table, receiver, holder):
                        yield table, index

    def _edges(self, table: FileTable, index: int) -> Iterator[Edge]:
        references = table.facts.references
        if index >= len(references):
            return
        used = references[index]
        if used.kind != "call" or not used.receiver or used.local:
            return
        found = self._of_type(table, index, used)
        if found is None and table.spec.decorated_members:
            asked = self._asked(table, index)
            found = asked if asked and self._has_started(used.name) else None
        if found is not None:
            yield feed_edge(table.id(used.scope), found, used.line, "graph:name")

    def _of_type(self, table: FileTable, index: int, used: Reference) -> SymbolId | None:
        """The member that a type defines itself and with whose name that of the called one begins
        (``perform`` of ``perform_later``); None for other calls."""
        head = last_part(used.receiver.partition("(")[0].partition(".")[0])
        names = self._defined_beginnings(used.name) if self._is_defined(head) else ()
        if not names:
            return None
        if self._resolver.resolve(table, index) is not None:
            return None
        model = self._model
        values = model.expressions.evaluate(table, used.scope, used.receiver, used.line)
        for value in values:
            asked = value.type_id if isinstance(value, Inherited) else None
            if isinstance(value, Defined) and self._program.kind(value.id) in MEMBER_HOLDERS:
                asked = value.id
            if asked is None or not self._names(table, used.receiver, asked):
                continue
            for name in names if model.hierarchy.is_open(asked) else ():
                for member in model.hierarchy.own_members(asked, name):
                    definition = self._program.definition(member)
                    if definition.kind in CALLABLES and not definition.static:
                        return member
        return None

    @memoised
    def _defined_beginnings(self, name: str) -> list[str]:
        """The beginnings of a name that some definition has as its name."""
        defining = self._program.source.files_defining
        return [each for each in _beginnings(name) if defining(each)]

    @memoised
    def _is_defined(self, name: str) -> bool:
        return bool(self._program.source.files_defining(name))

    def _names(self, table: FileTable, receiver: str, type_id: SymbolId) -> bool:
        """Whether an expression begins with what its file calls a type."""
        name = self._program.definition(type_id).name
        known = (name, *table.local_names.get(name, ()))
        return last_part(receiver.partition("(")[0]) in known or any(
            receiver.startswith(f"{one}.") for one in known
        )

    @memoised
    def _has_started(self, name: str) -> bool:
        """Whether a member of that name starts what it is called on, rather than describing it: it
        is called on some function that nothing calls."""
        users = sorted(self._program.source.files_mentioning(name))
        found = (
            self._asked(table, index)
            for table in self._mentions.tables(users)
            for index in table.facts.references.named(name)
        )
        return any(each and not self._is_called(each) for each in found)

    def _is_called(self, function: SymbolId) -> bool:
        uses = self._users.uses(function, self._mentions.paths_of(function), None, calls=True)
        return any(edge.relation == "calls" for edge in uses)

    def _asked(self, table: FileTable, index: int) -> SymbolId | None:
        """The function that a member is called on, if its decorator may provide the member."""
        used = table.facts.references[index]
        before = table.facts.references[index - 1] if index else None
        if before is None or before.scope != used.scope or used.local:
            return None
        if before.written != used.receiver or self._resolver.resolve(table, index) is not None:
            return None
        asked = self._one(table, index - 1)
        return asked if asked and self._is_decorated(asked) else None

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


def _beginnings(name: str) -> list[str]:
    """The first words of a name, without the whole name, the longest first."""
    ends = [
        at
        for at in range(1, len(name))
        if name[at] == "_" or (name[at].isupper() and not name[at - 1].isupper())
    ]
    return [name[:at] for at in reversed(ends) if name[at - 1] != "_"]
