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
    Outside,
    Part,
    UnrelatedObject,
    Values,
    split_chain,
)

PartialResult = tuple[Values, tuple[Part, ...]]
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
        parts = _plain_parts(receiver, table)
        if not parts:
            return UNKNOWN
        values = self.in_whole_package(table, receiver, name)
        return values or self._members.named(table, self.of_unbound(table, scope, parts[0]), name)

    def in_whole_package(self, table: FileTable, receiver: str, name: str) -> Values:
        """The values of a name whose receiver is the whole path of a package, though a type may
        have that name, too."""
        parts = _plain_parts(receiver, table)
        return self._names.in_package(table, [p.name for p in parts], name) if parts else UNKNOWN

    def in_package(self, table: FileTable, parts: tuple[Part, ...]) -> PartialResult:
        """Resolves as many first parts as name a definition together with its package. The parts
        that are left begin with the one that names the definition, since it may be called."""
        names = [part.name for part in parts]
        plain = takewhile(lambda part: not part.called and not part.subscripts, parts)
        for index in reversed(range(1, min(len(list(plain)) + 1, len(parts)))):
            if values := self._names.in_package(table, names[:index], names[index]):
                return values, parts[index:]
        return UNKNOWN, ()

    def at_root(self, table: FileTable, parts: tuple[Part, ...]) -> PartialResult:
        """The same for an expression that begins at the root, with the path of a package."""
        for index, part in enumerate(parts):
            package = [qualifier.name for qualifier in parts[:index]]
            if values := self._names.at_root(table, package, part.name):
                return values, parts[index:]
            if part.called or part.subscripts:
                return OUTSIDE, ()
        return (Module(package=".".join(part.name for part in parts)),), ()

    @staticmethod
    def of_exports(table: FileTable, parts: tuple[Part, ...]) -> PartialResult:
        """The same for an expression that begins with the file's own exports
        (``module.exports``)."""
        names = takewhile(lambda part: not part.called, parts)
        length = table.export_prefix_length([part.name for part in names])
        return ((Module((table.path,)),), parts[length:]) if length else (UNKNOWN, ())

    def of_unbound(self, table: FileTable, scope: int, head: Part) -> Values:
        """The value of an expression whose first name nothing binds, here or elsewhere: one from
        outside. UNKNOWN where macros may declare it, unless it is written like a type."""
        spec, name = table.spec, head.name
        keywords = (*spec.self_names, *spec.super_names, *spec.implicit_parameters)
        is_type = bool(spec.type_name) and re.search(spec.type_name, name) is not None
        is_excluded = (spec.preprocessor and not is_type) or name in (
            *keywords,
            *table.local_heads(scope),
        )
        if is_excluded or not name[:1].isalpha() or self._scopes.lookup(table, scope, name):
            return UNKNOWN
        if self._names.may_reach(table, name):
            return UNKNOWN
        if spec.bare_members and spec.implicit_self and name[0].islower():
            return (UnrelatedObject(),)  # inherited from outside; may return what its name says
        # Extensions that are static methods are for values of a type, not for the type itself.
        return (Outside("" if spec.static_extensions else name),)


def _plain_parts(receiver: str, table: FileTable) -> tuple[Part, ...]:
    """The parts of an expression that consists of names alone; none for others."""
    parts = split_chain(receiver, table.spec.casts)
    is_plain = parts and not any(part.called or part.subscripts for part in parts)
    return parts if parts and is_plain else ()
