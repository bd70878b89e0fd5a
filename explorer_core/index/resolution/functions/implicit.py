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
    all_outside,
)
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId

_WORD = re.compile(r"\w+")


class Implicit:
    """Looks up what the lambdas enclosing a line are given."""

    def __init__(self, program: Program, hierarchy: Hierarchy, lambdas: Lambdas) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._lambdas = lambdas

    def may_have_receiver(self, table: FileTable, scope: int, line: int) -> bool:
        """Whether a line is inside a lambda that may have a receiver."""
        if not table.spec.lambdas.receivers or not table.facts.lambdas:
            return False
        lambda_numbers = (table.lambdas_in.get(enclosing, ()) for enclosing in table.scopes(scope))
        lambdas = (table.facts.lambdas[number] for numbers in lambda_numbers for number in numbers)
        return any(function.start <= line <= function.end for function in lambdas)

    def parameter(self, table: FileTable, scope: int, name: str, line: int) -> Values:
        """The value of ``it``: the argument of the innermost lambda that names no parameter.
        UNKNOWN where several are equally near and their arguments differ."""
        for enclosing in table.scopes(scope):
            nearest: list[int] = []
            for number in table.lambdas_in.get(enclosing, ()):
                function = table.facts.lambdas[number]
                is_in_callee = function.start == line and name in _WORD.findall(function.callee)
                is_nearest = not nearest or function.start == table.facts.lambdas[nearest[0]].start
                covers = _covers(function, line, first=True) and not is_in_callee
                if covers and is_nearest and number not in table.lambdas_with_parameters:
                    nearest.append(number)
            values = {self._lambdas.parameter_value(table, number, "0") for number in nearest}
            if values:
                return values.pop() if len(values) == 1 else UNKNOWN
        return UNKNOWN

    def member(
        self, table: FileTable, scope: int, name: str, line: int, *, calls: bool | None
    ) -> Values:
        """The members called ``name`` in the receiver of an enclosing lambda, the innermost that
        has any. ``calls`` restricts them to functions (True) or data (False)."""
        for receiver in self._receivers(table, scope, name, line):
            for value in receiver:
                members = isinstance(value, Instance) and self._hierarchy.member(value.id, name)
                accessible = tuple(
                    member for member in members or () if self._is_accessible(table, member, calls)
                )
                if not all_outside(accessible):
                    return accessible
        return UNKNOWN

    def _is_accessible(self, table: FileTable, member: Value, calls: bool | None) -> bool:
        """Whether a member fits ``calls`` and the file may use it: it is not hidden, and an
        extension is of the file's package or imported."""
        if not isinstance(member, Defined):
            return True
        holder = self._program.table_of(member.id)
        definition = holder.definitions[member.id.ordinal]
        if calls is not None and definition.kind in (VARIABLES if calls else CALLABLES):
            return False
        if holder is table or not definition.owner:
            return holder is table or definition.exported
        package = dotted(holder.package)
        imports = (b for b in table.facts.imports if b.name in (definition.name, "*"))
        same_package = package == dotted(table.package)
        return definition.exported and (
            same_package or any(dotted(b.module) == package for b in imports)
        )

    def extension(self, table: FileTable, scope: int, name: str, line: int) -> Values:
        """The extensions called ``name`` that the nearest type enclosing a lambda has, its own or
        inherited. The lambda's receiver may be what they extend, even if nothing else is known of
        it."""
        if not table.spec.extension_members or not self.may_have_receiver(table, scope, line):
            return UNKNOWN
        for enclosing in filter(table.is_type, table.scopes(scope)):
            for type_id in self._hierarchy.lookup_order(table.id(enclosing)):
                if extensions := self._extensions_in(
                    type_id, name, inherited=type_id != table.id(enclosing)
                ):
                    return tuple(Defined(member, "graph:scope") for member in extensions)
        return UNKNOWN

    def _extensions_in(self, type_id: SymbolId, name: str, *, inherited: bool) -> list[SymbolId]:
        holder = self._program.table_of(type_id)
        ordinals = holder.extensions_in.get(type_id.ordinal, {}).get(name, ())
        visible = (o for o in ordinals if holder.definitions[o].exported or not inherited)
        return [holder.id(ordinal) for ordinal in visible]

    def receiver(self, table: FileTable, scope: int, line: int) -> Values:
        """The known receiver of the innermost lambda that begins on an earlier line."""
        for enclosing in table.scopes(scope):
            for receiver in self._receivers_before(table, enclosing, line):
                return receiver
            if table.is_type(enclosing):
                break
        return UNKNOWN

    def _receivers(self, table: FileTable, scope: int, name: str, line: int) -> Iterator[Values]:
        """The receivers of the enclosing lambdas, the innermost first. A lambda on the line itself
        counts if it is the only one, ends there, and does not have the name in its callee."""
        lambdas = table.facts.lambdas
        on_line = [
            number for number in table.lambdas_in.get(scope, ()) if lambdas[number].start == line
        ]
        lone = on_line[0] if len(on_line) == 1 and lambdas[on_line[0]].end == line else -1
        if lone >= 0 and name not in _WORD.findall(lambdas[lone].callee):
            yield from self._known_receiver(table, lone)
        yield from self._receivers_before(table, scope, line)

    def _receivers_before(self, table: FileTable, scope: int, line: int) -> Iterator[Values]:
        for number in table.lambdas_in.get(scope, ()):
            function = table.facts.lambdas[number]
            if function.start != line and _covers(function, line, first=False):
                yield from self._known_receiver(table, number)

    def _known_receiver(self, table: FileTable, number: int) -> Iterator[Values]:
        if receiver := self._lambdas.parameter_value(table, number, RECEIVER):
            yield receiver


def _covers(function: Lambda, line: int, *, first: bool) -> bool:
    """Whether a lambda covers a line. The last of several lines does not count, and the first only
    if asked for, since other code stands there, too."""
    if function.start == line:
        return first or function.end == line
    return function.start < line < function.end
