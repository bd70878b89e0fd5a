"""Evaluates expressions such as ``self.app.router``.

Goes from the left, step by step, by what the syntax declares: annotations, constructor calls,
declared results. Where that ends the answer is `UNKNOWN`; where it leaves the repository it is
`OUTSIDE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from explorer_core.index.extraction.facts import TOP, UNNAMED
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.type_names import split
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.expressions.calls import Calls
from explorer_core.index.resolution.expressions.heads import Heads
from explorer_core.index.resolution.expressions.listings import Listings
from explorer_core.index.resolution.expressions.members import Members
from explorer_core.index.resolution.expressions.qualified_names import QualifiedNames
from explorer_core.index.resolution.expressions.requests import Requests
from explorer_core.index.resolution.expressions.supers import Supers
from explorer_core.index.resolution.functions.lambdas import Lambdas
from explorer_core.index.resolution.names.macros import Macros
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.elements import Elements
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.written_types import simple_type_text
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Instance,
    Part,
    Values,
    all_outside,
    split_chain,
)


@dataclass(eq=False, repr=False)
class Expressions:
    """Evaluates expressions; memoised."""

    _types: NamedTypes
    _owners: Owners
    _elements: Elements
    _lambdas: Lambdas
    _supers: Supers
    _calls: Calls
    _members: Members
    _listings: Listings
    _heads: Heads
    _qualified_names: QualifiedNames
    _macros: Macros
    _requests: Requests
    _evaluation: Evaluation

    def evaluate(
        self,
        table: FileTable,
        scope: int,
        expression: str,
        line: int,
        *,
        local: bool | None = None,
        type_only: bool = False,
    ) -> Values:
        """The values of a dotted expression. ``local`` says whether an enclosing function binds its
        first name, where that is known; ``type_only`` says that it is written as a type."""
        if expression.startswith(UNNAMED):
            if not expression[1:2].isdigit():
                return self._constructed(table, scope, expression[1:], line)
            number, place, *members = expression.split(".", 2)
            holders = self._lambdas.key_holders(table, f"{number}.{place}")
            rest = split_chain(members[0]) if members else ()
            return UNKNOWN if rest is None else self._follow(table, (scope, line), holders, rest)
        if expression == table.spec.own_file and expression:
            return self._heads.own_file(table, scope)
        if outer := table.spec.outer_self and compiled(table.spec.outer_self).match(expression):
            own, rest = self._owners.outer_self(table, scope, outer[1]), expression[outer.end() :]
            behind = split_chain(rest.lstrip("?!.")) if rest else ()
            return UNKNOWN if behind is None else self._follow(table, (scope, line), own, behind)
        if known := self._macros.outside_call(table, expression):
            return known
        if literal := self._listings.literal(table, scope, expression, line):
            values, parts = literal
            values = self._subscripted(table, values, parts[0])
            return self._follow(table, (scope, line), values, parts[1:])
        parsed = _parse(expression, table.spec.casts)
        if parsed is None:
            return UNKNOWN
        parts, cast = parsed
        at = scope, line
        if parts[0].name and (known := self._builtin_values(table, at, parts, expression)):
            return known
        if parts[0].rooted and table.spec.root:
            if table.spec.imports.style == "namespace":
                prefix, rest = self._qualified_names.at_root(table, parts)
                return self._follow(table, at, prefix, rest, first=prefix)
            scope = TOP
        rest = parts[cast + 1 :]
        head = self._heads.evaluate(
            table, scope, parts[cast], line, local=local, type_only=type_only
        )
        values = self._subscripted(table, head, parts[cast])
        is_super = self._supers.is_super(table, parts[cast], expression)
        next_member = (
            self._supers.next_member(table, scope, rest[0].name) if is_super and rest else UNKNOWN
        )
        values = self._follow(table, at, values, rest, first=next_member)
        return values if local else self._or_qualified(table, at, parts, values)

    def _builtin_values(
        self, table: FileTable, at: tuple[int, int], parts: tuple[Part, ...], expression: str
    ) -> Values:
        """The values of an expression that begins with one of the language's own functions
        (``sorted(jobs)[0]``): one that returns its argument or something in it, or makes a
        collection of its arguments. UNKNOWN for others, and if the name means something else."""
        name = expression.partition("(")[0].partition("<")[0]
        spec, (scope, line) = table.spec, at
        if name not in spec.passed_on and name not in spec.collections.listing:
            return UNKNOWN
        number = next((i for i, part in enumerate(parts) if part.called), None)
        head = msgspec.structs.replace(parts[0], called=False)
        bound = self._heads.evaluate(table, scope, head, line, local=None, type_only=False)
        if number is None or not all_outside(bound):
            return UNKNOWN
        part = parts[number]
        if name in spec.collections.listing:
            results = self._listings.from_call(table, scope, name, part, line)
        else:
            results = self._builtin_result(table, at, name, part)
        return self._follow(table, at, self._subscripted(table, results, part), parts[number + 1 :])

    def _builtin_result(
        self, table: FileTable, at: tuple[int, int], name: str, call: Part
    ) -> Values:
        """The result of one of the language's own functions, by the first argument of a call."""
        spec, (scope, line) = table.spec, at
        argument, *others = (*split(call.call_text.partition("(")[2][:-1], ","), "")
        gives = spec.passed_on[name]
        if gives == "written":
            written = simple_type_text(argument, table)
            return self._types.evaluate(table, scope, written, line) if written else UNKNOWN
        values = self.evaluate(table, scope, argument, line)
        if gives != "class":
            return self._elements.builtin_results(values, gives)
        if len(others) == 1 and argument not in spec.self_names[1:]:
            return self._members.named(table, values, spec.class_member)
        return UNKNOWN

    def _or_qualified(
        self, table: FileTable, at: tuple[int, int], parts: tuple[Part, ...], values: Values
    ) -> Values:
        """Returns ``values``, to which an expression's parts lead one by one. If none of these is
        of the repository, resolves its first parts together, as the path of a package or an
        export."""
        names = self._qualified_names
        if all_outside(values):
            prefix, rest = names.in_package(table, parts)
            values = self._follow(table, at, prefix, rest, first=prefix) or values
        if not values:
            values = self._follow(table, at, *names.of_exports(table, parts))
        if not values and any(part.called for part in parts):
            values = self._follow(table, at, names.of_unbound(table, at[0], parts[0]), parts[1:])
        return values

    def _constructed(self, table: FileTable, scope: int, callee: str, line: int) -> Values:
        """The object made by a call whose named arguments are its members: one of a type without a
        written constructor. `OUTSIDE` for other calls."""
        return self._evaluation.ask(
            (table.path, scope, callee, line),
            lambda: self._find_constructed(
                table, self.evaluate(table, scope, callee, line), callee
            ),
            OUTSIDE,
            steps=0,
        )

    def _find_constructed(self, table: FileTable, values: Values, callee: str) -> Values:
        spec = table.spec
        self_instances = [
            v for v in values if isinstance(v, Instance) and callee in spec.self_names
        ]
        instances = tuple(dict.fromkeys((*self._types.instances_of(values), *self_instances)))
        constructors = (self._members.named(table, instances, name) for name in spec.constructors)
        return instances if instances and all(map(all_outside, constructors)) else OUTSIDE

    def _follow(
        self,
        table: FileTable,
        at: tuple[int, int],
        values: Values,
        parts: tuple[Part, ...],
        first: Values = UNKNOWN,
    ) -> Values:
        """Follows ``parts`` from values: each is a member of what came before, and may be called.
        ``first`` are the members that the first part means, where they are known. ``at`` is the
        scope and the line of the expression."""
        for part in parts:
            values, first = first or self._members.named(table, values, part.name), UNKNOWN
            if part.called:
                results = self._calls.results(table, values)
                values = self._requests.results(table, *at, part, values, results)
            values = self._subscripted(table, values, part)
        return values

    def _subscripted(self, table: FileTable, values: Values, part: Part) -> Values:
        """Applies the subscripts of a part to values."""
        for subscript in part.subscripts:
            values = self._elements.at(table, values, subscript)
        return values


@lru_cache(maxsize=50_000)
def _parse(expression: str, casts: tuple[str, ...]) -> tuple[tuple[Part, ...], int] | None:
    """The parts of an expression, and the index of its last cast, before which nothing counts (0 if
    there is none). None if it is no chain of names, or has an unknown subscript."""
    parts = split_chain(expression, casts)
    if not parts or any("" in part.subscripts for part in parts):
        return None
    return parts, max((i for i, part in enumerate(parts) if part.cast), default=0)
