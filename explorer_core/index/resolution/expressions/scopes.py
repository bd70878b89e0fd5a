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
    all_outside,
    with_witness,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES

_TYPE_KINDS = MEMBER_HOLDERS | NAMESPACES


class _NameUse(NamedTuple):
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
            values = self.lookup(table, scope, name, line)
            return (
                values
                if self._may_be_type(values)
                else self._nearest_type(table, scope, name, values)
            )
        use, is_outer = _NameUse(table, name, line, local), False
        for enclosing in table.scopes(scope):
            bindings = table.bindings_at(enclosing, name, line, local=local)
            values = self._before_definitions(use, enclosing, bindings, calls=calls)
            if not values and table.is_type(enclosing):
                values = self._in_type_scope(
                    use, enclosing, bindings, from_scope=scope, is_outer=is_outer
                )
                is_outer = True
            elif not values:
                values = self._in_code(use, enclosing, bindings, variables=variables)
                values = values or self._in_object_literal(use, enclosing)
            if values:
                return values
        return self._names.ambient(table, name)

    def _before_definitions(
        self,
        use: _NameUse,
        enclosing: int,
        bindings: Sequence[TypeBinding],
        *,
        calls: bool | None,
    ) -> Values:
        """Looks a name up in a scope before the scope's definitions: as a type parameter, a member
        of a lambda's receiver, or a local variable outside functions. ``bindings`` are the scope's
        type bindings for the name, here and in the methods below."""
        table, name, line, local = use
        if bindings:
            if bounds := [b for b in bindings if b.source == "bound"]:
                return (
                    self._variables.value_at(table, bounds, line if enclosing == TOP else 0)
                    or OPAQUE
                )
        elif table.spec.lambdas.receivers and line and not local and enclosing in table.lambdas_in:
            members = self._implicit.member(table, enclosing, name, line, calls=calls)
            if members:
                return members
        if enclosing == TOP and local:
            return self._variables.value_at(table, bindings, line) or OPAQUE
        return UNKNOWN

    def _in_type_scope(
        self,
        use: _NameUse,
        ordinal: int,
        bindings: Sequence[TypeBinding],
        *,
        from_scope: int,
        is_outer: bool,
    ) -> Values:
        """Looks a name up in a type. With ``is_outer``, only its types and constants may count."""
        table = use.table
        if use.local:  # bound by a lambda or operator in the type
            values = self._variables.value_at(table, bindings, use.line)
        else:
            values = self._in_type(use, ordinal, from_scope)
        if is_outer and not table.spec.lexical_members:
            values = tuple(value for value in values if self._is_lexical(value))
        if not all_outside(values):
            return values
        return UNKNOWN if use.local else self._constructor_parameter(table, ordinal, use.name)

    def _in_type(self, use: _NameUse, ordinal: int, from_scope: int) -> Values:
        """Looks a name up in a type: as its own name, or as a member where bare names reach
        members; else among the definitions in its body, for code in that body alone."""
        table, name = use.table, use.name
        if name == table.definitions[ordinal].name:
            return self._imported_in_type(table, ordinal, name) or self._type_declarations(
                table, ordinal
            )
        if table.spec.implicit_self:
            is_nearest = ordinal == table.enclosing_type(from_scope)
            static = table.is_static_context(from_scope) if is_nearest else None
            values = self._hierarchy.member(table.id(ordinal), name, static=static)
            values = tuple(v for v in values if not self._is_constructor(v))
            values = with_witness(values, "graph:scope")
            if not all_outside(values):
                return values
            return (
                self._imported_in_type(table, ordinal, name)
                or self._constructor_parameter(table, ordinal, name)
                or values
            )
        if from_scope == ordinal:
            return self._names.in_scope(table, ordinal, name)
        if not table.spec.type_scopes or not _is_in_body(table, from_scope, ordinal):
            return UNKNOWN
        values = self._names.in_scope(table, ordinal, name)
        return tuple(value for value in values if _is_defined_before(value, table, use.line))

    def _is_constructor(self, value: Value) -> bool:
        """Whether a value is a constructor, whose name rather means its type."""
        return self._program.is_of_kind(value, ("constructor",))

    def _constructor_parameter(self, table: FileTable, ordinal: int, name: str) -> Values:
        """The constructor parameter of a type that its members see by name
        (``class Cart(till: Till)``)."""
        bindings = (
            b for b in table.bindings(ordinal, name) if b.source == "annotation" and not b.until
        )
        return self._variables.value_at(table, list(bindings), 0)

    def _imported_in_type(self, table: FileTable, ordinal: int, name: str) -> Values:
        """The imports of a name in a type's body, in languages with such (Scala, Elixir)."""
        is_import = (ordinal, name) in table.imports
        return self._names.in_scope(table, ordinal, name) if is_import else UNKNOWN

    def _type_declarations(self, table: FileTable, ordinal: int) -> Values:
        """The declarations of a type, for its name inside it; of many, those in this scope."""
        definition = table.definitions[ordinal]
        values = self._names.in_scope(table, definition.container, definition.name)
        declarations = [
            Defined(declaration, "graph:scope")
            for declaration in self._names.declarations(table.id(ordinal))
        ]
        return tuple(
            dict.fromkeys((*values, *(declarations if len(declarations) <= NAMESAKES else ())))
        )

    def _nearest_type(self, table: FileTable, scope: int, name: str, others: Values) -> Values:
        """The nearest type called ``name``. If there is none: ``others``, or OUTSIDE where bare
        names reach members and all of these are members."""
        for enclosing in table.scopes(scope):
            if table.is_type(enclosing):
                values = self._hierarchy.member(table.id(enclosing), name)
                values = (*values, *self._imported_in_type(table, enclosing, name))
            else:
                values = self._names.in_scope(table, enclosing, name)
            types = tuple(value for value in values if self._is_type(value))
            if types:
                return with_witness(types, "graph:scope")
        ambient = self._names.ambient(table, name)
        types = tuple(value for value in ambient if self._is_type(value))
        is_outside = table.spec.implicit_self and all(self._is_member(value) for value in others)
        return types or (OUTSIDE if is_outside else others)

    def _is_member(self, value: Value) -> bool:
        is_defined = isinstance(value, Defined)
        return is_defined and self._program.table_of(value.id).is_member(value.id.ordinal)

    def _may_be_type(self, values: Values) -> bool:
        """Whether values may be types, as far as is known."""
        return not values or any(not isinstance(v, Defined) or self._is_type(v) for v in values)

    def _is_type(self, value: Value) -> bool:
        return self._program.is_of_kind(value, _TYPE_KINDS)

    def function(self, table: FileTable, scope: int, name: str) -> Values:
        """The nearest function that a bare name means if variables are ignored."""
        return next(self.functions(table, scope, name), UNKNOWN)

    def functions(self, table: FileTable, scope: int, name: str) -> Iterator[Values]:
        """The functions called ``name`` in each scope that has any, the innermost first."""
        for enclosing in table.scopes(scope):
            if table.is_type(enclosing):
                values = self._hierarchy.member(table.id(enclosing), name)
            elif enclosing == TOP:
                values = self._names.in_scope(table, TOP, name) or self._names.ambient(table, name)
            else:
                values = self._owner_member(table, enclosing, name)
            functions = tuple(value for value in values if self.is_function(value))
            if functions:
                yield with_witness(functions, "graph:scope") if enclosing != TOP else functions

    def _is_lexical(self, value: Value) -> bool:
        """Whether a value is a type or constant; types nested in its own see these alone."""
        is_constant = self._program.is_of_kind(value, ("constant",))
        return is_constant or self._is_type(value)

    def is_function(self, value: Value) -> bool:
        """Whether a value is a function, rather than what one returns."""
        return self._program.is_of_kind(value, CALLABLES)

    def _in_code(
        self, use: _NameUse, scope: int, bindings: Sequence[TypeBinding], *, variables: bool
    ) -> Values:
        """Looks a name up in a function, a namespace or a file."""
        table, name, _, local = use
        is_hidden = local is False and scope != TOP and table.spec.late_variables
        if bindings and variables and not is_hidden:
            values = self._variable_values(use, scope, bindings)
        else:
            values = self._definitions_in_code(use, scope)
        if not values and local is None and variables and self._is_parameter(table, scope, name):
            return OPAQUE
        if not values and table.spec.implicit_self and scope != TOP and not local:
            return self._owner_member(table, scope, name)
        return values

    def _variable_values(
        self, use: _NameUse, scope: int, bindings: Sequence[TypeBinding]
    ) -> Values:
        """Looks a name up in a function, a namespace or a file that has a variable of that name."""
        table = use.table
        is_own = scope != TOP and (scope, use.name) not in table.imports
        if is_own and table.definitions[scope].kind in NAMESPACES:  # has definitions, not locals
            is_own = not self._definitions_in_code(use, scope)
        if is_own or any(binding.source == "parameter" for binding in bindings):
            values = self._variables.value_at(table, bindings, use.line)
            return (
                (all_outside(values) and self._assigned_definitions(use, scope)) or values or OPAQUE
            )
        return self._definitions_in_code(use, scope) or self._variables.value_at(table, bindings, 0)

    def _assigned_definitions(self, use: _NameUse, scope: int) -> Values:
        """The definitions under the name of a variable whose type is unknown or from outside: the
        variable itself, or functions that are assigned to it. Fields do not count."""
        return tuple(
            v
            for v in self._definitions_in_code(use, scope)
            if not isinstance(v, Defined) or self._program.kind(v.id) != "field"
        )

    @staticmethod
    def _is_parameter(table: FileTable, scope: int, name: str) -> bool:
        """Whether a function has a parameter of that name, of which nothing else is known. Where
        types stand before names, a single word may be the type of a nameless parameter."""
        is_code = scope != TOP and not table.spec.types_first
        return is_code and name in table.parameters(scope)

    def _definitions_in_code(self, use: _NameUse, scope: int) -> Values:
        """The definitions and imports of a name in a function, a namespace or a file, as far as
        they are visible on the line. Members of an object literal, or of a field's anonymous type,
        do not count in languages where members are only reached through their object."""
        table, name, line, _ = use
        values, spec = self._names.in_scope(table, scope, name), table.spec
        if line and (secluded := table.lambda_locals.get((scope, name))):
            values = _visible_on_line(line, table, secluded, values)
        if (scope, name) in table.imports and _is_first_defined_on(line, table, values):
            values = self._names.imports_in(table, scope, name)
        if scope == TOP or spec.implicit_self:
            return values
        is_field = table.definitions[scope].kind == "field"
        excluded = (*spec.object_members, "field") if is_field else spec.object_members
        return tuple(
            v
            for v in values
            if not isinstance(v, Defined) or self._program.kind(v.id) not in excluded
        )

    def _in_object_literal(self, use: _NameUse, scope: int) -> Values:
        """Looks a name up in the enclosing object literal, where bare names reach members."""
        table = use.table
        if use.local or not table.spec.implicit_self or scope not in table.literal_members:
            return UNKNOWN
        members = self._model.members.named(table, self._objects.of(table, scope), use.name)
        return UNKNOWN if all_outside(members) else with_witness(members, "graph:scope")

    def _owner_member(self, table: FileTable, scope: int, name: str) -> Values:
        if not table.definitions[scope].owner or table.spec.static_extensions:
            return UNKNOWN
        owners = self._owners.enclosing_types(table, scope)
        if not owners and (values := self._names.in_owner_namespace(table, scope, name)):
            return values
        for outside_type in () if owners else self._owners.enclosing_outside_types(table, scope):
            values = self._model.members.of_value(table, outside_type, name)
            if not all_outside(values):
                return with_witness(values, "graph:scope")
        for instance in owners:
            if name == self._program.definition(instance.id).name:
                return (Defined(instance.id, "graph:scope"),)
            values = self._hierarchy.member(instance.id, name)
            if values and not all_outside(values):
                return with_witness(values, "graph:scope")
        return UNKNOWN


