"""The census of a code base: everything the angles know about its structure, collected once.

A file's signals are numbers from 0 to 1. Each is one structural measure on a logarithmic scale, on
which the file with the largest value is at 1. The specs of the angles weight them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from explorer_core.angles.externals import Usage, usages
from explorer_core.angles.faults import run_parts
from explorer_core.angles.implicit import (
    ImplicitLink,
    Names,
    SharedName,
    data_languages,
    links_of,
    shared_names,
    strings_of,
)
from explorer_core.angles.importing import Imports, LayerEdge, cycles, layers
from explorer_core.angles.signals import signals_of
from explorer_core.angles.structure import (
    DecoratorUse,
    Family,
    RegistryTable,
    Structure,
    external_modules,
    parallel_files,
    stem,
)
from explorer_core.channels.packages.manifests import Declarations, declared_packages, is_manifest
from explorer_core.contracts import Traits
from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.index import Index
from explorer_core.registry.traits import traits_of
from explorer_core.workspace import Workspace, WorkspaceError

WithGraph = Callable[[Callable[[SymbolGraph], None]], Awaitable[None]]
"""Runs work on the graph with exclusive access."""

_FILES_PER_TURN = 150
"""Files per turn with the graph; others may use it between turns."""
_MAX_TEXT_CHARS = 300_000
"""Maximum characters of a file whose strings are examined; larger files are data."""


@dataclass(slots=True)
class Census:
    """What is known about all files. ``notes`` say what could not be determined."""

    traits: dict[str, Traits] = field(default_factory=dict[str, Traits])
    facts: dict[str, FileFacts] = field(default_factory=dict[str, FileFacts])
    data_languages: set[str] = field(default_factory=set[str])
    imports: Imports = field(default_factory=Imports)
    families: list[Family] = field(default_factory=list[Family])
    registries: list[RegistryTable] = field(default_factory=list[RegistryTable])
    decorators: list[DecoratorUse] = field(default_factory=list[DecoratorUse])
    cycles: list[list[str]] = field(default_factory=list[list[str]])
    layers: list[LayerEdge] = field(default_factory=list[LayerEdge])
    parallel: list[tuple[str, list[str]]] = field(default_factory=list[tuple[str, list[str]]])
    implicit: list[ImplicitLink] = field(default_factory=list[ImplicitLink])
    shared: list[SharedName] = field(default_factory=list[SharedName])
    externals: list[Usage] = field(default_factory=list[Usage])
    manifests: tuple[str, ...] = ()
    signals: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    sources: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def is_aside(self, path: str) -> bool:
        """Whether a file is not the code in question: generated, vendored, an example, prose,
        support, or a migration."""
        traits = self.traits.get(path) or traits_of(path)
        aside = traits.generated or traits.vendored or traits.example or traits.documentation
        return aside or traits.support or traits.migration

    def is_test(self, path: str) -> bool:
        return (self.traits.get(path) or traits_of(path)).test

    def is_code(self, path: str) -> bool:
        """Whether a file is code in question, and not a test."""
        facts = self.facts.get(path)
        known = facts is not None and bool(facts.definitions) and not self.is_data(path)
        return known and not self.is_aside(path) and not self.is_test(path)

    def is_config(self, path: str) -> bool:
        """Whether a file is configuration: a manifest, or one that only states values."""
        return path in self.manifests or is_manifest(path) or self.is_data(path)

    def is_data(self, path: str) -> bool:
        """Whether a file's language only states values."""
        facts = self.facts.get(path)
        return facts is not None and facts.language in self.data_languages

    def untested(self) -> list[str]:
        """Code that several files import and no test imports, the most imported first."""
        untested = [
            path
            for path in self.facts
            if self.is_code(path)
            and len(self.imports.to(path)) > 1
            and not any(self.is_test(user) for user in self.imports.to(path))
        ]
        return sorted(untested, key=lambda path: (-len(self.imports.to(path)), path))


async def take_census(index: Index, workspace: Workspace, with_graph: WithGraph) -> Census:
    """The census of what is indexed. If one part fails, that is noted and the others continue."""
    census = Census()
    census.sources = await run_parts(
        (
            ("index", lambda: asyncio.to_thread(_read_facts, census, index)),
            ("graph", lambda: _read_graph(census, with_graph)),
            ("strings", lambda: asyncio.to_thread(_read_strings, census, workspace)),
            ("manifest", lambda: _read_manifests(census, workspace)),
        ),
        "The survey",
        census.notes,
    )
    census.signals = await asyncio.to_thread(signals_of, census)
    return census


def _read_facts(census: Census, index: Index) -> None:
    for path in sorted(row.path for row in index.view.visible_rows()):
        facts = index.view.facts(path)
        census.traits[path] = traits_of(path)
        if facts is not None:
            census.facts[path] = facts
    census.data_languages = data_languages(census.facts.values())


async def _read_graph(census: Census, with_graph: WithGraph) -> None:
    structure = Structure()
    paths = list(census.facts)

    def add_files(graph: SymbolGraph, batch: Collection[str]) -> None:
        for path in batch:
            census.imports.add(graph, path)
            if not census.is_aside(path):
                structure.add(graph, path, census.facts[path])

    for start in range(0, len(paths), _FILES_PER_TURN):
        batch = paths[start : start + _FILES_PER_TURN]
        await with_graph(lambda graph, batch=batch: add_files(graph, batch))
    families: list[Family] = []
    await with_graph(lambda graph: families.extend(structure.families(graph)))
    census.families = [each for each in families if not census.is_test(each.base.path)]
    census.registries = structure.registries()
    census.decorators = structure.decorator_uses()
    census.cycles = await asyncio.to_thread(cycles, census.imports)
    code_files = [path for path in paths if census.is_code(path)]
    census.layers = await asyncio.to_thread(layers, census.imports, code_files)
    census.parallel = parallel_files(paths, census.is_code)


def _read_strings(census: Census, workspace: Workspace) -> None:
    strings: dict[str, list[tuple[int, str]]] = {}
    names = Names()
    for path in census.traits:
        if not census.is_test(path) and not census.is_aside(path):
            names.add(path, census.facts.get(path), data=census.is_data(path))
    for path, facts in census.facts.items():
        if not census.is_code(path):
            continue
        try:
            text = workspace.read(path).text
        except WorkspaceError:
            continue
        if len(text) <= _MAX_TEXT_CHARS:
            importing = {binding.line for binding in facts.imports}
            literals = strings_of(text, facts.language)
            strings[path] = [each for each in literals if each[0] not in importing]
            census.implicit += links_of(path, strings[path], names)
    census.shared = shared_names(strings)


async def _read_manifests(census: Census, workspace: Workspace) -> None:
    declared: Declarations = await declared_packages(workspace)
    census.manifests = declared.manifests
    census.notes += [each.message for each in declared.diagnostics]
    own_names = {part for path in census.traits for part in (*path.split("/")[:-1], stem(path))}
    declared_names = {each.name for each in declared.packages}

    def is_own_module(module: str) -> bool:
        return (
            module not in declared_names and module.split(".")[0] in own_names and "/" not in module
        )

    imports = {path: external_modules(facts, is_own_module) for path, facts in census.facts.items()}
    census.externals = await asyncio.to_thread(usages, declared.packages, imports)
