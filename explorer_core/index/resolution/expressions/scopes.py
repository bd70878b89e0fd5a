"""Looks up bare names in the scopes around a place, from the innermost out.

``limit`` may be a variable of the enclosing function, a member of the enclosing type (where bare
names reach these), a definition of the file, or what the file imports.
"""

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
        """The values of a bare name at a line of a scope; UNKNOWN when nothing binds it.

        ``local`` says that an enclosing function binds the name, so that nothing further out can be
        meant, or that none does. ``type_only`` says that a type is meant if there is one, since a
        member is often named like its type (``Color Color``). ``calls`` says whether the name is
        called, where functions and variables may share a name. Without ``variables``, no local one
        is meant.
        """
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
        """Looks a name up in a scope before the scope's definitions: as a type parameter, a member
        of a lambda's receiver, or a local variable outside functions. ``bindings`` are the scope's
        type bindings for the name, here and in the methods below."""
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
        """Looks a name up in a type. Of an ``outer`` one, only types and constants may count."""
        table = asked.table
        if asked.local:  # bound by a lambda or operator in the type
            found = self._variables.bound(table, bindings, asked.line)
        else:
            found = self._in_type(asked, around, within)
        if outer and not table.spec.lexical_members:
            found = tuple(value for value in found if self._is_lexical(value))
        if not nothing_of_ours(found):
            return found
        return UNKNOWN if asked.local else self._given(table, around, asked.name)

    def _in_type(self, asked: _Asked, around: int, within: int) -> Values:
        """Looks a name up in a type: as its own name, or as a member where bare names reach
        members; else among the definitions in its body, for code in that body alone."""
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
        """Whether a value is a constructor, whose name rather means its type."""
        return self._program.is_of_kind(value, ("constructor",))

    def _given(self, table: FileTable, around: int, name: str) -> Values:
        """The constructor parameter of a type that its members see by name
        (``class Cart(till: Till)``)."""
        given = (b for b in table.bound(around, name) if b.source == "annotation" and not b.until)
        return self._variables.bound(table, list(given), 0)

    def _imported(self, table: FileTable, around: int, name: str) -> Values:
        """The imports of a name in a type's body, in languages with such (Scala, Elixir)."""
        is_import = (around, name) in table.imports
        return self._names.in_scope(table, around, name) if is_import else UNKNOWN

    def _own_name(self, table: FileTable, around: int) -> Values:
        """The declarations of a type, for its name inside it; of many, those in this scope."""
        own = table.definitions[around]
        found = self._names.in_scope(table, own.container, own.name)
        parts = [Defined(part, "graph:scope") for part in self._names.parts(table.id(around))]
        return tuple(dict.fromkeys((*found, *(parts if len(parts) <= NAMESAKES else ()))))

    def _type(self, table: FileTable, scope: int, name: str, others: Values) -> Values:
        """The nearest type called ``name``. If there is none: ``others``, or OUTSIDE where bare
        names reach members and all of these are members."""
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
        """Whether values may be types, as far as is known."""
        return not values or any(not isinstance(v, Defined) or self._is_type(v) for v in values)

    def _is_type(self, value: Value) -> bool:
        return self._program.is_of_kind(value, _TYPES)

    def function(self, table: FileTable, scope: int, name: str) -> Values:
        """The nearest function that a bare name means if variables are ignored."""
        return next(self.functions(table, scope, name), UNKNOWN)

    def functions(self, table: FileTable, scope: int, name: str) -> Iterator[Values]:
        """The functions called ``name`` in each scope that has any, the innermost first."""
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
        """Whether a value is a type or constant; types nested in its own see these alone."""
        is_constant = self._program.is_of_kind(value, ("constant",))
        return is_constant or self._is_type(value)

    def is_function(self, value: Value) -> bool:
        """Whether a value is a function, rather than what one returns."""
        return self._program.is_of_kind(value, CALLABLES)

    def _in_code(
        self, asked: _Asked, scope: int, bindings: Sequence[TypeBinding], *, variables: bool
    ) -> Values:
        """Looks a name up in a function, a namespace or a file."""
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
        """Looks a name up in a function, a namespace or a file that has a variable of that name."""
        table = asked.table
        its_own = scope != TOP and (scope, asked.name) not in table.imports
        if its_own and table.definitions[scope].kind in NAMESPACES:  # has definitions, not locals
            its_own = not self._named_in_code(asked, scope)
        if its_own or any(binding.source == "parameter" for binding in bindings):
            values = self._variables.bound(table, bindings, asked.line)
            return (nothing_of_ours(values) and self._put_in(asked, scope)) or values or OPAQUE
        return self._named_in_code(asked, scope) or self._variables.bound(table, bindings, 0)

    def _put_in(self, asked: _Asked, scope: int) -> Values:
        """The definitions under the name of a variable whose type is unknown or from outside: the
        variable itself, or functions that are assigned to it. Fields do not count."""
        return tuple(
            v
            for v in self._named_in_code(asked, scope)
            if not isinstance(v, Defined) or self._program.kind(v.id) != "field"
        )

    @staticmethod
    def _is_given(table: FileTable, scope: int, name: str) -> bool:
        """Whether a function has a parameter of that name, of which nothing else is known. Where
        types stand before names, a single word may be the type of a nameless parameter."""
        is_code = scope != TOP and not table.spec.types_first
        return is_code and name in table.parameters(scope)

    def _named_in_code(self, asked: _Asked, scope: int) -> Values:
        """The definitions and imports of a name in a function, a namespace or a file, as far as
        they are visible on the line. Members of an object literal, or of a field's anonymous type,
        do not count in languages where members are only reached through their object."""
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
        """Looks a name up in the enclosing object literal, where bare names reach members."""
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
    """Whether a scope is in the body of the enclosing type, with no function in between."""
    within = takewhile(lambda ordinal: ordinal != around, table.scopes(scope))
    return all(table.definitions[ordinal].kind in VALUE_KINDS for ordinal in within)


def _seen_on(line: int, table: FileTable, secluded: Sequence[int], found: Values) -> Values:
    """Of what is ``found`` under a name, what it means on a line if anonymous functions hide some
    of it: what the innermost of those around the line declares, or else what none of them does."""
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
    """Whether what is ``found`` under a name is first defined on that very line, as by
    ``log = log.bind()``, where the name still has its earlier meaning."""
    lines = [
        table.definitions[v.id.ordinal].line
        for v in found
        if isinstance(v, Defined) and v.id.path == table.path and not v.id.is_file
    ]
    return len(lines) == len(found) > 0 and min(lines) == line


def _is_before(value: Value, table: FileTable, line: int) -> bool:
    """Whether a value is defined before a line; until then its name means something else
    (``name = name``)."""
    if not isinstance(value, Defined) or value.id.path != table.path:
        return True
    return table.definitions[value.id.ordinal].line < line
