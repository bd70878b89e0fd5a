"""The names under which a symbol may be used, and the files that mention these.

By ``export { Cart as Basket } from "./cart"`` a `Cart` may be used as `Basket`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer_core.index.extraction.facts import DEFAULT, TOP
from explorer_core.index.extraction.indexed_names import EVERYTHING, default_of, imported_name
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_MAX_NAMES = 8
"""The most names that a symbol is followed under; a name that has more says too little."""


class Mentions:
    """Names and the files that mention them, memoised."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def names_of(self, symbol_id: SymbolId) -> list[str]:
        """The symbol's name, and the names under which files that import it re-export it."""
        table = self._program.table_of(symbol_id)
        return self.reexported_as(
            *self._as_indexed(table.definitions[symbol_id.ordinal].name, table)
        )

    @memoised
    def reexported_as(self, *names: str) -> list[str]:
        """These names, and those under which importing files re-export what they name."""
        known = dict.fromkeys(names)
        pending = [*names]
        for current in pending:
            for table in self.tables(sorted(self._program.source.files_renaming(current))):
                further = [
                    name
                    for local in _reexported_names(table, current)
                    for name in self._as_indexed(local, table)
                    if name not in known
                ]
                known |= dict.fromkeys(further)
                pending += further
            if len(known) > _MAX_NAMES:
                break
        return [*known]

    def _as_indexed(self, name: str, table: FileTable) -> Iterable[str]:
        """The names by which an export is indexed; a default export goes by its path."""
        if name != DEFAULT and name not in table.spec.export_objects:
            return (name,)
        return dict.fromkeys((DEFAULT, *map(default_of, self._program.import_paths(table))))

    def paths(self, names: Iterable[str], *others: str) -> list[str]:
        """The files that mention one of the names, and some ``others``, sorted."""
        mentioning = {
            path for name in names for path in self._program.source.files_mentioning(name)
        }
        return sorted(mentioning.union(others))

    def tables(self, paths: Iterable[str]) -> Iterator[FileTable]:
        """The tables of those files that have facts, each made when it is reached."""
        return (table for path in paths if (table := self._program.table(path)))

    def paths_of(self, symbol_id: SymbolId) -> list[str]:
        """The files that mention a symbol by any of its names, and the one it is in."""
        return self.paths(self.names_of(symbol_id), symbol_id.path)

    def references(
        self, symbol_id: SymbolId, paths: Iterable[str]
    ) -> Iterator[tuple[FileTable, int]]:
        """The references that may mean a symbol, by the names that each file has for it."""
        names = self.names_of(symbol_id)
        for table in self.tables(paths):
            for name in self.local_names(table, names):
                yield from ((table, index) for index in table.facts.references.named(name))

    def local_names(self, table: FileTable, names: Iterable[str]) -> set[str]:
        """These names, and what a file itself calls them, by its imports and aliases."""
        known = set(names)
        return known.union(*(table.local_names.get(name, ()) for name in known))


def _reexported_names(table: FileTable, name: str) -> Iterator[str]:
    """The file's own names for something that it imports by ``name`` and re-exports."""
    reexports = table.spec.imports.reexports
    for binding in table.facts.imports:
        is_reexported = binding.exported or (reexports and binding.scope == TOP)
        if (
            is_reexported
            and binding.local != EVERYTHING
            and imported_name(binding, table.spec) == name
        ):
            yield binding.local
