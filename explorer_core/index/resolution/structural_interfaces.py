"""Types that implement an interface by having its methods, without declaring it (Go).

``type Sink interface { Put(job Job) error }`` is implemented by every type with a method
``Put(job Job) error``. The type must have each method of the interface, also of those it embeds,
with the same parameters and results as written. Nothing is found for an interface that embeds one
from outside the repository, nor for one with a single method that takes and returns nothing of the
repository (``String() string``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.type_names import split
from explorer_core.index.resolution.function_types import parameters_of, written_parameters
from explorer_core.index.resolution.hierarchy.subtypes import Subtypes
from explorer_core.index.resolution.names.mentions import Mentions
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.semantic_model import SemanticModel
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Instance
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_FEW = 2
"""An interface with this many methods is specific enough, whatever they take."""
_MOST = 120
"""If more types have an interface's rarest method, none of them is examined."""
_WORD = re.compile(r"\w+")
_WORDS = re.compile(r"[\w.]+")

_Types = list[frozenset[str]]
"""For each of several parameters or results, its possible types, named with their packages."""


class StructuralInterfaces:
    """Finds the types that implement an interface, and the interfaces of a type; memoised."""

    def __init__(
        self, program: Program, model: SemanticModel, subtypes: Subtypes, mentions: Mentions
    ) -> None:
        self._program = program
        self._model = model
        self._subtypes = subtypes
        self._mentions = mentions

    @memoised
    def supertypes(self, type_id: SymbolId) -> list[SymbolId]:
        """The interfaces that a type implements by its methods."""
        found = self._interfaces(type_id) if self._may_implement(type_id) else ()
        return [each for each in found if type_id in self.subtypes(each)]

    @memoised
    def subtypes(self, interface: SymbolId) -> list[SymbolId]:
        """The types that implement an interface by their methods; none where too many may."""
        found = dict.fromkeys(self._implementing(interface))
        return [each for each in found if self._meets(each, interface)]

    def _may_implement(self, type_id: SymbolId) -> bool:
        table = self._program.holder(type_id)
        return table.spec.structural_interfaces and not table.is_interface(type_id.ordinal)

    def _interfaces(self, type_id: SymbolId) -> Iterator[SymbolId]:
        """The interfaces that have a method of a type's by name, and what embeds these."""
        family = self._program.holder(type_id).spec.family_name
        asking = (each for name in self._method_names(type_id) for each in self._ask(name, family))
        found = list(dict.fromkeys(asking))
        for each in found:
            below = (sub for sub, _ in self._subtypes.direct(each) if sub not in found)
            found += (sub for sub in below if self._program.kind(sub) == "interface")
        yield from found

    @memoised
    def _ask(self, name: str, family: str) -> list[SymbolId]:
        """The interfaces that declare a method called ``name``."""
        return [
            other.id(holder)
            for other in self._program.defining(name, family)
            for ordinal in other.by_name[name]
            if (holder := other.definitions[ordinal].container) != TOP
            if other.is_interface(holder)
        ]

    def _method_names(self, type_id: SymbolId) -> list[str]:
        """The names of a type's methods, its own and those of what it embeds."""
        names: dict[str, None] = {}
        for each in self._model.hierarchy.order(type_id):
            own = self._program.definition(each).name
            near = (p for p in self._mentions.of(each) if dirname(p) == dirname(each.path))
            for table in self._mentions.tables(near):
                names.update(dict.fromkeys(table.owned.get(own, ())))
        return list(names)

    def _implementing(self, interface: SymbolId) -> Iterator[SymbolId]:
        """The types that have the rarest of an interface's methods, and what embeds these."""
        asked = self._asked_for(interface)
        if not asked:
            return
        table = self._program.holder(interface)
        family = table.spec.family_name
        names = {self._program.definition(each).name for each in asked}
        owned = min((self._program.owned(each, family) for each in sorted(names)), key=len)
        if len(owned) > _MOST:
            return
        members = [member for each in owned.values() for member in each]
        holders = (
            self._model.owners.holder_of(self._program.holder(each), each.ordinal)
            for each in members
        )
        found = list(dict.fromkeys(each for each in holders if each is not None))
        for each in found:  # what embeds one has its methods, too
            found += (
                sub
                for sub, base in self._subtypes.direct(each)
                if base.written.relation == "extends" and sub not in found
            )
        yield from found

    @memoised
    def _asked_for(self, interface: SymbolId) -> tuple[SymbolId, ...]:
        """All methods of an interface; none where they are not known, or too unspecific."""
        table, hierarchy = self._program.holder(interface), self._model.hierarchy
        is_known = table.spec.structural_interfaces and table.is_interface(interface.ordinal)
        if not is_known or hierarchy.is_open(interface):
            return ()
        found = tuple(
            holder.id(ordinal)
            for each in hierarchy.order(interface)
            for holder in [self._program.holder(each)]
            for ordinal in holder.children.get(each.ordinal, ())
            if holder.is_callable(ordinal)
        )
        few = len(found) < _FEW
        return () if few and not any(map(self._is_of_ours, found)) else found

    def _is_of_ours(self, method: SymbolId) -> bool:
        """Whether a method takes or returns something of the repository."""
        table, definition = self._program.holder(method), self._program.definition(method)
        written = [*parameters_of(definition.signature, definition.name), definition.returns]
        words = (word for each in written for word in _WORDS.findall(each))
        return any(self._type_named(table, method.ordinal, word) for word in words)

    @memoised
    def _type_named(self, table: FileTable, scope: int, word: str) -> str:
        """The repository's type that a word means, with its package; empty if there is none."""
        line = table.definitions[scope].line
        found = self._model.types.types_named(table, scope, word, line)
        ours = [value.id for value in found if isinstance(value, Instance)]
        holder, name = table, word if self._is_near(table, word) else ""
        if ours:
            holder = self._program.holder(ours[0])
            name = holder.definitions[ours[0].ordinal].name
        return f"{holder.package}.{name}" if name else ""

    def _is_near(self, table: FileTable, word: str) -> bool:
        """Whether a file's package defines a name, which may be an alias of a type from outside."""
        defining = self._program.source.files_defining(word) if "." not in word else ()
        return any(dirname(path) == dirname(table.path) for path in defining)

    @memoised
    def _meets(self, type_id: SymbolId, interface: SymbolId) -> bool:
        asked = self._asked_for(interface)
        return (
            bool(asked)
            and self._may_implement(type_id)
            and all(self._has(type_id, each) for each in asked)
        )

    def _has(self, type_id: SymbolId, asked: SymbolId) -> bool:
        """Whether a type has an interface's method. If unexported, of the same package."""
        definition = self._program.definition(asked)
        return any(
            isinstance(value, Defined)
            and self._program.kind(value.id) == "method"
            and (definition.exported or dirname(value.id.path) == dirname(asked.path))
            and self._is_alike(value.id, asked)
            for value in self._model.hierarchy.member(type_id, definition.name)
        )

    def _is_alike(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether two functions have the same parameters and the same results."""
        return all(
            len(mine) == len(theirs)
            and not any(a.isdisjoint(b) for a, b in zip(mine, theirs, strict=True))
            for mine, theirs in zip(self._types(one), self._types(other), strict=True)
        )

    @memoised
    def _types(self, function: SymbolId) -> tuple[_Types, _Types]:
        """The types of a function's parameters, and those of its results."""
        table, definition = self._program.holder(function), self._program.definition(function)
        written = written_parameters(definition.signature, definition.name)
        given = definition.returns.strip()
        given = given[1:-1] if given.startswith("(") and given.endswith(")") else given
        taken, is_whole = written or ([], False)
        taken = taken if is_whole else [*taken, definition.signature]

        def named(word: re.Match[str]) -> str:
            return self._type_named(table, function.ordinal, word[0]) or word[0]

        def types(listed: list[str]) -> _Types:
            options = _written(listed)
            return [frozenset(_WORDS.sub(named, text) for text in each) for each in options]

        return types(taken), types([*split(given, ",")])


def _written(listed: list[str]) -> list[list[str]]:
    """The possible types of each parameter: its whole text, or what follows a name. A single word
    may also be a name whose type is that of the next (``a, b int``)."""
    found: list[list[str]] = []
    behind = ""
    for text in reversed(listed):
        _, _, named = text.partition(" ")
        behind = named.strip() or (behind if _WORD.fullmatch(text) else "")
        found.append([each for each in (text, behind) if each])
    return found[::-1]
