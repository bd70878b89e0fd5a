"""Finds the definitions that a reference may mean by its name alone, where nothing else decides.

``account.balance`` may mean any member `balance`; if there is a class `Account`, only those of the
class, its supertypes and its subtypes. More than `NAMESAKES` candidates say too little, so there
are none then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from explorer_core.index.extraction.facts import IMPLICIT, PLACE
from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import HANDED, Reference
from explorer_core.index.languages import language_of
from explorer_core.index.resolution.functions.declarations import Declarations
from explorer_core.index.resolution.names.packages import NAMESAKES
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.semantic_model import SemanticModel
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Instance
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, SymbolId
from explorer_core.memoised import memoised

_COMPARED = 48
"""Up to this many candidates are compared with each other, also by their types' supertypes."""
_OVERLOADED = 24
"""The most overloads that a call may mean. Overloads in one container count as one candidate."""
_MIXED_IN = "mixed in"
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
        self._found: dict[tuple[str, str, str, bool, bool, str], tuple[SymbolId, ...]] = {}

    def of(self, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
        """The definitions that a reference may mean by its name; none where there are too many."""
        member = bool(reference.receiver)
        if not member:
            inherited = self._inherited_from_outside(table, reference)
            if inherited or reference.local or not _names_reach_everywhere(table):
                return inherited
        elif _is_never_called(table, reference) or _is_expected(reference):
            return ()
        passes_on = member and reference.name in table.spec.transparent_members
        if passes_on or self._program.is_common(reference.name):
            return ()
        kind = "implicit" if reference.receiver == IMPLICIT else reference.kind
        if not member and table.spec.code_parts:
            kind = _MIXED_IN
        called = _last_name(reference.receiver) if member else ""
        hint = _last_word(called)
        of_object = kind == _MIXED_IN or (member and _is_no_type(table, reference.receiver))
        key = (table.spec.family_name, reference.name, kind, member, of_object, called)
        if key not in self._found:
            found = list(self._candidates(*key[:4]))
            if of_object:
                found = self._of_object(found, hint, held=bool(table.spec.construct_members))
            if of_object or not table.spec.type_name:
                found = self._of_namesake(found, key[0], called)
            if member and kind != "implicit":
                found = self._not_of_literals(found, key[0], reference.name, hint)
                found = self._handed_over(found, table, reference, hint)
            self._found[key] = self._distinct(found, hint)
        named = self._found[key]
        if table.spec.hides_unexported and len(named) > NAMESAKES:
            return ()  # too common a name, even if most of these are hidden
        if table.spec.code_parts and not self._says_enough(table, reference, hint, named):
            return ()
        is_seen = self._model.visibility.is_seen
        return _few(each for each in named if is_seen(table, each))

    def not_contradicted(
        self, table: FileTable, reference: Reference, found: tuple[SymbolId, ...]
    ) -> tuple[SymbolId, ...]:
        """Drops candidates that contradict the receiver's class, where that is known: members of
        unrelated classes, and the function enclosing the reference if its type is unrelated."""
        if not found or not reference.receiver:
            return found
        receiver, line, local = reference.receiver, reference.line, reference.local
        evaluate = self._model.expressions.evaluate
        values = evaluate(table, reference.scope, receiver, line, local=local)
        types = [v.id for v in values if isinstance(v, Defined | Instance)]
        if not types or len(types) < len(values):
            return found
        if not all(self._program.kind(each) in CLASS_KINDS for each in types):
            return found
        around = {table.id(scope) for scope in table.scopes(reference.scope)}
        return tuple(m for m in found if self._may_be_of(types, m, around=m in around))

    def _may_be_of(self, types: list[SymbolId], member: SymbolId, *, around: bool) -> bool:
        """Whether a value of one of some classes may have a member: it belongs to no type, to a
        super- or subtype of the classes, or to a trait, which any class may mix in. A function
        ``around`` the reference must be of a related type even if that is a trait."""
        holder = self._holder(member)
        if holder is None or not (around or self._program.kind(holder) in CLASS_KINDS):
            return True
        order = self._model.hierarchy.order
        return any(each in order(holder) or holder in order(each) for each in types)

    def of_types_called_so(self, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
        """The candidates whose type is named like the receiver (``agent``: `Agent`)."""
        hint, owner = _last_word(_last_name(reference.receiver)), self._declarations.owner_name
        found = self.of(table, reference) if hint else ()
        return tuple(each for each in found if hint in identifier_parts(owner(each)))

    def of_other_type(self, table: FileTable, reference: Reference) -> tuple[SymbolId, ...]:
        """The extension members that a call on a value from outside may mean, by what is in the
        value if it is a collection. None where there are too many; overloads count as one."""
        if reference.kind != "call":
            return ()
        receiver, scope, line = reference.receiver, reference.scope, reference.line
        found = self._model.extensions.of_any_type(table, reference.name, bare=not receiver)
        if found and receiver:
            evaluate = self._model.expressions.evaluate
            values = evaluate(table, scope, receiver, line, local=reference.local)
            found = self._model.receivers.possible(found, values)
        sets = {(m.path, self._program.definition(m).container) for m in found[:_OVERLOADED]}
        return found if len(sets) <= NAMESAKES and len(found) <= _OVERLOADED else ()

    def _says_enough(
        self, table: FileTable, reference: Reference, hint: str, named: tuple[SymbolId, ...]
    ) -> bool:
        """Whether a name in a template says enough to guess from, as nothing declares what a
        template is given. It does if it has several words; if a type named like the receiver has
        it, itself or through super- or subtypes; if the member's own type has the receiver's last
        word in its name; or if it is bare and no receiver in the file begins with it."""
        if _has_several_words(reference.name):
            return True
        if not reference.receiver:
            return reference.name not in table.heads
        if not hint or len(named) > _COMPARED:
            return False
        types = self._types_called(table.spec.family_name, _last_name(reference.receiver))
        had = any(self._may_have(one, each) for each in named for one in types)
        return had or bool(self._of_types_called_so(named, hint))

    def _inherited_from_outside(
        self, table: FileTable, reference: Reference
    ) -> tuple[SymbolId, ...]:
        """The extension members that a bare name may mean because the enclosing type has supertypes
        from outside the repository."""
        if reference.local or not table.spec.extension_members:
            return ()
        own = self._model.owners.around(table, reference.scope)
        is_open = any(self._model.hierarchy.is_open(each.id) for each in own)
        return self.of_other_type(table, reference) if is_open else ()

    def _distinct(self, found: list[SymbolId], hint: str) -> tuple[SymbolId, ...]:
        """The candidates without those that override another one: a call means what they override.
        Prefers those whose types or supertypes have the receiver's last word in their names."""
        if hint:
            found = self._called_so(found, hint) or found
        if len(found) > _COMPARED:
            return tuple(found)
        return tuple(each for each in found if not self._overrides_one_of(each, found))

    def _overrides_one_of(self, member: SymbolId, others: list[SymbolId]) -> bool:
        table = self._program.holder(member)
        definition = table.definitions[member.ordinal]
        holder = self._model.owners.holder_of(table, member.ordinal)
        if holder is None:
            return False
        inherited = self._model.inheritance.inherited(holder, definition.name, definition.static)
        return any(other in inherited for other in others)

    def _of_object(self, members: list[SymbolId], hint: str, *, held: bool) -> list[SymbolId]:
        """The candidates that an object can have, where the receiver's name is not written like a
        type's. A static member counts only if variables may hold types (``held``), the member's
        type is named like the receiver, and no member of an object belongs to a type named so."""
        objects = [each for each in members if not self._program.definition(each).static]
        if not held or not hint or self._called_so(objects, hint):
            return objects
        static = (each for each in members if self._program.definition(each).static)
        return [*objects, *self._of_types_called_so(static, hint)]

    def _of_namesake(self, members: list[SymbolId], family: str, called: str) -> list[SymbolId]:
        """Narrows candidates to members of the type whose whole name is the receiver's (``account``
        and `Account`), of its supertypes and its subtypes. If there are none but the type may
        inherit some from outside, keeps only the members of types that have the receiver's last
        word in their names."""
        types = self._types_called(family, called) if members and len(members) <= _COMPARED else ()
        own = [each for each in members if any(self._may_have(one, each) for one in types)]
        if own:  # keep what these override in other supertypes, too
            holders = [*filter(None, map(self._holder, own))]
            own = [each for each in members if each in own or self._is_over(each, holders)]
        if own or not any(map(self._model.hierarchy.is_open, types)):
            return own or members
        return self._called_so(members, _last_word(called))

    def _not_of_literals(
        self, members: list[SymbolId], family: str, name: str, hint: str
    ) -> list[SymbolId]:
        """Narrows members whose name the language's own types have as well (``get``, ``trim``) to
        those of types named like the receiver and extensions of types from outside. More than
        `NAMESAKES` all stay if no type is named so."""
        if not members or not self._program.is_asked_of_literals(name, family):
            return members
        alike = self._called_so(members, hint) if hint else []
        if len(members) > NAMESAKES:  # too many, unless the receiver decides
            return alike or members
        return [m for m in members if m in alike or self._is_for_elsewhere(m)]

    def _handed_over(
        self, members: list[SymbolId], table: FileTable, reference: Reference, hint: str
    ) -> list[SymbolId]:
        """Narrows the candidates for a member of one word that is passed on without a call
        (``message.text``) to those of types named like the receiver: it is nearly always data that
        nothing declares. A function with a decorator may be read like data."""
        is_call = reference.kind not in HANDED or table.spec.bare_members
        if is_call or _has_several_words(reference.name):
            return members
        own = self._of_types_called_so(members, hint) if hint else []
        return [each for each in members if each in own or self._is_decorated(each)]

    def _is_decorated(self, member: SymbolId) -> bool:
        table = self._program.holder(member)
        one = table.definitions[member.ordinal]
        return table.spec.decorated_members and one.start < one.line

    def _is_for_elsewhere(self, member: SymbolId) -> bool:
        """Whether a member is written for a type outside the repository."""
        is_extension = self._program.holder(member).is_extension(member.ordinal)
        return is_extension or self._holder(member) is None

    @memoised
    def _types_called(self, family: str, called: str) -> tuple[SymbolId, ...]:
        """The classes named like a variable, in a type's case (``user_role``: `UserRole`)."""
        parts = identifier_parts(called)
        names = {"".join(map(str.capitalize, parts)), "".join(parts).upper()} - {called, ""}
        return tuple(
            table.id(ordinal)
            for name in sorted(names)
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
            if table.definitions[ordinal].kind in CLASS_KINDS
        )

    def _may_have(self, type_id: SymbolId, member: SymbolId) -> bool:
        """Whether a type has a member itself or through a super- or subtype."""
        holder = self._holder(member)
        is_under = holder is not None and type_id in self._model.hierarchy.order(holder)
        return is_under or self._is_over(member, (type_id,))

    def _is_over(self, member: SymbolId, types: Iterable[SymbolId]) -> bool:
        """Whether a member belongs to one of ``types`` or to a supertype of one."""
        holder, order = self._holder(member), self._model.hierarchy.order
        return holder is not None and any(holder in order(each) for each in types)

    def _holder(self, member: SymbolId) -> SymbolId | None:
        return self._model.owners.holder_of(self._program.holder(member), member.ordinal)

    def _called_so(self, members: list[SymbolId], hint: str) -> list[SymbolId]:
        """The members whose types have a word in their name, or else in the name of a supertype."""
        found = self._of_types_called_so(members, hint)
        if found or len(members) > _COMPARED:
            return found
        return [each for each in members if self._derives_from_called_so(each, hint)]

    def _of_types_called_so(self, members: Iterable[SymbolId], hint: str) -> list[SymbolId]:
        owner = self._declarations.owner_name
        return [each for each in members if hint in identifier_parts(owner(each))]

    def _derives_from_called_so(self, member: SymbolId, hint: str) -> bool:
        holder = self._holder(member)
        order = self._model.hierarchy.order(holder) if holder else ()
        names = (self._program.definition(each).name for each in order)
        return any(hint in identifier_parts(name) for name in names)

    def _candidates(self, family: str, name: str, kind: str, member: bool) -> Iterator[SymbolId]:
        wanted = CALLABLES if member and kind == "call" else CALLABLES | MEMBER_HOLDERS
        if kind == "implicit":
            wanted = frozenset({"constant"})
        for table in self._program.defining(name, family):
            if not member and language_of(table.path) is None:
                continue  # a script known by its #! line, which no other file loads
            for ordinal in table.by_name[name]:
                fits = table.definitions[ordinal].kind in wanted
                if kind == _MIXED_IN:
                    holder = table.definition(table.definitions[ordinal].container)
                    fits = fits and holder is not None and holder.kind == "trait"
                if fits and table.is_member(ordinal) == (member or kind == _MIXED_IN):
                    yield table.id(ordinal)


def _few(found: Iterable[SymbolId]) -> tuple[SymbolId, ...]:
    few = tuple(islice(found, NAMESAKES + 1))
    return few if len(few) <= NAMESAKES else ()


def _has_several_words(name: str) -> bool:
    return sum(len(word) > 1 for word in identifier_parts(name)) > 1


def _names_reach_everywhere(table: FileTable) -> bool:
    """Whether a bare name may mean a definition that no import leads to: in a language whose
    imports include text, or that has no imports. A file of a build target sees only its imports."""
    rules = table.spec.imports
    in_target = bool(rules.target_folders and table.package)
    return (rules.wildcard_default and not in_target) or rules.style == "none"


def _is_never_called(table: FileTable, reference: Reference) -> bool:
    """Whether a member is used in a way that is no call; only calls are guessed at."""
    is_read = reference.kind == "read" and not table.spec.bare_members
    return (is_read or reference.kind == "type") and reference.receiver != IMPLICIT


def _is_expected(reference: Reference) -> bool:
    """Whether a name means a member of the type expected at its place, and no other."""
    return reference.receiver.startswith(PLACE) and reference.receiver.endswith(".")


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
