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

_ENOUGH_METHODS = 2
"""An interface with this many methods is specific enough, whatever they take."""
_MAX_TYPES = 120
"""If more types have an interface's rarest method, none of them is examined."""
_WORD = re.compile(r"\w+")
_DOTTED_NAME = re.compile(r"[\w.]+")

_TypeChoices = list[frozenset[str]]
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
        interfaces = self._candidate_interfaces(type_id) if self._may_implement(type_id) else ()
        return [interface for interface in interfaces if type_id in self.subtypes(interface)]

    @memoised
    def subtypes(self, interface: SymbolId) -> list[SymbolId]:
        """The types that implement an interface by their methods; none where too many may."""
        types = dict.fromkeys(self._candidate_types(interface))
        return [type_id for type_id in types if self._implements(type_id, interface)]

    def _may_implement(self, type_id: SymbolId) -> bool:
        table = self._program.table_of(type_id)
        return table.spec.structural_interfaces and not table.is_interface(type_id.ordinal)

    def _candidate_interfaces(self, type_id: SymbolId) -> Iterator[SymbolId]:
        """The interfaces that have a method of a type's by name, and what embeds these."""
        family = self._program.table_of(type_id).spec.family_name
        declaring = (
            interface
            for name in self._method_names(type_id)
            for interface in self._interfaces_declaring(name, family)
        )
        interfaces = list(dict.fromkeys(declaring))
        for interface in interfaces:
            embedding = (
                sub for sub, _ in self._subtypes.direct(interface) if sub not in interfaces
            )
            interfaces += (sub for sub in embedding if self._program.kind(sub) == "interface")
        yield from interfaces

    @memoised
    def _interfaces_declaring(self, name: str, family: str) -> list[SymbolId]:
        """The interfaces that declare a method called ``name``."""
        return [
            other.id(interface)
            for other in self._program.defining(name, family)
            for ordinal in other.by_name[name]
            if (interface := other.definitions[ordinal].container) != TOP
            if other.is_interface(interface)
        ]

    def _method_names(self, type_id: SymbolId) -> list[str]:
        """The names of a type's methods, its own and those of what it embeds."""
        names: dict[str, None] = {}
        for supertype in self._model.hierarchy.lookup_order(type_id):
            type_name = self._program.definition(supertype).name
            nearby = (
                path
                for path in self._mentions.paths_of(supertype)
                if dirname(path) == dirname(supertype.path)
            )
            for table in self._mentions.tables(nearby):
                names.update(dict.fromkeys(table.members_by_owner.get(type_name, ())))
        return list(names)

    def _candidate_types(self, interface: SymbolId) -> Iterator[SymbolId]:
        """The types that have the rarest of an interface's methods, and what embeds these."""
        required = self._required_methods(interface)
        if not required:
            return
        table = self._program.table_of(interface)
        family = table.spec.family_name
        names = {self._program.definition(method).name for method in required}
        rarest = min(
            (self._program.members_by_owner(name, family) for name in sorted(names)), key=len
        )
        if len(rarest) > _MAX_TYPES:
            return
        members = [member for group in rarest.values() for member in group]
        declaring = (
            self._model.owners.declaring_type(self._program.table_of(member), member.ordinal)
            for member in members
        )
        types = list(dict.fromkeys(holder for holder in declaring if holder is not None))
        for type_id in types:  # what embeds one has its methods, too
            types += (
                sub
                for sub, base in self._subtypes.direct(type_id)
                if base.clause.relation == "extends" and sub not in types
            )
        yield from types

    @memoised
    def _required_methods(self, interface: SymbolId) -> tuple[SymbolId, ...]:
        """All methods of an interface; none where they are not known, or too unspecific."""
        table, hierarchy = self._program.table_of(interface), self._model.hierarchy
        is_known = table.spec.structural_interfaces and table.is_interface(interface.ordinal)
        if not is_known or hierarchy.is_open(interface):
            return ()
        methods = tuple(
            holder.id(ordinal)
            for type_id in hierarchy.lookup_order(interface)
            for holder in [self._program.table_of(type_id)]
            for ordinal in holder.children.get(type_id.ordinal, ())
            if holder.is_callable(ordinal)
        )
        is_small = len(methods) < _ENOUGH_METHODS
        return () if is_small and not any(map(self._uses_repository_types, methods)) else methods

    def _uses_repository_types(self, method: SymbolId) -> bool:
        """Whether a method takes or returns something of the repository."""
        table, definition = self._program.table_of(method), self._program.definition(method)
        written = [*parameters_of(definition.signature, definition.name), definition.returns]
        words = (word for text in written for word in _DOTTED_NAME.findall(text))
        return any(self._qualified_type(table, method.ordinal, word) for word in words)

    @memoised
    def _qualified_type(self, table: FileTable, scope: int, word: str) -> str:
        """The repository's type that a word means, with its package; empty if there is none."""
        line = table.definitions[scope].line
        values = self._model.types.lookup(table, scope, word, line)
        instances = [value.id for value in values if isinstance(value, Instance)]
        holder, name = table, word if self._is_defined_in_package(table, word) else ""
        if instances:
            holder = self._program.table_of(instances[0])
            name = holder.definitions[instances[0].ordinal].name
        return f"{holder.package}.{name}" if name else ""

    def _is_defined_in_package(self, table: FileTable, word: str) -> bool:
        """Whether a file's package defines a name, which may be an alias of a type from outside."""
        defining = self._program.source.files_defining(word) if "." not in word else ()
        return any(dirname(path) == dirname(table.path) for path in defining)

    @memoised
    def _implements(self, type_id: SymbolId, interface: SymbolId) -> bool:
        required = self._required_methods(interface)
        return (
            bool(required)
            and self._may_implement(type_id)
            and all(self._has_method(type_id, method) for method in required)
        )

    def _has_method(self, type_id: SymbolId, method: SymbolId) -> bool:
        """Whether a type has an interface's method. If unexported, of the same package."""
        definition = self._program.definition(method)
        return any(
            isinstance(value, Defined)
            and self._program.kind(value.id) == "method"
            and (definition.exported or dirname(value.id.path) == dirname(method.path))
            and self._has_same_types(value.id, method)
            for value in self._model.hierarchy.member(type_id, definition.name)
        )

    def _has_same_types(self, function: SymbolId, other: SymbolId) -> bool:
        """Whether two functions have the same parameters and the same results."""
        return all(
            len(types) == len(other_types)
            and not any(a.isdisjoint(b) for a, b in zip(types, other_types, strict=True))
            for types, other_types in zip(
                self._signature_types(function), self._signature_types(other), strict=True
            )
        )

    @memoised
    def _signature_types(self, function: SymbolId) -> tuple[_TypeChoices, _TypeChoices]:
        """The types of a function's parameters, and those of its results."""
        table, definition = self._program.table_of(function), self._program.definition(function)
        written = written_parameters(definition.signature, definition.name)
        results = definition.returns.strip()
        results = results[1:-1] if results.startswith("(") and results.endswith(")") else results
        parameters, is_complete = written or ([], False)
        parameters = parameters if is_complete else [*parameters, definition.signature]

        def qualified(word: re.Match[str]) -> str:
            return self._qualified_type(table, function.ordinal, word[0]) or word[0]

        def types(listed: list[str]) -> _TypeChoices:
            choices = _possible_types(listed)
            return [
                frozenset(_DOTTED_NAME.sub(qualified, text) for text in texts) for texts in choices
            ]

        return types(parameters), types([*split(results, ",")])


def _possible_types(listed: list[str]) -> list[list[str]]:
    """The possible types of each parameter: its whole text, or what follows a name. A single word
    may also be a name whose type is that of the next (``a, b int``)."""
    possible: list[list[str]] = []
    type_text = ""
    for text in reversed(listed):
        _, _, rest = text.partition(" ")
        type_text = rest.strip() or (type_text if _WORD.fullmatch(text) else "")
        possible.append([option for option in (text, type_text) if option])
    return possible[::-1]
