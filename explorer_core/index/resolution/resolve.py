"""From a reference to the definitions it means, and how that is known.

Scope first, then import bindings, then the receiver's type; only where none of these says anything
does the bare name decide, and then the number of namesakes is part of the answer. A name that is
bound to something outside the repository resolves to nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import msgspec

from explorer_core.contracts import Witness
from explorer_core.index.extraction.facts import EACH, UNSURE, ImportBinding
from explorer_core.index.extraction.reference_table import HANDED, Reference
from explorer_core.index.resolution.expressions.unsure import Unsure
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.functions.declarations import Declarations
from explorer_core.index.resolution.functions.overloads import Overloads
from explorer_core.index.resolution.hierarchy.subtypes import Subtypes
from explorer_core.index.resolution.names.mentions import Mentions
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.namesakes import Namesakes
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.semantic_model import SemanticModel
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.written_types import queried_value
from explorer_core.index.resolution.values import (
    OPAQUE,
    OUTSIDE,
    UNKNOWN,
    Defined,
    Instance,
    Other,
    Outside,
    Value,
    Values,
    nothing_of_ours,
    relabelled,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, SymbolId

logger = logging.getLogger(__name__)

_CALLED = frozenset({"call", "construct"})
_USED_WHOLE = _CALLED | HANDED | {"decorator"}
_WRITTEN_TYPES = frozenset({"type", "construct"})
_VALUES = frozenset({"call", "construct", "read", "argument"})
_MERE_TYPES = frozenset({"type", "interface"})


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """What a reference means; several targets when the syntax allows several."""

    targets: tuple[SymbolId, ...]
    witness: Witness
    namesakes: int = 1


class Resolver:
    """Resolves references over a `FactsSource`, memoised."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names(self.program)
        self.model = SemanticModel(self.program, self.names)
        self.declarations = Declarations(self.program)
        self.mentions = Mentions(self.program)
        self.subtypes = Subtypes(
            self.program, self.model.hierarchy, self.model.owners, self.mentions
        )
        self._unsure = Unsure(program, self.model.scopes)
        self._namesakes = Namesakes(self.program, self.model, self.declarations)
        self._resolved: dict[tuple[str, int], Resolution | None] = {}
        self._overloads = Overloads(
            self.program, self.model.owners, self.model.inheritance, self.declarations
        )

    def resolve(self, table: FileTable, index: int) -> Resolution | None:
        """What the reference at ``index`` of the file's references means."""
        key = (table.path, index)
        if key not in self._resolved:
            reference = table.facts.references[index]
            try:
                self._resolved[key] = self._resolve(table, reference)
            except RecursionError:  # costs this reference, and not the question that came to it
                logger.warning("%s:%d: %s: asks itself", table.path, reference.line, reference.name)
                self._resolved[key] = None
        return self._resolved[key]

    def imported(self, table: FileTable, binding: ImportBinding) -> Values:
        """What an import binds."""
        return self.names.imported(table, binding)

    def _resolve(self, table: FileTable, reference: Reference) -> Resolution | None:
        if reference.receiver.startswith(UNSURE):
            return self._of_unsure(table, reference)
        values = self._values(table, reference)
        if reference.kind == "macro":
            values = self._macros(table, reference, values)
        if table.spec.mixins and nothing_of_ours(values):
            values = self._of_subtypes(table, reference, values) or values
        if reference.kind in _USED_WHOLE:
            values = tuple(self._callable(table, reference, values))
        if reference.kind != "call" and reference.receiver:
            values = tuple(Outside() if self._is_guessed(value) else value for value in values)
        defined = [value for value in values if isinstance(value, Defined)]
        if table.spec.separate_methods:
            defined = self._fitting(defined, reference)
        if table.spec.types_apart and reference.kind in _VALUES:
            types = [v for v in defined if self.program.kind(v.id) in _MERE_TYPES]
            if types and len(types) == len(defined):
                return None
            defined = [value for value in defined if value not in types]
        if defined:
            return self._of_defined(table, reference, defined)
        outside = Outside | Module | Instance if reference.receiver else Outside | Module
        bound = any(isinstance(value, outside) for value in values)
        if reference.receiver and (bound or _is_literal(reference.receiver)):
            found = self._namesakes.of_other_type(table, reference)
            if not found and any(isinstance(value, Other) for value in values):
                found = self._namesakes.of_types_called_so(table, reference)
        else:
            found = () if bound else self._namesakes.of(table, reference)
        found = self._overloads.taking(found, reference)
        return Resolution(found, "graph:name", len(found)) if found else None

    def _of_unsure(self, table: FileTable, reference: Reference) -> Resolution | None:
        """What is meant by what may not be a call at all, only if it takes what is given."""
        called = self._unsure.called(table, reference)
        defined = {value.id: value for value in called if isinstance(value, Defined)}
        found = self._overloads.fitting(tuple(defined), reference)
        return (
            self._of_defined(table, reference, [defined[each] for each in found]) if found else None
        )

    def _of_defined(
        self, table: FileTable, reference: Reference, defined: list[Defined]
    ) -> Resolution | None:
        """What is meant by a name for definitions, with their overloads and bodies; where none
        takes what is given, something farther away that does."""
        targets = dict.fromkeys(value.id for value in defined)
        if table.spec.overloads:
            targets |= self._overloads.beside(table, targets)
        how, found = defined[0].how, self._overloads.taking(targets, reference)
        for values in () if found else self._farther(table, reference):
            others = [value for value in values if isinstance(value, Defined)]
            ids = dict.fromkeys(value.id for value in others)
            if found := self._overloads.taking(ids, reference):
                how = others[0].how
                break
        if table.spec.imports.wildcard_default:
            bodies = [body for target in found for body in self.declarations.bodies(target)]
            found = tuple(dict.fromkeys([*bodies, *found]))
        namesakes = len(found) if how == "graph:name" else 1
        return Resolution(found, how, namesakes) if found else None

    def _farther(self, table: FileTable, reference: Reference) -> Iterator[Values]:
        """What a name may mean beyond what is nearest, the nearer first."""
        if not reference.receiver:
            yield from self.model.scopes.functions(table, reference.scope, reference.name)
        yield self.model.extensions.imported(table, reference.name)

    def _macros(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """The macros among what a name means that can only be one; where something else of that
        name is nearer, the one that needs no path to be meant. What is known to be of elsewhere
        stays."""
        found = tuple(v for v in values if isinstance(v, Outside) or self._is_macro(v))
        if found or reference.receiver:
            return found
        return tuple(filter(self._is_macro, self.names.ambient(table, reference.name)))

    def _is_guessed(self, value: Value) -> bool:
        """Whether a value is an extension by its name alone, which only calls may mean."""
        if not isinstance(value, Defined) or value.how != "graph:name":
            return False
        return self.program.holder(value.id).is_extension(value.id.ordinal)

    def _is_type(self, value: Value) -> bool:
        return isinstance(value, Defined) and self.program.kind(value.id) in MEMBER_HOLDERS

    def _is_macro(self, value: Value) -> bool:
        return isinstance(value, Defined) and self.program.kind(value.id) == "macro"

    def _callable(self, table: FileTable, reference: Reference, values: Values) -> Iterator[Value]:
        """The values with what is meant by those that are used whole, and no functions: a module's
        own value; of what is called, what a type has for the purpose and what a variable holds."""
        member = self.model.calls.call_member
        is_call = reference.kind in ("call", "decorator")
        for value in values:
            if isinstance(value, Module):
                yield from self.names.whole(table, value) or (value,)
            elif is_call and isinstance(value, Instance):
                yield from member(table, value) or (value,)
            else:
                yield value
            if is_call and isinstance(value, Defined) and self._is_held(value):
                for held in self.model.variables.declared(value.id):
                    yield from (held,) if self._is_function(held) else member(table, held)

    def _values(self, table: FileTable, reference: Reference) -> Values:
        reference = _seen_from_around(table, reference)
        scope, line, name = reference.scope, reference.line, reference.name
        if not reference.receiver and name in table.spec.super_names:
            if table.spec.super_calls:
                return self.model.supers.overridden(table, scope)
            bases = self.model.expressions.evaluate(table, scope, name, line)
            return tuple(Defined(b.id, "graph:type") for b in bases if isinstance(b, Instance))
        if not reference.receiver and (own := self._own_type(table, reference)):
            return own
        if not reference.receiver:
            found = self._of_bare_name(table, reference)
            if reference.local:
                return self._of_local(table, reference, found)
            makes = reference.kind == "call" and name == table.spec.construct_member
            return found or (self._around(table, reference) if makes else UNKNOWN)
        if reference.receiver == table.spec.root:
            return (
                self.model.expressions.evaluate(table, scope, reference.receiver + name, line)
                or OUTSIDE
            )
        if found := self.model.supers.member(table, scope, reference.receiver, name):
            return found
        values = self.model.expressions.evaluate(
            table, scope, reference.receiver, line, local=reference.local
        )
        if not values and not reference.local:
            values = self.model.qualified_names.member(table, scope, reference.receiver, name)
        elif name == table.spec.construct_member and not nothing_of_ours(values):
            made = self.model.members.named(table, values, name)
            own = [v for v in made if isinstance(v, Instance) and v in values]
            values = tuple(Defined(each.id, "graph:type") for each in own) or made
        else:
            values = self.model.members.named(table, values, name)
        if name == table.spec.class_member and reference.kind != "call":
            values = tuple(each for each in values if not self._is_type(each))  # not named there
        if any(isinstance(value, Defined) for value in values):
            return values
        return self.model.extensions.imported(table, name) or values

    def _of_subtypes(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """A member of the object around, or one that a member of it overrides, that is known by the
        subtypes of its type alone; ``values`` are what else is known."""
        receiver, name = reference.receiver, reference.name
        if (receiver or name) in table.spec.super_names:
            find = self.subtypes.overridden
            name = name if receiver else table.member_around(reference.scope)
        elif not values and self._is_of_own(table, reference):
            find = self.subtypes.member
        else:
            return UNKNOWN
        own = self.model.owners.around(table, reference.scope)
        closed = (each.id for each in own if not self.model.hierarchy.is_open(each.id))
        return tuple(value for type_id in closed for value in find(type_id, name))

    def _is_of_own(self, table: FileTable, reference: Reference) -> bool:
        """Whether a reference can mean nothing but a member of the object around."""
        if reference.receiver:
            own = reference.receiver in table.spec.self_names[:1]
            return own and self.model.owners.is_self(table, reference.scope, reference.receiver)
        return table.spec.implicit_self and not reference.local

    def _of_bare_name(self, table: FileTable, reference: Reference) -> Values:
        """What a bare name stands for; a function that is not called, where nothing else does."""
        calls = reference.kind in _CALLED
        implicit = self.model.implicit
        again = not calls and implicit.is_around(table, reference.scope, reference.line)
        found = UNKNOWN
        for meant in (calls, None) if again else (calls,):
            found = self.model.scopes.lookup(
                table,
                reference.scope,
                reference.name,
                reference.line,
                local=reference.local,
                type_only=reference.kind in _WRITTEN_TYPES,
                calls=meant,
            )
            if found and calls and all(self._is_never_called(table, each) for each in found):
                scopes = self.model.scopes
                found = scopes.function(table, reference.scope, reference.name) or found
            if found:
                break
        if not calls or reference.local or not nothing_of_ours(found):
            return found
        name, line = reference.name, reference.line
        return implicit.extension(table, reference.scope, name, line) or found

    def _is_never_called(self, table: FileTable, value: Value) -> bool:
        """Whether a value is a variable where only functions are called (Java)."""
        spec = table.spec
        return spec.separate_functions and not spec.call_member and self._is_held(value)

    def _own_type(self, table: FileTable, reference: Reference) -> Values:
        """What is called by the name it has in itself: the type around (``new self``, ``cls()``) or
        a value of it (``self()``)."""
        names = table.spec.self_names
        own = self.model.owners.is_self(table, reference.scope, reference.name)
        if own and reference.name in table.spec.constructors:
            return self._this_as_constructor(table, reference)
        if reference.kind not in ("call", "construct") or not own:
            return UNKNOWN
        if reference.kind == "call" and reference.name == names[0]:
            around = self.model.owners.around(table, reference.scope)
            return self._constructors(table, reference, around) or around
        return self._around(table, reference)

    def _constructors(self, table: FileTable, reference: Reference, own: Values) -> Values:
        """The other constructors of the object around that have its name, where one of them calls
        another by what it calls the object."""
        definition = table.definition(reference.scope)
        if definition is None or definition.kind != "constructor":
            return UNKNOWN
        ids = (each.id for each in own if isinstance(each, Instance))
        member = self.model.hierarchy.own_members
        others = (m for i in ids for m in member(i, definition.name))
        found = (Defined(m, "graph:type") for m in others if m != table.id(reference.scope))
        return tuple(value for value in found if self.program.kind(value.id) == "constructor")

    def _this_as_constructor(self, table: FileTable, reference: Reference) -> Values:
        """What the object around is called by where its constructors have that name too: one of
        these if a constructor calls it, and else the object."""
        own = self.model.owners.around(table, reference.scope)
        if reference.kind != "call":
            return own or OPAQUE
        definition = table.definition(reference.scope)
        if definition is None or definition.kind != "constructor":
            return own
        member = self.model.hierarchy.member
        return tuple(v for each in own for v in member(each.id, reference.name)) or own

    def _around(self, table: FileTable, reference: Reference) -> Values:
        own = self.model.owners.around(table, reference.scope)
        return tuple(Defined(each.id, "graph:scope") for each in own)

    def _of_local(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """The values of a local variable; or the function of its name, where that is called: where
        the variable gets its value from it, or holds no function in a language that tells these
        apart."""
        bindings = table.bound(reference.scope, reference.name)
        its_source = any(
            (each.line, each.source, each.type) == (reference.line, "call", reference.name)
            for each in bindings
        )
        is_object = bool(values) and all(_is_object(value) for value in values)
        apart = is_object and table.spec.separate_functions
        if reference.kind == "call" and (its_source or apart):
            found = self.model.scopes.function(table, reference.scope, reference.name)
            if found:
                return found
        functions = self._held_functions(values) if reference.kind == "call" else UNKNOWN
        return functions or self._but_fields(values)

    def _held_functions(self, values: Values) -> Values:
        """The functions that fields are declared to hold, each being one that is written
        elsewhere: ``f: typeof make``."""
        fields = (v for v in values if isinstance(v, Defined) and self._is_held(v))
        queried = (v.id for v in fields if self._is_queried(v))
        held = (v for field in queried for v in self.model.variables.declared(field))
        return relabelled(tuple(v for v in held if self._is_function(v)), "graph:type")

    def _is_function(self, value: Value) -> bool:
        return isinstance(value, Defined) and self.program.kind(value.id) in CALLABLES

    def _is_queried(self, field: Defined) -> bool:
        holder = self.program.holder(field.id)
        return bool(queried_value(self.program.definition(field.id).returns, holder))

    def _but_fields(self, values: Values) -> Values:
        """The values of a local variable without the fields it was taken from: what a field holds
        is used by way of the variable."""
        return tuple(v for v in values if not self._is_held(v)) or (OPAQUE if values else UNKNOWN)

    def _fitting(self, values: list[Defined], reference: Reference) -> list[Defined]:
        """Where a name means both a variable and something else, what the use of it fits. What is
        handed over may be either."""
        held = [value for value in values if self._is_held(value)]
        others = [value for value in values if value not in held]
        if held and others and reference.kind in ("call", "read"):
            return others if reference.kind == "call" else held
        return values

    def _is_held(self, value: Value) -> bool:
        return isinstance(value, Defined) and self.program.kind(value.id) in VARIABLES


def _is_object(value: Value) -> bool:
    """Whether a value is known to be of some type that has a name."""
    return isinstance(value, Instance) or (isinstance(value, Outside) and bool(value.type))


def _is_literal(receiver: str) -> bool:
    """Whether a receiver ends in a literal (text, number, list, map) or subscript of the language's
    own, whose members are not defined here; what is in something may be anything."""
    if receiver.endswith(f"[{EACH}]"):
        return False
    return bool(receiver) and (receiver[-1] in "\"'`]}" or receiver[0] in "\"'`[{0123456789")


def _seen_from_around(table: FileTable, reference: Reference) -> Reference:
    """A reference as it is looked up: where the body of a type is a scope, a decorator in it stands
    outside of what it decorates."""
    if not table.spec.type_scopes:
        return reference
    decorated = table.definition(reference.scope)
    if decorated is None or reference.line > decorated.line:
        return reference
    if reference.line == decorated.line and reference.kind != "decorator":
        return reference
    return msgspec.structs.replace(reference, scope=decorated.container)
