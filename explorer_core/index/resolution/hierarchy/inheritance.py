"""Finds inherited members, including those of interfaces that a type implements implicitly.

With ``type Sink interface { Put(job Job) error }``, a method ``Put`` of a type with all methods of
`Sink` implements ``Sink.Put``, as if the type had declared it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.type_names import split
from explorer_core.index.resolution.function_types import written_parameters
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.hierarchy.protocol_classes import ProtocolClasses
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.values import Defined
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_LAST_NAME = re.compile(r"[A-Za-z_]\w*$")

InterfaceMethod = tuple[SymbolId, list[tuple[str, SymbolId, dict[str, list[SymbolId]]]]]
"""An interface's method, and all methods of the interface: for each its name, itself, and the
members of that name by the types they are written for."""


class Inheritance:
    """Finds the members that others override; memoised."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self._program = program
        self.protocol_classes = ProtocolClasses(program, hierarchy)
        self._hierarchy = hierarchy

    @memoised
    def inherited(self, type_id: SymbolId, name: str, static: bool | None) -> list[SymbolId]:
        """The nearest definitions of a member along each direct supertype. With ``static`` only
        those of the type itself (True) or of its objects (False)."""
        members: dict[SymbolId, None] = {}
        for base in self._hierarchy.supertypes(type_id):
            order = self._hierarchy.lookup_order(base.id)
            definitions = (
                self._hierarchy.own_members(supertype, name, static=static) for supertype in order
            )
            members.update(dict.fromkeys(next(filter(None, definitions), ())))
        members.update(dict.fromkeys(self._implicitly_implemented(type_id, name)))
        members.update(dict.fromkeys(self.protocol_classes.members(type_id, name)))
        return list(members)

    def _implicitly_implemented(self, type_id: SymbolId, name: str) -> Iterator[SymbolId]:
        """The methods of that name in interfaces whose methods the type has in full. An interface
        implements no other one in this way."""
        table = self._program.table_of(type_id)
        spec = table.spec
        if not spec.structural_interfaces or table.is_interface(type_id.ordinal):
            return
        order = self._hierarchy.lookup_order(type_id)
        tables = [(self._program.table_of(supertype), supertype.ordinal) for supertype in order]
        type_members = [
            (t.definitions[ordinal].name, t.by_scope.get(ordinal, {})) for t, ordinal in tables
        ]
        for interface_method, methods in self._interface_methods(name, spec.family_name):
            # Names alone rule most types out before any is looked into.
            if all(
                any(
                    type_name in owners or method_name in members
                    for type_name, members in type_members
                )
                for method_name, _, owners in methods
            ) and all(self._may_implement(type_id, method) for _, method, _ in methods):
                yield interface_method

    @memoised
    def _interface_methods(self, name: str, family: str) -> list[InterfaceMethod]:
        """The methods called ``name`` in interfaces, each with all methods of its interface. Those
        that the fewest types have come first."""
        interface_methods: list[InterfaceMethod] = []
        for other in self._program.defining(name, family):
            for ordinal in other.by_name[name]:
                interface = other.definitions[ordinal].container
                if interface != TOP and other.is_interface(interface):
                    ordinals = {other.definitions[o].name: o for o in other.children[interface]}
                    methods = [
                        (
                            method_name,
                            other.id(o),
                            self._program.members_by_owner(method_name, family),
                        )
                        for method_name, o in ordinals.items()
                    ]
                    methods.sort(key=lambda method: (len(method[2]), method[0]))
                    interface_methods.append((other.id(ordinal), methods))
        return interface_methods

    def _may_implement(self, type_id: SymbolId, interface_method: SymbolId) -> bool:
        """Whether a type has a method that may be the one an interface asks for."""
        members = self._hierarchy.member(type_id, self._program.definition(interface_method).name)
        return any(
            isinstance(value, Defined)
            and self._program.is_function(value.id)
            and self._may_have_same_type(value.id, interface_method)
            for value in members
        )

    def _may_have_same_type(self, function: SymbolId, other: SymbolId) -> bool:
        """Whether two functions may have the same type: they have as many parameters and results,
        none of them of clearly different types."""
        family = self._program.table_of(other).spec.family_name
        pairs = zip(
            self._parameters_and_results(function), self._parameters_and_results(other), strict=True
        )
        return all(
            types is None
            or other_types is None
            or (
                len(types) == len(other_types)
                and all(
                    self._may_be_same_type(a, b, family)
                    for a, b in zip(types, other_types, strict=True)
                )
            )
            for types, other_types in pairs
        )

    @memoised
    def _parameters_and_results(self, function: SymbolId) -> tuple[list[str] | None, list[str]]:
        """A function's parameters, None if these are cut off, and its results; as written."""
        definition = self._program.definition(function)
        written = written_parameters(definition.signature, definition.name)
        results = definition.returns.strip()
        results = results[1:-1] if results.startswith("(") and results.endswith(")") else results
        return written[0] if written and written[1] else None, [*split(results, ",")]

    def _may_be_same_type(self, text: str, other_text: str, family: str) -> bool:
        """Whether two parameters or results may be of one type. They may not if both end in
        different names that mean types and nothing else."""
        name, other_name = (_LAST_NAME.search(written) for written in (text, other_text))
        if name is None or other_name is None or name[0] == other_name[0]:
            return True
        return not (
            self._is_only_type(name[0], family) and self._is_only_type(other_name[0], family)
        )

    @memoised
    def _is_only_type(self, name: str, family: str) -> bool:
        """Whether all definitions of a name are types, and none of them an alias."""
        kinds = [
            other.definitions[ordinal].kind
            for other in self._program.defining(name, family)
            for ordinal in other.by_name[name]
        ]
        return bool(kinds) and all(kind in ("struct", "interface") for kind in kinds)
