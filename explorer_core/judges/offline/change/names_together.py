"""Places that have many of some names together: most often they enumerate what is called so.

No edge needs to lead there. The names may stand as words, as parts of others or in texts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from posixpath import basename, dirname

import numpy as np

from explorer_core.index.languages import language_of
from explorer_core.index.search.collection import Ints
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.index.terms.lexis import lexis_of
from explorer_core.judges.offline.change.example import Registration
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Literal

_READ = 40
"""Units, or files, that are read for them, at most."""
_WIDE, _WIDE_SHARE = 12, 0.1
"""A name that is in more files than this, and than this share of all, says nothing in a file."""
_TOLD = 2
"""Files that a sentence names."""
_MOST = 0.75
"""Share of the names in a definition that one inside of it must have to be told in its place."""
_WORD = re.compile(r"\w+")

_QUOTED = re.compile(r"""(?<=["'`])\w+(?=["'`])""")

Row = tuple[int, str, str]
"""A line that has a name, the name as it is written there, and its term."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that are looked for, each by the term that the index has it as."""

    files: Mapping[str, Collection[str]]
    """For each term the files that are called by that name: in them it does not count."""
    respelt: Mapping[str, str] = field(default_factory=dict[str, str])
    """Other terms that the names may be spelt as, each with the term that it stands for."""

    def term_of(self, word: str) -> str:
        """The term of a word, be it one that a name is respelt as."""
        term = text.whole(word)
        return self.respelt.get(term, term)

    def only(self, terms: Collection[str]) -> Names:
        """The names of some of the terms."""
        respelt = {other: term for other, term in self.respelt.items() if term in terms}
        return Names({term: self.files[term] for term in terms}, respelt)


@dataclass(frozen=True, slots=True)
class Naming:
    """A unit or a file, and the lines of it that have the names."""

    path: str
    rows: tuple[Row, ...]

    @property
    def terms(self) -> set[str]:
        return {term for _, _, term in self.rows}

    def within(self, symbol: Symbol) -> set[str]:
        """The terms on the lines of a definition, or of all of a file."""
        if symbol.id.is_file:
            return self.terms
        return {term for line, _, term in self.rows if line in symbol.range}

    def counted(self, symbol: Symbol, share: float) -> tuple[str, set[str]]:
        """Who is said to have the names of a definition and its file, and which these are: those
        of the definition, unless it has less than a ``share`` of all in the file."""
        inside = self.within(symbol)
        alone = len(inside) >= share * len(self.terms)
        return ("It", inside) if alone else ("Its file", self.terms)


class NamesTogether(Finder):
    """Finds such places for one case."""

    def known(self, terms: Collection[str]) -> int:
        """How many of some terms stand anywhere."""
        return sum(len(self._collection.matches(term).units) > 0 for term in terms)

    def units(self, names: Names, least: float, *, but: Symbol | None = None) -> Iterator[Naming]:
        """The units of programs that have ``least`` so many of some names, those first that have
        most: one of each file, and none that overlaps the definition ``but``."""
        collection = self._collection
        told = np.zeros(collection.units, np.int64)
        for units in self._units_with(names).values():
            told[units] += 1
        reached: list[int] = np.flatnonzero(
            (told >= least) & collection.refers[collection.file]
        ).tolist()

        def order(unit: int) -> tuple[int, int, str, int]:
            _, start, end = collection.unit(unit)
            return -int(told[unit]), end - start, self._path(unit), start

        seen: set[str] = set()
        for unit in sorted(reached, key=order)[:_READ]:
            path = self._path(unit)
            if but is not None and path == but.path and self._overlaps(unit, but):
                continue
            if path in seen or not self._may_name(path):
                continue
            # The words of a name may be parts of others; and it may well say what itself is called.
            code = self._code(path, collection.own_lines(unit))
            rows = tuple(_named(code, names))
            enough = len({term for _, _, term in rows if path not in names.files[term]}) >= least
            if enough and not self.case.set_apart(self._holder(path, rows[0][0])):
                seen.add(path)
                yield Naming(path, rows)

    def files(
        self,
        names: Names,
        share: float,
        least: int,
        *,
        beside: str = "",
        parts: bool = False,
        quoted: bool = False,
    ) -> Iterator[Naming]:
        """The files that have a ``share`` of some names, and ``least`` so many: as words, or also
        as ``parts`` of words, or only ``quoted``. Those that have most come first, and data, such
        as templates, after programs; of the data of one folder only one file is told.

        A name that is in many files says nothing, unless a file has the term ``beside`` as well;
        and no file counts that is called by one of the names itself."""
        collection = self._collection
        telling, told = self._told_by_files(names, beside)
        least = max(least, int(np.ceil(share * len(telling.files))))
        own = set(chain.from_iterable(names.files.values()))
        reached: list[int] = np.flatnonzero(told >= least).tolist()
        paths = {collection.paths[file]: int(told[file]) for file in reached}
        data: set[str] = set()

        def order(path: str) -> tuple[bool, int, str]:
            return collection.is_data(path), -paths[path], path

        for path in sorted(paths.keys() - own, key=order)[:_READ]:
            if not self._may_name(path) or dirname(path) in data:
                continue
            whole = [(1, len(self.exhibits.source(path).lines))] if self.exhibits.has(path) else []
            code = self._code(path, whole)
            words = _QUOTED if quoted else _WORD
            rows = tuple(_named(code, telling, parts=parts, words=words))
            if len({term for _, _, term in rows}) >= least:
                if collection.is_data(path):
                    data.add(dirname(path))
                yield Naming(path, rows)

    def _told_by_files(self, names: Names, beside: str) -> tuple[Names, Ints]:
        """Those of some names that say something, and how many of them each file has; of files
        without the term ``beside``, if it is given, none."""
        collection = self._collection
        files = {
            term: np.unique(collection.file[units])
            for term, units in self._units_with(names).items()
        }
        widest = max(_WIDE, _WIDE_SHARE * int(collection.refers.sum()))
        telling = {
            term
            for term, found in files.items()
            if beside or int(collection.refers[found].sum()) <= widest
        }
        told = np.zeros(len(collection.paths), np.int64)
        for term in telling:
            told[files[term]] += 1
        if beside:
            has_it = np.zeros(len(collection.paths), np.bool_)
            has_it[collection.file[collection.matches(beside).units]] = True
            told[~has_it] = 0
        return names.only(telling), told

    def _units_with(self, names: Names) -> dict[str, Ints]:
        """The units that have each of some names, by its term."""
        spelt = {term: [self._collection.matches(term).units] for term in names.files}
        for other, term in names.respelt.items():
            spelt[term].append(self._collection.matches(other).units)
        return {term: np.unique(np.concatenate(units)) for term, units in spelt.items()}

    def place(self, naming: Naming, row: Row, total: str) -> Registration:
        """What registers, at one of its rows."""
        line, word, _ = row
        user = self.holder(naming, row)
        return Registration(user, None, total, Literal(user, line, word))

    def with_elsewhere(
        self, places: Sequence[Registration], paths: Sequence[str]
    ) -> list[Registration]:
        """Some places, the last with a sentence that names the files of further ones, if there are
        any."""
        also = self._elsewhere(paths)
        if not places or not also:
            return list(places)
        *before, last = places
        return [*before, replace(last, total=f"{last.total} {also}")]

    def _elsewhere(self, paths: Sequence[str]) -> str:
        """A sentence on the files of further places, data among them if there is any; empty where
        there are none."""
        data = [each for each in paths if self._collection.is_data(each)]
        programs = [each for each in paths if each not in data]
        first = _TOLD - 1
        names: dict[str, None] = {}
        for each in (*programs[:first], *data[:1], *programs[first:], *data[1:]):
            if self.exhibits.learn_of_file(each):
                names[f"`{basename(each)}`"] = None
        told = list(names)[:_TOLD]
        if more := len(names) - len(told):
            told.append("one more file" if more == 1 else f"{more} more files")
        *first, last = told or [""]
        joined = f"{', '.join(first)} and {last}" if first else last
        return f"So {'has' if len(names) == 1 else 'have'} {joined}." if names else ""

    def holder(self, naming: Naming, row: Row) -> Symbol:
        """Of the definitions that a row is in the innermost that has most of the names, or else the
        file: a name may be one that is defined there."""
        graph = self._graph
        inner = self._holder(naming.path, row[0])
        if inner.id.is_file:
            return inner
        around = [inner, *map(graph.symbol, graph.containers(inner.id))]
        around = [each for each in around if each.path == naming.path]
        most = max(len(naming.within(each)) for each in around)
        return next(each for each in around if len(naming.within(each)) >= _MOST * most)

    def _path(self, unit: int) -> str:
        return self._collection.paths[int(self._collection.file[unit])]

    def _may_name(self, path: str) -> bool:
        return (
            self.case.index.view.facts(path) is not None
            and self._is_of_program(path)
            and self.case.in_scope(path)
            and not self.case.registry.is_generated(path)
        )

    def _overlaps(self, unit: int, symbol: Symbol) -> bool:
        _, start, end = self._collection.unit(unit)
        return start <= symbol.range.end and symbol.range.start <= end

    def _holder(self, path: str, line: int) -> Symbol:
        """The definition, or else the file, that a line is in."""
        graph = self._graph
        return graph.enclosing(path, line) or graph.symbol(SymbolId.of_file(path))

    def _code(self, path: str, runs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, str]]:
        """Some lines of a file; not those that are comments or documentation, which have words for
        other reasons, nor those that only take in what the file uses further on."""
        lines = self.exhibits.source(path).lines if self.exhibits.has(path) else ()
        lexis, taken_in = lexis_of(language_of(path)), self._taken_in(path)
        for first, last in runs:
            own = lines[first - 1 : last]
            layers = lexis.layers("\n".join(own))
            comments = layers.comment_lines.copy()
            for at, said, breaks in layers.docs:
                if own[at].lstrip().startswith(said.partition("\n")[0]):
                    comments.update(range(at, at + breaks + 1))
            code = ((first + at, each) for at, each in enumerate(own) if at not in comments)
            yield from (each for each in code if each[0] not in taken_in)

    def _taken_in(self, path: str) -> set[int]:
        """The lines of a file that import what it refers to itself. What it does not, it only hands
        on, or wants it to be there: to be in such a list is what makes one known."""
        facts = self.case.index.view.facts(path)
        if facts is None:
            return set()
        named = facts.references.named
        return {each.line for each in facts.imports if named(each.local)}


def _named(
    lines: Iterable[tuple[int, str]],
    names: Names,
    *,
    parts: bool = False,
    words: re.Pattern[str] = _WORD,
) -> Iterator[Row]:
    """The lines that have some names, as words or also as parts of words."""
    for line, written in lines:
        for match in words.finditer(written):
            term = names.term_of(match[0])
            if term in names.files:
                yield line, match[0], term
            elif parts:
                inside = (each for each in text.parts_of(match[0]) if each in names.files)
                yield from ((line, match[0], each) for each in inside)
