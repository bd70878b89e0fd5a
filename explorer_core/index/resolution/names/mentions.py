"""Where a symbol may be used: the names it goes by, and the files that mention them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer_core.held import memoised
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import SymbolId

_ALIASES = 8
"""Names a symbol is followed under; a name as common as that tells nothing apart."""


class Mentions:
    """Names and the files that mention them, memoised."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @memoised
    def names_of(self, symbol_id: SymbolId) -> list[str]:
        """The symbol's name, and those under which it is offered on by files that import it."""
        name = self._program.definition(symbol_id).name
        return self._find_names(name)

    def _find_names(self, name: str) -> list[str]:
        names = [name]
        for known in names:
            for table in self.tables(sorted(self._program.source.files_renaming(known))):
                reexports = table.spec.imports.reexports
                names += (
                    binding.local
                    for binding in table.facts.imports
                    if binding.name == known
                    and binding.local not in (*names, "*")
                    and (binding.exported or (reexports and binding.scope == TOP))
                )
            if len(names) > _ALIASES:
                break
        return list(dict.fromkeys(names))

    def paths(self, names: Iterable[str], path: str) -> list[str]:
        """The files that mention one of the names, and ``path``, sorted."""
        users = {user for name in names for user in self._program.source.files_mentioning(name)}
        return sorted(users | {path})

    def tables(self, paths: Iterable[str]) -> Iterator[FileTable]:
        """The tables of those of some files that have facts, each read when it is come to."""
        return (table for path in paths if (table := self._program.table(path)))

    def of(self, symbol_id: SymbolId) -> list[str]:
        """The files that mention a symbol by any of its names, and its own."""
        return self.paths(self.names_of(symbol_id), symbol_id.path)

    def references(
        self, symbol_id: SymbolId, paths: Iterable[str]
    ) -> Iterator[tuple[FileTable, int]]:
        """The references in some files that may mean a symbol, by the names under which they use
        it."""
        names = self.names_of(symbol_id)
        for table in self.tables(paths):
            for name in self.local_names(table, names):
                yield from ((table, index) for index in table.facts.references.named(name))

    def local_names(self, table: FileTable, names: Iterable[str]) -> set[str]:
        """What a file calls the names itself, by imports and variables, with the names."""
        known = set(names)
        return known.union(*(table.local_names.get(name, ()) for name in known))
