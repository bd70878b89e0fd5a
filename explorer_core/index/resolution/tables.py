"""Look-up tables over the facts of one file. They depend on that file and its package alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from explorer_core.index.extraction.facts import (
    RESULT,
    TOP,
    Address,
    ChannelArgument,
    ChannelOperation,
    FileFacts,
    ImportBinding,
    Message,
    Topic,
    TypeBinding,
)
from explorer_core.index.extraction.indexed_names import imported_name, last_part
from explorer_core.index.resolution.definition_table import NO_NAMES, DefinitionTable
from explorer_core.memoised import memoised

_HEAD = re.compile(r"[\w$]+")
_TYPE_HEAD = re.compile(r"(?:\[(?:[*:&=]|\(\))\])*([\w$]+)")
"""Finds the first name of a reduced type, after its marks (``[*]Item``)."""
_Fact = TypeVar("_Fact", Message, ChannelOperation, ChannelArgument, Topic, Address)


class FileTable(DefinitionTable):
    """One file's facts: its definitions, imports, types of variables and lambdas, and the names
    that its expressions begin with."""

    def __init__(self, path: str, facts: FileFacts, package: str) -> None:
        """``package`` is the file's package, whether it declares it or its folder belongs to it."""
        super().__init__(path, facts)
        self.package = package
        self._bindings_by_name: dict[int, dict[str, list[TypeBinding]]] = {}

    @cached_property
    def imports(self) -> dict[tuple[int, str], list[ImportBinding]]:
        """Import bindings by scope and local name (the first part of a dotted one), without
        wildcards and mere declarations."""
        table: dict[tuple[int, str], list[ImportBinding]] = {}
        for binding in self.facts.imports:
            if binding.local and binding.name != "*" and not binding.is_declaration:
                head = binding.local.partition(".")[0]
                table.setdefault((binding.scope, head), []).append(binding)
        return table

    @cached_property
    def forward_declarations(self) -> dict[str, list[ImportBinding]]:
        """Mere declarations (``class Cart;``) by name, in any scope."""
        table: dict[str, list[ImportBinding]] = {}
        for binding in self.facts.imports:
            if binding.is_declaration:
                table.setdefault(binding.name, []).append(binding)
        return table

    @cached_property
    def wildcards(self) -> tuple[ImportBinding, ...]:
        """Bindings that import everything a module has."""
        return tuple(b for b in self.facts.imports if b.name == "*" or not b.local)

    @cached_property
    def wildcards_in(self) -> dict[int, list[ImportBinding]]:
        """The wildcards of each scope."""
        table: dict[int, list[ImportBinding]] = {}
        for binding in self.wildcards:
            table.setdefault(binding.scope, []).append(binding)
        return table

    def bindings(self, scope: int, name: str) -> Sequence[TypeBinding]:
        """The type bindings of a variable of a scope, in the order of the file. A scope's bindings
        are arranged by name when it is first looked into, as most never are."""
        try:
            return self._bindings_by_name[scope].get(name, ())
        except KeyError:
            names = self._bindings_by_name[scope] = {}
            for binding in self._bindings_by_scope.get(scope, ()):
                names.setdefault(binding.name, []).append(binding)
            return names.get(name, ())

    @cached_property
    def _bindings_by_scope(self) -> dict[int, list[TypeBinding]]:
        """Type bindings by scope, in the order of the file."""
        table: dict[int, list[TypeBinding]] = {}
        for binding in self.facts.types:
            table.setdefault(binding.scope, []).append(binding)
        return table

    def bindings_at(
        self, scope: int, name: str, line: int, *, local: bool | None = None
    ) -> Sequence[TypeBinding]:
        """The type bindings of a scope for a variable that is visible on a line. A variable of a
        lambda or block is visible only on its lines, and a lambda's parameter only unless ``local``
        says that no function binds the name. On line 0 none of these is."""
        bindings = self.bindings(scope, name)
        if not bindings or not any(binding.until or binding.function >= 0 for binding in bindings):
            return bindings  # none belongs to a lambda or block
        lambdas = self.facts.lambdas if local is not False else ()
        return [
            b
            for b in bindings
            if (b.line <= line <= b.until if b.until else b.function < 0)
            or (b.function >= 0 and lambdas and b.line <= line <= lambdas[b.function].end)
        ]

    def type_parameter(self, scope: int, name: str) -> Sequence[TypeBinding]:
        """The bounds of a type parameter of a scope; empty for what is no type parameter."""
        bindings = self.bindings(scope, name)
        return [binding for binding in bindings if binding.source == "bound"] if bindings else ()

    @cached_property
    def handovers(self) -> dict[str, list[int]]:
        """The calls that are given a variable with a new object, by the variable's name."""
        table: dict[str, list[int]] = {}
        for handover in self.facts.handovers:
            table.setdefault(handover.name, []).append(handover.call)
        return table

    def constituents(self, ordinal: int) -> list[TypeBinding]:
        """The types that a type alias is made of, if there are several; one binding at most."""
        return [b for b in self.bindings(ordinal, RESULT) if b.source == "parts"]

    def unshadowed_scope(self, scope: int, written: str) -> int:
        """The innermost scope, from ``scope`` on, where no variable hides a written type."""
        head = _TYPE_HEAD.match(written)
        name = head.group(1) if head else ""
        while scope != TOP and name and self.bindings(scope, name):
            if self.type_parameter(scope, name) or name in self.by_scope.get(scope, ()):
                break
            scope = self.definitions[scope].container
        return scope

    @cached_property
    def lambdas_in(self) -> dict[int, list[int]]:
        """Lambdas by the definition they stand in, those that begin last first."""
        table: dict[int, list[int]] = {}
        for number, function in enumerate(self.facts.lambdas):
            table.setdefault(function.scope, []).append(number)
        for numbers in table.values():
            numbers.sort(key=lambda number: -self.facts.lambdas[number].start)
        return table

    @cached_property
    def lambdas_with_parameters(self) -> frozenset[int]:
        """The lambdas that name their parameters."""
        return frozenset(b.function for b in self.facts.types if b.function >= 0)

    @cached_property
    def literal_members(self) -> dict[int, int]:
        """The number of the `Lambda` of each definition that is a member of an object literal."""
        numbered = enumerate(self.facts.lambdas)
        return {
            function.definition: number
            for number, function in numbered
            if function.definition != TOP
        }

    @cached_property
    def nested_functions(self) -> dict[int, list[tuple[int, tuple[str, ...]]]]:
        """For each variable that holds an object literal, the functions in objects nested there,
        with the keys that lead to each."""
        table: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
        for definition, number in self.literal_members.items():
            function = self.facts.lambdas[number]
            if len(function.keys) > 1 and not function.argument:
                container = self.definitions[definition].container
                table.setdefault(container, []).append((definition, function.keys))
        return table

    @cached_property
    def channel_operations(self) -> dict[int, list[ChannelOperation]]:
        """Sends to channels and receives from them, by the definition that does so."""
        return _by_scope(self.facts.channel_operations)

    @cached_property
    def channel_arguments(self) -> dict[int, list[ChannelArgument]]:
        """The channels that are arguments of calls, by the definition whose variables they are."""
        return _by_scope(self.facts.channel_arguments)

    @cached_property
    def messages(self) -> dict[int, list[Message]]:
        """The enumeration cases that are passed on or matched, by definition."""
        return _by_scope(self.facts.messages)

    @cached_property
    def topics(self) -> dict[int, list[Topic]]:
        """Texts that are arguments of calls, by definition, without paths of imported modules."""
        modules = {binding.module for binding in self.facts.imports}
        return _by_scope(topic for topic in self.facts.topics if topic.name not in modules)

    @cached_property
    def addresses(self) -> dict[int, list[Address]]:
        """The addresses in the file, by definition, without paths of imported modules."""
        modules = {f"/{binding.module}" for binding in self.facts.imports}
        return _by_scope(
            address for address in self.facts.addresses if address.parts not in modules
        )

    @cached_property
    def local_names(self) -> dict[str, tuple[str, ...]]:
        """The file's own names for each name from elsewhere, by its imports and aliases."""
        table: dict[str, tuple[str, ...]] = {}
        for imported in self.facts.imports:
            if imported.local != "*":
                name = imported_name(imported, self.spec)
                table[name] = (*table.get(name, ()), imported.local)
        for binding in self.facts.types:
            if binding.source == "alias":
                name = last_part(binding.type)
                table[name] = (*table.get(name, ()), binding.name)
        return table

    def payload_bindings(self, ordinal: int, name: str) -> Sequence[TypeBinding]:
        """The bindings of what an ``enum`` case carries under a name or at a position (a number),
        or of what a tuple-like type has there."""
        is_case = self.definitions[ordinal].kind == "constant"
        is_case = is_case and self.is_type(self.definitions[ordinal].container)
        has_places = name.isdigit() and self.is_type(ordinal)
        return self.bindings(ordinal, name) if is_case or has_places else ()

    def field_assignments(self, ordinal: int, name: str) -> Sequence[TypeBinding]:
        """The values that are assigned to a field of a type, or of the objects a function makes."""
        bindings = self.bindings(ordinal, "." + name)
        if bindings or not self.is_constructor_function(ordinal):
            return bindings
        members = self.members_by_owner.get(self.definitions[ordinal].name, NO_NAMES)
        methods = (o for ordinals in members.values() for o in ordinals)
        return [binding for o in methods for binding in self.bindings(o, "." + name)]

    @memoised
    def local_heads(self, scope: int) -> frozenset[str]:
        """The local names that expressions in a scope begin with."""
        rows = self.facts.references.within(scope)
        texts = (row.receiver or row.name for row in rows if row.local)
        return frozenset(head.group() for head in map(_HEAD.search, texts) if head)

    @cached_property
    def heads(self) -> frozenset[str]:
        """The names that receivers anywhere in the file begin with."""
        matches = (_HEAD.search(row.receiver) for row in self.facts.references)
        return frozenset(head.group() for head in matches if head)


def _by_scope(facts: Iterable[_Fact]) -> dict[int, list[_Fact]]:
    """Items by the definition they stand in, in their order."""
    table: dict[int, list[_Fact]] = {}
    for fact in facts:
        table.setdefault(fact.scope, []).append(fact)
    return table
