"""Evaluates what lambdas receive without naming it: ``it``, and a receiver (``T.() -> Unit``).

The members of a receiver are reached by bare names, as ``body`` in ``html { body() }`` is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import Lambda
from explorer_core.index.resolution.finders.modules import dotted
from explorer_core.index.resolution.functions.lambdas import RECEIVER, Lambdas
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Defined,
    Instance,
    Value,
    Values,
    nothing_of_ours,
)
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId

_WORD = re.compile(r"\w+")


class Implicit:
    """Looks up what the lambdas enclosing a line are given."""

    def __init__(self, program: Program, hierarchy: Hierarchy, lambdas: Lambdas) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._lambdas = lambdas

    def is_around(self, table: FileTable, scope: int, line: int) -> bool:
        """Whether a line is inside a lambda that may have a receiver."""
        if not table.spec.lambda_receivers or not table.facts.lambdas:
            return False
        inside = (table.lambdas_in.get(around, ()) for around in table.scopes(scope))
        lambdas = (table.facts.lambdas[number] for numbers in inside for number in numbers)
        return any(each.start <= line <= each.end for each in lambdas)

    def parameter(self, table: FileTable, scope: int, name: str, line: int) -> Values:
        """The value of ``it``: the argument of the innermost lambda that names no parameter.
        UNKNOWN where several are equally near and their arguments differ."""
        for around in table.scopes(scope):
            near: list[int] = []
            for number in table.lambdas_in.get(around, ()):
                function = table.facts.lambdas[number]
                own = function.start == line and name in _WORD.findall(function.callee)
                nearer = not near or function.start == table.facts.lambdas[near[0]].start
                covers = _covers(function, line, first=True) and not own
                if covers and nearer and number not in table.naming_lambdas:
                    near.append(number)
            found = {self._lambdas.given(table, number, "0") for number in near}
            if found:
                return found.pop() if len(found) == 1 else UNKNOWN
        return UNKNOWN

    def member(
        self, table: FileTable, around: int, name: str, line: int, *, calls: bool | None
    ) -> Values:
        """The members called ``name`` in the receiver of an enclosing lambda, the innermost that
        has any. ``calls`` restricts them to functions (True) or data (False)."""
        for own in self._objects(table, around, name, line):
            for value in own:
                members = isinstance(value, Instance) and self._hierarchy.member(value.id, name)
                seen = tuple(each for each in members or () if self._is_meant(table, each, calls))
                if not nothing_of_ours(seen):
                    return seen
        return UNKNOWN

    def _is_meant(self, table: FileTable, member: Value, calls: bool | None) -> bool:
        """Whether a member fits ``calls`` and the file may use it: it is not hidden, and an
        extension is of the file's package or imported."""
        if not isinstance(member, Defined):
            return True
        holder = self._program.holder(member.id)
        definition = holder.definitions[member.id.ordinal]
        if calls is not None and definition.kind in (VARIABLES if calls else CALLABLES):
            return False
        if holder is table or not definition.owner:
            return holder is table or definition.exported
        package = dotted(holder.package)
        named = (b for b in table.facts.imports if b.name in (definition.name, "*"))
        seen = package == dotted(table.package)
        return definition.exported and (seen or any(dotted(b.module) == package for b in named))

    def extension(self, table: FileTable, scope: int, name: str, line: int) -> Values:
        """The extensions called ``name`` that the nearest type enclosing a lambda has, its own or
        inherited. The lambda's receiver may be what they extend, even if nothing else is known of
        it."""
        if not table.spec.extension_members or not self.is_around(table, scope, line):
            return UNKNOWN
        for around in filter(table.is_type, table.scopes(scope)):
            for holder in self._hierarchy.order(table.id(around)):
                if found := self._in_type(holder, name, inherited=holder != table.id(around)):
                    return tuple(Defined(member, "graph:scope") for member in found)
        return UNKNOWN

    def _in_type(self, type_id: SymbolId, name: str, *, inherited: bool) -> list[SymbolId]:
        holder = self._program.holder(type_id)
        ordinals = holder.extensions_in.get(type_id.ordinal, {}).get(name, ())
        seen = (o for o in ordinals if holder.definitions[o].exported or not inherited)
        return [holder.id(ordinal) for ordinal in seen]

    def own(self, table: FileTable, scope: int, line: int) -> Values:
        """The known receiver of the innermost lambda that begins on an earlier line."""
        for around in table.scopes(scope):
            for own in self._objects_before(table, around, line):
                return own
            if table.is_type(around):
                break
        return UNKNOWN

    def _objects(self, table: FileTable, around: int, name: str, line: int) -> Iterator[Values]:
        """The receivers of the enclosing lambdas, the innermost first. A lambda on the line itself
        counts if it is the only one, ends there, and does not have the name in its callee."""
        lambdas = table.facts.lambdas
        here = [n for n in table.lambdas_in.get(around, ()) if lambdas[n].start == line]
        only = here[0] if len(here) == 1 and lambdas[here[0]].end == line else -1
        if only >= 0 and name not in _WORD.findall(lambdas[only].callee):
            yield from self._known(table, only)
        yield from self._objects_before(table, around, line)

    def _objects_before(self, table: FileTable, around: int, line: int) -> Iterator[Values]:
        for number in table.lambdas_in.get(around, ()):
            function = table.facts.lambdas[number]
            if function.start != line and _covers(function, line, first=False):
                yield from self._known(table, number)

    def _known(self, table: FileTable, number: int) -> Iterator[Values]:
        if found := self._lambdas.given(table, number, RECEIVER):
            yield found


def _covers(function: Lambda, line: int, *, first: bool) -> bool:
    """Whether a lambda covers a line. The last of several lines does not count, and the first only
    if asked for, since other code stands there, too."""
    if function.start == line:
        return first or function.end == line
    return function.start < line < function.end
