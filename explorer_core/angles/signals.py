"""Signals: structural measures of a file, each on a scale from 0 to 1.

The specs of the angles weight them by name.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from explorer_core.angles.structure import is_type_file

if TYPE_CHECKING:
    from explorer_core.angles.census import Census

Counts = Iterator[tuple[str, str, float]]
"""The name of a signal, a file, and the amount to add to it."""


def signals_of(census: Census) -> dict[str, dict[str, float]]:
    """For each signal, its value for every file that has it."""
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for counted in (_count_files(census), _count_patterns(census), _count_strings(census)):
        for name, path, value in counted:
            counts[name][path] += value
    return {name: _scaled(values) for name, values in counts.items()}


def _count_files(census: Census) -> Counts:
    for path, facts in census.facts.items():
        importers, imported = len(census.imports.to(path)), len(census.imports.of(path))
        yield "importers", path, importers
        yield "imports", path, imported
        if imported and not importers:
            yield "entry", path, imported
        yield "size", path, len(facts.definitions)
        if is_type_file(facts):
            yield "types", path, len(facts.definitions)


def _count_patterns(census: Census) -> Counts:
    for family in census.families:
        for path in family.files:
            yield "family", path, len(family.members) if path == family.base.path else 1
    for table in census.registries:
        yield "registry", table.path, len(table.names)
    for use in census.decorators:
        for path, _ in use.places:
            yield "decorator", path, 1
    for group in census.cycles:
        for path in group:
            yield "cycle", path, 1
    for _, paths in census.parallel:
        for path in paths:
            yield "parallel", path, 1


def _count_strings(census: Census) -> Counts:
    for link in census.implicit:
        yield "implicit", link.source, 1
        yield "implicit", link.target, 1
    for shared in census.shared:
        for path, _ in shared.places:
            yield "implicit", path, 0.5
    for usage in census.externals:
        for path, _ in usage.places:
            yield "external", path, 1
    for path in census.manifests:
        yield "manifest", path, 1


def _scaled(values: Mapping[str, float]) -> dict[str, float]:
    """Counts on a logarithmic scale with the largest at 1."""
    largest = math.log1p(max(values.values(), default=0.0)) or 1.0
    return {path: math.log1p(value) / largest for path, value in values.items() if value}
