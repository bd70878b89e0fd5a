"""Finds the type that a member belongs to, nested in it or written elsewhere.

``fun Cart.add()`` and ``func (c *Cart) Add()`` belong to `Cart`, wherever they are written.
"""

from __future__ import annotations

from itertools import takewhile

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.type_names import simple_type_name, type_path
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Defined,
    Instance,
    Outside,
    Values,
    relabelled,
)
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised


class Owners:
    """Finds the type enclosing a place, or the one that is named as owner there."""

    def __init__(self, model: Semantics) -> None:
        self._model = model

    def around(self, table: FileTable, scope: int) -> tuple[Instance, ...]:
        """The type of the repository that a scope is nested in or that it names as owner."""
        ordinal, owned = table.enclosing_type(scope), table.owned_around(scope)
        if owned is not None and (ordinal is None or owned > ordinal):
            return self.of(table, owned)
        return () if ordinal is None else (Instance(table.id(ordinal)),)

    def outside_around(self, table: FileTable, scope: int) -> tuple[Outside, ...]:
        """The type from outside that the extension enclosing a scope is written for."""
        owned = table.owned_around(scope)
        if owned is None or not table.spec.extension_members:
            return ()
        return (Outside(simple_type_name(table.definitions[owned].owner)),)

    def self_around(self, table: FileTable, scope: int) -> Values:
        """The value of a method's own object in a scope; UNKNOWN outside methods."""
        found = self.around(table, scope) or self.outside_around(table, scope)
        return found or self._assigned_around(table, scope)

    def outer(self, table: FileTable, scope: int, name: str) -> Values:
        """The object of the type of a name around a scope, or of the method of that name for a type
        that is named as its owner; UNKNOWN where neither is around."""
        for around in table.scopes(scope):
            if around != TOP and table.definitions[around].name == name:
                own = table.is_type(around)
                return (Instance(table.id(around)),) if own else self.self_around(table, around)
        return UNKNOWN

    def _assigned_around(self, table: FileTable, scope: int) -> Values:
        """The variable that the member enclosing a scope is assigned to (``cart.add = ...``)."""
        owned = table.owned_around(scope)
        if owned is None or not table.spec.assigned_members:
            return UNKNOWN
        member = table.definitions[owned]
        values = self._model.expressions.evaluate(
            table, member.container, member.owner, member.line
        )
        held = tuple(value for value in values if isinstance(value, Defined))
        return relabelled(held, "graph:type")

    def is_self(self, table: FileTable, scope: int, name: str, *, local: bool | None) -> bool:
        """Whether a name (``self``, ``cls``) means the object enclosing a scope, or its type.

        A parameter only does if it is the first: of a method or, if named like the object, of any
        function, since a function made inside a type is often made into a method. A ``local``
        variable ``cls`` does not mean the type in a method that is given its object
        (``for cls in kinds``). A local ``self`` does mean the object: its method is given the type
        (``self = super().__new__(cls)``).
        """
        names = table.spec.self_names
        if name not in names or self._is_parameter(table, scope, name):
            return False
        return not local or name == names[0] or not self._is_given(table, scope, names[0])

    @memoised
    def _is_parameter(self, table: FileTable, scope: int, name: str) -> bool:
        for around in takewhile(lambda ordinal: ordinal != TOP, table.scopes(scope)):
            names = table.parameters(around)
            if name in names:
                is_method = table.is_member(around) or name == table.spec.self_names[0]
                return names[0] != name or not is_method
        return False

    @memoised
    def _is_given(self, table: FileTable, scope: int, name: str) -> bool:
        """Whether the innermost method enclosing a scope has ``name`` as its first parameter."""
        method = next(filter(table.is_member, table.scopes(scope)), TOP)
        return method != TOP and table.parameters(method)[:1] == (name,)

    def of(self, table: FileTable, ordinal: int) -> tuple[Instance, ...]:
        """The types that a definition names as its owner, as written or by simple name."""
        definition = table.definitions[ordinal]
        return self.named(table, definition.container, definition.owner) if definition.owner else ()

    def owner_of(self, table: FileTable, ordinal: int) -> SymbolId | None:
        """The type that a definition names as its owner."""
        found = self.of(table, ordinal)
        return found[0].id if found else None

    def holder_of(self, table: FileTable, ordinal: int) -> SymbolId | None:
        """The type that a member belongs to: the one it is nested in, or its owner."""
        container = table.definitions[ordinal].container
        if table.definitions[ordinal].owner:
            return self.owner_of(table, ordinal)
        return table.id(container) if table.is_type(container) else None

    def named(self, table: FileTable, scope: int, owner: str) -> tuple[Instance, ...]:
        """The types that an owner's name means."""
        found = self._model.types.types_named(table, scope, type_path(owner), 0)
        found = found or self._model.types.types_named(table, TOP, simple_type_name(owner), 0)
        return tuple(value for value in found if isinstance(value, Instance))
