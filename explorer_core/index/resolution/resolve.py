"""Resolves a reference to the definitions it means, and says how that is known (the witness).

In ``cart.add(item)`` the reference ``add`` resolves to the method of the type of ``cart``, with the
witness ``graph:type``.

`Lookup` decides first, by scope, import and type. The bare name decides only where it finds
nothing; the answer then says how many definitions share that name. A name that is bound to
something outside the repository resolves to nothing, except to extension members that are written
for such values.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import msgspec

from explorer_core.contracts import Witness
from explorer_core.index.extraction.facts import EACH, TEXT, UNSURE
from explorer_core.index.extraction.reference_table import HANDED, Reference
from explorer_core.index.resolution.expressions.unsure import Unsure
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.functions.declarations import Declarations
from explorer_core.index.resolution.functions.overloads import Overloads
from explorer_core.index.resolution.hierarchy.subtypes import Subtypes
from explorer_core.index.resolution.lookup import Lookup
from explorer_core.index.resolution.names.mentions import Mentions
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.names.text_paths import TextPaths
from explorer_core.index.resolution.namesakes import Namesakes
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.semantic_model import SemanticModel
from explorer_core.index.resolution.structural_interfaces import StructuralInterfaces
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    UNKNOWN,
    Defined,
    Function,
    Instance,
    Other,
    Outside,
    Value,
    Values,
    nothing_of_ours,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, SymbolId

logger = logging.getLogger(__name__)

_USED_WHOLE = HANDED | {"call", "construct", "decorator"}
_VALUES = frozenset({"call", "construct", "read", "argument"})
_MERE_TYPES = frozenset({"type", "interface"})


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """The targets of a reference and how they were found. There are several where the syntax allows
    several. ``namesakes`` is 1, or the number of targets if only the name decided."""

    targets: tuple[SymbolId, ...]
    witness: Witness
    namesakes: int = 1


class Resolver:
    """Resolves the references of a program; memoised."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names(self.program)
        self.model = SemanticModel(self.program, self.names)
        self.declarations = Declarations(self.program)
        self.mentions = Mentions(self.program)
        self.subtypes = Subtypes(
            self.program, self.model.hierarchy, self.model.owners, self.mentions
        )
        self.structural = StructuralInterfaces(
            self.program, self.model, self.subtypes, self.mentions
        )
        self._lookup = Lookup(program, self.model)
        self._texts = TextPaths(program, self.names)
        self._unsure = Unsure(program, self.model.scopes)
        self._namesakes = Namesakes(self.program, self.model, self.declarations)
        self._resolved: dict[tuple[str, int], Resolution | None] = {}
        self._overloads = Overloads(
            self.program, self.model.owners, self.model.inheritance, self.declarations
        )

    def resolve(self, table: FileTable, index: int) -> Resolution | None:
        """Resolves the file's reference at ``index``; None if it resolves to nothing."""
        key = (table.path, index)
        if key not in self._resolved:
            reference = table.facts.references[index]
            try:
                self._resolved[key] = self._resolve(table, reference)
            except RecursionError:  # lose this reference, not the question that asked for it
                logger.warning("%s:%d: %s: asks itself", table.path, reference.line, reference.name)
                self._resolved[key] = None
        return self._resolved[key]

    def certain(self, table: FileTable, index: int) -> tuple[SymbolId, ...]:
        """The targets of a reference; empty where only its name points to them."""
        found = self.resolve(table, index)
        return found.targets if found is not None and found.witness != "graph:name" else ()

    def certain_at(
        self, table: FileTable, name: str, line: int, column: int
    ) -> tuple[SymbolId, ...]:
        """The definitions meant for certain by the reference to ``name`` at a line and column."""
        references = table.facts.references
        for index in references.named(name):
            named = references[index]
            if (named.line, named.column) == (line, column):
                return tuple(each for each in self.certain(table, index) if not each.is_file)
        return ()

    def _resolve(self, table: FileTable, reference: Reference) -> Resolution | None:
        if reference.receiver.startswith((UNSURE, TEXT)):
            is_text = reference.receiver.startswith(TEXT)
            return (self._of_text if is_text else self._of_unsure)(table, reference)
        values = self._lookup.values(table, reference)
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
        return self._by_name(table, reference, values)

    def _by_name(self, table: FileTable, reference: Reference, values: Values) -> Resolution | None:
        """Resolves a reference by its bare name, where look-up found no definition among
        ``values``. One bound to something outside may only mean an extension member."""
        outside = Outside | Module | Instance if reference.receiver else Outside | Module
        bound = any(isinstance(value, outside) for value in values)
        if _is_documented(table, values):
            found = self._namesakes.of(table, reference)
        elif reference.receiver and (bound or _is_literal(reference.receiver)):
            found = self._namesakes.of_other_type(table, reference)
            if not found and any(isinstance(value, Other) for value in values):
                found = self._namesakes.of_types_called_so(table, reference)
        else:
            found = () if bound else self._namesakes.of(table, reference)
            found = self._namesakes.not_contradicted(table, reference, found)
        found = self._overloads.taking(found, reference)
        return Resolution(found, "graph:name", len(found)) if found else None

    def _of_text(self, table: FileTable, reference: Reference) -> Resolution | None:
        """Resolves a text that is a path to a definition (``"users#show"``)."""
        named = self._texts.named(table, reference)
        witness = "graph:import" if table.spec.full_names else "graph:name"
        return Resolution((named,), witness) if named else None

    def _of_unsure(self, table: FileTable, reference: Reference) -> Resolution | None:
        """Resolves what may be a call or a variable's declaration (``Timer timer(3);``): only to
        functions that take its arguments."""
        called = self._unsure.called(table, reference)
        defined = {value.id: value for value in called if isinstance(value, Defined)}
        found = self._overloads.fitting(tuple(defined), reference)
        return (
            self._of_defined(table, reference, [defined[each] for each in found]) if found else None
        )

    def _of_defined(
        self, table: FileTable, reference: Reference, defined: list[Defined]
    ) -> Resolution | None:
        """Resolves a name for definitions, and adds their overloads and the bodies of mere
        declarations. Where none takes the arguments of a call, functions of outer scopes and
        imported extensions do."""
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
            if table.spec.preprocessor:
                found = self.declarations.seen(table.path, found)
            bodies = [body for target in found for body in self.declarations.bodies(target)]
            found = tuple(dict.fromkeys([*bodies, *found]))
        namesakes = len(found) if how == "graph:name" else 1
        return Resolution(found, how, namesakes) if found else None

    def _farther(self, table: FileTable, reference: Reference) -> Iterator[Values]:
        """The definitions that a name may mean beyond the nearest ones, the nearest first."""
        if not reference.receiver:
            yield from self.model.scopes.functions(table, reference.scope, reference.name)
        yield self.model.extensions.imported(table, reference.name)

    def _macros(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """Resolves a call that can only be one of a macro (``name!``): keeps the macros among
        ``values`` and what is known to come from outside. If there are none, because something else
        of that name is nearer, takes the macros that are visible without a path."""
        found = tuple(v for v in values if isinstance(v, Outside) or self._is_macro(v))
        if found or reference.receiver:
            return found
        return tuple(filter(self._is_macro, self.names.ambient(table, reference.name)))

    def _is_guessed(self, value: Value) -> bool:
        """Whether a value is an extension found by its name alone; only calls may mean one."""
        if not isinstance(value, Defined) or value.how != "graph:name":
            return False
        return self.program.holder(value.id).is_extension(value.id.ordinal)

    def _is_macro(self, value: Value) -> bool:
        return self.program.is_of_kind(value, ("macro",))

    def _callable(self, table: FileTable, reference: Reference, values: Values) -> Iterator[Value]:
        """Replaces values by what using them as a function reaches: a module by its default export,
        a called object by its type's call operator. A called variable stays, followed by the
        functions and types that it holds, and the call operators of the objects."""
        member = self.model.calls.call_member
        is_call = reference.kind in ("call", "decorator")
        for value in values:
            if isinstance(value, Module):
                yield from self.names.whole(table, value) or (value,)
            elif is_call and isinstance(value, Instance):
                yield from member(table, value) or (value,)
            else:
                yield value
            if is_call and self.program.is_of_kind(value, VARIABLES):
                for held in self.model.variables.declared(value.id):
                    is_called = self.program.is_of_kind(held, CALLABLES | MEMBER_HOLDERS)
                    yield from (held,) if is_called else member(table, held)

    def _of_subtypes(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """Finds a member of the enclosing object that only subtypes of its type have, as a mixin
        uses it; for ``super``, the member that comes next in their lookup order. ``values`` is what
        was found otherwise: if there is any, only traits are searched."""
        receiver, name = reference.receiver, reference.name
        if (receiver or name) in table.spec.super_names:
            find = self.subtypes.overridden
            name = name if receiver else table.member_around(reference.scope)
        elif self._is_of_own(table, reference):
            find = self.subtypes.mixed_in if values else self.subtypes.member
        else:
            return UNKNOWN
        own = self.model.owners.around(table, reference.scope)
        found = (value for each in own for value in find(each.id, name))
        static = table.static_around(reference.scope)
        return tuple(value for value in found if self.model.hierarchy.is_of(value, static))

    def _is_of_own(self, table: FileTable, reference: Reference) -> bool:
        """Whether a reference can only mean a member of the enclosing object (``self.name``)."""
        if reference.receiver:
            own = reference.receiver in table.spec.self_names[:1]
            return own and self.model.owners.is_self(
                table, reference.scope, reference.receiver, local=reference.local
            )
        return table.spec.implicit_self and not reference.local

    def _fitting(self, values: list[Defined], reference: Reference) -> list[Defined]:
        """Where a name means both a variable and something else, keeps what fits its use: variables
        if it is read, the others if it is called. Any other use, such as an argument, keeps both.
        For a member call that finds variables alone, returns the inherited functions they hide."""
        held = [value for value in values if self.program.is_of_kind(value, VARIABLES)]
        others = [value for value in values if value not in held]
        if held and others and reference.kind in ("call", "read"):
            return others if reference.kind == "call" else held
        if held and not others and reference.kind == "call" and reference.receiver:
            return [f for value in held for f in self._hidden_by(value)] or values
        return values

    def _hidden_by(self, variable: Defined) -> Iterator[Defined]:
        """The functions that a type inherits under the name of a variable of its own."""
        table = self.program.holder(variable.id)
        holder = self.model.owners.holder_of(table, variable.id.ordinal)
        name = self.program.definition(variable.id).name
        for each in self.model.inheritance.inherited(holder, name, None) if holder else ():
            if self.program.is_function(each):
                yield Defined(each, variable.how)


def _is_documented(table: FileTable, values: Values) -> bool:
    """Whether only a comment says of something that it is a method of a type: in fact it is one of
    another, to which the call is passed on."""
    is_said = table.spec.separate_methods and bool(table.spec.documented_type)
    return is_said and any(isinstance(value, Function) for value in values)


def _is_literal(receiver: str) -> bool:
    """Whether a receiver begins or ends with a literal (text, number, list, map), or ends in a
    subscript: the members of these are the language's own. An element (``items[*]``) may be
    anything."""
    if receiver.endswith(f"[{EACH}]"):
        return False
    return bool(receiver) and (receiver[-1] in "\"'`]}" or receiver[0] in "\"'`[{0123456789")