def _is_in_body(table: FileTable, scope: int, type_ordinal: int) -> bool:
    """Whether a scope is in the body of the enclosing type, with no function in between."""
    between = takewhile(lambda ordinal: ordinal != type_ordinal, table.scopes(scope))
    return all(table.definitions[ordinal].kind in VALUE_KINDS for ordinal in between)


def _visible_on_line(
    line: int, table: FileTable, secluded: Sequence[int], values: Values
) -> Values:
    """Of the ``values`` under a name, what it means on a line if anonymous functions hide some of
    them: what the innermost of those around the line declares, or else what none of them does."""
    hidden = {table.id(ordinal) for ordinal in secluded}
    enclosing = {
        o: span
        for o in secluded
        if (span := table.definitions[o].visible_lines) and line in range(span[0], span[1] + 1)
    }
    innermost = min(enclosing.values(), key=lambda span: span[1] - span[0], default=None)
    declared = tuple(
        Defined(table.id(o), "graph:scope") for o, span in enclosing.items() if span == innermost
    )
    return declared or tuple(v for v in values if not isinstance(v, Defined) or v.id not in hidden)


def _is_first_defined_on(line: int, table: FileTable, values: Values) -> bool:
    """Whether the ``values`` under a name are first defined on that very line, as by
    ``log = log.bind()``, where the name still has its earlier meaning."""
    lines = [
        table.definitions[v.id.ordinal].line
        for v in values
        if isinstance(v, Defined) and v.id.path == table.path and not v.id.is_file
    ]
    return len(lines) == len(values) > 0 and min(lines) == line


def _is_defined_before(value: Value, table: FileTable, line: int) -> bool:
    """Whether a value is defined before a line; until then its name means something else
    (``name = name``)."""
    if not isinstance(value, Defined) or value.id.path != table.path:
        return True
    return table.definitions[value.id.ordinal].line < line
