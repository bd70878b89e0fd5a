"""Object literals and anonymous classes: the object that their members have as their own.

In ``{ load() { this.save() } }`` that is the literal itself, and what is expected at its place.
"""

from __future__ import annotations

from explorer_core.index.resolution.functions.lambdas import Lambdas
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import UNKNOWN, Instance, ObjectLiteral, Values


class Objects:
    """Finds the object that a member has as its own."""

    def __init__(self, lambdas: Lambdas) -> None:
        self._lambdas = lambdas

    def enclosing_object(self, table: FileTable, scope: int) -> Values:
        """The object whose member encloses a scope; UNKNOWN where a type is nearer."""
        member = table.enclosing_literal_member(scope)
        return UNKNOWN if member is None else self.of(table, member)

    def of(self, table: FileTable, member: int) -> Values:
        """The object that a definition is a member of, as written and as it is expected to be."""
        container = table.definitions[member].container
        return (ObjectLiteral(table.id(container)), *self._lambdas.expected_types(table, member))

    def enclosing_bases(self, table: FileTable, scope: int) -> tuple[Instance, ...] | None:
        """The types the object enclosing a scope may inherit from; None if a type is nearer."""
        member = table.enclosing_literal_member(scope)
        return None if member is None else self._lambdas.expected_types(table, member)
