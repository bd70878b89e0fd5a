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

_LAST = re.compile(r"[A-Za-z_]\w*$")

Asking = tuple[SymbolId, list[tuple[str, SymbolId, dict[str, list[SymbolId]]]]]
"""An interface's method, and all methods of the interface: for each its name, itself, and the
members of that name by the types they are written for."""


class Inheritance:
    """Finds the members that others override; memoised."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self._program = program
        self.protocols = ProtocolClasses(program, hierarchy)
        self._hierarchy = hierarchy

    @memoised
    def inherited(self, type_id: SymbolId, name: str, static: bool | None) -> list[SymbolId]:
        """The nearest definitions of a member along each direct supertype. With ``static`` only
        those of the type itself (True) or of its objects (False)."""
        found: dict[SymbolId, None] = {}
        for base in self._hierarchy.supertypes(type_id):
            order = self._hierarchy.order(base.id)
            own = (self._hierarchy.own_members(each, name, static=static) for each in order)
            found.update(dict.fromkeys(next(filter(None, own), ())))
        found.update(dict.fromkeys(self._asked_for(type_id, name)))
        found.update(dict.fromkeys(self.protocols.members(type_id, name)))
        return list(found)

    def _asked_for(self, type_id: SymbolId, name: str) -> Iterator[SymbolId]:
        """The methods of that name in interfaces whose methods the type has in full. An interface
        implements no other one in this way."""
        table = self._program.holder(type_id)
        spec = table.spec
        if not spec.structural_interfaces or table.is_interface(type_id.ordinal):
            return
        order = self._hierarchy.order(type_id)
        holders = [(self._program.holder(each), each.ordinal) for each in order]
        own = [(t.definitions[ordinal].name, t.named.get(ordinal, {})) for t, ordinal in holders]
        for asked, methods in self._asking(name, spec.family_name):
            # Names alone rule most types out before any is looked into.
            if all(
                any(holder in owners or method in nested for holder, nested in own)
                for method, _, owners in methods
            ) and all(self._has(type_id, method) for _, method, _ in methods):
                yield asked

    @memoised
    def _asking(self, name: str, family: str) -> list[Asking]:
        """The methods called ``name`` in interfaces, each with all methods of its interface. Those
        that the fewest types have come first."""
        found: list[Asking] = []
        for other in self._program.defining(name, family):
            for ordinal in other.by_name[name]:
                interface = other.definitions[ordinal].container
                if interface != TOP and other.is_interface(interface):
                    named = {other.definitions[o].name: o for o in other.children[interface]}
                    methods = [
                        (each, other.id(o), self._program.owned(each, family))
                        for each, o in named.items()
                    ]
                    methods.sort(key=lambda one: (len(one[2]), one[0]))
                    found.append((other.id(ordinal), methods))
        return found

    def _has(self, type_id: SymbolId, asked: SymbolId) -> bool:
        """Whether a type has a method that may be the one an interface asks for."""
        members = self._hierarchy.member(type_id, self._program.definition(asked).name)
        return any(
            isinstance(value, Defined)
            and self._program.is_function(value.id)
            and self._agree(value.id, asked)
            for value in members
        )

    def _agree(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether two functions may have the same type: they have as many parameters and results,
        none of them of clearly different types."""
        family = self._program.holder(other).spec.family_name
        both = zip(self._taken_and_given(one), self._taken_and_given(other), strict=True)
        return all(
            mine is None
            or theirs is None
            or (
                len(mine) == len(theirs)
                and all(self._may_be_one(a, b, family) for a, b in zip(mine, theirs, strict=True))
            )
            for mine, theirs in both
        )

    @memoised
    def _taken_and_given(self, function: SymbolId) -> tuple[list[str] | None, list[str]]:
        """A function's parameters, None if these are cut off, and its results; as written."""
        definition = self._program.definition(function)
        written = written_parameters(definition.signature, definition.name)
        given = definition.returns.strip()
        given = given[1:-1] if given.startswith("(") and given.endswith(")") else given
        return written[0] if written and written[1] else None, [*split(given, ",")]

    def _may_be_one(self, one: str, other: str, family: str) -> bool:
        """Whether two parameters or results may be of one type. They may not if both end in
        different names that mean types and nothing else."""
        mine, theirs = (_LAST.search(each) for each in (one, other))
        if mine is None or theirs is None or mine[0] == theirs[0]:
            return True
        return not (self._is_type(mine[0], family) and self._is_type(theirs[0], family))

    @memoised
    def _is_type(self, name: str, family: str) -> bool:
        """Whether all definitions of a name are types, and none of them an alias."""
        found = [
            other.definitions[ordinal].kind
            for other in self._program.defining(name, family)
            for ordinal in other.by_name[name]
        ]
        return bool(found) and all(each in ("struct", "interface") for each in found)
