"""Finds who uses a symbol, through the files that mention its name.

For a function `load`, these are also the files that mention a name under which others re-export it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from heapq import nsmallest

import msgspec

from explorer_core.index.extraction.indexed_names import imported_name
from explorer_core.index.extraction.reference_table import CALLS, HANDED_OVER, ReferenceKind
from explorer_core.index.resolution.finders.paths import count_shared_folders
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.stated import StatedEdges, restated
from explorer_core.index.symbols import Edge, SymbolId


class Users:
    """Finds the edges that references and imports state to a symbol."""

    def __init__(self, resolver: Resolver, stated: StatedEdges) -> None:
        self._declarations = resolver.declarations
        self._stated = stated
        self._mentions = resolver.mentions

    def uses(
        self, symbol_id: SymbolId, paths: list[str], max_files: int | None, *, calls: bool = False
    ) -> Iterator[Edge]:
        """The uses and imports of a symbol in the files that mention it, or only its ``calls``;
        also the uses of macros whose bodies use it. With ``max_files``, reads only that many of the
        nearest files."""
        macro_uses: dict[tuple[SymbolId, Edge], None] = {}
        kinds = CALLS if calls else None
        for edge in self._written_in(symbol_id, paths, max_files, kinds):
            yield edge
            if self._stated.is_macro(edge.source):
                macro_uses[edge.source, restated(edge, symbol_id, "", 0)] = None
        users: dict[SymbolId, list[Edge]] = {symbol_id: []}
        for macro, edge in (pending := list(macro_uses)):
            if macro not in users:
                users[macro] = list(
                    self._written_in(macro, self._mentions.paths_of(macro), max_files)
                )
            for user in users[macro]:
                if user.relation == "imports" or user.source == symbol_id:
                    continue
                yield restated(edge, user.source, user.path, user.line)
                further = (user.source, edge)
                if self._stated.is_macro(user.source) and further not in macro_uses:
                    macro_uses[further] = None
                    pending.append(further)

    def handing_over(self, symbol_id: SymbolId, paths: list[str]) -> Iterator[Edge]:
        """The uses in ``paths`` that pass a symbol on, to be called elsewhere."""
        return self._written_in(symbol_id, paths, None, HANDED_OVER)

    def _written_in(
        self,
        symbol_id: SymbolId,
        paths: list[str],
        max_files: int | None,
        kinds: Collection[ReferenceKind] | None = None,
    ) -> Iterator[Edge]:
        """The uses and imports of a symbol as files write them, or only uses of some ``kinds``; in
        the ``max_files`` nearest files if given."""
        nearest = paths
        if max_files is not None:
            nearest = nsmallest(max_files, paths, lambda path: _distance(path, symbol_id.path))
        names = self._mentions.names_of(symbol_id)
        targets = {symbol_id, *self._declarations.bodies(symbol_id)}
        for table in self._mentions.tables(nearest):
            for local in self._mentions.local_names(table, names):
                for index in table.facts.references.named(local):
                    if kinds is not None and table.facts.references[index].kind not in kinds:
                        continue
                    edges = self._stated.as_written(table, index)
                    yield from (
                        msgspec.structs.replace(e, target=symbol_id)
                        for e in edges
                        if e.target in targets
                    )
            for binding in table.facts.imports if kinds is None else ():
                if imported_name(binding, table.spec) in names or binding.local in names:
                    edges = self._stated.of_import(table, binding)
                    yield from (edge for edge in edges if edge.target == symbol_id)


def _distance(path: str, other: str) -> tuple[int, str]:
    """How many folders lead from one file to another, and the path to order those equally near."""
    steps = path.count("/") + other.count("/") - 2 * count_shared_folders(path, other)
    return steps, path
