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

_BEFORE = 4
"""How many references before a creation are searched for the call that is given the object."""
_MAKING = ("construct", "call")
_WORD = re.compile(r"\$?\w+")


class HandingOn(Feed):
    """The base class of finders of edges from where an object is made and passed on."""

    def _handed_on(self, table: FileTable, index: int) -> int:
        """The line of a call that receives the object a reference makes, or the variable that holds
        it, and does not know its type; 0 if there is none."""
        if not self._is_making(table.facts.references[index]):
            return 0
        at = self._given_to(table, index)
        calls = self._given_variable(table, index) if at is None else [at]
        type_id = self._made_type(table, index) if calls else None
        if type_id is None or any(self._knows(table, each, type_id) for each in calls):
            return 0
        return table.facts.references[calls[-1] if at is None else index].line

    def _given_variable(self, table: FileTable, index: int) -> list[int]:
        """The calls that receive the variable with the object a reference makes. Calls that receive
        another such variable, too, are left out: they compare the two."""
        references = table.facts.references
        made, names = references[index], table.handovers
        held = {
            name
            for name in names
            for binding in table.bindings(made.scope, name)
            if binding.line == made.line and last_part(binding.type) in (made.name, made.written)
        }
        calls = (call for name in held for call in names[name])
        here = [at for at in calls if at > index and references[at].scope == made.scope]
        return [at for at in here if sum(at in given for given in names.values()) == 1]

    @staticmethod
    def _is_making(made: Reference) -> bool:
        """Whether a reference may make an object, by the capital of a type's name. Resolving every
        nested call would cost more than types in lower case are worth."""
        if made.scope == TOP or made.kind not in _MAKING:
            return False
        return made.name[:1].isupper() or last_part(made.receiver)[:1].isupper()

    def _given_to(self, table: FileTable, index: int) -> int | None:
        """The call that receives the object a reference makes as an argument."""
        references = table.facts.references
        made = references[index]
        if not self._is_making(made):
            return None
        for at in references.before(index, _BEFORE):
            call = references[at]
            is_elsewhere = call.scope != made.scope or call.kind == "construct"
            if is_elsewhere or (call.line != made.line and not made.given):
                return None
            if call.kind == "call" and (call.arguments or not made.given):
                return at if call.arguments else None
        return None

    def _made_type(self, table: FileTable, index: int) -> SymbolId | None:
        """The only type of which a reference may make an object; None for other references."""
        found: set[SymbolId] = set()
        for target in self._resolver.certain(table, index):
            kind = "" if target.is_file else self._program.kind(target)
            if kind == "constructor":
                found.update(filter(None, (self._holder(target),)))
            elif kind in MEMBER_HOLDERS:
                found.add(target)
            elif kind in CALLABLES and (given := self._own_maker(table, index, target)):
                found.add(given)
            else:
                return None
        return found.pop() if len(found) == 1 else None

    def _own_maker(self, table: FileTable, index: int, function: SymbolId) -> SymbolId | None:
        """The type of a called member that returns an object of its own type (``Added.of(x)``)."""
        called = table.facts.references[index]
        type_name = last_part(called.receiver)
        if called.kind != "call" or not type_name[:1].isupper():
            return None
        holder = self._holder(function)
        if holder is None:
            return None
        written = f"{called.receiver}.{called.name}()"
        given = self._model.expressions.evaluate(table, called.scope, written, called.line)
        return holder if given == (Instance(holder),) else None

    def _making(
        self, type_id: SymbolId, named: list[tuple[FileTable, int]]
    ) -> Iterator[tuple[FileTable, int]]:
        """Those of some references that make an object of a type, outside that type."""
        for table, index in named:
            references = table.facts.references
            # A called member follows the name of its type.
            at = index + (references[index].kind == "read")
            if at == len(references) or references[at].kind not in _MAKING:
                continue
            is_outside = not self._is_within(table, references[at].scope, type_id)
            if is_outside and self._made_type(table, at) == type_id:
                yield table, at

    def _taking(self, type_id: SymbolId, named: list[tuple[FileTable, int]]) -> set[SymbolId]:
        """The functions outside a type that have a parameter of it, and the variables of it."""
        name = self._program.definition(type_id).name
        found = set[SymbolId]()
        for table, index in named:
            one = table.facts.references[index]
            is_outside = one.scope != TOP and not self._is_within(table, one.scope, type_id)
            if one.kind != "type" or not is_outside:
                continue
            if table.is_variable(one.scope) or name in parameter_types(table, one.scope).values():
                found.add(table.id(one.scope))
        return found

    def _is_within(self, table: FileTable, scope: int, type_id: SymbolId) -> bool:
        """Whether a scope is the definition of a type, or inside it."""
        while table.path == type_id.path and scope not in (TOP, type_id.ordinal):
            scope = table.definitions[scope].container
        return table.path == type_id.path and scope == type_id.ordinal

    def _knows(self, table: FileTable, index: int, type_id: SymbolId) -> bool:
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
    found: dict[str, str] = {}
    for name in _WORD.findall(table.definitions[function].signature):
        for binding in table.bindings(function, name):
            if binding.source == "annotation":
                found[name] = last_part(binding.type.partition("[")[0])
    return found
