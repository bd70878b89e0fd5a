"""Finds the tests of a definition: those that use it, or else those of what it is part of.

A test file named after it is shown as well. What is said of a test is how it was found, since
nothing else is known of what it checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from posixpath import basename, splitext

from explorer_core.contracts import LineRange
from explorer_core.index.languages import language_of, spec
from explorer_core.index.resolution.finders.paths import common_prefix_length
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import constructors_of
from explorer_core.judges.statements import by_name_remark, called
from explorer_core.registry.traits import folded, is_named_after, is_test, traits_of

TESTS = 3
"""How many tests are shown."""
_CALLERS = 8
"""The tests of at most this many users in the definition's own file are searched."""


@dataclass(frozen=True, slots=True)
class CoveringTest:
    """A test or a test file, with the line that shows why it belongs to the definition."""

    test: Symbol
    line: int | None
    purpose: str


class Covering(Finder):
    """Finds the tests of definitions in one case."""

    def of(self, symbol: Symbol) -> list[CoveringTest]:
        """Returns the tests of a symbol, from as many files as possible. Those in a file named
        after it come first, and in each file those whose names have most of the question."""
        named_file = self._named_after(self._names(symbol), symbol.path)
        direct = list(self._tests([symbol], _uses_phrase(symbol)))
        users = direct or next(filter(None, self._indirect_tests(symbol)), list[CoveringTest]())
        in_named = [
            each for each in users if named_file is not None and each.test.path == named_file.path
        ]
        others = [each for each in users if each not in in_named]
        # Tests of what is around it check many other things.
        turns = _file_by_file(in_named + others if direct else in_named or others)
        found = list(islice(self._without_overlaps(turns), TESTS))
        if named_file is not None and all(each.test.path != named_file.path for each in found):
            file = self._graph.symbol(SymbolId.of_file(named_file.path))
            by_name = CoveringTest(file, None, f"a test named after {named_file.name}")
            found = [*found[: TESTS - 1], by_name]
        return found

    def _without_overlaps(self, tests: Iterable[CoveringTest]) -> Iterator[CoveringTest]:
        """Yields the tests, without those whose lines an earlier one shows."""
        shown_ranges: dict[str, list[LineRange]] = {}
        for each in tests:
            lines = self.exhibits.lines_of(each.test, each.line)
            earlier = shown_ranges.setdefault(each.test.path, [])
            if not any(map(lines.overlaps, earlier)):
                earlier.append(lines)
                yield each

    # by use

    def _indirect_tests(self, symbol: Symbol) -> Iterator[list[CoveringTest]]:
        """Yields lists of tests that are about a symbol without using it, the surest first: tests
        of its type, of what it overrides, of what uses it in its file. Types further out count only
        if they are in the symbol's file."""
        for at, around in enumerate(self._types_around(symbol)):
            if not at or around.path == symbol.path:
                made = map(self._graph.symbol, constructors_of(self._graph, around.id))
                yield list(self._tests([around, *made], _uses_phrase(around)))
        edges = self._graph.overrides(symbol.id)
        overridden = [self._graph.symbol(edge.target) for edge in edges]
        yield [
            test
            for each in overridden
            for test in self._tests([each], f"{_uses_phrase(each)}, which this overrides")
        ]
        yield [
            test
            for user in islice(self._users_beside(symbol), _CALLERS)
            for test in self._tests([user], f"{_uses_phrase(user)}, which uses this")
        ]

    def _tests(self, symbols: Sequence[Symbol], purpose: str) -> Iterator[CoveringTest]:
        self.exhibits.record_symbols(*symbols)
        seen: set[tuple[SymbolId, int | None]] = set()
        for symbol in symbols:
            edges = [edge for edge in self._graph.incoming(symbol.id) if _is_use(edge)]
            for edge in sorted(edges, key=self._preference):
                test = self._graph.symbol(edge.source)
                place = (edge.source, edge.line if edge.source.is_file else None)
                if (
                    place not in seen
                    and _tests_something(test)
                    and self._uses_this_symbol(edge, symbol)
                ):
                    seen.add(place)
                    self.exhibits.record_symbols(test)
                    resolution = by_name_remark(self._graph, edge)
                    yield CoveringTest(test, edge.line, f"{purpose}{resolution}: {called(test)}")

    def _preference(self, edge: Edge) -> tuple[bool, float]:
        """Sort key for uses by tests, the best first: those resolved by more than a name, then
        those whose file and test have most of the question in their names."""
        name = self._graph.symbol(edge.source).qualified_name
        worth = self._words.worth(text.analyse(f"{edge.path} {name}"))
        return edge.is_by_name, -worth

    def _uses_this_symbol(self, edge: Edge, symbol: Symbol) -> bool:
        """Whether a use in a test is one of the symbol.

        A use known by name alone counts if no other type is its receiver. In addition, nothing else
        may have the name, or the file has to mention the symbol's type.
        """
        if not self.exhibits.has(edge.path):
            return False
        if not edge.is_by_name:
            return True
        around = next(self._types_around(symbol), None)
        if any(self._is_type_other_than(around, each) for each in self._receivers(edge, symbol)):
            return False
        mentions_type = around is not None and around.name in self.exhibits.source(edge.path).text
        return mentions_type or edge.namesakes == 1

    def _receivers(self, edge: Edge, symbol: Symbol) -> Iterator[str]:
        """Yields the receivers of a symbol's name on the line of an edge."""
        facts = self.case.index.view.facts(edge.path)
        if facts is not None:
            named = (facts.references[at] for at in facts.references.named(symbol.name))
            yield from (each.receiver for each in named if each.line == edge.line)

    def _is_type_other_than(self, around: Symbol | None, written: str) -> bool:
        types = [each for each in self._graph.find(written) if each.kind in MEMBER_HOLDERS]
        return bool(types) and (around is None or around.name not in {e.name for e in types})

    def _types_around(self, symbol: Symbol) -> Iterator[Symbol]:
        """Returns the types around a symbol, the innermost first."""
        around = map(self._graph.symbol, self._graph.containers(symbol.id))
        return (each for each in around if each.kind in MEMBER_HOLDERS)

    def _users_beside(self, symbol: Symbol) -> Iterator[Symbol]:
        """Yields the functions in a symbol's file that certainly use it."""
        for edge in self._graph.incoming(symbol.id):
            if _is_use(edge) and edge.path == symbol.path and not edge.is_by_name:
                user = self._graph.symbol(edge.source)
                if (
                    user.kind in CALLABLES
                    and user.id != symbol.id
                    and not self.case.is_set_apart(user)
                ):
                    yield user

    # by name

    def _names(self, symbol: Symbol) -> Iterator[str]:
        """Yields the names that a test file may be called after, the best first: the symbol's,
        those of what it is in, and its file's, unless that is an index file."""
        yield symbol.name
        yield from (self._graph.symbol(each).name for each in self._graph.containers(symbol.id))
        file, language = basename(symbol.path), language_of(symbol.path)
        if language is None or file not in spec(language).imports.index_files:
            yield splitext(file)[0]

    def _named_after(self, names: Iterable[str], path: str) -> _NamedFile | None:
        """Returns the test file named after the first of the names that has any. Of several it is
        the one nearest to ``path``; None if two are equally near."""
        wanted = {folded(name): name for name in names}
        found: dict[str, list[tuple[int, str]]] = {}
        for other in self.case.index.view.paths():
            file = folded(splitext(basename(other))[0])
            for letters, name in wanted.items():
                if letters in file and other != path and is_named_after(other, name):
                    found.setdefault(name, []).append((-_common_folders(other, path), other))
        for name in wanted.values():
            near = sorted(found.get(name, []))
            if near and (len(near) == 1 or near[0][0] < near[1][0]):
                return (
                    _NamedFile(near[0][1], f"`{name}`") if self.exhibits.has(near[0][1]) else None
                )
        return None


