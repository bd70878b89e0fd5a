"""What an expression such as ``self.app.router`` stands for.

Typed step by step, from the left, with what the syntax declares: annotations, constructor calls,
declared results. Where that ends the answer is `UNKNOWN`; where it leaves the repository it is
`OUTSIDE`.
"""

from __future__ import annotations

from itertools import takewhile

from explorer_core.index.extraction.facts import PLACE, TOP, TypeBinding
from explorer_core.index.resolution.elements import Elements
from explorer_core.index.resolution.entries import Entries
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.extensions import Extensions
from explorer_core.index.resolution.hierarchy import Hierarchy
from explorer_core.index.resolution.implicit import Implicit
from explorer_core.index.resolution.lambdas import Lambdas
from explorer_core.index.resolution.modules import Module
from explorer_core.index.resolution.named_types import NamedTypes
from explorer_core.index.resolution.names import Names
from explorer_core.index.resolution.objects import Objects
from explorer_core.index.resolution.owners import Owners
from explorer_core.index.resolution.program import Program, spec_of
from explorer_core.index.resolution.scopes import Scopes
from explorer_core.index.resolution.supers import Supers
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Accessor,
    Collection,
    Defined,
    Instance,
    Opaque,
    Outside,
    Part,
    Table,
    Value,
    Values,
    chain,
    is_outside,
    relabelled,
)
from explorer_core.index.resolution.variables import MEANINGS, Variables
from explorer_core.index.resolution.written_types import simple_type_text
from explorer_core.index.symbols import (
    CALLABLES,
    MEMBER_HOLDERS,
    NAMESPACES,
    VARIABLES,
    SymbolId,
)

_EVALUATED = CALLABLES | VARIABLES
_SAMPLED = 6
"""Of more than `MEANINGS` definitions of one name, those that are looked at: what they give
multiplies with every step."""


