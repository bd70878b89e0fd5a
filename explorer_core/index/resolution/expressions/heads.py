"""Evaluates what expressions begin with: a name, the enclosing object or its supertype, a cast.

``self.carts`` begins with the enclosing object, ``(x as Cart).total`` with an object of `Cart`.
"""

from __future__ import annotations

from dataclasses import dataclass

from explorer_core.index.resolution.expressions.calls import Calls
from explorer_core.index.resolution.expressions.requests import Requests
from explorer_core.index.resolution.expressions.scopes import Scopes
from explorer_core.index.resolution.expressions.supers import Supers
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.functions.implicit import Implicit
from explorer_core.index.resolution.functions.objects import Objects
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.written_types import simple_type_text
from explorer_core.index.resolution.values import OUTSIDE, UNKNOWN, Defined, Outside, Part, Values


@dataclass(eq=False, repr=False)
class Heads:
    """Evaluates the first parts of expressions."""

    _names: Names
    _types: NamedTypes
    _owners: Owners
    _objects: Objects
    _supers: Supers
    _implicit: Implicit
    _scopes: Scopes
    _calls: Calls
    _requests: Requests

    def evaluate(
        self,
        table: FileTable,
        scope: int,
        part: Part,
        line: int,
        *,
        local: bool | None,
        type_only: bool,
    ) -> Values:
        """The values of an expression's first part; the options are those of `Scopes.lookup`."""
        if part.cast and not part.name:  # a string literal
            return (Outside(table.spec.text_type),)
        if part.cast:
            return self._types.evaluate(table, scope, simple_type_text(part.name, table), line)
        if self._supers.is_super(table, part):
            if table.spec.super_calls:
                overridden = self._supers.overridden(table, scope)
                return self._calls.results(table, overridden) or OUTSIDE
            return self._supers.enclosing_bases(table, scope) or OUTSIDE
        if own_object := self._own_object(table, scope, part, line, local=local):
            return own_object
        if relative_root := self._names.relative_root(table, scope, part.name):
            return relative_root
        values = self._scopes.lookup(
            table,
            scope,
            part.name,
            line,
            local=local,
            type_only=type_only,
            calls=part.called or None,
            variables=not (part.is_qualifier and table.spec.path_mark),
        )
        return self._part_values(table, scope, part, values, line, local=local)

    def own_file(self, table: FileTable, scope: int) -> Values:
        """The type enclosing a scope, or else the file, in languages where a file is a type."""
        return self._own_type(table, scope) or (Module((table.path,)),)

    def _own_object(
        self, table: FileTable, scope: int, part: Part, line: int, *, local: bool | None
    ) -> Values:
        """The enclosing object, if a part is its name (``self``), or its type, if a part names that
        (``Self``) and types may have methods of their own."""
        if not self._owners.is_self(table, scope, part.name, local=local):
            return UNKNOWN
        receiver = table.spec.lambdas.receivers and self._implicit.receiver(table, scope, line)
        own_object = receiver or self._objects.enclosing_object(table, scope)
        spec = table.spec
        names_type = spec.statics_apart and part.name != spec.self_names[0]
        if not own_object and (names_type or table.is_static_context(scope)):
            own_object = self._own_type(table, scope)
        return own_object or self._owners.self_values(table, scope)

    def _own_type(self, table: FileTable, scope: int) -> Values:
        return tuple(
            Defined(t.id, "graph:scope") for t in self._owners.enclosing_types(table, scope)
        )

    def _part_values(
        self,
        table: FileTable,
        scope: int,
        part: Part,
        values: Values,
        line: int,
        *,
        local: bool | None,
    ) -> Values:
        """Evaluates the use of a part whose name is bound to ``values``: they are called, or stand
        for themselves. Without any, the part may be an implicit parameter (``it``), a member of the
        enclosing object, an import by a function, or a package."""
        spec = table.spec
        if not values and spec.lambdas.receivers and part.name in spec.implicit_parameters:
            values = self._implicit.parameter(table, scope, part.name, line)
        if not values and part.name in (*spec.transparent_members, *spec.construct_members):
            return self._owners.self_values(table, scope)
        if not values and part.text_argument and part.name in spec.import_functions:
            return self._names.module(table, part.text_argument)
        if part.called:
            results = self._calls.results(table, values)
            return self._requests.results(table, scope, line, part, values, results)
        if spec.separate_methods:  # functions are no values, so nothing is a member of one
            values = tuple(v for v in values if not self._scopes.is_function(v)) or values
        return values or (UNKNOWN if local else self._names.package(table, part.name))
