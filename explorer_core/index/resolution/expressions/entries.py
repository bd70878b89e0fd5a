"""The entries of object literals: functions written there, and values put there.

In ``const api = { load() {}, save }`` the function `load` is written there, and `save` is put
there.
"""

from __future__ import annotations

from explorer_core.contracts import Witness
from explorer_core.index.extraction.facts import KEY
from explorer_core.index.resolution.expressions.scopes import Scopes
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Defined,
    ObjectLiteral,
    Values,
    with_witness,
)

_MEMBER_KINDS = frozenset({"method", "property"})


class Entries:
    """Finds what an object has under a name."""

    def __init__(self, scopes: Scopes, variables: Variables) -> None:
        self._scopes = scopes
        self._variables = variables

    def spread_object(self, holder: FileTable, ordinal: int) -> Values:
        """The object that the one in a variable, or made by a function, includes (``...other``)."""
        return self._variables.value_at(holder, holder.bindings(ordinal, KEY), 0)

    def of_variable(self, holder: FileTable, variable: Defined, name: str) -> Values:
        """The entry of a name in the object that a variable holds: a function that is written
        there, or a value that is put there under its own name or a key."""
        ordinal = variable.id.ordinal
        if not holder.spec.default_export:
            return UNKNOWN
        written = holder.by_scope.get(ordinal, {}).get(name, ())
        if written:
            return tuple(Defined(holder.id(o), variable.witness) for o in written)
        entry = self._put_entry(holder, ordinal, name, variable.witness)
        return entry or self._nested_entry(holder, ObjectLiteral(variable.id), name)

    def of_function(self, holder: FileTable, literal: ObjectLiteral, name: str) -> Values:
        """The same for an object made in a function, unless the function writes several of that
        name. A getter and a setter count as one."""
        if literal.keys:
            return self._nested_entry(holder, literal, name)
        ordinal = literal.id.ordinal
        definitions = holder.by_scope.get(ordinal, {}).get(name, ())
        written = [
            member for member in definitions if holder.definitions[member].kind in _MEMBER_KINDS
        ]
        kinds = [holder.definitions[member].kind for member in written]
        if len(written) == 1 or kinds == ["property"] * 2:
            return tuple(Defined(holder.id(member), "graph:type") for member in written)
        if written:
            return UNKNOWN
        entry = self._put_entry(holder, ordinal, name, "graph:type")
        return entry or self._nested_entry(holder, literal, name)

    def _nested_entry(self, holder: FileTable, literal: ObjectLiteral, name: str) -> Values:
        """The entry of a name in a nested object of a variable: a function or another object."""
        keys = (*literal.keys, name)
        ordinals = [
            ordinal if len(path) == len(keys) else None
            for ordinal, path in holder.nested_functions.get(literal.id.ordinal, ())
            if path[: len(keys)] == keys
        ]
        written = [ordinal for ordinal in ordinals if ordinal is not None]
        if not written:
            return (ObjectLiteral(literal.id, keys),) if ordinals else UNKNOWN
        return tuple(Defined(holder.id(ordinal), "graph:type") for ordinal in written)

    def _put_entry(self, holder: FileTable, ordinal: int, name: str, witness: Witness) -> Values:
        for entry in holder.facts.references.within(ordinal):
            if entry.kind == "table" and entry.name == name and not entry.receiver:
                values = self._scopes.lookup(holder, ordinal, name, entry.line, local=entry.local)
                return with_witness(values, witness)
        if bindings := holder.bindings(ordinal, KEY + name):
            return with_witness(self._variables.value_at(holder, bindings, 0), witness)
        return UNKNOWN
