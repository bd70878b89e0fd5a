"""What a bare name stands for at a place: the scopes around it, from the innermost out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from explorer_core.index.extraction.facts import TOP, TypeBinding
from explorer_core.index.extraction.kinds import VALUE_KINDS
from explorer_core.index.resolution.functions.implicit import Implicit
from explorer_core.index.resolution.functions.objects import Objects
from explorer_core.index.resolution.hierarchy.hierarchy import Hierarchy
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.names.packages import NAMESAKES
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.values import (
    OPAQUE,
    OUTSIDE,
    UNKNOWN,
    Defined,
    Value,
    Values,
    nothing_of_ours,
    relabelled,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES

_TYPES = MEMBER_HOLDERS | NAMESPACES


class _Asked(NamedTuple):
    """A bare name that stands on a ``line`` of a file (0: nowhere in particular)."""

    table: FileTable
    name: str
    line: int
    local: bool | None
    """Whether a function binds it, as far as that is known (`Scopes.lookup`)."""


@dataclass(eq=False, repr=False)
class Scopes:
    """Looks bare names up."""

    _program: Program
    _names: Names
    _hierarchy: Hierarchy
    _owners: Owners
    _objects: Objects
    _implicit: Implicit
    _model: Semantics
    _variables: Variables

    def lookup(
        self,
        table: FileTable,
        scope: int,
        name: str,
        line: int = 0,
        *,
        local: bool | None = None,
        type_only: bool = False,
        calls: bool | None = None,
        variables: bool = True,
    ) -> Values:
        """What a bare name stands for at a line of a scope; UNKNOWN when nothing binds it.

        ``local`` says that an enclosing function binds the name, so that nothing further out can
        be meant, or that none does; ``type_only`` that a type is meant, wherever there is one: a
        member is often called like its type (``Color Color``); ``calls`` that it is called, or not,
        where functions and variables may bear one name; without ``variables`` no local one is
        meant."""
        if type_only and not local:
            found = self.lookup(table, scope, name, line)
            return found if self._may_be_type(found) else self._type(table, scope, name, found)
        asked, outer = _Asked(table, name, line, local), False
        for around in table.scopes(scope):
            bound = table.bindings(around, name, line, local=local)
            found = self._bound_in(asked, around, bound, calls=calls)
            if not found and table.is_type(around):
                found = self._of_type(asked, around, bound, within=scope, outer=outer)
                outer = True
            elif not found:
                found = self._in_code(asked, around, bound, variables=variables)
                found = found or self._of_object(asked, around)
            if found:
                return found
        return self._names.ambient(table, name)

    def _bound_in(
        self, asked: _Asked, around: int, bindings: Sequence[TypeBinding], *, calls: bool | None
    ) -> Values:
        """What a scope binds a name to before its definitions are looked at: a type parameter, a
        member of what a lambda there has for its own object, a local variable of no function.
        ``bindings`` are what the scope says of a variable of the name, here and in what follows."""
        table, name, line, local = asked
        if bindings:
            if bounds := [b for b in bindings if b.source == "bound"]:
                return self._variables.bound(table, bounds, line if around == TOP else 0) or OPAQUE
        elif table.spec.lambda_receivers and line and not local and around in table.lambdas_in:
            found = self._implicit.member(table, around, name, line, calls=calls)
            if found:
                return found
        if around == TOP and local:
            return self._variables.bound(table, bindings, line) or OPAQUE
        return UNKNOWN

    def _of_type(
        self,
        asked: _Asked,
        around: int,
        bindings: Sequence[TypeBinding],
        *,
        within: int,
        outer: bool,
    ) -> Values:
        """What a name stands for in a type, behind another one where it is an ``outer`` one."""
        table = asked.table
        if asked.local:  # which is of a lambda or an operator in the type, neither a scope
            found = self._variables.bound(table, bindings, asked.line)
        else:
            found = self._in_type(asked, around, within)
        if outer and not table.spec.lexical_members:
            found = tuple(value for value in found if self._is_lexical(value))
        if not nothing_of_ours(found):
            return found
        return UNKNOWN if asked.local else self._given(table, around, asked.name)

    def _in_type(self, asked: _Asked, around: int, within: int) -> Values:
        """What a name stands for in a type: its own name, or a member where these are reached by
        their bare name; else what is written there, and only in its body."""
        table, name = asked.table, asked.name
        if name == table.definitions[around].name:
            return self._imported(table, around, name) or self._own_name(table, around)
        if table.spec.implicit_self:
            is_nearest = around == table.enclosing_type(within)
            static = table.static_around(within) if is_nearest else None
            found = self._hierarchy.member(table.id(around), name, static=static)
            found = tuple(v for v in found if not self._is_constructor(v))
            found = relabelled(found, "graph:scope")
            if not nothing_of_ours(found):
                return found
            return self._imported(table, around, name) or self._given(table, around, name) or found
        if within == around:
            return self._names.in_scope(table, around, name)
        if not table.spec.type_scopes or not _is_in_body(table, within, around):
            return UNKNOWN
        found = self._names.in_scope(table, around, name)
        return tuple(value for value in found if _is_before(value, table, asked.line))

    def _is_constructor(self, value: Value) -> bool:
        """Whether a value is a constructor: of a supertype, whose name means the type there."""
        return self._program.is_of_kind(value, ("constructor",))

    def _given(self, table: FileTable, around: int, name: str) -> Values:
        """What a type is made with, where its members see that by its name."""
        given = (b for b in table.bound(around, name) if b.source == "annotation" and not b.until)
        return self._variables.bound(table, list(given), 0)

    def _imported(self, table: FileTable, around: int, name: str) -> Values:
        """What a type imports in its body, where a language has that (Scala, Elixir)."""
        is_import = (around, name) in table.imports
        return self._names.in_scope(table, around, name) if is_import else UNKNOWN

    def _own_name(self, table: FileTable, around: int) -> Values:
        """What the name of a type means in it: all its declarations, unless they are many."""
        own = table.definitions[around]
        found = self._names.in_scope(table, own.container, own.name)
        parts = [Defined(part, "graph:scope") for part in self._names.parts(table.id(around))]
        return tuple(dict.fromkeys((*found, *(parts if len(parts) <= NAMESAKES else ()))))

    def _type(self, table: FileTable, scope: int, name: str, others: Values) -> Values:
        """The nearest type of a name; where there is none, nothing of the repository if all
        ``others`` of the name are members, and these if not."""
        for around in table.scopes(scope):
            if table.is_type(around):
                found = self._hierarchy.member(table.id(around), name)
                found = (*found, *self._imported(table, around, name))
            else:
                found = self._names.in_scope(table, around, name)
            types = tuple(value for value in found if self._is_type(value))
            if types:
                return relabelled(types, "graph:scope")
        ambient = self._names.ambient(table, name)
        types = tuple(value for value in ambient if self._is_type(value))
        outside = table.spec.implicit_self and all(self._is_member(each) for each in others)
        return types or (OUTSIDE if outside else others)

    def _is_member(self, value: Value) -> bool:
        is_defined = isinstance(value, Defined)
        return is_defined and self._program.holder(value.id).is_member(value.id.ordinal)

    def _may_be_type(self, values: Values) -> bool:
        """Whether nothing tells that values are no types."""
        return not values or any(not isinstance(v, Defined) or self._is_type(v) for v in values)

    def _is_type(self, value: Value) -> bool:
        return self._program.is_of_kind(value, _TYPES)

    def function(self, table: FileTable, scope: int, name: str) -> Values:
        """The nearest function that a bare name means where variables are not looked at."""
        return next(self.functions(table, scope, name), UNKNOWN)

    def functions(self, table: FileTable, scope: int, name: str) -> Iterator[Values]:
        """The functions of a name by the scopes that have them, the innermost first."""
        for around in table.scopes(scope):
            if table.is_type(around):
                found = self._hierarchy.member(table.id(around), name)
            elif around == TOP:
                found = self._names.in_scope(table, TOP, name) or self._names.ambient(table, name)
            else:
                found = self._of_owner(table, around, name)
            functions = tuple(value for value in found if self.is_function(value))
            if functions:
                yield relabelled(functions, "graph:scope") if around != TOP else functions

    def _is_lexical(self, value: Value) -> bool:
        """Whether a value is a type or a constant, which are seen from types within their own."""
        is_constant = self._program.is_of_kind(value, ("constant",))
        return is_constant or self._is_type(value)

    def is_function(self, value: Value) -> bool:
        """Whether a value is a function, as opposed to what one gives."""
        return self._program.is_of_kind(value, CALLABLES)

    def _in_code(
        self, asked: _Asked, scope: int, bindings: Sequence[TypeBinding], *, variables: bool
    ) -> Values:
        """What a name stands for in a function, a namespace or a file."""
        table, name, _, local = asked
        is_hidden = local is False and scope != TOP and table.spec.late_variables
        if bindings and variables and not is_hidden:
            found = self._of_variable(asked, scope, bindings)
        else:
            found = self._named_in_code(asked, scope)
        if not found and local is None and variables and self._is_given(table, scope, name):
            return OPAQUE
        if not found and table.spec.implicit_self and scope != TOP and not local:
            return self._of_owner(table, scope, name)
        return found

    def _of_variable(self, asked: _Asked, scope: int, bindings: Sequence[TypeBinding]) -> Values:
        """What a name stands for in a function, a namespace or a file that has a variable of it."""
        table = asked.table
        its_own = scope != TOP and (scope, asked.name) not in table.imports
        if its_own and table.definitions[scope].kind in NAMESPACES:  # has definitions, not locals
            its_own = not self._named_in_code(asked, scope)
        if its_own or any(binding.source == "parameter" for binding in bindings):
            values = self._variables.bound(table, bindings, asked.line)
            return (nothing_of_ours(values) and self._put_in(asked, scope)) or values or OPAQUE
        return self._named_in_code(asked, scope) or self._variables.bound(table, bindings, 0)

    def _put_in(self, asked: _Asked, scope: int) -> Values:
        """What is defined under the name of a variable of which no type of the repository is known:
        itself, or the functions that are put in it; a field is of something else."""
        return tuple(
            v
            for v in self._named_in_code(asked, scope)
            if not isinstance(v, Defined) or self._program.kind(v.id) != "field"
        )

    @staticmethod
    def _is_given(table: FileTable, scope: int, name: str) -> bool:
        """Whether a function has a parameter of a name, of which nothing else is known. Where types
        stand before names, what stands alone may be the type of a parameter without a name."""
        is_code = scope != TOP and not table.spec.types_first
        return is_code and name in table.parameters(scope)

    def _named_in_code(self, asked: _Asked, scope: int) -> Values:
        """What is defined or imported under a name in a function, a namespace or a file, as far as
        it is seen on a line. The members of an object that is written out there, or of the type
        that a field has without a name, are no names where members are only reached by way of their
        object."""
        table, name, line, _ = asked
        found, spec = self._names.in_scope(table, scope, name), table.spec
        if line and (secluded := table.secluded.get((scope, name))):
            found = _seen_on(line, table, secluded, found)
        if (scope, name) in table.imports and _is_made_on(line, table, found):
            found = self._names.brought_in(table, scope, name)
        if scope == TOP or spec.implicit_self:
            return found
        is_field = table.definitions[scope].kind == "field"
        members = (*spec.object_members, "field") if is_field else spec.object_members
        return tuple(
            v
            for v in found
            if not isinstance(v, Defined) or self._program.kind(v.id) not in members
        )

    def _of_object(self, asked: _Asked, scope: int) -> Values:
        """What a name stands for in a member of an object written out, where members are reached by
        their bare names."""
        table = asked.table
        if asked.local or not table.spec.implicit_self or scope not in table.of_objects:
            return UNKNOWN
        found = self._model.members.named(table, self._objects.of(table, scope), asked.name)
        return UNKNOWN if nothing_of_ours(found) else relabelled(found, "graph:scope")

    def _of_owner(self, table: FileTable, scope: int, name: str) -> Values:
        if not table.definitions[scope].owner or table.spec.static_extensions:
            return UNKNOWN
        own = self._owners.around(table, scope)
        if not own and (found := self._names.of_owner(table, scope, name)):
            return found
        for other in () if own else self._owners.outside_around(table, scope):
            found = self._model.members.of_value(table, other, name)
            if not nothing_of_ours(found):
                return relabelled(found, "graph:scope")
        for instance in own:
            if name == self._program.definition(instance.id).name:
                return (Defined(instance.id, "graph:scope"),)
            found = self._hierarchy.member(instance.id, name)
            if found and not nothing_of_ours(found):
                return relabelled(found, "graph:scope")
        return UNKNOWN


def _is_in_body(table: FileTable, scope: int, around: int) -> bool:
    """Whether what a scope says is said in the body of the type around it, for the value of a
    member that is no function."""
    within = takewhile(lambda ordinal: ordinal != around, table.scopes(scope))
    return all(table.definitions[ordinal].kind in VALUE_KINDS for ordinal in within)


def _seen_on(line: int, table: FileTable, secluded: Sequence[int], found: Values) -> Values:
    """What a name means on a line of what is ``found`` under it, some of which is only seen in a
    function without a name: what the innermost of these declares that the line is in, and else what
    none of them does."""
    hidden = {table.id(ordinal) for ordinal in secluded}
    around = {
        o: seen
        for o in secluded
        if (seen := table.definitions[o].seen) and line in range(seen[0], seen[1] + 1)
    }
    innermost = min(around.values(), key=lambda seen: seen[1] - seen[0], default=None)
    own = tuple(
        Defined(table.id(o), "graph:scope") for o, seen in around.items() if seen == innermost
    )
    return own or tuple(v for v in found if not isinstance(v, Defined) or v.id not in hidden)


def _is_made_on(line: int, table: FileTable, found: Values) -> bool:
    """Whether what is ``found`` under a name is what the file first defines on a line, as ``log =
    log.bind()`` does of what had the name before."""
    lines = [
        table.definitions[v.id.ordinal].line
        for v in found
        if isinstance(v, Defined) and v.id.path == table.path and not v.id.is_file
    ]
    return len(lines) == len(found) > 0 and min(lines) == line


def _is_before(value: Value, table: FileTable, line: int) -> bool:
    """Whether a value is not defined on a line or behind it, where its name still means another:
    ``name = name``."""
    if not isinstance(value, Defined) or value.id.path != table.path:
        return True
    return table.definitions[value.id.ordinal].line < line
