"""Resolves texts that name a definition by a path to it.

``"users#show"`` names the member ``show`` of `UsersController`, ``"users/load"`` the function
``load`` of ``store/users.js``, and ``"shop.carts.fill"`` what an import of that path would bind.
Nothing declares what such a text is for. It counts as a path only if it leads to exactly one
definition in the workspace.
"""

from __future__ import annotations

import re
from posixpath import basename, dirname, splitext

from explorer_core.index.extraction.facts import TEXT, TOP
from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.extraction.kinds import TYPE_KINDS
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined
from explorer_core.index.symbols import CALLABLES, SymbolId
from explorer_core.memoised import memoised

_SEPARATORS = re.compile(r"[/.:\\]+")
_NAMEABLE_KINDS = CALLABLES | TYPE_KINDS


class TextPaths:
    """Finds the definitions that texts name; memoised."""

    def __init__(self, program: Program, names: Names) -> None:
        self._program = program
        self._names = names

    def named(self, table: FileTable, reference: Reference) -> SymbolId | None:
        """The only definition that a text names; None for none or several."""
        path, name = reference.receiver.removeprefix(TEXT), reference.name
        if path in table.spec.self_names:
            return self._own_member(table, reference.scope, name)
        if table.spec.imports.style == "dotted":
            return self._by_import(table, _SEPARATORS.split(path), name)
        find = self._by_full_path if table.spec.full_names else self._by_parts
        return find(table.spec.family_name, path, name)

    @staticmethod
    def _own_member(table: FileTable, scope: int, name: str) -> SymbolId | None:
        """The member called ``name`` in the type enclosing a scope."""
        while scope != TOP and not table.is_type(scope):
            scope = table.definitions[scope].container
        members = table.by_scope.get(scope, {}).get(name) if scope != TOP else None
        return table.id(members[0]) if members else None

    def _by_import(self, table: FileTable, parts: list[str], name: str) -> SymbolId | None:
        """Imports the longest beginning of a path that is a module, and looks up the rest in it."""
        for length in range(len(parts), 0, -1):
            modules = self._names.module(table, ".".join(parts[:length]))
            if not isinstance(modules[0], Module):
                continue
            first, *inner = [*parts[length:], name]
            values = self._names.member(table, modules[0], first)
            ids = {value.id for value in values if isinstance(value, Defined)}
            for inner_name in inner:
                ids = {
                    holder.id(ordinal)
                    for holder, type_id in ((self._program.table_of(i), i) for i in ids)
                    if holder.is_type(type_id.ordinal)
                    for ordinal in holder.members(type_id.ordinal, inner_name)
                }
            return ids.pop() if len(ids) == 1 else None
        return None

    @memoised
    def _by_full_path(self, family: str, path: str, name: str) -> SymbolId | None:
        """The only type called ``name`` whose package and containers make up the path."""
        parts = _SEPARATORS.split(path)
        ids = [
            table.id(ordinal)
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
            if table.definitions[ordinal].kind in TYPE_KINDS
            and parts
            == [*_SEPARATORS.split(table.package), *(_container_names(table, ordinal) or ())]
        ]
        return ids[0] if len(ids) == 1 else None

    @memoised
    def _by_parts(self, family: str, path: str, name: str) -> SymbolId | None:
        """The only function or type called ``name`` that a path leads to."""
        if self._program.is_common(name):
            return None
        words = [identifier_parts(part) for part in _SEPARATORS.split(path)]
        ids = [
            table.id(ordinal)
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
            if table.definitions[ordinal].kind in _NAMEABLE_KINDS
            and _leads_to(words, table, ordinal)
        ]
        return ids[0] if len(ids) == 1 else None


def _leads_to(path: list[list[str]], table: FileTable, ordinal: int) -> bool:
    """Whether a path leads to a definition: its last part names what the definition stands in, and
    the parts before it name folders, packages or containers further out, in their order."""
    containers = _container_names(table, ordinal)
    if containers is None:
        return False
    folder, file = dirname(table.path), splitext(basename(table.path))[0]
    if basename(table.path) in table.spec.imports.index_files:
        folder, file = dirname(folder), basename(folder)
    remaining, nearest_names = path[:-1], [file, *containers]
    for part in reversed([*folder.split("/"), *_SEPARATORS.split(table.package), *nearest_names]):
        if remaining and identifier_parts(part) == remaining[-1]:
            remaining.pop()
    return not remaining and any(_matches_words(part, path[-1]) for part in nearest_names)


def _matches_words(name: str, words: list[str]) -> bool:
    """Whether a name consists of some words, and at most one more that says what it is
    (``UsersController``)."""
    parts = identifier_parts(name)
    return words in (parts, parts[:-1])


def _container_names(table: FileTable, ordinal: int) -> list[str] | None:
    """The names of a definition's containers, the outermost first; None if one is a function,
    inside which nothing can be named from elsewhere."""
    names: list[str] = []
    while ordinal != TOP:
        definition = table.definitions[ordinal]
        if names and table.is_callable(ordinal):
            return None
        names.append(definition.name)
        names += reversed(_SEPARATORS.split(definition.owner)) if definition.owner else ()
        ordinal = definition.container
    return names[:0:-1]
