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
from explorer_core.index.resolution.values import UNKNOWN, Defined, Table, Values, relabelled

_MEMBERS = frozenset({"method", "property"})


class Entries:
    """Finds what an object has under a name."""

    def __init__(self, scopes: Scopes, variables: Variables) -> None:
        self._scopes = scopes
        self._variables = variables

    def taken_in(self, holder: FileTable, ordinal: int) -> Values:
        """The object that the one in a variable, or made by a function, includes (``...other``)."""
        return self._variables.bound(holder, holder.bound(ordinal, KEY), 0)

    def of_variable(self, holder: FileTable, variable: Defined, name: str) -> Values:
        """The entry of a name in the object that a variable holds: a function that is written
        there, or a value that is put there under its own name or a key."""
        ordinal = variable.id.ordinal
        if not holder.spec.default_export:
            return UNKNOWN
        written = holder.named.get(ordinal, {}).get(name, ())
        if written:
            return tuple(Defined(holder.id(o), variable.how) for o in written)
        found = self._put_there(holder, ordinal, name, variable.how)
        return found or self._within(holder, Table(variable.id), name)

    def of_function(self, holder: FileTable, made: Table, name: str) -> Values:
        """The same for an object made in a function, unless the function writes several of that
        name. A getter and a setter count as one."""
        if made.keys:
            return self._within(holder, made, name)
        ordinal = made.id.ordinal
        named = holder.named.get(ordinal, {}).get(name, ())
        written = [one for one in named if holder.definitions[one].kind in _MEMBERS]
        kinds = [holder.definitions[one].kind for one in written]
        if len(written) == 1 or kinds == ["property"] * 2:
            return tuple(Defined(holder.id(one), "graph:type") for one in written)
        if written:
            return UNKNOWN
        found = self._put_there(holder, ordinal, name, "graph:type")
        return found or self._within(holder, made, name)

    def _within(self, holder: FileTable, around: Table, name: str) -> Values:
        """The entry of a name in a nested object of a variable: a function or another object."""
        keys = (*around.keys, name)
        found = [
            ordinal if len(path) == len(keys) else None
            for ordinal, path in holder.nested.get(around.id.ordinal, ())
            if path[: len(keys)] == keys
        ]
        written = [ordinal for ordinal in found if ordinal is not None]
        if not written:
            return (Table(around.id, keys),) if found else UNKNOWN
        return tuple(Defined(holder.id(ordinal), "graph:type") for ordinal in written)

    def _put_there(self, holder: FileTable, ordinal: int, name: str, how: Witness) -> Values:
        for entry in holder.facts.references.within(ordinal):
            if entry.kind == "table" and entry.name == name and not entry.receiver:
                found = self._scopes.lookup(holder, ordinal, name, entry.line, local=entry.local)
                return relabelled(found, how)
        if given := holder.bound(ordinal, KEY + name):
            return relabelled(self._variables.bound(holder, given, 0), how)
        return UNKNOWN
