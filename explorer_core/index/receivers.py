"""Types: members along supertypes, and what an expression such as ``self.app.router`` stands for.

Typed step by step, from the left, with what the syntax declares: annotations, constructor calls,
declared results. Where that ends the answer is `UNKNOWN`; where it leaves the repository it is
`OUTSIDE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.contracts import Witness
from explorer_core.index.facts import RESULT, TOP, Supertype, TypeBinding
from explorer_core.index.modules import Module
from explorer_core.index.names import Names
from explorer_core.index.program import Program, spec_of
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, SymbolId
from explorer_core.index.tables import FileTable, simple_type_name
from explorer_core.index.values import (
    OPAQUE,
    OUTSIDE,
    UNKNOWN,
    Defined,
    Instance,
    Opaque,
    Outside,
    Part,
    Value,
    Values,
    chain,
)

_DEPTH = 12
"""Nested steps of one evaluation; a longer way than that is rarely right."""


class Receivers:
    """Evaluates names and expressions; memoised until `clear`."""

    def __init__(self, program: Program, names: Names) -> None:
        self._program = program
        self._names = names
        self._busy: set[object] = set()
        self._bases: dict[SymbolId, tuple[tuple[SymbolId, Supertype], ...]] = {}
        self._open: set[SymbolId] = set()
        self._orders: dict[SymbolId, tuple[SymbolId, ...]] = {}
        self._members: dict[tuple[SymbolId, str], Values] = {}
        self._inherited: dict[tuple[SymbolId, str], list[SymbolId]] = {}
        self._declared: dict[SymbolId, Values] = {}

    def clear(self) -> None:
        """Forget every answer: some file has changed."""
        self._bases.clear()
        self._open.clear()
        self._orders.clear()
        self._members.clear()
        self._inherited.clear()
        self._declared.clear()

    # names

    def lookup(
        self, table: FileTable, scope: int, name: str, line: int = 0, *, local: bool = False
    ) -> Values:
        """What a bare name stands for at a line of a scope; UNKNOWN when nothing binds it.

        ``local`` says that an enclosing function binds the name, so that nothing further out can
        be meant."""
        implicit = spec_of(table).implicit_self
        for around in table.scopes(scope):
            if around == TOP and local:
                return self._bound(table, table.types.get((TOP, name), []), line) or OPAQUE
            if self._is_holder(table, around):
                found = UNKNOWN
                if name == table.definitions[around].name and not local:
                    found = (Defined(table.id(around), "graph:scope"),)
                elif (around == scope or implicit) and not local:
                    found = _relabelled(self.member(table.id(around), name), "graph:scope")
            else:
                found = self._in_code(table, around, name, line)
                if not found and implicit and around != TOP and not local:
                    found = self._of_owner(table, around, name)
            if found and not _is_outside(found):
                return found
            if found and not self._is_holder(table, around):
                return found
        return self._names.ambient(table, name)

    def _in_code(self, table: FileTable, scope: int, name: str, line: int) -> Values:
        bound = table.types.get((scope, name))
        if bound and scope != TOP:
            return self._bound(table, bound, line) or OPAQUE
        found = self._names.in_scope(table, scope, name)
        return found or (self._bound(table, bound, 0) if bound else UNKNOWN)

    def _of_owner(self, table: FileTable, scope: int, name: str) -> Values:
        if not table.definitions[scope].owner:
            return UNKNOWN
        for instance in self._own_type(table, scope):
            found = self.member(instance.id, name)
            if found and not _is_outside(found):
                return _relabelled(found, "graph:scope")
        return UNKNOWN

    def _bound(self, table: FileTable, bindings: list[TypeBinding], line: int) -> Values:
        """The value of a variable at a line: that of its nearest binding before it; that of all
        its bindings for line 0."""
        if line:
            before = [b for b in bindings if b.line <= line]
            bindings = before[-1:] or bindings[:1]
        values = [v for binding in bindings for v in self._binding(table, binding)]
        return tuple(dict.fromkeys(values))

    def _binding(self, table: FileTable, binding: TypeBinding) -> Values:
        key = (table.path, binding)
        if key in self._busy or len(self._busy) > _DEPTH:
            return UNKNOWN
        self._busy.add(key)
        try:
            scope = self._scope_at(table, binding)
            if binding.source in ("annotation", "construct"):
                return self.type_named(table, scope, binding.type, binding.line)
            values = self.evaluate(table, scope, binding.type, binding.line)
            return self._called(values) if binding.source == "call" else values
        finally:
            self._busy.discard(key)

    def _scope_at(self, table: FileTable, binding: TypeBinding) -> int:
        """The scope a binding is evaluated in: for an attribute, the method that assigns it."""
        scope = binding.scope
        if not binding.name.startswith("."):
            return scope
        deeper = True
        while deeper:
            inner = (
                child
                for child in table.children.get(scope, ())
                if table.definitions[child].start <= binding.line <= table.definitions[child].end
                and table.definitions[child].kind in CALLABLES
            )
            child = next(inner, None)
            deeper = child is not None
            scope = scope if child is None else child
        return scope

    # expressions

    def evaluate(
        self, table: FileTable, scope: int, expression: str, line: int, *, local: bool = False
    ) -> Values:
        """What a dotted expression stands for."""
        parts = chain(expression)
        if not parts:
            return UNKNOWN
        values = self._head(table, scope, parts[0], line, local=local)
        for part in parts[1:]:
            values = self.step(table, values, part.name)
            if part.called:
                values = self._called(values)
            if not values:
                return UNKNOWN
        return values

    def step(self, table: FileTable, values: Values, name: str) -> Values:
        """The member ``name`` of what ``values`` stand for."""
        found: list[Value] = []
        for value in values:
            found += self._member_of(table, value, name)
        known = [value for value in found if not isinstance(value, Outside | Opaque)]
        return tuple(dict.fromkeys(known or found))

    def _head(self, table: FileTable, scope: int, part: Part, line: int, *, local: bool) -> Values:
        spec = spec_of(table)
        written = f"{part.name}()" if part.called else part.name
        if written in spec.super_names:
            own = self._own_type(table, scope)
            return tuple(Instance(b) for i in own for b, _ in self.supertypes(i.id)) or OUTSIDE
        if part.name in spec.self_names:
            own = self._own_type(table, scope)
            if own:
                return own
        values = self.lookup(table, scope, part.name, line, local=local)
        return self._called(values) if part.called else values

    def _own_type(self, table: FileTable, scope: int) -> tuple[Instance, ...]:
        ordinal = table.enclosing_type(scope)
        if ordinal is not None:
            return (Instance(table.id(ordinal)),)
        owner = table.owner_around(scope)
        found = self._type_values(table, TOP, owner, 0) if owner else UNKNOWN
        return tuple(value for value in found if isinstance(value, Instance))

    def _member_of(self, table: FileTable, value: Value, name: str) -> Values:
        if isinstance(value, Outside | Opaque):
            return (value,)
        if isinstance(value, Module):
            return self._names.member(table, value, name) or OUTSIDE
        if isinstance(value, Instance):
            return self.member(value.id, name)
        holder = self._program.holder(value.id)
        kind = holder.definitions[value.id.ordinal].kind
        if kind in MEMBER_HOLDERS:
            return self.member(value.id, name)
        if kind in NAMESPACES:
            ordinals = holder.named.get(value.id.ordinal, {}).get(name, ())
            return tuple(Defined(holder.id(o), value.how) for o in ordinals)
        if kind in CALLABLES:
            return UNKNOWN
        return self.step(table, self.declared(value.id), name)

    def _called(self, values: Values) -> Values:
        """What calling each of the values gives."""
        found: list[Value] = []
        for value in values:
            if isinstance(value, Outside | Opaque):
                found.append(value)
            elif isinstance(value, Defined):
                definition = self._program.holder(value.id).definitions[value.id.ordinal]
                if definition.kind in MEMBER_HOLDERS:
                    found.append(Instance(value.id))
                elif definition.kind == "constructor" and definition.container != TOP:
                    found.append(Instance(SymbolId(value.id.path, definition.container)))
                elif definition.kind in CALLABLES:
                    found += self.declared(value.id)
        return tuple(dict.fromkeys(found))

    # types

    def type_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; OUTSIDE when it is not one of ours."""
        if written in spec_of(table).self_names or written == "Self":
            return self._own_type(table, scope) or OUTSIDE
        return self._type_values(table, scope, written, line) or OUTSIDE

    def _type_values(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        found: list[Value] = []
        for value in self.evaluate(table, scope, written.strip(" *&?!'\""), line):
            if isinstance(value, Instance | Outside):
                found.append(value)
            elif isinstance(value, Defined):
                kind = self._program.holder(value.id).definitions[value.id.ordinal].kind
                if kind in MEMBER_HOLDERS:
                    found.append(Instance(value.id))
        known = [value for value in found if not isinstance(value, Outside)]
        return tuple(dict.fromkeys(known or found))

    def declared(self, type_id: SymbolId) -> Values:
        """The values a variable may hold, or a function may return, as declared."""
        if type_id not in self._declared:
            if type_id in self._busy or len(self._busy) > _DEPTH:
                return UNKNOWN
            self._busy.add(type_id)
            try:
                self._declared[type_id] = self._declared_values(type_id)
            finally:
                self._busy.discard(type_id)
        return self._declared[type_id]

    def _declared_values(self, type_id: SymbolId) -> Values:
        table = self._program.holder(type_id)
        definition = table.definitions[type_id.ordinal]
        if definition.returns:
            written = simple_type_text(definition.returns, table)
            scope = type_id.ordinal if definition.kind in CALLABLES else definition.container
            return self.type_named(table, scope, written, definition.line)
        if definition.kind in CALLABLES or definition.kind == "property":
            results = table.types.get((type_id.ordinal, RESULT), [])
            return self._bound(table, results, 0)
        container = definition.container
        label = "." + definition.name if self._is_holder(table, container) else definition.name
        return self._bound(table, table.types.get((container, label), []), 0)

    def supertypes(self, type_id: SymbolId) -> tuple[tuple[SymbolId, Supertype], ...]:
        """The direct supertypes of a type that are in the repository, as written."""
        if type_id not in self._bases:
            self._bases[type_id] = ()
            table = self._program.holder(type_id)
            found: dict[tuple[SymbolId, Supertype], None] = {}
            for other, written in self._written_supertypes(table, type_id.ordinal):
                scope = (
                    TOP
                    if written.definition == TOP
                    else table.definitions[written.definition].container
                )
                values = self._type_values(other, scope, written.name, written.line)
                bases = [v for v in values if isinstance(v, Instance) and v.id != type_id]
                if not bases:
                    self._open.add(type_id)
                found.update(((base.id, written), None) for base in bases)
            self._bases[type_id] = tuple(sorted(found, key=self._only_declares))
        return self._bases[type_id]

    def _only_declares(self, base: tuple[SymbolId, Supertype]) -> bool:
        """Whether a supertype is an interface: what others inherit is found before what it asks
        for."""
        holder = self._program.holder(base[0])
        return holder.definitions[base[0].ordinal].kind == "interface"

    def _written_supertypes(
        self, table: FileTable, ordinal: int
    ) -> Iterator[tuple[FileTable, Supertype]]:
        name = table.definitions[ordinal].name
        for written in table.supertypes.get(ordinal, ()):
            if not written.owner:
                yield table, written
        for written in table.supertypes_of_owner.get(name, ()):
            yield table, written

    def is_open(self, type_id: SymbolId) -> bool:
        """Whether some supertype is not in the repository, so that members may be inherited that
        nobody here can see."""
        return any(base in self._open for base in self.order(type_id))

    def order(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The type and its supertypes in the order members are looked up: C3 linearisation
        (Barrett et al., 1996), or depth first where that has no answer."""
        if type_id not in self._orders:
            self._orders[type_id] = (type_id,)
            bases = list(dict.fromkeys(base for base, _ in self.supertypes(type_id)))
            self._orders[type_id] = (type_id, *_merged([self.order(b) for b in bases], bases))
        return self._orders[type_id]

    def member(self, type_id: SymbolId, name: str) -> Values:
        """A member of a type by name, its own or the nearest inherited one. OUTSIDE when there is
        none and a supertype is not ours."""
        key = (type_id, name)
        if key not in self._members:
            self._members[key] = UNKNOWN
            found: Values = UNKNOWN
            for holder in self.order(type_id):
                found = self._own_member(holder, name)
                if found:
                    break
            self._members[key] = found or (OUTSIDE if self.is_open(type_id) else UNKNOWN)
            if not found and self._busy:
                return self._members.pop(key)
        return self._members[key]

    def _own_member(self, type_id: SymbolId, name: str) -> Values:
        table = self._program.holder(type_id)
        found: list[Value] = [
            Defined(table.id(o), "graph:type") for o in table.members(type_id.ordinal, name)
        ]
        found = found or self._elsewhere(table, type_id, name)
        if found:
            return tuple(found)
        bound = table.types.get((type_id.ordinal, "." + name))
        return (self._bound(table, bound, 0) or OPAQUE) if bound else UNKNOWN

    def own_members(self, type_id: SymbolId, name: str) -> list[SymbolId]:
        """The definitions of a member in the type itself."""
        return [v.id for v in self._own_member(type_id, name) if isinstance(v, Defined)]

    def inherited(self, type_id: SymbolId, name: str) -> list[SymbolId]:
        """The nearest definitions of a member along each direct supertype."""
        key = (type_id, name)
        if key not in self._inherited:
            found: dict[SymbolId, None] = {}
            for base, _ in self.supertypes(type_id):
                own = (self.own_members(holder, name) for holder in self.order(base))
                found.update(dict.fromkeys(next(filter(None, own), ())))
            found.update(dict.fromkeys(self._asked_for(type_id, name)))
            self._inherited[key] = list(found)
        return self._inherited[key]

    def owner_of(self, table: FileTable, ordinal: int) -> SymbolId | None:
        """The type that a definition names as its owner."""
        owner = table.definitions[ordinal].owner
        found = self.types_called(table, owner) if owner else []
        return found[0] if found else None

    def _asked_for(self, type_id: SymbolId, name: str) -> Iterator[SymbolId]:
        """The methods of that name in interfaces that the type implements by having all of their
        methods; an interface does not implement another."""
        table = self._program.holder(type_id)
        spec = spec_of(table)
        if not spec.structural_interfaces or self._is_interface(table, type_id.ordinal):
            return
        for other in self._program.defining(name, spec.family_name):
            for ordinal in other.by_name[name]:
                interface = other.definitions[ordinal].container
                if interface != TOP and self._is_interface(other, interface):
                    methods = (other.definitions[o].name for o in other.children[interface])
                    if all(self._has(type_id, method) for method in methods):
                        yield other.id(ordinal)

    def _has(self, type_id: SymbolId, name: str) -> bool:
        return any(isinstance(value, Defined) for value in self.member(type_id, name))

    @staticmethod
    def _is_interface(table: FileTable, ordinal: int) -> bool:
        return table.definitions[ordinal].kind == "interface"

    def holder_of(self, table: FileTable, ordinal: int) -> SymbolId | None:
        """The type a member belongs to, nested in it or naming it as owner."""
        container = table.definitions[ordinal].container
        if table.definitions[ordinal].owner:
            return self.owner_of(table, ordinal)
        return table.id(container) if self._is_holder(table, container) else None

    def types_called(self, table: FileTable, written: str) -> list[SymbolId]:
        """The types a name stands for at the top of a file."""
        values = self._type_values(table, TOP, written, 0)
        return [value.id for value in values if isinstance(value, Instance)]

    def _elsewhere(self, table: FileTable, type_id: SymbolId, name: str) -> list[Value]:
        """Members that other files declare for a type they name."""
        owner = table.definitions[type_id.ordinal].name
        found: list[Value] = []
        for member in self._program.owned(name, spec_of(table).family_name).get(owner, ()):
            other = self._program.holder(member)
            if other is not table and Instance(type_id) in self._type_values(other, TOP, owner, 0):
                found.append(Defined(member, "graph:type"))
        return found

    @staticmethod
    def _is_holder(table: FileTable, ordinal: int) -> bool:
        return ordinal != TOP and table.definitions[ordinal].kind in MEMBER_HOLDERS


def simple_type_text(written: str, table: FileTable) -> str:
    """A declared type without arguments and wrappers that merely stand for their argument."""
    from explorer_core.index.types import annotated

    return annotated(written, spec_of(table)) or simple_type_name(written)


def _merged(orders: list[tuple[SymbolId, ...]], bases: list[SymbolId]) -> Iterator[SymbolId]:
    queues = [list(order) for order in (*orders, tuple(bases)) if order]
    while queues := [queue for queue in queues if queue]:
        later = {type_id for queue in queues for type_id in queue[1:]}
        head = next((queue[0] for queue in queues if queue[0] not in later), queues[0][0])
        yield head
        queues = [[type_id for type_id in queue if type_id != head] for queue in queues]


def _relabelled(values: Values, how: Witness) -> Values:
    return tuple(Defined(v.id, how) if isinstance(v, Defined) else v for v in values)


def _is_outside(values: Values) -> bool:
    return all(isinstance(value, Outside) for value in values)
