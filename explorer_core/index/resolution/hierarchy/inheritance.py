"""What members of a type are there for: those of its supertypes, and of the interfaces that it
implements without saying so."""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.held import memoised
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.hierarchy.protocol_classes import ProtocolClasses
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.values import Defined
from explorer_core.index.symbols import SymbolId

Asking = tuple[SymbolId, list[tuple[str, dict[str, list[SymbolId]]]]]
"""A method of an interface, with all that the interface asks for: by its name, with the names of
the types that it is written for."""


class Inheritance:
    """Finds the members that others override; memoised."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self._program = program
        self.protocols = ProtocolClasses(program, hierarchy)
        self._hierarchy = hierarchy

    @memoised
    def inherited(self, type_id: SymbolId, name: str, static: bool | None) -> list[SymbolId]:
        """The nearest definitions of a member along each direct supertype: by ``static`` those
        alone that are of the type itself, or of its objects; with None all."""
        found: dict[SymbolId, None] = {}
        for base in self._hierarchy.supertypes(type_id):
            order = self._hierarchy.order(base.id)
            own = (self._hierarchy.own_members(each, name, static=static) for each in order)
            found.update(dict.fromkeys(next(filter(None, own), ())))
        found.update(dict.fromkeys(self._asked_for(type_id, name)))
        found.update(dict.fromkeys(self.protocols.members(type_id, name)))
        return list(found)

    def _asked_for(self, type_id: SymbolId, name: str) -> Iterator[SymbolId]:
        """The methods of that name in interfaces that the type implements by having all of their
        methods; an interface does not implement another."""
        table = self._program.holder(type_id)
        spec = table.spec
        if not spec.structural_interfaces or table.is_interface(type_id.ordinal):
            return
        order = self._hierarchy.order(type_id)
        holders = [(self._program.holder(each), each.ordinal) for each in order]
        own = [(t.definitions[ordinal].name, t.named.get(ordinal, {})) for t, ordinal in holders]
        for asked, methods in self._asking(name, spec.family_name):
            # By their names most types are told from others before any is looked into.
            if all(
                any(holder in owners or method in nested for holder, nested in own)
                for method, owners in methods
            ) and all(self._has(type_id, method) for method, _ in methods):
                yield asked

    @memoised
    def _asking(self, name: str, family: str) -> list[Asking]:
        """The methods of a name in interfaces, each with what its interface asks for, first what
        the fewest types have."""
        found: list[Asking] = []
        for other in self._program.defining(name, family):
            for ordinal in other.by_name[name]:
                interface = other.definitions[ordinal].container
                if interface != TOP and other.is_interface(interface):
                    names = {other.definitions[o].name for o in other.children[interface]}
                    methods = [(each, self._program.owned(each, family)) for each in names]
                    methods.sort(key=lambda one: (len(one[1]), one[0]))
                    found.append((other.id(ordinal), methods))
        return found

    def _has(self, type_id: SymbolId, name: str) -> bool:
        members = self._hierarchy.member(type_id, name)
        return any(isinstance(value, Defined) for value in members)
