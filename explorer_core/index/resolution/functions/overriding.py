"""Finds what a member overrides, where parameters distinguish functions of the same name.

``void add(Item item)`` does not override ``void add(Item item, int count)``, nor
``void add(Job job)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from explorer_core.index.extraction.facts import TOP, Definition
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.languages.specification import LanguageSpec
from explorer_core.index.resolution.function_types import (
    declared_parameters,
    is_called,
    types_first,
    written_parameters,
)
from explorer_core.index.resolution.functions.labels import CUT, label_of, name_parts
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.hierarchy.inheritance import Inheritance
from explorer_core.index.resolution.program import Program
from explorer_core.index.symbols import CALLABLES, SymbolId

_NAMED_TYPE = re.compile(r"[\w.]+(?=(?:<.*>)?\??(?:\[\])*$)")


class _Parameters(msgspec.Struct, frozen=True, gc=False):
    """The parameters that distinguish a function from others of its name."""

    labels: tuple[str, ...]
    """The label of each parameter; empty in languages where labels are not part of a name."""
    types: tuple[str, ...]
    whole: bool
    """Whether these are all parameters: a long signature may be cut off."""


class Overriding:
    """Finds what members override."""

    def __init__(self, program: Program, hierarchy: Hierarchy, inheritance: Inheritance) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._inheritance = inheritance

    def overridden(self, type_id: SymbolId, member: SymbolId) -> list[SymbolId]:
        """The nearest definitions a member of a type overrides, along each direct supertype."""
        definition, own = self._program.definition(member), self._parameters(member)
        if own is None:
            return self._inheritance.inherited(type_id, definition.name, definition.static)
        if _is_hidden(definition, self._program.holder(member).spec):
            return []
        found: dict[SymbolId, None] = {}
        for base in self._hierarchy.supertypes(type_id):
            order = self._hierarchy.order(base.id)
            named = (self._hierarchy.own_members(each, definition.name) for each in order)
            alike = (self._alike(member, own, members) for members in named)
            found.update(dict.fromkeys(next(filter(None, alike), ())))
        beside = self._beside(type_id, member) if found else {}
        return [each for each in found if not self._is_of_other(each, own, beside)]

    def _alike(
        self, member: SymbolId, own: _Parameters, members: Sequence[SymbolId]
    ) -> list[SymbolId]:
        """The ``members`` that one may override: those with as many parameters of the same labels,
        and none of a clearly different type. Of several, prefers those with equal types."""
        known = {each: self._parameters(each) for each in members if self._may(member, each)}
        found = [
            each
            for each, theirs in known.items()
            if theirs is None or (_fit(own, theirs) and not self._differ(member, each, own, theirs))
        ]
        same = [each for each in found if (theirs := known[each]) and theirs.types == own.types]
        return same if len(found) > 1 and same else found

    def _may(self, member: SymbolId, other: SymbolId) -> bool:
        """Whether a member may override another, whatever their parameters: the other must not be
        hidden, and both or neither must be static."""
        theirs = self._program.definition(other)
        is_hidden = _is_hidden(theirs, self._program.holder(other).spec)
        return not is_hidden and theirs.static == self._program.definition(member).static

    def _beside(self, type_id: SymbolId, member: SymbolId) -> dict[SymbolId, _Parameters]:
        """The other members of a type that have the same name and may override something."""
        name = self._program.definition(member).name
        others = (m for m in self._hierarchy.own_members(type_id, name) if m != member)
        known = {m: self._parameters(m) for m in others if self._may(member, m)}
        return {each: theirs for each, theirs in known.items() if theirs is not None}

    def _is_of_other(
        self, overridden: SymbolId, own: _Parameters, beside: dict[SymbolId, _Parameters]
    ) -> bool:
        """Whether a member ``beside`` has exactly the parameters of what is overridden, while
        ``own`` are others: then that member overrides it."""
        theirs = self._parameters(overridden)
        return own != theirs and any(theirs == each for each in beside.values())

    def _differ(
        self, member: SymbolId, other: SymbolId, own: _Parameters, theirs: _Parameters
    ) -> bool:
        """Whether some parameter has plain types of different names, neither of them a type
        parameter or an alias."""
        if self._program.holder(member).spec.preprocessor:  # any name may stand for another
            return False
        pairs = zip(own.types, theirs.types, strict=False)
        named = ((_type_name(a), _type_name(b)) for a, b in pairs if a != b)
        return any(
            a and b and a != b and not (self._varies(member, a) or self._varies(other, b))
            for a, b in named
        )

    def _varies(self, member: SymbolId, name: str) -> bool:
        """Whether a type's name may stand for another type in a member's signature."""
        table = self._program.holder(member)
        imported = table.imports.get((TOP, name), ())
        if name in table.spec.self_names or any(each.name != name for each in imported):
            return True
        if any(table.type_parameter(scope, name) for scope in table.scopes(member.ordinal)):
            return True
        return any(
            other.definitions[ordinal].kind == "type"
            for other in self._program.defining(name, table.spec.family_name)
            for ordinal in other.by_name[name]
        )

    def _parameters(self, member: SymbolId) -> _Parameters | None:
        """The parameters that distinguish a member from its namesakes; None if they do not."""
        definition, spec = self._program.definition(member), self._program.holder(member).spec
        if spec.bracketed_calls and definition.kind in CALLABLES:
            is_whole = len(definition.signature) < CUT
            return _Parameters(tuple(name_parts(definition.signature)), (), is_whole)
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


def _is_hidden(definition: Definition, spec: LanguageSpec) -> bool:
    """Whether a member is private to its type, by what is written before its name."""
    head = definition.signature.partition(f"{definition.name}(")[0]
    return bool(spec.hidden_head) and compiled(spec.hidden_head).search(head) is not None


def _type_name(written: str) -> str:
    """The last name of a plainly written type; empty for others."""
    named = _NAMED_TYPE.match(written)
    return named.group().rpartition(".")[2] if named else ""


def _fit(one: _Parameters, other: _Parameters) -> bool:
    """Whether two functions have the same number and labels of parameters, as far as shown."""
    if one.whole and other.whole:
        return one.labels == other.labels
    seen = min(len(one.labels), len(other.labels))
    goes_on = all(len(each.labels) > seen or not each.whole for each in (one, other))
    return goes_on and one.labels[:seen] == other.labels[:seen]
