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
    with_witness,
)
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised


class Owners:
    """Finds the type enclosing a place, or the one that is named as owner there."""

    def __init__(self, model: Semantics) -> None:
        self._model = model

    def enclosing_types(self, table: FileTable, scope: int) -> tuple[Instance, ...]:
        """The type of the repository that a scope is nested in or that it names as owner."""
        ordinal, owned_member = table.enclosing_type(scope), table.enclosing_owned_member(scope)
        if owned_member is not None and (ordinal is None or owned_member > ordinal):
            return self.of(table, owned_member)
        return () if ordinal is None else (Instance(table.id(ordinal)),)

    def enclosing_outside_types(self, table: FileTable, scope: int) -> tuple[Outside, ...]:
        """The type from outside that the extension enclosing a scope is written for."""
        owned_member = table.enclosing_owned_member(scope)
        if owned_member is None or not table.spec.extension_members:
            return ()
        return (Outside(simple_type_name(table.definitions[owned_member].owner)),)

    def self_values(self, table: FileTable, scope: int) -> Values:
        """The value of a method's own object in a scope; UNKNOWN outside methods."""
        values = self.enclosing_types(table, scope) or self.enclosing_outside_types(table, scope)
        return values or self._assigned_owner(table, scope)

    def outer_self(self, table: FileTable, scope: int, name: str) -> Values:
        """The object of the enclosing type called ``name`` (``Shop.this``), or the receiver of the
        enclosing extension method called so (``this@ring``). UNKNOWN if there is neither."""
        for enclosing in table.scopes(scope):
            if enclosing != TOP and table.definitions[enclosing].name == name:
                is_type = table.is_type(enclosing)
                return (
                    (Instance(table.id(enclosing)),)
                    if is_type
                    else self.self_values(table, enclosing)
                )
        return UNKNOWN

    def _assigned_owner(self, table: FileTable, scope: int) -> Values:
        """The variable that the member enclosing a scope is assigned to (``cart.add = ...``)."""
        owned_member = table.enclosing_owned_member(scope)
        if owned_member is None or not table.spec.assigned_members:
            return UNKNOWN
        member = table.definitions[owned_member]
        values = self._model.expressions.evaluate(
            table, member.container, member.owner, member.line
        )
        variables = tuple(value for value in values if isinstance(value, Defined))
        return with_witness(variables, "graph:type")

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
        return not local or name == names[0] or not self._has_self_parameter(table, scope, names[0])

    @memoised
    def _is_parameter(self, table: FileTable, scope: int, name: str) -> bool:
        for enclosing in takewhile(lambda ordinal: ordinal != TOP, table.scopes(scope)):
            names = table.parameters(enclosing)
            if name in names:
                is_method = table.is_member(enclosing) or name == table.spec.self_names[0]
                return names[0] != name or not is_method
        return False

    @memoised
    def _has_self_parameter(self, table: FileTable, scope: int, name: str) -> bool:
        """Whether the innermost method enclosing a scope has ``name`` as its first parameter."""
        method = next(filter(table.is_member, table.scopes(scope)), TOP)
        return method != TOP and table.parameters(method)[:1] == (name,)

    def of(self, table: FileTable, ordinal: int) -> tuple[Instance, ...]:
        """The types that a definition names as its owner, as written or by simple name."""
        definition = table.definitions[ordinal]
        return self.named(table, definition.container, definition.owner) if definition.owner else ()

    def owner_of(self, table: FileTable, ordinal: int) -> SymbolId | None:
        """The type that a definition names as its owner."""
        owners = self.of(table, ordinal)
        return owners[0].id if owners else None

    def declaring_type(self, table: FileTable, ordinal: int) -> SymbolId | None:
        """The type that a member belongs to: the one it is nested in, or its owner."""
        container = table.definitions[ordinal].container
        if table.definitions[ordinal].owner:
            return self.owner_of(table, ordinal)
        return table.id(container) if table.is_type(container) else None

    def named(self, table: FileTable, scope: int, owner: str) -> tuple[Instance, ...]:
        """The types that an owner's name means."""
        values = self._model.types.lookup(table, scope, type_path(owner), 0)
        values = values or self._model.types.lookup(table, TOP, simple_type_name(owner), 0)
        return tuple(value for value in values if isinstance(value, Instance))
