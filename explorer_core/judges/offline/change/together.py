"""Units of programs that have many of some names: what is enumerated where no edge tells it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.index.terms.lexis import lexis_of
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.change.registration import Registration
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.literals import Literal
from explorer_core.registry.traits import is_aside, traits_of

_READ = 40
"""Units that are read for them, at most."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Naming:
    """A unit, and the lines of it that have the names: each with the name as written and its
    term."""

    path: str
    rows: tuple[tuple[int, str, str], ...]

    @property
    def terms(self) -> set[str]:
        return {term for _, _, term in self.rows}


@dataclass(frozen=True)
class Together:
    """Finds such units for one case."""

    case: JudgeCase
    exhibits: Exhibits

    def known(self, terms: Collection[str]) -> int:
        """How many of some terms stand anywhere."""
        collection = self.case.index.search().collection
        return sum(len(collection.matches(term).units) > 0 for term in terms)

    def naming(
        self, terms: Mapping[str, Collection[str]], least: float, *, but: Symbol | None = None
    ) -> Iterator[Naming]:
        """The units of programs that have ``least`` so many of some terms, those first that have
        most, one of each file, and none in one definition (``but``). Given with each term are the
        files whose own name it is: in them it does not count."""
        collection = self.case.index.search().collection
        told = np.zeros(collection.units, np.int64)
        for term in terms:
            told[np.unique(collection.matches(term).units)] += 1
        reached: list[int] = np.flatnonzero(
            (told >= least) & collection.refers[collection.file]
        ).tolist()

        def order(unit: int) -> tuple[int, int, str, int]:
            _, start, end = collection.unit(unit)
            path = collection.paths[int(collection.file[unit])]
            return -int(told[unit]), end - start, path, start

        seen: set[str] = set()
        for unit in sorted(reached, key=order)[:_READ]:
            path = collection.paths[int(collection.file[unit])]
            traits = traits_of(path)
            if but is not None and path == but.path and self._overlaps(unit, but):
                continue
            if path in seen or is_aside(traits) or traits.support or not self.case.in_scope(path):
                continue
            # The words of a name may be parts of others; and it may well say what itself is called.
            rows = tuple(self._named(unit, path, terms))
            enough = len({term for _, _, term in rows if path not in terms[term]}) >= least
            if enough and not self.case.set_apart(self._holder(path, rows[0][0])):
                seen.add(path)
                yield Naming(path, rows)

    def _overlaps(self, unit: int, symbol: Symbol) -> bool:
        _, start, end = self.case.index.search().collection.unit(unit)
        return start <= symbol.range.end and symbol.range.start <= end

    def place(self, naming: Naming, row: tuple[int, str, str], total: str) -> Registration:
        """A unit as what registers, at one of its rows."""
        line, word, _ = row
        user = self._holder(naming.path, line)
        return Registration(user, None, total, Literal(user, line, word))

    def _holder(self, path: str, line: int) -> Symbol:
        """The definition, or else the file, that a line is in."""
        graph = self.case.graph
        return graph.enclosing(path, line) or graph.symbol(SymbolId(path, TOP))

    def _named(
        self, unit: int, path: str, terms: Collection[str]
    ) -> Iterator[tuple[int, str, str]]:
        """The lines of a unit that have some terms; not those that are comments, which have words
        for other reasons."""
        collection = self.case.index.search().collection
        lines = self.exhibits.source(path).lines if self.exhibits.has(path) else ()
        lexis = lexis_of(language_of(path))
        for first, last in collection.own_lines(unit):
            own = lines[first - 1 : last]
            comments = lexis.layers("\n".join(own)).comment_lines
            for line, written in enumerate(own, first):
                for match in _WORD.finditer(written if line - first not in comments else ""):
                    if (term := text.whole(match[0])) in terms:
                        yield line, match[0], term
