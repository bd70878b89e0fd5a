"""Resolves names after a package's path (``shop.tills.Till``), and recognises names from outside.

An expression that begins with a name which the repository does not define is from outside.
"""

from __future__ import annotations

import re
from itertools import takewhile

from explorer_core.index.resolution.expressions.members import Members
from explorer_core.index.resolution.expressions.scopes import Scopes
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Other,
    Outside,
    Part,
    Values,
    chain,
)

Led = tuple[Values, tuple[Part, ...]]
"""The values that the first parts of an expression lead to, and the parts that are left."""


class QualifiedNames:
    """Resolves the first parts of an expression together."""

    def __init__(self, names: Names, scopes: Scopes, members: Members) -> None:
        self._names = names
        self._scopes = scopes
        self._members = members

    def member(self, table: FileTable, scope: int, receiver: str, name: str) -> Values:
        """The values of a name whose receiver is the whole path of a package, or begins with a name
        that nothing in the repository has."""
        parts = _names(receiver, table)
        if not parts:
            return UNKNOWN
        found = self.in_whole_package(table, receiver, name)
        return found or self._members.named(table, self.of_nothing(table, scope, parts[0]), name)

    def in_whole_package(self, table: FileTable, receiver: str, name: str) -> Values:
        """The values of a name whose receiver is the whole path of a package, though a type may
        have that name, too."""
        parts = _names(receiver, table)
        return self._names.in_package(table, [p.name for p in parts], name) if parts else UNKNOWN

    def in_package(self, table: FileTable, parts: tuple[Part, ...]) -> Led:
        """Resolves as many first parts as name a definition together with its package. The parts
        that are left begin with the one that names the definition, since it may be called."""
        names = [part.name for part in parts]
        whole = takewhile(lambda part: not part.called and not part.subscripts, parts)
        for at in reversed(range(1, min(len(list(whole)) + 1, len(parts)))):
            if values := self._names.in_package(table, names[:at], names[at]):
                return values, parts[at:]
        return UNKNOWN, ()

    def at_root(self, table: FileTable, parts: tuple[Part, ...]) -> Led:
        """The same for an expression that begins at the root, with the path of a package."""
        for at, part in enumerate(parts):
            before = [each.name for each in parts[:at]]
            if found := self._names.at_root(table, before, part.name):
                return found, parts[at:]
            if part.called or part.subscripts:
                return OUTSIDE, ()
        return (Module(package=".".join(part.name for part in parts)),), ()

    @staticmethod
    def of_exports(table: FileTable, parts: tuple[Part, ...]) -> Led:
        """The same for an expression that begins with the file's own exports
        (``module.exports``)."""
        names = takewhile(lambda part: not part.called, parts)
        begun = table.exports_in([part.name for part in names])
        return ((Module((table.path,)),), parts[begun:]) if begun else (UNKNOWN, ())

    def of_nothing(self, table: FileTable, scope: int, head: Part) -> Values:
        """The value of an expression whose first name nothing binds, here or elsewhere: one from
        outside. UNKNOWN where macros may declare it, unless it is written like a type."""
        spec, name = table.spec, head.name
        own = (*spec.self_names, *spec.super_names, *spec.implicit_parameters)
        is_type = bool(spec.type_name) and re.search(spec.type_name, name) is not None
        hidden = (spec.preprocessor and not is_type) or name in (*own, *table.local_heads(scope))
        if hidden or not name[:1].isalpha() or self._scopes.lookup(table, scope, name):
            return UNKNOWN
        if self._names.may_reach(table, name):
            return UNKNOWN
        if spec.bare_members and spec.implicit_self and name[0].islower():
            return (Other(),)  # inherited from outside; may return what its name says
        # Extensions that are static methods are for values of a type, not for the type itself.
        return (Outside("" if spec.static_extensions else name),)


def _names(receiver: str, table: FileTable) -> tuple[Part, ...]:
    """The parts of an expression that consists of names alone; none for others."""
    parts = chain(receiver, table.spec.casts)
    is_plain = parts and not any(part.called or part.subscripts for part in parts)
    return parts if parts and is_plain else ()
