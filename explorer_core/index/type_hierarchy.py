"""The type hierarchy: what a type extends and implements, and what a member overrides."""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.definitions import Definitions
from explorer_core.index.resolution.function_fields import FunctionFields
from explorer_core.index.resolution.hierarchy.hierarchy import Base
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, SymbolId, ordered
from explorer_core.memoised import memoised


class TypeHierarchy(Definitions):
    """Edges between types and their supertypes, and between their members. Not thread-safe."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver)
        self._function_fields = FunctionFields(resolver)

    def supertypes(self, symbol_id: SymbolId) -> list[Edge]:
        """``extends`` and ``implements`` edges to the direct supertypes in the repository."""
        if symbol_id.is_file or self.symbol(symbol_id).kind not in MEMBER_HOLDERS:
            return []
        bases = self._resolver.model.hierarchy.supertypes(symbol_id)
        stated = [_derivation(symbol_id, base) for base in bases]
        declared = {edge.target for edge in stated}
        structural = (
            *self._resolver.structural.supertypes(symbol_id),
            *self._resolver.model.inheritance.protocol_classes.supertypes(symbol_id),
        )
        others = (interface for interface in structural if interface not in declared)
        return [*stated, *(self._implements(symbol_id, interface) for interface in others)]

    def _implements(self, symbol_id: SymbolId, interface: SymbolId) -> Edge:
        """The edge from a type to an interface that it implements without declaring it."""
        line = self.symbol(symbol_id).line
        return Edge("implements", symbol_id, interface, symbol_id.path, line, "graph:type")

    def subtypes(self, symbol_id: SymbolId) -> list[Edge]:
        """``extends`` and ``implements`` edges from the direct subtypes."""
        if symbol_id.is_file or self.symbol(symbol_id).kind not in MEMBER_HOLDERS:
            return []
        stated = [
            _derivation(subtype, base)
            for subtype, base in self._resolver.subtypes.direct(symbol_id)
        ]
        declared = {edge.source for edge in stated}
        structural = (
            *self._resolver.structural.subtypes(symbol_id),
            *self._resolver.model.inheritance.protocol_classes.subtypes(symbol_id),
        )
        others = (subtype for subtype in structural if subtype not in declared)
        return ordered([*stated, *(self._implements(subtype, symbol_id) for subtype in others)])

    @memoised
    def overrides(self, symbol_id: SymbolId) -> list[Edge]:
        """Edges from a member to what it overrides or implements: members of the supertypes of its
        type; for a member of an object literal, members of the types expected at that position; for
        a function, the fields it is assigned to (C's tables of functions)."""
        holder, _ = self._holder_and_name(symbol_id)
        model = self._resolver.model
        table = self._program.table_of(symbol_id)
        targets = dict.fromkeys(
            (
                *(model.overriding.overridden(holder, symbol_id) if holder else ()),
                *model.lambdas.implemented_members(table, symbol_id.ordinal),
                *self._function_fields.fields(symbol_id),
            )
        )
        line = self.symbol(symbol_id).line
        return [
            Edge("overrides", symbol_id, target, symbol_id.path, line, "graph:type")
            for target in targets
            if target != symbol_id
        ]

    def holds_functions(self, symbol_id: SymbolId) -> bool:
        """Whether a symbol is a field whose values are functions defined elsewhere."""
        return self._function_fields.holds(symbol_id)

    @memoised
    def overridden_by(self, symbol_id: SymbolId) -> list[Edge]:
        """Edges from the members of subtypes that override this one."""
        return ordered(self._find_overriding(symbol_id))

    def _find_overriding(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """Among definitions of the same name, since overrides keep it; functions assigned to a
        field may have any name."""
        for function in self._function_fields.functions(symbol_id):
            yield from (edge for edge in self.overrides(function) if edge.target == symbol_id)
        holder, name = self._holder_and_name(symbol_id)
        if holder is None:
            return
        family = self._program.table_of(symbol_id).spec.family_name
        for table in self._program.defining(name, family):
            for ordinal in table.by_name[name]:
                if table.is_member(ordinal) or ordinal in table.literal_members:
                    overriding = self.overrides(table.id(ordinal))
                    yield from (edge for edge in overriding if edge.target == symbol_id)

    def _holder_and_name(self, symbol_id: SymbolId) -> tuple[SymbolId | None, str]:
        """The type of a member, None if it is in no type, and the member's name. The name is empty
        if it can override nothing."""
        if symbol_id.is_file:
            return None, ""
        container = self.container(symbol_id)
        kind = self.symbol(symbol_id).kind
        if container is None or container.is_file or kind == "constructor":
            return None, ""
        if kind not in CALLABLES and kind not in ("property", "field"):
            return None, ""
        is_type = self.symbol(container).kind in MEMBER_HOLDERS
        return (container if is_type else None), self.symbol(symbol_id).name


def _derivation(subtype: SymbolId, base: Base) -> Edge:
    """The edge from a type to a supertype that it declares."""
    witness = "graph:scope" if base.id.path == base.path else "graph:import"
    relation = "implements" if base.clause.relation == "implements" else "extends"
    return Edge(relation, subtype, base.id, base.path, base.clause.line, witness)
