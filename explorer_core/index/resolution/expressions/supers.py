"""Resolves ``super``: the enclosing object as its supertype, and what its members override."""

from __future__ import annotations

from explorer_core.index.resolution.functions.objects import Objects
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.values import UNKNOWN, Defined, Instance, Part, Values


class Supers:
    """Finds inherited members."""

    def __init__(self, hierarchy: Hierarchy, owners: Owners, objects: Objects) -> None:
        self._hierarchy = hierarchy
        self._owners = owners
        self._objects = objects

    @staticmethod
    def is_super(table: FileTable, part: Part, expression: str = "") -> bool:
        """Whether a part of an expression is the enclosing object, seen as its supertype. If the
        part begins an ``expression``, it must be a supertype of the enclosing type, and not of a
        named one (``super(C, self)``)."""
        names = table.spec.super_names
        written = f"{part.name}()" if part.called else part.name
        return written in names and (not expression or expression.startswith(names))

    def enclosing_bases(self, table: FileTable, scope: int) -> Values:
        """Objects of the types that members enclosing a scope are inherited from."""
        bases = self._objects.enclosing_bases(table, scope)
        if bases is not None:
            return bases
        types = self._owners.enclosing_types(table, scope)
        declared_bases = [
            base for instance in types for base in self._hierarchy.supertypes(instance.id)
        ]
        if table.spec.super_extends:
            declared_bases = [base for base in declared_bases if base.clause.relation == "extends"]
        return tuple(Instance(base.id) for base in declared_bases)

    def member(self, table: FileTable, scope: int, receiver: str, name: str) -> Values:
        """The member ``name`` of ``super``; UNKNOWN for other receivers."""
        is_super = receiver in table.spec.super_names
        return self.next_member(table, scope, name) if is_super else UNKNOWN

    def next_member(self, table: FileTable, scope: int, name: str) -> Values:
        """The next member called ``name`` in the lookup order of the type enclosing a scope, after
        its own. UNKNOWN if only one supertype can be meant, or the enclosing object has no type of
        its own."""
        if table.spec.super_extends or table.enclosing_literal_member(scope) is not None:
            return UNKNOWN
        types = [instance.id for instance in self._owners.enclosing_types(table, scope)]
        static, find = table.is_static_context(scope), self._hierarchy.next_members
        members = (m for type_id in types for m in find(type_id, type_id, name, static=static))
        return tuple(Defined(member, "graph:type") for member in members)

    def overridden(self, table: FileTable, scope: int) -> Values:
        """The members that the member enclosing a scope overrides; UNKNOWN outside members."""
        name = table.enclosing_method_name(scope)
        return self.next_member(table, scope, name) if name else UNKNOWN
