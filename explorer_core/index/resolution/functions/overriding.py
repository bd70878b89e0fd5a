"""What a member overrides, where functions of one name are told apart by their parameters."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from explorer_core.index.resolution.function_types import (
    declared_parameters,
    is_called,
    types_first,
    written_parameters,
)
from explorer_core.index.resolution.functions.labels import label_of
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.hierarchy.inheritance import Inheritance
from explorer_core.index.resolution.program import Program
from explorer_core.index.symbols import CALLABLES, SymbolId


class _Parameters(msgspec.Struct, frozen=True, gc=False):
    """What tells a function from others of its name: the labels of its parameters, all the same
    where they do not tell, and their types; and whether these are all."""

    labels: tuple[str, ...]
    types: tuple[str, ...]
    whole: bool


class Overriding:
    """Finds what members override."""

    def __init__(self, program: Program, hierarchy: Hierarchy, inheritance: Inheritance) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._inheritance = inheritance

    def overridden(self, type_id: SymbolId, member: SymbolId) -> list[SymbolId]:
        """The nearest definitions, along each direct supertype of a type, of what a member of it
        overrides."""
        name, own = self._program.definition(member).name, self._parameters(member)
        if own is None:
            return self._inheritance.inherited(type_id, name)
        found: dict[SymbolId, None] = {}
        for base in self._hierarchy.supertypes(type_id):
            order = self._hierarchy.order(base.id)
            alike = (self._alike(own, self._hierarchy.own_members(each, name)) for each in order)
            found.update(dict.fromkeys(next(filter(None, alike), ())))
        return list(found)

    def _alike(self, own: _Parameters, members: Sequence[SymbolId]) -> list[SymbolId]:
        """The members with as many parameters of the same labels; where several have these, those
        with the same types if any has."""
        known = {each: self._parameters(each) for each in members}
        found = [each for each, theirs in known.items() if theirs is None or _fit(own, theirs)]
        same = [each for each in found if (theirs := known[each]) and theirs.types == own.types]
        return same if len(found) > 1 and same else found

    def _parameters(self, member: SymbolId) -> _Parameters | None:
        """What tells a member from others of its name; None where nothing does."""
        definition, spec = self._program.definition(member), self._program.holder(member).spec
        if spec.rest_parameter is None or definition.kind not in CALLABLES:
            return None
        signature, name = definition.signature, definition.name
        written = written_parameters(signature, name)
        if written is None or not is_called(signature, name):
            return None
        listed = [] if written[0] == ["void"] else written[0]
        labels = (label_of(each, name, spec) if spec.labels_in_names else "" for each in listed)
        found = declared_parameters(signature, name)
        if spec.types_first:
            found = types_first(found, spec.self_names)
        return _Parameters(tuple(labels), tuple(each.type for each in found), written[1])


def _fit(one: _Parameters, other: _Parameters) -> bool:
    """Whether functions have as many parameters of the same labels, as far as they are seen."""
    if one.whole and other.whole:
        return one.labels == other.labels
    seen = min(len(one.labels), len(other.labels))
    goes_on = all(len(each.labels) > seen or not each.whole for each in (one, other))
    return goes_on and one.labels[:seen] == other.labels[:seen]
