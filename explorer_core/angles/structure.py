"""Patterns in the structure of a code base: families, registries, decorators, parallel files. Their
meaning is not interpreted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename, dirname, splitext

from explorer_core.index.extraction.facts import TOP, FileFacts
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import MEMBER_HOLDERS, VARIABLES, Edge, Symbol, SymbolId

_MIN_SUBTYPES, _MIN_TABLE_ENTRIES, _MIN_USES, _MIN_FOLDERS = 3, 3, 5, 3
"""Minimum number of subtypes, of table entries, of uses of a decorator, and of folders containing a
file of the same name, to form a pattern."""


@dataclass(frozen=True, slots=True)
class Family:
    """A supertype and its direct subtypes, in the order of their files."""

    base: Symbol
    members: tuple[tuple[Symbol, Edge], ...]

    @property
    def files(self) -> tuple[str, ...]:
        paths = (member.path for member, _ in self.members)
        return tuple(dict.fromkeys((self.base.path, *paths)))


@dataclass(frozen=True, slots=True)
class RegistryTable:
    """A variable whose value lists definitions, under ``names``; ``line`` is the variable's."""

    path: str
    name: str
    line: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecoratorUse:
    """A decorator or annotation, and the places (path, line) where it is applied."""

    name: str
    places: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Structure:
    """Collects patterns; complete once every file has been added."""

    decorators: dict[str, list[tuple[str, int]]] = field(
        default_factory=lambda: defaultdict[str, list[tuple[str, int]]](list)
    )
    tables: list[RegistryTable] = field(default_factory=list[RegistryTable])
    members: dict[SymbolId, list[tuple[SymbolId, Edge]]] = field(
        default_factory=lambda: defaultdict[SymbolId, list[tuple[SymbolId, Edge]]](list)
    )

    def add(self, graph: SymbolGraph, path: str, facts: FileFacts) -> None:
        """Add one file."""
        for reference in facts.references:
            if reference.kind == "decorator":
                self.decorators[reference.name].append((path, reference.line))
        self.tables += _tables(path, facts)
        for ordinal, definition in enumerate(facts.definitions):
            if definition.kind in MEMBER_HOLDERS:
                member = SymbolId(path, ordinal)
                for edge in graph.supertypes(member):
                    self.members[edge.target].append((member, edge))

    def families(self, graph: SymbolGraph) -> list[Family]:
        """Supertypes with three or more subtypes, largest first."""
        families = [
            Family(graph.symbol(base), members)
            for base, declarations in self.members.items()
            if len(members := _distinct_subtypes(graph, declarations)) >= _MIN_SUBTYPES
        ]
        return sorted(
            families, key=lambda each: (-len(each.members), each.base.path, each.base.line)
        )

    def registries(self) -> list[RegistryTable]:
        """The tables that list three or more definitions, the largest first."""
        return sorted(self.tables, key=lambda each: (-len(each.names), each.path, each.line))

    def decorator_uses(self) -> list[DecoratorUse]:
        """The decorators applied five times or more, the most used first."""
        uses = [
            DecoratorUse(name, tuple(places))
            for name, places in self.decorators.items()
            if len(places) >= _MIN_USES
        ]
        return sorted(uses, key=lambda each: (-len(each.places), each.name))


def _distinct_subtypes(
    graph: SymbolGraph, declarations: list[tuple[SymbolId, Edge]]
) -> tuple[tuple[Symbol, Edge], ...]:
    """The types behind some declarations. Declarations that inherit through the same line declare
    one type; the one in that line's file is preferred."""
    subtypes: dict[tuple[str, int, str], tuple[Symbol, Edge]] = {}
    for declared, edge in sorted(declarations, key=lambda each: each[0].path != each[1].path):
        symbol = graph.symbol(declared)
        subtypes.setdefault((edge.path, edge.line, symbol.name), (symbol, edge))
    return tuple(sorted(subtypes.values(), key=lambda each: each[0].id))


def _tables(path: str, facts: FileFacts) -> Iterator[RegistryTable]:
    """Variables whose lines contain references of kind "table", each as one table."""
    listed: dict[int, dict[str, int]] = defaultdict(dict)
    lines = [
        (definition.start, definition.end, ordinal)
        for ordinal, definition in enumerate(facts.definitions)
        if definition.kind in VARIABLES
    ]
    for reference in facts.references:
        if reference.kind != "table":
            continue
        enclosing = [o for start, end, o in lines if start <= reference.line <= end]
        if enclosing:
            listed[enclosing[-1]].setdefault(reference.name, reference.line)
    for ordinal, names in listed.items():
        definition = facts.definitions[ordinal]
        if len(names) >= _MIN_TABLE_ENTRIES:
            yield RegistryTable(path, definition.name, definition.line, tuple(names))


def parallel_files(paths: list[str], is_code: Callable[[str], bool]) -> list[tuple[str, list[str]]]:
    """File names that occur in several folders, the most frequent first."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if is_code(path) and dirname(path):
            by_name[basename(path)].append(path)
    repeated = [(n, found) for n, found in by_name.items() if len(found) >= _MIN_FOLDERS]
    return sorted(repeated, key=lambda each: (-len(each[1]), each[0]))


def top_level(facts: FileFacts) -> Counter[str]:
    """The kinds of a file's top-level definitions."""
    return Counter(each.kind for each in facts.definitions if each.container == TOP)


def is_type_file(facts: FileFacts) -> bool:
    """Whether most of a file's top-level definitions are types other than classes."""
    kinds = top_level(facts)
    types = sum(kinds[kind] for kind in ("interface", "type", "enum", "struct"))
    return types > 0 and types * 2 > kinds.total()


def external_modules(facts: FileFacts, is_own_module: Callable[[str], bool]) -> Mapping[str, int]:
    """The modules outside the workspace that a file imports, each with its first line."""
    return {
        binding.module: binding.line
        for binding in reversed(facts.imports)
        if binding.module
        and not binding.module.startswith(".")
        and not is_own_module(binding.module)
    }


def stem(path: str) -> str:
    """A file's name without its suffix."""
    return splitext(basename(path))[0]