class Receivers:
    """Evaluates names and expressions; memoised."""

    def __init__(self, program: Program, names: Names) -> None:
        self._program = program
        self._names = names
        self._evaluation = Evaluation()
        self.variables = Variables(program, self, self._evaluation)
        self.elements = Elements(program, self, self.variables)
        self.owners = Owners(self)
        self.types = NamedTypes(program, names, self, self.variables, self.elements, self.owners)
        self.hierarchy = Hierarchy(
            program, names, self, self.variables, self.owners, self._evaluation
        )
        self.scopes = Scopes(program, names, self.hierarchy, self.owners, self, self.variables)
        self.entries = Entries(self.scopes)
        self.extensions = Extensions(program, names, self.owners)
        self.lambdas = Lambdas(program, self.hierarchy, self, self.elements, self._evaluation)
        self.objects = Objects(self.lambdas)
        self.supers = Supers(self.hierarchy, self.owners, self.objects)
        self.implicit = Implicit(program, self.hierarchy, self.lambdas)

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
        """What a dotted expression stands for; ``local`` says whether a function around binds what
        it begins with, where that is known, ``type_only`` that it is written as a type."""
        if expression.startswith(PLACE):
            is_number = expression[1:2].isdigit()
            holders = self.lambdas.holders(table, expression) if is_number else UNKNOWN
            return holders if is_number else self._made(table, scope, expression[1:], line)
        parts = chain(expression, spec_of(table).casts)
        if not parts or any("" in part.subscripts for part in parts):
            return UNKNOWN
        if parts[0].rooted and spec_of(table).root:
            if spec_of(table).imports.style == "namespace":
                return self._at_root(table, parts)
            scope = TOP
        cast = max((i for i, part in enumerate(parts) if part.cast), default=0)
        rest = parts[cast + 1 :]
        head = self._head(table, scope, parts[cast], line, local=local, type_only=type_only)
        values = self._inside(table, head, parts[cast])
        is_super = self.supers.is_super(table, parts[cast], expression)
        next_member = (
            self.supers.next_member(table, scope, rest[0].name) if is_super and rest else UNKNOWN
        )
        values = self._along(table, values, rest, first=next_member)
        if is_outside(values) and not local:
            found, rest = self._qualified(table, parts)
            values = self._along(table, found, rest) or values
        if not values and not local:
            values = self._of_exports(table, parts)
        if not values and not local and any(part.called for part in parts):
            values = self._along(table, self._nowhere(table, scope, parts[0]), parts[1:])
        return values

    def _at_root(self, table: FileTable, parts: tuple[Part, ...]) -> Values:
        """What an expression stands for that begins with the path of a package, or of what one
        has."""
        for at, part in enumerate(parts):
            before = [each.name for each in parts[:at]]
            if found := self._names.at_root(table, before, part.name):
                values = self.called(table, found) if part.called else found
                return self._along(table, self._inside(table, values, part), parts[at + 1 :])
            if part.called or part.subscripts:
                return OUTSIDE
        return (Module(package=".".join(part.name for part in parts)),)

    def _of_exports(self, table: FileTable, parts: tuple[Part, ...]) -> Values:
        """What an expression stands for that begins with what the file calls its own exports."""
        names = takewhile(lambda part: not part.called, parts)
        begun = table.exports_in([part.name for part in names])
        return self._along(table, (Module((table.path,)),), parts[begun:]) if begun else UNKNOWN

    def _made(self, table: FileTable, scope: int, callee: str, line: int) -> Values:
        """What is made by a call whose named arguments are the members of it: a value of a type for
        which nobody wrote how it is made. `OUTSIDE` for what other calls make."""
        return self._evaluation.ask(
            (table.path, scope, callee, line),
            lambda: self._makes(table, self.evaluate(table, scope, callee, line), callee),
            OUTSIDE,
            steps=0,
        )

    def _makes(self, table: FileTable, values: Values, callee: str) -> Values:
        spec = spec_of(table)
        own = [v for v in values if isinstance(v, Instance) and callee in spec.self_names]
        made = tuple(dict.fromkeys((*self.types.instances_of(values), *own)))
        written = (self.step(table, made, name) for name in spec.constructors)
        return made if made and all(map(is_outside, written)) else OUTSIDE

    def _along(
        self,
        table: FileTable,
        values: Values,
        parts: tuple[Part, ...],
        first: Values = UNKNOWN,
    ) -> Values:
        """The members of values, of these in turn, and what calling them gives; ``first`` are the
        members that the first part means, where these are known."""
        for part in parts:
            values, first = first or self.step(table, values, part.name), UNKNOWN
            if part.called:
                values = self.called(table, values)
            values = self._inside(table, values, part)
        return values

    def _inside(self, table: FileTable, values: Values, part: Part) -> Values:
        """What the subscripts of a part give."""
        for subscript in part.subscripts:
            values = self.elements.at(table, values, subscript)
        return values

    def qualified(self, table: FileTable, scope: int, receiver: str, name: str) -> Values:
        """What a name stands for whose receiver is all of a package's name, or begins with a name
        that nothing in the repository bears."""
        parts = chain(receiver, spec_of(table).casts)
        if not parts or any(part.called or part.subscripts for part in parts):
            return UNKNOWN
        found = self._names.in_package(table, [part.name for part in parts], name)
        return found or self.step(table, self._nowhere(table, scope, parts[0]), name)

    def _nowhere(self, table: FileTable, scope: int, head: Part) -> Values:
        """What an expression stands for that begins with a name which is bound neither here nor
        anywhere else: nothing of the repository. Where macros declare, nothing can be said."""
        spec, name = spec_of(table), head.name
        own = (*spec.self_names, *spec.super_names, *spec.implicit_parameters)
        hidden = spec.preprocessor or name in own or name in table.local_heads(scope)
        if hidden or not name[:1].isalpha() or self.scopes.lookup(table, scope, name):
            return UNKNOWN
        if self._names.may_reach(table, name):
            return UNKNOWN
        # What is written for values of a type is, where a function is all it is, not for the type.
        return (Outside("" if spec.static_extensions else name),)

    def _qualified(
        self, table: FileTable, parts: tuple[Part, ...]
    ) -> tuple[Values, tuple[Part, ...]]:
        """What the first parts name together with their package, and the parts that remain."""
        whole = takewhile(lambda part: not part.called and not part.subscripts, parts)
        names = [part.name for part in whole]
        for length in range(2, len(names) + 1):
            values = self._names.in_package(table, names[: length - 1], names[length - 1])
            if values:
                return values, parts[length:]
        return UNKNOWN, ()

    def step(self, table: FileTable, values: Values, name: str) -> Values:
        """The member ``name`` of what ``values`` stand for."""
        found: list[Value] = []
        for value in self._few(values):
            found += self.member_of(table, value, name)
        known = [value for value in found if not isinstance(value, Outside | Opaque)]
        if not known and name in spec_of(table).transparent_members:
            known = [value for value in values if isinstance(value, Instance)]
        if not known and "." + name in spec_of(table).owner_suffixes:
            known = self.types.objects_of(values)
        if not known and name == spec_of(table).construct_member:
            made = (v for v in values if isinstance(v, Instance | Defined))
            known = [
                Instance(v.id) for v in made if isinstance(v, Instance) or self.types.is_type(v)
            ]
        return tuple(dict.fromkeys(known or found))

    def _head(
        self,
        table: FileTable,
        scope: int,
        part: Part,
        line: int,
        *,
        local: bool | None,
        type_only: bool,
    ) -> Values:
        spec = spec_of(table)
        if part.cast:
            return self.type_named(table, scope, simple_type_text(part.name, table), line)
        if self.supers.is_super(table, part):
            if spec.super_calls:
                return self.called(table, self.supers.overridden(table, scope)) or OUTSIDE
            return self.supers.bases_around(table, scope) or OUTSIDE
        if self.owners.is_self(table, scope, part.name):
            given = spec.lambda_receivers and self.implicit.own(table, scope, line)
            own = given or self.objects.around(table, scope)
            own = own or self.owners.self_around(table, scope)
            if own:
                return own
        around = self._names.from_here(table, scope, part.name)
        if around:
            return around
        values = self.scopes.lookup(
            table,
            scope,
            part.name,
            line,
            local=local,
            type_only=type_only,
            calls=part.called or None,
        )
        if not values and spec.lambda_receivers and part.name in spec.implicit_parameters:
            values = self.implicit.parameter(table, scope, part.name, line)
        if not values and part.name in (*spec.transparent_members, spec.construct_member):
            return self.owners.self_around(table, scope)
        if not values and part.given and part.name in spec.import_functions:
            return self._names.module(table, part.given)
        if part.called:
            return self.called(table, values)
        if spec.separate_methods:  # where a function is no value, nothing is a member of one
            values = tuple(v for v in values if not self.scopes.is_function(v)) or values
        return values or (UNKNOWN if local else self._names.package(table, part.name))

    def of_same_object(self, table: FileTable, member: int, name: str) -> Values:
        """The member of a name that an object has which another member is of."""
        found = self.step(table, self.objects.of(table, member), name)
        return UNKNOWN if is_outside(found) else found

    def member_of(self, table: FileTable, value: Value, name: str) -> Values:
        """The member of a name of what a value stands for."""
        if isinstance(value, Opaque):
            return (value,)
        if isinstance(value, Accessor):
            return self.step(table, self.elements.given(value), name)
        if isinstance(value, Collection) and (own := self.elements.accessor(table, value, name)):
            return own
        if isinstance(value, Outside):
            return self.extensions.of_type(table, value.type, name) or OUTSIDE
        if isinstance(value, Module):
            return self._of_module(table, value, name) or OUTSIDE
        if isinstance(value, Instance):
            return self.hierarchy.member(value.id, name)
        holder = self._program.holder(value.id)
        if isinstance(value, Table):
            return self.entries.of_function(holder, value, name)
        kind = holder.definitions[value.id.ordinal].kind
        if kind in MEMBER_HOLDERS:
            return self.hierarchy.member(value.id, name)
        if kind in NAMESPACES:
            found = relabelled(self._names.in_scope(holder, value.id.ordinal, name), value.how)
            return found or self._names.in_namespace(holder, value.id.ordinal, name)
        if carried := holder.carried(value.id.ordinal, name):
            return self.variables.bound(holder, carried, 0)
        ordinals = holder.assigned(value.id.ordinal, name)
        assigned = tuple(Defined(holder.id(o), value.how) for o in ordinals)
        is_called = kind in CALLABLES
        if is_called and (assigned or not spec_of(table).bare_members):
            return assigned
        entries = UNKNOWN if is_called else self.entries.of_variable(holder, value, name)
        found = entries or self._evaluation.ask(
            (value.id, value.of, name, table.facts.language),
            lambda: self.step(table, self._given(table, value, called=is_called), name),
            UNKNOWN,
            steps=0,
        )
        # What is put in a member that the type of a variable has is no other member.
        return assigned if assigned and is_outside(found) else found

    def _of_module(self, table: FileTable, module: Module, name: str) -> Values:
        """What a module has under a name: itself, or else as a member of the value that it offers
        as a whole, which also comes before what the module hides."""
        found = self._names.member(table, module, name)
        if found and not all(self._is_hidden(value) for value in found):
            return found
        return self.step(table, self._names.whole(table, module), name) or found

    def _is_hidden(self, value: Value) -> bool:
        if not isinstance(value, Defined):
            return False
        return not self._program.holder(value.id).definitions[value.id.ordinal].exported

    def called(self, table: FileTable, values: Values) -> Values:
        """What calling each of the values gives."""
        found: list[Value] = []
        for value in self._few(values):
            if isinstance(value, Accessor):
                found += self.elements.given(value)
            elif isinstance(value, Outside | Opaque):
                found.append(value)
            elif isinstance(value, Instance):
                meant = self.call_member(table, value)
                found += self.called(table, meant) if meant else self.lambdas.called(value.id)
                found += (value,) if not meant and _passes_on(table) else ()
            elif isinstance(value, Module):
                whole = self.called(table, self._names.whole(table, value))
                found += whole or (OUTSIDE if value.package else UNKNOWN)
            elif isinstance(value, Defined):
                definition = self._program.holder(value.id).definitions[value.id.ordinal]
                if self.types.is_type(value):
                    found.append(Instance(value.id))
                elif definition.kind == "constructor" and definition.container != TOP:
                    found.append(Instance(SymbolId(value.id.path, definition.container)))
                elif definition.kind in CALLABLES:
                    found += self._results(value) or self.types.objects_of((value,))
                elif definition.kind in VARIABLES:
                    found += self._called_variable(table, value.id)
        return tuple(dict.fromkeys(found))

    def _few(self, values: Values) -> Values:
        """Values; where too many have their own to be found out, only the first of these."""
        if len(values) <= MEANINGS:
            return values
        evaluated = [v for v in values if isinstance(v, Defined) and self._kind(v) in _EVALUATED]
        left_out = frozenset(evaluated[_SAMPLED:] if len(evaluated) > MEANINGS else ())
        return tuple(value for value in values if value not in left_out)

    def _kind(self, value: Defined) -> str:
        return self._program.holder(value.id).definitions[value.id.ordinal].kind

    def _given(self, table: FileTable, value: Defined, *, called: bool) -> Values:
        """What a name alone gives that means a definition: what calling it gives, or it holds."""
        return self.called(table, (value,)) if called else self._results(value)

    def _results(self, value: Defined) -> Values:
        """What a definition gives, as declared; where that is its own object, one of the type that
        it was asked of."""
        values = self.variables.declared(value.id)
        if value.of is None:
            return values
        own = self.owners.self_around(self._program.holder(value.id), value.id.ordinal)
        return tuple(dict.fromkeys(Instance(value.of) if v in own else v for v in values))

    def _called_variable(self, table: FileTable, variable: SymbolId) -> Values:
        """What calling what a variable holds gives."""
        return self._evaluation.ask(
            (variable, table.facts.language),
            lambda: (
                self.types.result_written(variable)
                or self.called(table, self.variables.declared(variable))
            ),
            UNKNOWN,
        )

    def function(self, table: FileTable, scope: int, name: str) -> Values:
        """The function of a name that a scope sees."""
        return self.scopes.function(table, scope, name)

    def parameter(self, table: FileTable, binding: TypeBinding) -> Values:
        """The value of a parameter of a function without a name."""
        return self.lambdas.parameter(table, binding)

    def given_by(self, table: FileTable, values: Values, member: str) -> Values:
        """What calling the member of a name of what values stand for gives."""
        return self.called(table, self.step(table, values, member))

    def call_member(self, table: FileTable, value: Value) -> tuple[Defined, ...]:
        """What is called where a value of a type is called like a function."""
        name = spec_of(table).call_member
        if not name or not isinstance(value, Instance):
            return ()
        found = self.hierarchy.member(value.id, name)
        return tuple(each for each in found if isinstance(each, Defined))

    def type_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; `Outside` when it is not one of ours."""
        return self.types.type_named(table, scope, written, line)

    def types_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The same; UNKNOWN when nothing binds it."""
        return self.types.types_named(table, scope, written, line)


def _passes_on(table: FileTable) -> bool:
    """Whether members that give the value itself, or make it, are called like others."""
    return bool(spec_of(table).transparent_members or spec_of(table).construct_member)
