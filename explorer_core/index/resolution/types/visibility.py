"""Which members of other files a file may use.

A ``private`` member is for its own file, an unexported one in Go for its package.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised


class Visibility:
    """Decides what is hidden from a file; memoised."""

    def __init__(self, program: Program, names: Names, owners: Owners) -> None:
        self._program = program
        self._names = names
        self._owners = owners

    def is_visible(self, table: FileTable, member: SymbolId) -> bool:
        """Whether a file may use a member. A hidden one is for files that declare a part of its
        type, and for those of its library; one that is not exported for its package or module, in
        languages where that hides it; an extension for files that import it."""
        holder = self._program.table_of(member)
        if holder is table or not holder.is_member(member.ordinal):
            return True
        definition = holder.definitions[member.ordinal]
        if holder.spec.hidden_head and not definition.exported:
            declares_part = self._declares_part(table, holder, member.ordinal)
            if not declares_part and not self._is_of_library(table, holder):
                return False
        if holder.spec.hides_unexported and not definition.exported:
            is_inside = self._program.finder(holder).is_inside(table.path, holder.path)
            if not is_inside or table.package != holder.package:
                return False
        is_extension = holder.spec.extension_members and bool(definition.owner)
        return not is_extension or self._names.is_accessible(table, member)

    def _declares_part(self, table: FileTable, holder: FileTable, ordinal: int) -> bool:
        """Whether a file declares a part of the type that a member belongs to."""
        type_id = self._owners.declaring_type(holder, ordinal) if holder.spec.open_types else None
        return type_id is not None and table.path in self._declaring_files(type_id)

    @memoised
    def _declaring_files(self, type_id: SymbolId) -> frozenset[str]:
        return frozenset(declaration.path for declaration in self._names.declarations(type_id))

    def _is_of_library(self, table: FileTable, other: FileTable) -> bool:
        """Whether either of two files says that they are parts of one library."""
        if other.spec.imports.style != "include":
            return False
        return other.path in self._library_files(table) or table.path in self._library_files(other)

    @memoised
    def _library_files(self, table: FileTable) -> frozenset[str]:
        """The files that one is made of or a part of, and the other parts of these."""
        direct = [*self._part_files(table)]
        tables = filter(None, map(self._program.table, direct))
        others = (path for other in tables for path in self._part_files(other))
        return frozenset((*direct, *others))

    def _part_files(self, table: FileTable) -> Iterator[str]:
        """The files whose text a file declares to be one with its own."""
        find = self._program.finder(table).find
        for binding in table.wildcards:
            module = find(table.path, binding.module) if binding.exported else None
            yield from module.files if module else ()
