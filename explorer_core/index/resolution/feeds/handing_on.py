"""Finds new objects that are passed to a call which does not know their type.

They are passed as they are made (``bus.Publish(new Added(x))``), or as a variable that holds one
made in the same function (``bus.Publish(added)``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import Feed
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Instance
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, SymbolId

_CALL_DISTANCE = 4
"""How many references before a creation are searched for the call that is given the object."""
_CREATION_KINDS = ("construct", "call")
_WORD = re.compile(r"\$?\w+")


class HandingOn(Feed):
    """The base class of finders of edges from where an object is made and passed on."""

    def _passing_line(self, table: FileTable, index: int) -> int:
        """The line of a call that receives the object a reference makes, or the variable that holds
        it, and does not know its type; 0 if there is none."""
        if not self._may_create(table.facts.references[index]):
            return 0
        receiving_call = self._receiving_call(table, index)
        calls = (
            self._variable_receivers(table, index) if receiving_call is None else [receiving_call]
        )
        type_id = self._made_type(table, index) if calls else None
        if type_id is None or any(self._knows_type(table, call, type_id) for call in calls):
            return 0
        return table.facts.references[calls[-1] if receiving_call is None else index].line

    def _variable_receivers(self, table: FileTable, index: int) -> list[int]:
        """The calls that receive the variable with the object a reference makes. Calls that receive
        another such variable, too, are left out: they compare the two."""
        references = table.facts.references
        creation, names = references[index], table.handovers
        variables = {
            name
            for name in names
            for binding in table.bindings(creation.scope, name)
            if binding.line == creation.line
            and last_part(binding.type) in (creation.name, creation.written)
        }
        calls = (call for name in variables for call in names[name])
        in_scope = [row for row in calls if row > index and references[row].scope == creation.scope]
        return [
            row for row in in_scope if sum(row in receiving for receiving in names.values()) == 1
        ]

    @staticmethod
    def _may_create(reference: Reference) -> bool:
        """Whether a reference may make an object, by the capital of a type's name. Resolving every
        nested call would cost more than types in lower case are worth."""
        if reference.scope == TOP or reference.kind not in _CREATION_KINDS:
            return False
        return reference.name[:1].isupper() or last_part(reference.receiver)[:1].isupper()

    def _receiving_call(self, table: FileTable, index: int) -> int | None:
        """The call that receives the object a reference makes as an argument."""
        references = table.facts.references
        creation = references[index]
        if not self._may_create(creation):
            return None
        for row in references.before(index, _CALL_DISTANCE):
            call = references[row]
            is_elsewhere = call.scope != creation.scope or call.kind == "construct"
            if is_elsewhere or (call.line != creation.line and not creation.begins_argument):
                return None
            if call.kind == "call" and (call.arguments or not creation.begins_argument):
                return row if call.arguments else None
        return None

    def _made_type(self, table: FileTable, index: int) -> SymbolId | None:
        """The only type of which a reference may make an object; None for other references."""
        types: set[SymbolId] = set()
        for target in self._resolver.certain(table, index):
            kind = "" if target.is_file else self._program.kind(target)
            if kind == "constructor":
                types.update(filter(None, (self._declaring_type(target),)))
            elif kind in MEMBER_HOLDERS:
                types.add(target)
            elif kind in CALLABLES and (factory_type := self._factory_type(table, index, target)):
                types.add(factory_type)
            else:
                return None
        return types.pop() if len(types) == 1 else None

    def _factory_type(self, table: FileTable, index: int, function: SymbolId) -> SymbolId | None:
        """The type of a called member that returns an object of its own type (``Added.of(x)``)."""
        call = table.facts.references[index]
        type_name = last_part(call.receiver)
        if call.kind != "call" or not type_name[:1].isupper():
            return None
        type_id = self._declaring_type(function)
        if type_id is None:
            return None
        written = f"{call.receiver}.{call.name}()"
        values = self._model.expressions.evaluate(table, call.scope, written, call.line)
        return type_id if values == (Instance(type_id),) else None

    def _creations(
        self, type_id: SymbolId, mentions: list[tuple[FileTable, int]]
    ) -> Iterator[tuple[FileTable, int]]:
        """Those of some references that make an object of a type, outside that type."""
        for table, index in mentions:
            references = table.facts.references
            # A called member follows the name of its type.
            creation = index + (references[index].kind == "read")
            if creation == len(references) or references[creation].kind not in _CREATION_KINDS:
                continue
            is_outside = not self._is_within(table, references[creation].scope, type_id)
            if is_outside and self._made_type(table, creation) == type_id:
                yield table, creation

    def _receivers(self, type_id: SymbolId, mentions: list[tuple[FileTable, int]]) -> set[SymbolId]:
        """The functions outside a type that have a parameter of it, and the variables of it."""
        name = self._program.definition(type_id).name
        receivers = set[SymbolId]()
        for table, index in mentions:
            reference = table.facts.references[index]
            is_outside = reference.scope != TOP and not self._is_within(
                table, reference.scope, type_id
            )
            if reference.kind != "type" or not is_outside:
                continue
            if (
                table.is_variable(reference.scope)
                or name in parameter_types(table, reference.scope).values()
            ):
                receivers.add(table.id(reference.scope))
        return receivers

    def _is_within(self, table: FileTable, scope: int, type_id: SymbolId) -> bool:
        """Whether a scope is the definition of a type, or inside it."""
        while table.path == type_id.path and scope not in (TOP, type_id.ordinal):
            scope = table.definitions[scope].container
        return table.path == type_id.path and scope == type_id.ordinal

    def _knows_type(self, table: FileTable, index: int, type_id: SymbolId) -> bool:
        """Whether what is called has a parameter of a type, and so receives the value itself."""
        resolution = self._resolver.resolve(table, index)
        name = self._program.definition(type_id).name
        for target in resolution.targets if resolution else ():
            if not self._program.is_function(target):
                return True
            if name in parameter_types(self._program.table_of(target), target.ordinal).values():
                return True
        return False


def parameter_types(table: FileTable, function: int) -> dict[str, str]:
    """The simple names of the types of a function's parameters, by parameter, as far as types are
    written. A collection has its own name, which may be empty, and not that of its elements."""
    types: dict[str, str] = {}
    for name in _WORD.findall(table.definitions[function].signature):
        for binding in table.bindings(function, name):
            if binding.source == "annotation":
                types[name] = last_part(binding.type.partition("[")[0])
    return types
