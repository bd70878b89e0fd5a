"""Finds who uses what is to be changed, and how often it is used."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from explorer_core.channels.question.templates import without_literals
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges.offline.change.covering_tests import TESTS
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import derived_types
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.statements import called
from explorer_core.registry.traits import is_test

_USERS = 4
_MOST_POSTPONED = 40
"""How many uses are postponed because a line like theirs was shown already."""
_FILES_THROUGH = 40
"""How many files are searched for users of a member that the subject overrides."""
NO_USE = ("contains", "imports")
_DERIVED = ("extends", "implements", "overrides")


class Users(Finder):
    """Finds the users of what one question is about."""

    def of(self, subject: Subject, *, derived: bool = True) -> list[Step]:
        """Returns the users of a subject, the most informative first, including what derives from
        it."""
        found = subject.symbol
        used = chain(
            ((edge, None) for edge in self._uses_of(subject)),
            ((edge, found.id) for edge in self._uses_through(found)),
        )
        users: dict[str, Step] = {}
        for edge, overriding in self._distinct_first(used):
            if len(users) == _USERS:
                break
            if edge.relation in _DERIVED and not derived:
                continue
            user = self._graph.symbol(edge.source)
            name = called(user)
            users.setdefault(name, Step(user, "user", edge, meant=overriding))
        return list(users.values())

    def derived(self, symbol: Symbol) -> str:
        """Says how many types derive from one; empty if there is at most one."""
        count = len(derived_types(self.case, symbol.id))
        return f"{count} types derive from {called(symbol)}." if count > 1 else ""

    def _distinct_first(
        self, used: Iterable[tuple[Edge, SymbolId | None]]
    ) -> Iterator[tuple[Edge, SymbolId | None]]:
        """Yields the uses, without those of tests and the like. Uses whose lines differ from an
        earlier one only in literals say nothing new, and come last."""
        lines: set[str] = set()
        postponed: list[tuple[Edge, SymbolId | None]] = []
        for edge, overriding in used:
            if self.case.is_set_apart(self._graph.symbol(edge.source)):
                continue
            line = self._line_of(edge)
            if line and line in lines and len(postponed) < _MOST_POSTPONED:
                postponed.append((edge, overriding))
            else:
                lines.add(line)
                yield edge, overriding
        yield from postponed

    def _line_of(self, edge: Edge) -> str:
        """Returns the line of an edge without its literals; empty if the file cannot be read."""
        if not self.exhibits.has(edge.path):
            return ""
        return without_literals(self.exhibits.line(edge.path, edge.line)).strip()

    def _uses_of(self, subject: Subject) -> Iterator[Edge]:
        """Yields one edge of each user: certain ones first, calls before others, then by the rank
        of the user. If the question names the subject, what derives from it comes before calls."""
        seen = {subject.symbol.id}
        edges = self._relevant_uses(subject.symbol)
        edges.sort(
            key=lambda edge: (
                edge.is_by_name,
                not (subject.is_named and edge.relation in _DERIVED),
                edge.relation != "calls",
                self._rank(edge.source),
            )
        )
        for edge in edges:
            if edge.source not in seen and not self._is_inside(edge, subject.symbol):
                seen.add(edge.source)
                yield edge

    def _relevant_uses(self, symbol: Symbol) -> list[Edge]:
        """The uses of a symbol. That its own file names it outside of any definition, as where it
        lists what others may import, is none where there are others."""
        edges = [e for e in self._graph.incoming(symbol.id) if e.relation not in NO_USE]
        others = [
            edge
            for edge in edges
            if edge.relation != "references" or edge.source != SymbolId.of_file(symbol.path)
        ]
        return others or edges

    def _rank(self, user: SymbolId) -> float:
        symbol = self._graph.symbol(user)
        return self.exhibits.ranks.get((symbol.path, symbol.line), math.inf)

    def _is_inside(self, edge: Edge, subject: Symbol) -> bool:
        """Whether an edge comes from inside of the subject, so that it is no user."""
        part = subject.id in self._graph.containers(edge.source)
        return part and edge.relation not in _DERIVED

    def _uses_through(self, symbol: Symbol) -> Iterator[Edge]:
        """Yields certain uses of the members that a symbol overrides, in files near it. Of a field
        that holds functions only calls: what else names it mostly assigns another function."""
        for edge in self._graph.uses_through(symbol.id, files=_FILES_THROUGH):
            assigns = edge.relation != "calls" and self._graph.holds_functions(edge.target)
            if not edge.is_by_name and not edge.source.is_file and not assigns:
                yield edge

    def total(self, symbol: Symbol, users: Sequence[Step]) -> str:
        """Says how many places and tests are known to use a symbol; empty if no more than are
        shown. A place that feeds the symbol does not name it, and so is none that uses it."""
        used: dict[bool, set[tuple[str, int]]] = {True: set(), False: set()}
        for edge in self._graph.incoming(symbol.id):
            known = edge.relation not in (*NO_USE, "feeds") and not edge.is_by_name
            if known and edge.source != symbol.id and not self._is_inside(edge, symbol):
                used[is_test(self._graph.symbol(edge.source))].add((edge.path, edge.line))
        name = called(symbol)
        code = _count_phrase(used[False]) if len(used[False]) > len(users) else ""
        tests = _count_phrase(used[True]) if len(used[True]) > TESTS else ""
        if not code:
            return f"Tests use {name} in {tests}." if tests else ""
        return f"{name} is used in {code}{f', and by tests in {tests}' if tests else ''}."


def _count_phrase(places: set[tuple[str, int]]) -> str:
    files = len({path for path, _ in places})
    times = "one place" if len(places) == 1 else f"{len(places)} places"
    return f"{times} in {'one file' if files == 1 else f'{files} files'}"
