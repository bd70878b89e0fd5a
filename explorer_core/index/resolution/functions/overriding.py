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
    has_own_parameters,
    read_types_first,
    written_parameters,
)
from explorer_core.index.resolution.functions.labels import (
    SIGNATURE_LIMIT,
    label_of,
    selector_parts,
)
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
    is_complete: bool
    """Whether these are all parameters: a long signature may be cut off."""


class Overriding:
    """Finds what members override."""

    def __init__(self, program: Program, hierarchy: Hierarchy, inheritance: Inheritance) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._inheritance = inheritance

    def overridden(self, type_id: SymbolId, member: SymbolId) -> list[SymbolId]:
        """The nearest definitions a member of a type overrides, along each direct supertype."""
        definition, parameters = self._program.definition(member), self._parameters(member)
        if parameters is None:
            return self._inheritance.inherited(type_id, definition.name, definition.static)
        if _is_hidden(definition, self._program.table_of(member).spec):
            return []
        candidates: dict[SymbolId, None] = {}
        for base in self._hierarchy.supertypes(type_id):
            order = self._hierarchy.lookup_order(base.id)
            by_type = (
                self._hierarchy.own_members(supertype, definition.name) for supertype in order
            )
            overridable = (self._overridable(member, parameters, members) for members in by_type)
            candidates.update(dict.fromkeys(next(filter(None, overridable), ())))
        siblings = self._same_name_members(type_id, member) if candidates else {}
        return [
            candidate
            for candidate in candidates
            if not self._is_overridden_by_other(candidate, parameters, siblings)
        ]

    def _overridable(
        self, member: SymbolId, parameters: _Parameters, members: Sequence[SymbolId]
    ) -> list[SymbolId]:
        """The ``members`` that one may override: those with as many parameters of the same labels,
        and none of a clearly different type. Of several, prefers those with equal types."""
        known = {
            candidate: self._parameters(candidate)
            for candidate in members
            if self._may_override(member, candidate)
        }
        fitting = [
            candidate
            for candidate, other_parameters in known.items()
            if other_parameters is None
            or (
                _have_same_labels(parameters, other_parameters)
                and not self._have_different_types(member, candidate, parameters, other_parameters)
            )
        ]
        equal = [
            candidate
            for candidate in fitting
            if (other_parameters := known[candidate]) and other_parameters.types == parameters.types
        ]
        return equal if len(fitting) > 1 and equal else fitting

    def _may_override(self, member: SymbolId, other: SymbolId) -> bool:
        """Whether a member may override another, whatever their parameters: the other must not be
        hidden, and both or neither must be static."""
        other_definition = self._program.definition(other)
        is_hidden = _is_hidden(other_definition, self._program.table_of(other).spec)
        return not is_hidden and other_definition.static == self._program.definition(member).static

    def _same_name_members(
        self, type_id: SymbolId, member: SymbolId
    ) -> dict[SymbolId, _Parameters]:
        """The other members of a type that have the same name and may override something."""
        name = self._program.definition(member).name
        others = (m for m in self._hierarchy.own_members(type_id, name) if m != member)
        known = {m: self._parameters(m) for m in others if self._may_override(member, m)}
        return {
            sibling: parameters for sibling, parameters in known.items() if parameters is not None
        }

    def _is_overridden_by_other(
        self, overridden: SymbolId, parameters: _Parameters, siblings: dict[SymbolId, _Parameters]
    ) -> bool:
        """Whether a member ``siblings`` has exactly the parameters of what is overridden, while
        ``parameters`` are others: then that member overrides it."""
        overridden_parameters = self._parameters(overridden)
        return parameters != overridden_parameters and any(
            overridden_parameters == others for others in siblings.values()
        )

    def _have_different_types(
        self,
        member: SymbolId,
        other: SymbolId,
        parameters: _Parameters,
        other_parameters: _Parameters,
    ) -> bool:
        """Whether some parameter has plain types of different names, neither of them a type
        parameter or an alias."""
        if self._program.table_of(member).spec.preprocessor:  # any name may stand for another
            return False
        pairs = zip(parameters.types, other_parameters.types, strict=False)
        type_names = ((_type_name(a), _type_name(b)) for a, b in pairs if a != b)
        return any(
            a
            and b
            and a != b
            and not (self._may_mean_other_type(member, a) or self._may_mean_other_type(other, b))
            for a, b in type_names
        )

    def _may_mean_other_type(self, member: SymbolId, name: str) -> bool:
        """Whether a type's name may stand for another type in a member's signature."""
        table = self._program.table_of(member)
        imported = table.imports.get((TOP, name), ())
        if name in table.spec.self_names or any(binding.name != name for binding in imported):
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
        definition, spec = self._program.definition(member), self._program.table_of(member).spec
        if spec.bracketed_calls and definition.kind in CALLABLES:
            is_whole = len(definition.signature) < SIGNATURE_LIMIT
            return _Parameters(tuple(selector_parts(definition.signature)), (), is_whole)
        if spec.rest_parameter is None or definition.kind not in CALLABLES:
            return None
        signature, name = definition.signature, definition.name
        written = written_parameters(signature, name)
        if written is None or not has_own_parameters(signature, name):
            return None
        listed = [] if written[0] == ["void"] else written[0]
        labels = (
            label_of(parameter, name, spec) if spec.labels_in_names else "" for parameter in listed
        )
        declared = declared_parameters(signature, name)
        if spec.types_first:
            declared = read_types_first(declared, spec.self_names)
        return _Parameters(
            tuple(labels), tuple(parameter.type for parameter in declared), written[1]
        )


def _is_hidden(definition: Definition, spec: LanguageSpec) -> bool:
    """Whether a member is private to its type, by what is written before its name."""
    head = definition.signature.partition(f"{definition.name}(")[0]
    return bool(spec.hidden_head) and compiled(spec.hidden_head).search(head) is not None


def _type_name(written: str) -> str:
    """The last name of a plainly written type; empty for others."""
    match = _NAMED_TYPE.match(written)
    return match.group().rpartition(".")[2] if match else ""


def _have_same_labels(parameters: _Parameters, other_parameters: _Parameters) -> bool:
    """Whether two functions have the same number and labels of parameters, as far as shown."""
    if parameters.is_complete and other_parameters.is_complete:
        return parameters.labels == other_parameters.labels
    shown = min(len(parameters.labels), len(other_parameters.labels))
    may_continue = all(
        len(either.labels) > shown or not either.is_complete
        for either in (parameters, other_parameters)
    )
    return may_continue and parameters.labels[:shown] == other_parameters.labels[:shown]
