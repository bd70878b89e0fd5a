"""The base class of what finds one kind of edges, by their sources and by their targets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence

from explorer_core.contracts import Witness
from explorer_core.index.extraction.reference_table import Reference, ReferenceKind
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId


class Feed(ABC):
    """Finds the edges of one kind by their source and by their target."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._program = resolver.program
        self._mentions = resolver.mentions
        self._model = resolver.model

    @abstractmethod
    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition."""

    @abstractmethod
    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition."""

    def _references_in(self, symbol_id: SymbolId) -> Sequence[int]:
        """The indexes of the references that stand in a definition."""
        return self._program.table_of(symbol_id).facts.references.in_scope(symbol_id.ordinal)

    def _only_target(self, table: FileTable, index: int) -> SymbolId | None:
        """The only definition that a reference means for certain."""
        targets = self._resolver.certain(table, index)
        return targets[0] if len(targets) == 1 and not targets[0].is_file else None

    def _functions(self, table: FileTable, index: int) -> Iterator[SymbolId]:
        """The functions that a reference means for certain."""
        return filter(self._program.is_function, self._resolver.certain(table, index))

    def _functions_at(
        self, table: FileTable, name: str, line: int, column: int
    ) -> Iterator[SymbolId]:
        """The functions that the name at a line and column means for certain."""
        targets = self._resolver.certain_at(table, name, line, column)
        return filter(self._program.is_function, targets)

    def _declaring_type(self, member: SymbolId) -> SymbolId | None:
        """The type that a definition is a member of."""
        return self._model.owners.declaring_type(self._program.table_of(member), member.ordinal)

    def _overridden(self, member: SymbolId) -> list[SymbolId]:
        """The members that a member of a type overrides."""
        type_id = self._declaring_type(member)
        return self._model.overriding.overridden(type_id, member) if type_id else []


def feed_edge(
    source: SymbolId,
    target: SymbolId,
    line: int,
    witness: Witness = "graph:type",
    namesakes: int = 1,
) -> Edge:
    """The edge from what hands something over, on a line of its file, to what receives it."""
    return Edge("feeds", source, target, source.path, line, witness, namesakes)


def last_reference_before(
    table: FileTable, scope: int, place: tuple[int, int], kinds: Collection[ReferenceKind]
) -> Reference | None:
    """The last reference of some kinds in a definition before a place, a line and a column. If it
    is a call, it is taken for the one that is given what stands at that place."""
    references = table.facts.references
    rows = references.in_scope(scope)[: references.up_to(scope, place)]
    preceding = (references[index] for index in reversed(rows))
    return next((reference for reference in preceding if reference.kind in kinds), None)
