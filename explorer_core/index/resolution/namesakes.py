"""Finds the definitions that a reference may mean by its name alone, where nothing else decides.

``account.balance`` may mean any member `balance`; if there is a class `Account`, only those of the
class, its supertypes and its subtypes. More than `NAMESAKES` candidates say too little, so there
are none then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from explorer_core.index.extraction.facts import IMPLICIT, UNNAMED
from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import HANDED_OVER, Reference
from explorer_core.index.languages import language_of
from explorer_core.index.resolution.functions.declarations import Declarations
from explorer_core.index.resolution.names.packages import NAMESAKES
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.semantic_model import SemanticModel
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Instance
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, SymbolId
from explorer_core.memoised import memoised

_MAX_COMPARED = 48
"""Up to this many candidates are compared with each other, also by their types' supertypes."""
_MAX_OVERLOADS = 24
"""The most overloads that a call may mean. Overloads in one container count as one candidate."""
_MIXIN_KIND = "mixed in"
"""Stands for the kind of a bare name in a template (markup with code in it). The name means a
member of the object that renders the template; which one is not known, but members for any object
are written in traits, to be mixed in."""
_LAST_NAME = re.compile(r"\w+$")


class Namesakes:
    """Finds candidates for references by name; memoised."""

    def __init__(self, program: Program, model: SemanticModel, declarations: Declarations) -> None:
        self._program = program
        self._model = model
        self._declarations = declarations
        self._found_by_key: dict[tuple[str, str, str, bool, bool, str], tuple[SymbolId, ...]] = {}

    def of(self, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
        """The definitions that a reference may mean by its name; none where there are too many."""
        is_member = bool(reference.receiver)
        if not is_member:
            extensions = self._outside_base_extensions(table, reference)
            if extensions or reference.local or not _names_reach_everywhere(table):
                return extensions
        elif _is_no_call(table, reference) or _is_expected_member(reference):
            return ()
        is_transparent = is_member and reference.name in table.spec.transparent_members
        if is_transparent or self._program.is_common(reference.name):
            return ()
        kind = "implicit" if reference.receiver == IMPLICIT else reference.kind
        if not is_member and table.spec.code_parts:
            kind = _MIXIN_KIND
        receiver_name = _last_name(reference.receiver) if is_member else ""
        hint = _last_word(receiver_name)
        is_object = kind == _MIXIN_KIND or (is_member and _is_no_type(table, reference.receiver))
        key = (table.spec.family_name, reference.name, kind, is_member, is_object, receiver_name)
        if key not in self._found_by_key:
            members = list(self._candidates(*key[:4]))
            if is_object:
                members = self._object_members(
                    members, hint, holds_types=bool(table.spec.construct_members)
                )
            if is_object or not table.spec.type_name:
                members = self._members_of_namesake_type(members, key[0], receiver_name)
            if is_member and kind != "implicit":
                members = self._without_builtin_names(members, key[0], reference.name, hint)
                members = self._narrowed_if_passed_on(members, table, reference, hint)
            self._found_by_key[key] = self._without_overrides(members, hint)
        candidates = self._found_by_key[key]
        if table.spec.hides_unexported and len(candidates) > NAMESAKES:
            return ()  # too common a name, even if most of these are hidden
        if table.spec.code_parts and not self._is_specific_enough(
            table, reference, hint, candidates
        ):
            return ()
        is_visible = self._model.visibility.is_visible
        return _unless_many(candidate for candidate in candidates if is_visible(table, candidate))

    def not_contradicted(
        self, table: FileTable, reference: Reference, candidates: tuple[SymbolId, ...]
    ) -> tuple[SymbolId, ...]:
        """Drops candidates that contradict the receiver's class, where that is known: members of
        unrelated classes, and the function enclosing the reference if its type is unrelated."""
        if not candidates or not reference.receiver:
            return candidates
        receiver, line, local = reference.receiver, reference.line, reference.local
        evaluate = self._model.expressions.evaluate
        values = evaluate(table, reference.scope, receiver, line, local=local)
        types = [v.id for v in values if isinstance(v, Defined | Instance)]
        if not types or len(types) < len(values):
            return candidates
        if not all(self._program.kind(type_id) in CLASS_KINDS for type_id in types):
            return candidates
        enclosing = {table.id(scope) for scope in table.scopes(reference.scope)}
        return tuple(
            member
            for member in candidates
            if self._classes_may_have(types, member, is_enclosing=member in enclosing)
        )

    def _classes_may_have(
        self, types: list[SymbolId], member: SymbolId, *, is_enclosing: bool
    ) -> bool:
        """Whether a value of one of some classes may have a member: it belongs to no type, to a
        super- or subtype of the classes, or to a trait, which any class may mix in. A function
        ``is_enclosing`` the reference must be of a related type even if that is a trait."""
        owner = self._declaring_type(member)
        if owner is None or not (is_enclosing or self._program.kind(owner) in CLASS_KINDS):
            return True
        order = self._model.hierarchy.lookup_order
        return any(type_id in order(owner) or owner in order(type_id) for type_id in types)

    def of_types_named_like_receiver(
        self, table: FileTable, reference: Reference
    ) -> tuple[SymbolId, ...]:
        """The candidates whose type is named like the receiver (``agent``: `Agent`)."""
        hint, owner_name = _last_word(_last_name(reference.receiver)), self._declarations.owner_name
        candidates = self.of(table, reference) if hint else ()
        return tuple(
            candidate for candidate in candidates if hint in identifier_parts(owner_name(candidate))
        )

    def outside_extensions(self, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
        """The extension members that a call on a value from outside may mean, by what is in the
        value if it is a collection. None where there are too many; overloads count as one."""
        if reference.kind != "call":
            return ()
        receiver, scope, line = reference.receiver, reference.scope, reference.line
        extensions = self._model.extensions.of_any_type(table, reference.name, bare=not receiver)
        if extensions and receiver:
            evaluate = self._model.expressions.evaluate
            values = evaluate(table, scope, receiver, line, local=reference.local)
            extensions = self._model.receivers.applicable_to_any(extensions, values)
        containers = {
            (m.path, self._program.definition(m).container) for m in extensions[:_MAX_OVERLOADS]
        }
        return (
            extensions if len(containers) <= NAMESAKES and len(extensions) <= _MAX_OVERLOADS else ()
        )

    def _is_specific_enough(
        self, table: FileTable, reference: Reference, hint: str, candidates: tuple[SymbolId, ...]
    ) -> bool:
        """Whether a name in a template says enough to guess from, as nothing declares what a
        template is given. It does if it has several words; if a type named like the receiver has
        it, itself or through super- or subtypes; if the member's own type has the receiver's last
        word in its name; or if it is bare and no receiver in the file begins with it."""
        if _has_several_words(reference.name):
            return True
        if not reference.receiver:
            return reference.name not in table.heads
        if not hint or len(candidates) > _MAX_COMPARED:
            return False
        types = self._types_named_like(table.spec.family_name, _last_name(reference.receiver))
        type_has_one = bool(self._members_of_types(candidates, types))
        return type_has_one or bool(self._of_own_types_with_word(candidates, hint))

    def _outside_base_extensions(
        self, table: FileTable, reference: Reference
    ) -> tuple[SymbolId, ...]:
        """The extension members that a bare name may mean because the enclosing type has supertypes
        from outside the repository."""
        if reference.local or not table.spec.extension_members:
            return ()
        types = self._model.owners.enclosing_types(table, reference.scope)
        is_open = any(self._model.hierarchy.is_open(instance.id) for instance in types)
        return self.outside_extensions(table, reference) if is_open else ()

    def _without_overrides(self, candidates: list[SymbolId], hint: str) -> tuple[SymbolId, ...]:
        """The candidates without those that override another one: a call means what they override.
        Prefers those whose types or supertypes have the receiver's last word in their names."""
        if hint:
            candidates = self._of_types_with_word(candidates, hint) or candidates
        if len(candidates) > _MAX_COMPARED:
            return tuple(candidates)
        return tuple(
            candidate
            for candidate in candidates
            if not self._overrides_one_of(candidate, candidates)
        )

    def _overrides_one_of(self, member: SymbolId, others: list[SymbolId]) -> bool:
        table = self._program.table_of(member)
        definition = table.definitions[member.ordinal]
        owner = self._model.owners.declaring_type(table, member.ordinal)
        if owner is None:
            return False
        inherited = self._model.inheritance.inherited(owner, definition.name, definition.static)
        return any(other in inherited for other in others)

    def _object_members(
        self, members: list[SymbolId], hint: str, *, holds_types: bool
    ) -> list[SymbolId]:
        """The candidates that an object can have, where the receiver's name is not written like a
        type's. A static member counts only if variables may hold types (``holds_types``), the
        member's type is named like the receiver, and no member of an object belongs to a type named
        so."""
        objects = [member for member in members if not self._program.definition(member).static]
        if not holds_types or not hint or self._of_types_with_word(objects, hint):
            return objects
        static = (member for member in members if self._program.definition(member).static)
        return [*objects, *self._of_own_types_with_word(static, hint)]

    def _members_of_namesake_type(
        self, members: list[SymbolId], family: str, receiver_name: str
    ) -> list[SymbolId]:
        """Narrows candidates to members of the type whose whole name is the receiver's (``account``
        and `Account`), of its supertypes and its subtypes. If there are none but the type may
        inherit some from outside, keeps only the members of types that have the receiver's last
        word in their names."""
        types: frozenset[SymbolId] = frozenset()
        if members and len(members) <= _MAX_COMPARED:
            types = self._types_named_like(family, receiver_name)
        related = self._members_of_types(members, types)
        if related:  # keep what these override in other supertypes, too
            inherited = self._with_supertypes(filter(None, map(self._declaring_type, related)))
            related = [member for member in members if self._declaring_type(member) in inherited]
        if related or not any(map(self._model.hierarchy.is_open, types)):
            return related or members
        return self._of_types_with_word(members, _last_word(receiver_name))

    def _without_builtin_names(
        self, members: list[SymbolId], family: str, name: str, hint: str
    ) -> list[SymbolId]:
        """Narrows members whose name the language's own types have as well (``get``, ``trim``) to
        those of types named like the receiver and extensions of types from outside. More than
        `NAMESAKES` all stay if no type is named so."""
        if not members or not self._program.is_called_on_literals(name, family):
            return members
        with_word = self._of_types_with_word(members, hint) if hint else []
        if len(members) > NAMESAKES:  # too many, unless the receiver decides
            return with_word or members
        return [m for m in members if m in with_word or self._extends_outside_type(m)]

    def _narrowed_if_passed_on(
        self, members: list[SymbolId], table: FileTable, reference: Reference, hint: str
    ) -> list[SymbolId]:
        """Narrows the candidates for a member of one word that is passed on without a call
        (``message.text``) to those of types named like the receiver: it is nearly always data that
        nothing declares. A function with a decorator may be read like data."""
        is_call = reference.kind not in HANDED_OVER or table.spec.bare_members
        if is_call or _has_several_words(reference.name):
            return members
        with_word = self._of_own_types_with_word(members, hint) if hint else []
        return [m for m in members if m in with_word or self._is_decorated(m)]

    def _is_decorated(self, member: SymbolId) -> bool:
        table = self._program.table_of(member)
        definition = table.definitions[member.ordinal]
        return table.spec.decorated_members and definition.start < definition.line

    def _extends_outside_type(self, member: SymbolId) -> bool:
        """Whether a member is written for a type outside the repository."""
        is_extension = self._program.table_of(member).is_extension(member.ordinal)
        return is_extension or self._declaring_type(member) is None

    @memoised
    def _types_named_like(self, family: str, variable: str) -> frozenset[SymbolId]:
        """The classes named like a variable, in a type's case (``user_role``: `UserRole`)."""
        parts = identifier_parts(variable)
        names = {"".join(map(str.capitalize, parts)), "".join(parts).upper()} - {variable, ""}
        return frozenset(
            table.id(ordinal)
            for name in names
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
            if table.definitions[ordinal].kind in CLASS_KINDS
        )

    def _members_of_types(
        self, members: Iterable[SymbolId], types: frozenset[SymbolId]
    ) -> list[SymbolId]:
        """The members that one of some types has itself or through a super- or subtype."""
        if not types:
            return []
        inherited, lookup_order = self._with_supertypes(types), self._model.hierarchy.lookup_order
        return [
            member
            for member in members
            if (owner := self._declaring_type(member)) is not None
            and (owner in inherited or not types.isdisjoint(lookup_order(owner)))
        ]

    def _with_supertypes(self, types: Iterable[SymbolId]) -> set[SymbolId]:
        """Some types and all their supertypes."""
        return set(chain.from_iterable(map(self._model.hierarchy.lookup_order, types)))

    def _declaring_type(self, member: SymbolId) -> SymbolId | None:
        return self._model.owners.declaring_type(self._program.table_of(member), member.ordinal)

    def _of_types_with_word(self, members: list[SymbolId], word: str) -> list[SymbolId]:
        """The members whose types have a word in their name, or else in the name of a supertype."""
        by_own_type = self._of_own_types_with_word(members, word)
        if by_own_type or len(members) > _MAX_COMPARED:
            return by_own_type
        return [member for member in members if self._derives_from_type_with_word(member, word)]

    def _of_own_types_with_word(self, members: Iterable[SymbolId], word: str) -> list[SymbolId]:
        owner_name = self._declarations.owner_name
        return [member for member in members if word in identifier_parts(owner_name(member))]

    def _derives_from_type_with_word(self, member: SymbolId, word: str) -> bool:
        owner = self._declaring_type(member)
        order = self._model.hierarchy.lookup_order(owner) if owner else ()
        names = (self._program.definition(type_id).name for type_id in order)
        return any(word in identifier_parts(name) for name in names)

    def _candidates(self, family: str, name: str, kind: str, is_member: bool) -> Iterator[SymbolId]:
        kinds = CALLABLES if is_member and kind == "call" else CALLABLES | MEMBER_HOLDERS
        if kind == "implicit":
            kinds = frozenset({"constant"})
        for table in self._program.defining(name, family):
            if not is_member and language_of(table.path) is None:
                continue  # a script known by its #! line, which no other file loads
            for ordinal in table.by_name[name]:
                fits = table.definitions[ordinal].kind in kinds
                if kind == _MIXIN_KIND:
                    container = table.definition(table.definitions[ordinal].container)
                    fits = fits and container is not None and container.kind == "trait"
                if fits and table.is_member(ordinal) == (is_member or kind == _MIXIN_KIND):
                    yield table.id(ordinal)


def _unless_many(candidates: Iterable[SymbolId]) -> tuple[SymbolId, ...]:
    few = tuple(islice(candidates, NAMESAKES + 1))
    return few if len(few) <= NAMESAKES else ()


def _has_several_words(name: str) -> bool:
    return sum(len(word) > 1 for word in identifier_parts(name)) > 1


def _names_reach_everywhere(table: FileTable) -> bool:
    """Whether a bare name may mean a definition that no import leads to: in a language whose
    imports include text, or that has no imports. A file of a build target sees only its imports."""
    rules = table.spec.imports
    in_target = bool(rules.target_folders and table.package)
    return (rules.wildcard_default and not in_target) or rules.style == "none"


def _is_no_call(table: FileTable, reference: Reference) -> bool:
    """Whether a member is used in a way that is no call; only calls are guessed at."""
    is_read = reference.kind == "read" and not table.spec.bare_members
    return (is_read or reference.kind == "type") and reference.receiver != IMPLICIT


def _is_expected_member(reference: Reference) -> bool:
    """Whether a name means a member of the type expected at its place, and no other."""
    return reference.receiver.startswith(UNNAMED) and reference.receiver.endswith(".")


def _is_no_type(table: FileTable, receiver: str) -> bool:
    """Whether a receiver cannot be a type, by how its last name is written (``user``)."""
    pattern = table.spec.type_name
    if not pattern or receiver == IMPLICIT:
        return False
    name = _LAST_NAME.search(receiver)
    return name is None or re.search(pattern, name.group()) is None


def _last_name(receiver: str) -> str:
    """The last name of a receiver; empty when it ends in a call."""
    return receiver.rpartition(".")[2] if receiver[-1:] != ")" else ""


def _last_word(name: str) -> str:
    words = identifier_parts(name)
    return words[-1] if words else ""
