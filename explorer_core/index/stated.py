"""The edges that a file states: what its references and imports mean."""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.contracts import Relation
from explorer_core.index.facts import TOP, ImportBinding, ReferenceKind
from explorer_core.index.modules import Module
from explorer_core.index.resolve import Resolver
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.index.tables import FileTable
from explorer_core.index.values import Defined, Values

_RELATIONS: dict[ReferenceKind, Relation] = {"call": "calls", "construct": "calls"}


class StatedEdges:
    """Edges by the place where they are written."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def of_reference(self, table: FileTable, index: int) -> Iterator[Edge]:
        """The edges of the reference at ``index`` of the file's references."""
        resolution = self._resolver.resolve(table, index)
        if resolution is None:
            return
        reference = table.facts.references[index]
        relation = _RELATIONS.get(reference.kind, "references")
        source = table.id(reference.scope)
        for target in resolution.targets:
            yield Edge(
                relation,
                source,
                target,
                table.path,
                reference.line,
                resolution.witness,
                resolution.namesakes,
            )

    def uses_in(self, table: FileTable, scope: int) -> Iterator[Edge]:
        """The edges of every reference that stands in a definition itself."""
        for index in table.references_in.get(scope, ()):
            yield from self.of_reference(table, index)

    def imports_in(self, table: FileTable, scope: int) -> Iterator[Edge]:
        """The edges of every import that stands in a definition itself."""
        for binding in table.facts.imports:
            if binding.scope == scope:
                yield from self.of_import(table, binding)

    def of_import(self, table: FileTable, binding: ImportBinding) -> Iterator[Edge]:
        """The edges of one import, to definitions or to whole files."""
        source = table.id(binding.scope)
        for target in _imported(self._resolver.imported(table, binding)):
            if target.path != table.path or not target.is_file:
                yield Edge("imports", source, target, table.path, binding.line, "graph:import")


def _imported(values: Values) -> Iterator[SymbolId]:
    for value in values:
        if isinstance(value, Defined):
            yield value.id
        elif isinstance(value, Module):
            yield from (SymbolId(file, TOP) for file in value.files)
