"""The patterns of a census in the form an exploration reports: a name, one line, the files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from explorer_core.angles.census import Census
from explorer_core.angles.spec import AngleSpec
from explorer_core.contracts.survey import FoundPattern

_MAX_PER_KIND = 6
"""Maximum number of patterns reported per kind."""
_MIN_MEMBERS = 3
"""Minimum number of subtypes, or of uses of a decorator, outside tests, to form a pattern."""
_MAX_DESCRIPTION_CHARS, _MAX_FILES = 400, 12
"""Maximum characters of a pattern's description, and maximum number of its files."""

Patterns = Iterator[FoundPattern]


def patterns_of(
    census: Census,
    spec: AngleSpec,
    relevant: Collection[str],
    is_in_scope: Callable[[Collection[str]], bool],
) -> list[FoundPattern]:
    """The patterns of the angle's kinds with a file that ``is_in_scope``, those that involve most
    relevant files first."""
    found: list[FoundPattern] = []
    for kind in spec.patterns:
        patterns = [pattern for pattern in _KINDS[kind](census) if is_in_scope(pattern.files)]
        patterns.sort(key=lambda pattern: -len(set(pattern.files) & set(relevant)))
        found += patterns[:_MAX_PER_KIND]
    return found


def _families(census: Census) -> Patterns:
    for family in census.families:
        members = [each for each in family.members if not census.is_test(each[0].path)]
        if len(members) < _MIN_MEMBERS:
            continue
        shown = ", ".join(f"{m.name} ({edge.path}:{edge.line})" for m, edge in members[:3])
        base = family.base
        yield _pattern(
            f"family of {base.qualified_name}",
            f"{base.qualified_name} ({base.path}:{base.line}) has {len(members)}"
            f" direct subtypes outside of tests, such as {shown}",
            base.path,
            *(member.path for member, _ in members),
        )


def _registries(census: Census) -> Patterns:
    for table in census.registries:
        if census.is_test(table.path) or census.is_aside(table.path):
            continue
        shown = ", ".join(table.names[:5])
        yield _pattern(
            f"table {table.name}",
            f"{table.name} ({table.path}:{table.line}) lists {len(table.names)}"
            f" definitions by name, such as {shown}",
            table.path,
        )


def _decorators(census: Census) -> Patterns:
    for use in census.decorators:
        places = [each for each in use.places if not census.is_test(each[0])]
        if len(places) < _MIN_MEMBERS:
            continue
        shown = ", ".join(f"{path}:{line}" for path, line in places[:3])
        yield _pattern(
            f"applied {use.name}",
            f"{use.name} is applied at {len(places)} places outside of tests, such as {shown}",
            *(path for path, _ in places),
        )


def _cycles(census: Census) -> Patterns:
    for group in census.cycles:
        first = next(
            edge for path in group for edge in census.imports.of(path).values()
            if edge.target in group
        )  # fmt: skip
        yield _pattern(
            f"import cycle of {len(group)} files",
            f"{len(group)} files import each other, directly or indirectly; for example,"
            f" {first.source}:{first.line} imports {first.target}",
            first.source,
            first.target,
            *group,
        )


def _layers(census: Census) -> Patterns:
    for edge in census.layers:
        back = f"{edge.back} the other way" if edge.back else "none the other way"
        yield _pattern(
            f"{edge.upper} uses {edge.lower}",
            f"{edge.count} imports lead from {edge.upper} to {edge.lower}, {back};"
            f" for one, {edge.example.source}:{edge.example.line} imports"
            f" {edge.example.target}",
            edge.example.source,
            edge.example.target,
        )


def _parallel(census: Census) -> Patterns:
    for name, paths in census.parallel:
        shown = ", ".join(paths[:3])
        yield _pattern(
            f"{name} in {len(paths)} folders",
            f"{len(paths)} folders contain a file named {name}, such as {shown}",
            *paths,
        )


def _implicit(census: Census) -> Patterns:
    for link in census.implicit:
        yield _pattern(
            f"{link.kind}: {link.text}",
            f"{link.source}:{link.line} contains the string {link.text!r}, which names"
            f" something in {link.target}; no import shows it",
            link.source,
            link.target,
        )
    for shared in census.shared:
        shown = ", ".join(f"{path}:{line}" for path, line in shared.places[:3])
        yield _pattern(
            f"shared name {shared.text}",
            f"{len(shared.places)} files contain the string {shared.text!r}: {shown}",
            *(path for path, _ in shared.places),
        )


def _untested(census: Census) -> Patterns:
    for path in census.untested():
        users = census.imports.to(path)
        edge = next(iter(users.values()))
        yield _pattern(
            f"no test imports {path}",
            f"{len(users)} files import {path}, for example {edge.source}:{edge.line};"
            " no test file does",
            path,
            edge.source,
        )


def _pattern(name: str, description: str, *files: str) -> FoundPattern:
    """A pattern, with its description and files cut to what a survey has room for."""
    shown = tuple(dict.fromkeys(files))[:_MAX_FILES]
    return FoundPattern(name=name, description=description[:_MAX_DESCRIPTION_CHARS], files=shown)


_KINDS: dict[str, Callable[[Census], Patterns]] = {
    find.__name__.strip("_"): find
    for find in (
        _families,
        _registries,
        _decorators,
        _cycles,
        _layers,
        _parallel,
        _implicit,
        _untested,
    )
}
