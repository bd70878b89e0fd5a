"""The hierarchy of types: their supertypes, and the members found along them.

A member of ``class Till(Logged, Base)`` is looked up in `Till`, then in its supertypes in C3 order.
If one of these is from outside the repository, a member that is not found may still be inherited
from there.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from explorer_core.index.extraction.facts import TOP, Supertype
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.type_names import alternatives, simple_type_name
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.finders.modules import dotted
from explorer_core.index.resolution.hierarchy.linearisation import merged
from explorer_core.index.resolution.hierarchy.self_types import SelfTypes
from explorer_core.index.resolution.names.names import Names
from explorer_core.index.resolution.names.packages import joined
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.named_types import NamedTypes
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.types.variables import Variables
from explorer_core.index.resolution.values import (
    OPAQUE,
    OUTSIDE,
    UNKNOWN,
    Defined,
    Instance,
    Outside,
    Value,
    Values,
    nothing_of_ours,
)
from explorer_core.index.symbols import SymbolId


class Base(msgspec.Struct, frozen=True, gc=False):
    """A supertype in the repository, and where it is declared to be one."""

    id: SymbolId
    path: str
    written: Supertype


Bases = tuple[tuple[Base, ...], bool]


class Hierarchy:
    """Finds supertypes and members; memoised."""

    def __init__(
        self,
        program: Program,
        names: Names,
        types: NamedTypes,
        variables: Variables,
        owners: Owners,
        evaluation: Evaluation,
    ) -> None:
        self._program = program
        self._names = names
        self._types = types
        self._variables = variables
        self._owners = owners
        self._evaluation = evaluation
        self._self_types = SelfTypes(program, types, evaluation)

    def supertypes(self, type_id: SymbolId) -> tuple[Base, ...]:
        """The direct supertypes of a type that are in the repository, as written."""
        return tuple(base for base in self._bases(type_id)[0] if base.id != type_id)

    def _bases(self, type_id: SymbolId) -> Bases:
        """The supertypes that a type's declarations name, and whether it has some outside."""
        first = self._names.first_part(type_id)
        return self._evaluation.ask(
            ("bases", first), lambda: self._find_bases(first), ((), False), steps=0
        )

    def _find_bases(self, type_id: SymbolId) -> Bases:
        found: dict[Base, None] = {}
        is_open = False
        for part in self._names.parts(type_id):
            for table, written in self._written_supertypes(part):
                if written.relation == "requires":
                    continue
                scope = self._seen_from(table, written)
                values = self._types.types_named(table, scope, written.name, written.line)
                types = [v for v in values if isinstance(v, Instance) and v.id != part]
                if not _is_merely_met(table, written):
                    is_open = is_open or not (types or self._names_itself(part, written, values))
                found.update((Base(each.id, table.path, written), None) for each in types)
        bases = [*found]
        if self._program.holder(type_id).spec.last_base_first:
            bases.reverse()
        return tuple(sorted(bases, key=self._only_declares)), is_open

    def _seen_from(self, table: FileTable, written: Supertype) -> int:
        """The scope in which a supertype is looked up: the one enclosing the type. A mixin is named
        within the type and may be nested in it, also in another of its declarations."""
        own = written.definition
        if own == TOP:
            return TOP
        if table.spec.mixins and written.relation == "implements":
            first = written.name.partition("::")[0]
            is_nested = first in table.named.get(own, {})
            if is_nested or (table.spec.open_types and any(self._names.in_type(table, own, first))):
                return own
        return table.definitions[own].container

    def _names_itself(self, part: SymbolId, written: Supertype, values: Values) -> bool:
        """Whether a type is written to implement itself, as is one that generates for other types
        what they implement. That is no supertype from outside."""
        own = self._program.definition(part)
        by_name = dotted(written.name) in (own.name, joined(own.owner, own.name))
        means = any(isinstance(value, Instance) and value.id == part for value in values)
        return written.relation == "implements" and by_name and means

    def _distinct_bases(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The direct supertypes, one for each that has several declarations. Of those with the
        type's own name all are kept, since they differ in their parameters."""
        first = self._names.first_part(type_id)
        bases = self._evaluation.ask(
            ("distinct", first), lambda: self._find_distinct_bases(first), (), steps=0
        )
        return tuple(base for base in bases if base != type_id)

    def _find_distinct_bases(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        found: dict[SymbolId, SymbolId] = {}
        table = self._program.holder(type_id)
        for base in self._bases(type_id)[0]:
            if _is_merely_met(table, base.written):
                continue
            first = self._names.first_part(base.id)
            found.setdefault(base.id if first == type_id else first, base.id)
        return tuple(found.values())

    def _written_supertypes(self, type_id: SymbolId) -> Iterator[tuple[FileTable, Supertype]]:
        """The supertypes that are written in a type or for it, in its file or another."""
        table = self._program.holder(type_id)
        name = table.definitions[type_id.ordinal].name
        for written in table.supertypes.get(type_id.ordinal, ()):
            if not written.owner:
                yield table, written
        for written in table.supertypes_of_owner.get(name, ()):
            yield table, written
        for path in sorted(self._program.source.files_extending(name)):
            other = self._program.table(path)
            if other and other.spec.family_name == table.spec.family_name:
                for written in other.supertypes_of_owner.get(name, ()):
                    if Instance(type_id) in self._owners.named(other, TOP, written.owner):
                        yield other, written

    def _only_declares(self, base: Base) -> bool:
        """Whether a supertype is an interface: its members are found after all others."""
        return self._program.holder(base.id).is_interface(base.id.ordinal)

    def is_open(self, type_id: SymbolId) -> bool:
        """Whether a type may inherit members that nobody here can see, because some supertype is
        not in the repository."""
        return any(
            self._bases(each)[1] or self._leads_outside(each) for each in self.order(type_id)
        )

    def outside_bases(self, type_id: SymbolId) -> tuple[str, ...]:
        """The simple names of what the declarations of a type and of its supertypes name as
        supertypes that are not in the repository."""
        return self._evaluation.ask(
            ("outside bases", type_id), lambda: self._find_outside(type_id), (), steps=0
        )

    def _find_outside(self, type_id: SymbolId) -> tuple[str, ...]:
        found: dict[str, None] = {}
        parts = (part for each in self.order(type_id) for part in self._names.parts(each))
        for table, written in (one for part in parts for one in self._written_supertypes(part)):
            scope = self._seen_from(table, written)
            values = self._types.types_named(table, scope, written.name, written.line)
            if nothing_of_ours(values):
                found[simple_type_name(written.name)] = None
        return tuple(found)

    def _leads_outside(self, type_id: SymbolId) -> bool:
        """Whether a type is an alias for one that is not in the repository."""
        table = self._program.holder(type_id)
        definition = table.definitions[type_id.ordinal]
        if definition.kind != "type":
            return False
        for binding in table.parts(type_id.ordinal):
            for each in alternatives(binding.type):
                if nothing_of_ours(
                    self._types.types_named(table, binding.scope, each, binding.line)
                ):
                    return True
        return bool(definition.returns) and not self._meant(type_id)

    def order(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The type and its supertypes in the order members are looked up."""
        return self._evaluation.ask(
            ("order", type_id), lambda: self._find_order(type_id), (type_id,), steps=0
        )

    def _find_order(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        bases = self._distinct_bases(type_id) or self._meant(type_id)
        return (type_id, *merged([self.order(base) for base in bases], bases))

    def _meant(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The types that a type alias stands for."""
        table = self._program.holder(type_id)
        definition = table.definitions[type_id.ordinal]
        is_name = bool(definition.returns) or bool(table.parts(type_id.ordinal))
        if definition.kind != "type" or not is_name:
            return ()
        values = self._variables.declared(type_id)
        meant = tuple(v.id for v in values if isinstance(v, Instance) and v.id != type_id)
        if meant or definition.name not in table.declared:
            return meant
        named = self._names.declared(table, definition.name)
        return tuple(value.id for value in named if isinstance(value, Defined))

    def member(self, type_id: SymbolId, name: str, *, static: bool | None = None) -> Values:
        """The members called ``name`` in a type, or the nearest that it inherits. OUTSIDE if there
        are none and a supertype is from outside. Where a language keeps the two apart, ``static``
        asks for methods of the type itself, if there are any, or for those of its objects alone."""
        found = self._evaluation.ask(
            (type_id, name), lambda: self._find_member(type_id, name), UNKNOWN, steps=0
        )
        is_apart = static is not None and self._program.holder(type_id).spec.statics_apart
        return self._apart(type_id, name, found, static) if is_apart else found

    def _apart(self, type_id: SymbolId, name: str, found: Values, static: bool | None) -> Values:
        """The nearest members called ``name`` that belong to the type itself, or to its objects."""
        if fitting := tuple(each for each in found if self.is_of(each, static)):
            return fitting
        for holder in self.order(type_id):
            if members := self.own_members(holder, name, static=static):
                members = tuple(Defined(each, "graph:type") for each in members)
                return members if holder == type_id else self._inherited_by(type_id, members)
        if static or not found:  # a type's own mixins are written as for objects
            return found
        return OUTSIDE if self.is_open(type_id) else UNKNOWN

    def is_of(self, value: Value, static: bool | None) -> bool:
        """Whether a member is static or not, as asked; what is no method may be either."""
        if static is None or not isinstance(value, Defined):
            return True
        definition = self._program.definition(value.id)
        return definition.kind != "method" or definition.static == static

    def _find_member(self, type_id: SymbolId, name: str) -> Values:
        if found := self._in_each(type_id, name):
            return found
        outside = UNKNOWN
        for holder in self._in_order(type_id):
            found = self._own_member(holder, name) or self._embedded(holder, name)
            if not nothing_of_ours(found):
                return found if holder == type_id else self._inherited_by(type_id, found)
            outside = outside or found
        required, is_open = self._self_types.of(type_id)
        for holder in (holder for each in required for holder in self.order(each)):
            if not nothing_of_ours(found := self._own_member(holder, name)):
                return found
        return outside or (OUTSIDE if is_open or self.is_open(type_id) else UNKNOWN)

    def _inherited_by(self, type_id: SymbolId, members: Values) -> Values:
        """Members of a supertype as a type inherits them. Those that return the object they are
        called on return one of this type, and static ones that declare no result may do so."""
        return tuple(
            Defined(member.id, member.how, type_id)
            if isinstance(member, Defined) and self._may_give(member.id)
            else member
            for member in members
        )

    def _may_give(self, member: SymbolId) -> bool:
        definition = self._program.definition(member)
        says_nothing = definition.static and not definition.returns
        return says_nothing or self._variables.gives_own(member)

    def _in_order(self, type_id: SymbolId) -> Iterator[SymbolId]:
        """The lookup order, worked out no further than it is used: supertypes may be named in the
        type itself, or in one around it that has them for its own."""
        yield type_id
        yield from self.order(type_id)[1:]

    def _in_each(self, type_id: SymbolId, name: str) -> Values:
        """The members called ``name`` in all the types that a union or intersection is made of."""
        parts = self._program.holder(type_id).parts(type_id.ordinal)
        if not parts or self._own_member(type_id, name):
            return UNKNOWN
        found = (value for each in self._meant(type_id) for value in self.member(each, name))
        return tuple(dict.fromkeys(v for v in found if not isinstance(v, Outside)))

    def _own_member(self, type_id: SymbolId, name: str) -> Values:
        table = self._program.holder(type_id)
        found: list[Value] = [
            Defined(table.id(o), "graph:type") for o in table.members(type_id.ordinal, name)
        ]
        if not found or (table.spec.extensions_overload and not self._program.is_common(name)):
            found += self._elsewhere(table, type_id, name)
        found = found or self._in_parts(table, type_id, name)
        if found:
            return tuple(found)
        bound = table.fields(type_id.ordinal, name)
        return (self._variables.bound(table, bound, 0) or OPAQUE) if bound else UNKNOWN

    def _embedded(self, type_id: SymbolId, name: str) -> Values:
        """The supertype that a name means as a field, in languages where embedding makes it one."""
        if not self._program.holder(type_id).spec.structural_interfaces:
            return UNKNOWN
        return tuple(
            Instance(base.id)
            for base in self.supertypes(type_id)
            if base.written.relation == "extends" and last_part(base.written.name) == name
        )

    def _in_parts(self, table: FileTable, type_id: SymbolId, name: str) -> list[Value]:
        """The members that other declarations of the same type have."""
        if not table.spec.open_types:
            return []
        return list(self._names.in_type(table, type_id.ordinal, name))

    def own_members(
        self, type_id: SymbolId, name: str, *, static: bool | None = None
    ) -> list[SymbolId]:
        """The definitions of a member in the type itself. With ``static``, only methods of the type
        (True) or of its objects (False)."""
        found = self._own_member(type_id, name)
        return [v.id for v in found if isinstance(v, Defined) and self.is_of(v, static)]

    def next_members(
        self, type_id: SymbolId, behind: SymbolId, name: str, *, static: bool | None = None
    ) -> list[SymbolId]:
        """The definitions of a member that come next in a type's lookup order after one of its
        supertypes, or after the type itself; ``static`` as for `own_members`."""
        order = iter(self.order(type_id))
        if behind in order:  # consumes the order up to there
            for each in order:
                if found := self.own_members(each, name, static=static):
                    return found
        return []

    def _elsewhere(self, table: FileTable, type_id: SymbolId, name: str) -> list[Value]:
        """Members that other files declare for a type."""
        if table.spec.members_in_type:
            return []
        owner = table.definitions[type_id.ordinal].name
        found: list[Value] = []
        for member in self._program.owned(name, table.spec.family_name).get(owner, ()):
            other = self._program.holder(member)
            if other is not table and Instance(type_id) in self._owners.of(other, member.ordinal):
                found.append(Defined(member, "graph:type"))
        return found


def _is_merely_met(table: FileTable, written: Supertype) -> bool:
    """Whether a supertype is only an interface that the type satisfies without inheriting."""
    return table.spec.structural_interfaces and written.relation == "implements"
