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
from explorer_core.index.resolution.hierarchy.linearisation import c3_merge
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
    all_outside,
)
from explorer_core.index.symbols import SymbolId


class Base(msgspec.Struct, frozen=True, gc=False):
    """A supertype in the repository, and where it is declared to be one."""

    id: SymbolId
    path: str
    clause: Supertype


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
        first = self._names.first_declaration(type_id)
        return self._evaluation.ask(
            ("bases", first), lambda: self._find_bases(first), ((), False), steps=0
        )

    def _find_bases(self, type_id: SymbolId) -> Bases:
        declared: dict[Base, None] = {}
        is_open = False
        for declaration in self._names.declarations(type_id):
            for table, clause in self._supertype_clauses(declaration):
                if clause.relation == "requires":
                    continue
                scope = self._lookup_scope(table, clause)
                values = self._types.lookup(table, scope, clause.name, clause.line)
                types = [v for v in values if isinstance(v, Instance) and v.id != declaration]
                if not _is_only_satisfied(table, clause):
                    is_open = is_open or not (
                        types or self._names_itself(declaration, clause, values)
                    )
                declared.update((Base(instance.id, table.path, clause), None) for instance in types)
        bases = [*declared]
        if self._program.table_of(type_id).spec.last_base_first:
            bases.reverse()
        return tuple(sorted(bases, key=self._is_interface)), is_open

    def _lookup_scope(self, table: FileTable, clause: Supertype) -> int:
        """The scope in which a supertype is looked up: the one enclosing the type. A mixin is named
        within the type and may be nested in it, also in another of its declarations."""
        type_ordinal = clause.definition
        if type_ordinal == TOP:
            return TOP
        if table.spec.mixins and clause.relation == "implements":
            first_name = clause.name.partition("::")[0]
            is_nested = first_name in table.by_scope.get(type_ordinal, {})
            if is_nested or (
                table.spec.open_types and any(self._names.in_type(table, type_ordinal, first_name))
            ):
                return type_ordinal
        return table.definitions[type_ordinal].container

    def _names_itself(self, declaration: SymbolId, clause: Supertype, values: Values) -> bool:
        """Whether a type is written to implement itself, as is one that generates for other types
        what they implement. That is no supertype from outside."""
        definition = self._program.definition(declaration)
        by_name = dotted(clause.name) in (
            definition.name,
            joined(definition.owner, definition.name),
        )
        is_itself = any(isinstance(value, Instance) and value.id == declaration for value in values)
        return clause.relation == "implements" and by_name and is_itself

    def _distinct_bases(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The direct supertypes, one for each that has several declarations. Of those with the
        type's own name all are kept, since they differ in their parameters."""
        first = self._names.first_declaration(type_id)
        bases = self._evaluation.ask(
            ("distinct", first), lambda: self._find_distinct_bases(first), (), steps=0
        )
        return tuple(base for base in bases if base != type_id)

    def _find_distinct_bases(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        distinct: dict[SymbolId, SymbolId] = {}
        table = self._program.table_of(type_id)
        for base in self._bases(type_id)[0]:
            if _is_only_satisfied(table, base.clause):
                continue
            first = self._names.first_declaration(base.id)
            distinct.setdefault(base.id if first == type_id else first, base.id)
        return tuple(distinct.values())

    def _supertype_clauses(self, type_id: SymbolId) -> Iterator[tuple[FileTable, Supertype]]:
        """The supertypes that are written in a type or for it, in its file or another."""
        table = self._program.table_of(type_id)
        name = table.definitions[type_id.ordinal].name
        for clause in table.supertypes.get(type_id.ordinal, ()):
            if not clause.owner:
                yield table, clause
        for clause in table.supertypes_by_owner.get(name, ()):
            yield table, clause
        for path in sorted(self._program.source.files_extending(name)):
            other = self._program.table(path)
            if other and other.spec.family_name == table.spec.family_name:
                for clause in other.supertypes_by_owner.get(name, ()):
                    if Instance(type_id) in self._owners.named(other, TOP, clause.owner):
                        yield other, clause

    def _is_interface(self, base: Base) -> bool:
        """Whether a supertype is an interface: its members are found after all others."""
        return self._program.table_of(base.id).is_interface(base.id.ordinal)

    def is_open(self, type_id: SymbolId) -> bool:
        """Whether a type may inherit members that nobody here can see, because some supertype is
        not in the repository."""
        return any(
            self._bases(supertype)[1] or self._aliases_outside(supertype)
            for supertype in self.lookup_order(type_id)
        )

    def outside_bases(self, type_id: SymbolId) -> tuple[str, ...]:
        """The simple names of the outside supertypes that a type has, directly or through its
        supertypes in the repository."""
        return self._evaluation.ask(
            ("outside bases", type_id), lambda: self._find_outside_bases(type_id), (), steps=0
        )

    def _find_outside_bases(self, type_id: SymbolId) -> tuple[str, ...]:
        names: dict[str, None] = {}
        declarations = (
            declaration
            for supertype in self.lookup_order(type_id)
            for declaration in self._names.declarations(supertype)
        )
        for table, clause in (
            pair for declaration in declarations for pair in self._supertype_clauses(declaration)
        ):
            scope = self._lookup_scope(table, clause)
            values = self._types.lookup(table, scope, clause.name, clause.line)
            if all_outside(values):
                names[simple_type_name(clause.name)] = None
        return tuple(names)

    def _aliases_outside(self, type_id: SymbolId) -> bool:
        """Whether a type is an alias for one that is not in the repository."""
        table = self._program.table_of(type_id)
        definition = table.definitions[type_id.ordinal]
        if definition.kind != "type":
            return False
        for binding in table.constituents(type_id.ordinal):
            for alternative in alternatives(binding.type):
                if all_outside(self._types.lookup(table, binding.scope, alternative, binding.line)):
                    return True
        return bool(definition.returns) and not self._aliased_types(type_id)

    def lookup_order(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The type and its supertypes in the order members are looked up."""
        return self._evaluation.ask(
            ("order", type_id), lambda: self._find_order(type_id), (type_id,), steps=0
        )

    def _find_order(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        bases = self._distinct_bases(type_id) or self._aliased_types(type_id)
        return (type_id, *c3_merge([self.lookup_order(base) for base in bases], bases))

    def _aliased_types(self, type_id: SymbolId) -> tuple[SymbolId, ...]:
        """The types that a type alias stands for."""
        table = self._program.table_of(type_id)
        definition = table.definitions[type_id.ordinal]
        is_name = bool(definition.returns) or bool(table.constituents(type_id.ordinal))
        if definition.kind != "type" or not is_name:
            return ()
        values = self._variables.declared_values(type_id)
        types = tuple(v.id for v in values if isinstance(v, Instance) and v.id != type_id)
        if types or definition.name not in table.forward_declarations:
            return types
        declared = self._names.forward_declared(table, definition.name)
        return tuple(value.id for value in declared if isinstance(value, Defined))

    def member(self, type_id: SymbolId, name: str, *, static: bool | None = None) -> Values:
        """The members called ``name`` in a type, or the nearest that it inherits. OUTSIDE if there
        are none and a supertype is from outside. Where a language keeps the two apart, ``static``
        asks for methods of the type itself, if there are any, or for those of its objects alone."""
        members = self._evaluation.ask(
            (type_id, name), lambda: self._find_member(type_id, name), UNKNOWN, steps=0
        )
        is_separate = static is not None and self._program.table_of(type_id).spec.statics_apart
        return self._by_static(type_id, name, members, static) if is_separate else members

    def _by_static(
        self, type_id: SymbolId, name: str, all_members: Values, static: bool | None
    ) -> Values:
        """The nearest members called ``name`` that belong to the type itself, or to its objects."""
        if fitting := tuple(value for value in all_members if self.matches_static(value, static)):
            return fitting
        for supertype in self.lookup_order(type_id):
            if members := self.own_members(supertype, name, static=static):
                members = tuple(Defined(member, "graph:type") for member in members)
                return members if supertype == type_id else self._as_inherited(type_id, members)
        if static or not all_members:  # a type's own mixins are written as for objects
            return all_members
        return OUTSIDE if self.is_open(type_id) else UNKNOWN

    def matches_static(self, value: Value, static: bool | None) -> bool:
        """Whether a member is static or not, as asked; what is no method may be either."""
        if static is None or not isinstance(value, Defined):
            return True
        definition = self._program.definition(value.id)
        return definition.kind != "method" or definition.static == static

    def _find_member(self, type_id: SymbolId, name: str) -> Values:
        if members := self._constituent_members(type_id, name):
            return members
        outside = UNKNOWN
        for supertype in self._lazy_lookup_order(type_id):
            members = self._own_values(supertype, name) or self._embedded(supertype, name)
            if not all_outside(members):
                return members if supertype == type_id else self._as_inherited(type_id, members)
            outside = outside or members
        required, is_open = self._self_types.of(type_id)
        for supertype in (
            supertype
            for required_type in required
            for supertype in self.lookup_order(required_type)
        ):
            if not all_outside(members := self._own_values(supertype, name)):
                return members
        return outside or (OUTSIDE if is_open or self.is_open(type_id) else UNKNOWN)

    def _as_inherited(self, type_id: SymbolId, members: Values) -> Values:
        """Members of a supertype as a type inherits them. Those that return the object they are
        called on return one of this type, and static ones that declare no result may do so."""
        return tuple(
            Defined(member.id, member.witness, type_id)
            if isinstance(member, Defined) and self._may_return_inheritor(member.id)
            else member
            for member in members
        )

    def _may_return_inheritor(self, member: SymbolId) -> bool:
        definition = self._program.definition(member)
        is_undeclared = definition.static and not definition.returns
        return is_undeclared or self._variables.returns_self(member)

    def _lazy_lookup_order(self, type_id: SymbolId) -> Iterator[SymbolId]:
        """The lookup order, worked out no further than it is used: supertypes may be named in the
        type itself, or in one around it that has them for its own."""
        yield type_id
        yield from self.lookup_order(type_id)[1:]

    def _constituent_members(self, type_id: SymbolId, name: str) -> Values:
        """The members called ``name`` in all the types that a union or intersection is made of."""
        constituents = self._program.table_of(type_id).constituents(type_id.ordinal)
        if not constituents or self._own_values(type_id, name):
            return UNKNOWN
        members = (
            value
            for constituent in self._aliased_types(type_id)
            for value in self.member(constituent, name)
        )
        return tuple(dict.fromkeys(v for v in members if not isinstance(v, Outside)))

    def _own_values(self, type_id: SymbolId, name: str) -> Values:
        table = self._program.table_of(type_id)
        values: list[Value] = [
            Defined(table.id(o), "graph:type") for o in table.members(type_id.ordinal, name)
        ]
        if not values or (table.spec.extensions_overload and not self._program.is_common(name)):
            values += self._external_members(table, type_id, name)
        values = values or self._declaration_members(table, type_id, name)
        if values:
            return tuple(values)
        assignments = table.field_assignments(type_id.ordinal, name)
        return (
            (self._variables.value_at(table, assignments, 0) or OPAQUE) if assignments else UNKNOWN
        )

    def _embedded(self, type_id: SymbolId, name: str) -> Values:
        """The supertype that a name means as a field, in languages where embedding makes it one."""
        if not self._program.table_of(type_id).spec.structural_interfaces:
            return UNKNOWN
        return tuple(
            Instance(base.id)
            for base in self.supertypes(type_id)
            if base.clause.relation == "extends" and last_part(base.clause.name) == name
        )

    def _declaration_members(self, table: FileTable, type_id: SymbolId, name: str) -> list[Value]:
        """The members that other declarations of the same type have."""
        if not table.spec.open_types:
            return []
        return list(self._names.in_type(table, type_id.ordinal, name))

    def own_members(
        self, type_id: SymbolId, name: str, *, static: bool | None = None
    ) -> list[SymbolId]:
        """The definitions of a member in the type itself. With ``static``, only methods of the type
        (True) or of its objects (False)."""
        values = self._own_values(type_id, name)
        return [v.id for v in values if isinstance(v, Defined) and self.matches_static(v, static)]

    def next_members(
        self, type_id: SymbolId, after: SymbolId, name: str, *, static: bool | None = None
    ) -> list[SymbolId]:
        """The definitions of a member that come next in a type's lookup order after one of its
        supertypes, or after the type itself; ``static`` as for `own_members`."""
        order = iter(self.lookup_order(type_id))
        if after in order:  # consumes the order up to there
            for supertype in order:
                if members := self.own_members(supertype, name, static=static):
                    return members
        return []

    def _external_members(self, table: FileTable, type_id: SymbolId, name: str) -> list[Value]:
        """Members that other files declare for a type."""
        if table.spec.members_in_type:
            return []
        type_name = table.definitions[type_id.ordinal].name
        members: list[Value] = []
        for member in self._program.members_by_owner(name, table.spec.family_name).get(
            type_name, ()
        ):
            other = self._program.table_of(member)
            if other is not table and Instance(type_id) in self._owners.of(other, member.ordinal):
                members.append(Defined(member, "graph:type"))
        return members


def _is_only_satisfied(table: FileTable, clause: Supertype) -> bool:
    """Whether a supertype is only an interface that the type satisfies without inheriting."""
    return table.spec.structural_interfaces and clause.relation == "implements"
