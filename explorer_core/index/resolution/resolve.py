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
from explorer_core.index.extraction.kinds import TYPE_KINDS
from explorer_core.index.extraction.reference_table import HANDED_OVER, Reference
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
    Outside,
    UnrelatedObject,
    Value,
    Values,
    all_outside,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, SymbolId

logger = logging.getLogger(__name__)

_FUNCTION_USES = HANDED_OVER | {"call", "construct", "decorator"}
_VALUE_USES = frozenset({"call", "construct", "read", "argument"})
_ATTRIBUTE_KINDS = TYPE_KINDS | {"macro"}
"""What an attribute may mean where only macros are attributes; what it derives is a type."""
_TYPE_ONLY_KINDS = frozenset({"type", "interface"})


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
        self._text_paths = TextPaths(program, self.names)
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
        resolution = self.resolve(table, index)
        return (
            resolution.targets
            if resolution is not None and resolution.witness != "graph:name"
            else ()
        )

    def certain_at(
        self, table: FileTable, name: str, line: int, column: int
    ) -> tuple[SymbolId, ...]:
        """The definitions meant for certain by the reference to ``name`` at a line and column."""
        references = table.facts.references
        for index in references.named(name):
            reference = references[index]
            if (reference.line, reference.column) == (line, column):
                return tuple(target for target in self.certain(table, index) if not target.is_file)
        return ()

    def _resolve(self, table: FileTable, reference: Reference) -> Resolution | None:
        if reference.receiver.startswith((UNSURE, TEXT)):
            is_text = reference.receiver.startswith(TEXT)
            return (self._resolve_text if is_text else self._resolve_unsure)(table, reference)
        values = self._lookup.values(table, reference)
        if reference.kind == "macro":
            values = self._only_macros(table, reference, values)
        is_attribute = reference.kind == "decorator" and bool(table.spec.macro_mark)
        if is_attribute:
            values = tuple(v for v in values if isinstance(v, Outside) or self._is_attribute(v))
        if table.spec.mixins and all_outside(values):
            values = self._subtype_members(table, reference, values) or values
        if reference.kind in _FUNCTION_USES:
            values = tuple(self._as_callables(table, reference, values))
        if reference.kind != "call" and reference.receiver:
            values = tuple(Outside() if self._is_guessed(value) else value for value in values)
        defined = [value for value in values if isinstance(value, Defined)]
        if table.spec.separate_methods:
            defined = self._fitting_use(defined, reference)
        if table.spec.types_apart and reference.kind in _VALUE_USES:
            types = [v for v in defined if self.program.kind(v.id) in _TYPE_ONLY_KINDS]
            if types and len(types) == len(defined):
                return None
            defined = [value for value in defined if value not in types]
        if defined:
            return self._resolve_defined(table, reference, defined)
        candidates = self._by_name(table, reference, values)
        if is_attribute:
            candidates = tuple(c for c in candidates if self.program.kind(c) in _ATTRIBUTE_KINDS)
        targets = self._overloads.select(candidates, reference)
        return Resolution(targets, "graph:name", len(targets)) if targets else None

    def _by_name(
        self, table: FileTable, reference: Reference, values: Values
    ) -> tuple[SymbolId, ...]:
        """What a bare name may mean where look-up found no definition among ``values``. One bound
        to something outside may only mean an extension member."""
        outside_types = Outside | Module | Instance if reference.receiver else Outside | Module
        is_bound = any(isinstance(value, outside_types) for value in values)
        if _is_only_documented(table, values):
            return self._namesakes.of(table, reference)
        if reference.receiver and (is_bound or _is_literal(reference.receiver)):
            candidates = self._namesakes.outside_extensions(table, reference)
            if candidates or not any(isinstance(value, UnrelatedObject) for value in values):
                return candidates
            return self._namesakes.of_types_named_like_receiver(table, reference)
        candidates = () if is_bound else self._namesakes.of(table, reference)
        return self._namesakes.not_contradicted(table, reference, candidates)

    def _resolve_text(self, table: FileTable, reference: Reference) -> Resolution | None:
        """Resolves a text that is a path to a definition (``"users#show"``)."""
        target = self._text_paths.named(table, reference)
        witness = "graph:import" if table.spec.full_names else "graph:name"
        return Resolution((target,), witness) if target else None

    def _resolve_unsure(self, table: FileTable, reference: Reference) -> Resolution | None:
        """Resolves what may be a call or a variable's declaration (``Timer timer(3);``): only to
        functions that take its arguments."""
        functions = self._unsure.called_functions(table, reference)
        defined = {value.id: value for value in functions if isinstance(value, Defined)}
        targets = self._overloads.applicable(tuple(defined), reference)
        return (
            self._resolve_defined(table, reference, [defined[target] for target in targets])
            if targets
            else None
        )

    def _resolve_defined(
        self, table: FileTable, reference: Reference, defined: list[Defined]
    ) -> Resolution | None:
        """Resolves a name for definitions, and adds their overloads and the bodies of mere
        declarations. Where none takes the arguments of a call, functions of outer scopes and
        imported extensions do."""
        targets = dict.fromkeys(value.id for value in defined)
        if table.spec.overloads:
            targets |= self._overloads.overloads_of(table, targets)
        witness, selected = defined[0].witness, self._overloads.select(targets, reference)
        for values in () if selected else self._outer_candidates(table, reference):
            others = [value for value in values if isinstance(value, Defined)]
            ids = dict.fromkeys(value.id for value in others)
            if selected := self._overloads.select(ids, reference):
                witness = others[0].witness
                break
        if table.spec.imports.wildcard_default:
            if table.spec.preprocessor:
                selected = self.declarations.visible_from(table.path, selected)
            bodies = [body for target in selected for body in self.declarations.bodies(target)]
            selected = tuple(dict.fromkeys([*bodies, *selected]))
        namesakes = len(selected) if witness == "graph:name" else 1
        return Resolution(selected, witness, namesakes) if selected else None

    def _outer_candidates(self, table: FileTable, reference: Reference) -> Iterator[Values]:
        """The definitions that a name may mean beyond the nearest ones, the nearest first."""
        if not reference.receiver:
            yield from self.model.scopes.functions(table, reference.scope, reference.name)
        yield self.model.extensions.imported(table, reference.name)

    def _only_macros(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """Resolves a call that can only be one of a macro (``name!``): keeps the macros among
        ``values`` and what is known to come from outside. If there are none, because something else
        of that name is nearer, takes the macros that are visible without a path."""
        macros = tuple(v for v in values if isinstance(v, Outside) or self._is_macro(v))
        if macros or reference.receiver:
            return macros
        return tuple(filter(self._is_macro, self.names.ambient(table, reference.name)))

    def _is_guessed(self, value: Value) -> bool:
        """Whether a value is an extension found by its name alone; only calls may mean one."""
        if not isinstance(value, Defined) or value.witness != "graph:name":
            return False
        return self.program.table_of(value.id).is_extension(value.id.ordinal)

    def _is_macro(self, value: Value) -> bool:
        return self.program.is_of_kind(value, ("macro",))

    def _is_attribute(self, value: Value) -> bool:
        return self.program.is_of_kind(value, _ATTRIBUTE_KINDS)

    def _as_callables(
        self, table: FileTable, reference: Reference, values: Values
    ) -> Iterator[Value]:
        """Replaces values by what using them as a function reaches: a module by its default export,
        a called object by its type's call operator. A called variable stays, followed by the
        functions and types that it holds, and the call operators of the objects."""
        call_operators = self.model.calls.call_operators
        is_call = reference.kind in ("call", "decorator")
        for value in values:
            if isinstance(value, Module):
                yield from self.names.default_export(table, value) or (value,)
            elif is_call and isinstance(value, Instance):
                yield from call_operators(table, value) or (value,)
            else:
                yield value
            if is_call and self.program.is_of_kind(value, VARIABLES):
                for held in self.model.variables.declared_values(value.id):
                    is_callable = self.program.is_of_kind(held, CALLABLES | MEMBER_HOLDERS)
                    yield from (held,) if is_callable else call_operators(table, held)

    def _subtype_members(self, table: FileTable, reference: Reference, values: Values) -> Values:
        """Finds a member of the enclosing object that only subtypes of its type have, as a mixin
        uses it; for ``super``, the member that comes next in their lookup order. ``values`` is what
        was found otherwise: if there is any, only traits are searched."""
        receiver, name = reference.receiver, reference.name
        if (receiver or name) in table.spec.super_names:
            find = self.subtypes.next_in_subtypes
            name = name if receiver else table.enclosing_method_name(reference.scope)
        elif self._means_own_member(table, reference):
            find = self.subtypes.mixin_members if values else self.subtypes.members
        else:
            return UNKNOWN
        types = self.model.owners.enclosing_types(table, reference.scope)
        members = (value for instance in types for value in find(instance.id, name))
        static = table.is_static_context(reference.scope)
        return tuple(
            value for value in members if self.model.hierarchy.matches_static(value, static)
        )

    def _means_own_member(self, table: FileTable, reference: Reference) -> bool:
        """Whether a reference can only mean a member of the enclosing object (``self.name``)."""
        if reference.receiver:
            is_self_name = reference.receiver in table.spec.self_names[:1]
            return is_self_name and self.model.owners.is_self(
                table, reference.scope, reference.receiver, local=reference.local
            )
        return table.spec.implicit_self and not reference.local

    def _fitting_use(self, values: list[Defined], reference: Reference) -> list[Defined]:
        """Where a name means both a variable and something else, keeps what fits its use: variables
        if it is read, the others if it is called. Any other use, such as an argument, keeps both.
        For a member call that finds variables alone, returns the inherited functions they hide."""
        variables = [value for value in values if self.program.is_of_kind(value, VARIABLES)]
        others = [value for value in values if value not in variables]
        if variables and others and reference.kind in ("call", "read"):
            return others if reference.kind == "call" else variables
        if variables and not others and reference.kind == "call" and reference.receiver:
            return [f for value in variables for f in self._inherited_functions(value)] or values
        return values

    def _inherited_functions(self, variable: Defined) -> Iterator[Defined]:
        """The functions that a type inherits under the name of a variable of its own."""
        table = self.program.table_of(variable.id)
        type_id = self.model.owners.declaring_type(table, variable.id.ordinal)
        name = self.program.definition(variable.id).name
        for function in self.model.inheritance.inherited(type_id, name, None) if type_id else ():
            if self.program.is_function(function):
                yield Defined(function, variable.witness)


def _is_only_documented(table: FileTable, values: Values) -> bool:
    """Whether only a comment declares a method (PHP's ``@method``). A call of it is passed on to a
    method of another type."""
    has_documented_methods = table.spec.separate_methods and bool(table.spec.documented_type)
    return has_documented_methods and any(isinstance(value, Function) for value in values)


def _is_literal(receiver: str) -> bool:
    """Whether a receiver begins or ends with a literal (text, number, list, map), or ends in a
    subscript: the members of these are the language's own. An element (``items[*]``) may be
    anything."""
    if receiver.endswith(f"[{EACH}]"):
        return False
    return bool(receiver) and (receiver[-1] in "\"'`]}" or receiver[0] in "\"'`[{0123456789")