@dataclass(frozen=True, slots=True)
class _NamedFile:
    path: str
    name: str


def _uses_phrase(symbol: Symbol) -> str:
    return f"a test that uses {called(symbol)}"


def _tests_something(symbol: Symbol) -> bool:
    """Whether a symbol is a test, and not test support or an example of testing."""
    traits = traits_of(symbol.path)
    return is_test(symbol) and not (
        traits.support or traits.example or traits.vendored or traits.generated
    )


def _is_use(edge: Edge) -> bool:
    return edge.relation in ("calls", "references")


def _file_by_file(tests: Sequence[CoveringTest]) -> Iterator[CoveringTest]:
    """Yields one test of each file, then a second one of each, and so on."""
    files: dict[str, list[CoveringTest]] = {}
    for each in tests:
        files.setdefault(each.test.path, []).append(each)
    most = max(map(len, files.values()), default=0)
    for at in range(most):
        yield from (of_file[at] for of_file in files.values() if at < len(of_file))


def _common_folders(path: str, other: str) -> int:
    """Counts the common folders of two paths at the start and at the end: tests often have a tree
    of their own that mirrors the code's."""
    one, two = path.split("/")[:-1], other.split("/")[:-1]
    return common_prefix_length(one, two) + common_prefix_length(one[::-1], two[::-1])
