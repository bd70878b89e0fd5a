"""Finds places that have many of some names together, as most of them enumerate what has these
names.

No edge is needed. The names may stand as words, as parts of words, or in strings.
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
"""How many units or files are read."""
_WIDE, _WIDE_SHARE = 12, 0.1
"""A name that is in more files than this, and in more than this share of all, is ignored in
files."""
_MOST_NAMED = 2
"""How many files a sentence names."""
_SHARE_OF_NAMES = 0.75
"""The share of the names in a definition that a nested one must have to be shown in its place."""
_WORD = re.compile(r"\w+")

_QUOTED = re.compile(r"""(?<=["'`])\w+(?=["'`])""")

Row = tuple[int, str, str]
"""A line that has a name: its number, the name as written there, and the name's term."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names to look for, each by its term in the index."""

    files: Mapping[str, Collection[str]]
    """For each term the files that are called by that name; in them it does not count."""
    respelt: Mapping[str, str] = field(default_factory=dict[str, str])
    """Other terms that the names may be spelt as, each mapped to the term that it stands for."""

    def term_of(self, word: str) -> str:
        """Returns the term of a word, also if it is a different spelling."""
        term = text.whole(word)
        return self.respelt.get(term, term)

    def only(self, terms: Collection[str]) -> Names:
        """Returns the names of some of the terms."""
        respelt = {other: term for other, term in self.respelt.items() if term in terms}
        return Names({term: self.files[term] for term in terms}, respelt)


@dataclass(frozen=True, slots=True)
class Naming:
    """A unit or a file, with the lines that have the names."""

    path: str
    rows: tuple[Row, ...]

    @property
    def terms(self) -> set[str]:
        return {term for _, _, term in self.rows}

    def within(self, symbol: Symbol) -> set[str]:
        """Returns the terms on the lines of a definition or of a whole file."""
        if symbol.id.is_file:
            return self.terms
        return {term for line, _, term in self.rows if line in symbol.range}

    def counted(self, symbol: Symbol, share: float) -> tuple[str, set[str]]:
        """Returns a sentence's subject, "It" or "Its file", and the terms that this has. It is the
        definition, unless that has less than ``share`` of the terms in its file."""
        inside = self.within(symbol)
        alone = len(inside) >= share * len(self.terms)
        return ("It", inside) if alone else ("Its file", self.terms)


class NamesTogether(Finder):
    """Finds such places for one case."""

    def known(self, terms: Collection[str]) -> int:
        """Counts the terms that occur anywhere."""
        return sum(len(self._collection.matches(term).units) > 0 for term in terms)

    def units(
        self, names: Names, least: float, *, excluded: Symbol | None = None
    ) -> Iterator[Naming]:
        """Yields the program units that have at least ``least`` of the names, one for each file.
        Those that have most come first. None overlaps the definition ``excluded``."""
        collection = self._collection
        counts = np.zeros(collection.units, np.int64)
        for units in self._units_with(names).values():
            counts[units] += 1
        reached: list[int] = np.flatnonzero(
            (counts >= least) & collection.has_references[collection.file]
        ).tolist()

        def order(unit: int) -> tuple[int, int, str, int]:
            _, start, end = collection.unit(unit)
            return -int(counts[unit]), end - start, self._path(unit), start

        paths_found: set[str] = set()
        for unit in sorted(reached, key=order)[:_READ]:
            path = self._path(unit)
            if excluded is not None and path == excluded.path and self._overlaps(unit, excluded):
                continue
            if path in paths_found or not self._is_searched(path):
                continue
            # The index also counts parts of words, and a unit may well have its own file's name.
            code = self._code_lines(path, collection.own_lines(unit))
            rows = tuple(_lines_with_names(code, names))
            enough = len({term for _, _, term in rows if path not in names.files[term]}) >= least
            if enough and not self.case.is_set_apart(self._holder(path, rows[0][0])):
                paths_found.add(path)
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
        """Yields the files that have a ``share`` of the names, and ``least`` this many.

        Names count as words; with ``parts`` also as parts of words, with ``quoted`` only in
        quotation marks. Files that have most come first, and data, such as templates, after
        programs. Of the data in one folder only one file is yielded. A name that is in many files
        counts only if ``beside`` is given and the file has that term too. Files that are called by
        one of the names do not count.
        """
        collection = self._collection
        informative, counts = self._counts_by_file(names, beside)
        least = max(least, int(np.ceil(share * len(informative.files))))
        own = set(chain.from_iterable(names.files.values()))
        reached: list[int] = np.flatnonzero(counts >= least).tolist()
        paths = {collection.paths[file]: int(counts[file]) for file in reached}
        data: set[str] = set()

        def order(path: str) -> tuple[bool, int, str]:
            return collection.is_data(path), -paths[path], path

        for path in sorted(paths.keys() - own, key=order)[:_READ]:
            if not self._is_searched(path) or dirname(path) in data:
                continue
            whole = [(1, len(self.exhibits.source(path).lines))] if self.exhibits.has(path) else []
            code = self._code_lines(path, whole)
            words = _QUOTED if quoted else _WORD
            rows = tuple(_lines_with_names(code, informative, parts=parts, words=words))
            if len({term for _, _, term in rows}) >= least:
                if collection.is_data(path):
                    data.add(dirname(path))
                yield Naming(path, rows)

    def _counts_by_file(self, names: Names, beside: str) -> tuple[Names, Ints]:
        """Returns the names that say something, and how many of them each file has. With
        ``beside``, files without this term have none."""
        collection = self._collection
        files = {
            term: np.unique(collection.file[units])
            for term, units in self._units_with(names).items()
        }
        widest = max(_WIDE, _WIDE_SHARE * int(collection.has_references.sum()))
        informative = {
            term
            for term, found in files.items()
            if beside or int(collection.has_references[found].sum()) <= widest
        }
        counts = np.zeros(len(collection.paths), np.int64)
        for term in informative:
            counts[files[term]] += 1
        if beside:
            has_it = np.zeros(len(collection.paths), np.bool_)
            has_it[collection.file[collection.matches(beside).units]] = True
            counts[~has_it] = 0
        return names.only(informative), counts

    def _units_with(self, names: Names) -> dict[str, Ints]:
        """Returns the units that have each name, by its term."""
        spelt = {term: [self._collection.matches(term).units] for term in names.files}
        for other, term in names.respelt.items():
            spelt[term].append(self._collection.matches(other).units)
        return {term: np.unique(np.concatenate(units)) for term, units in spelt.items()}

    def place(self, naming: Naming, row: Row, total: str) -> Registration:
        """Returns a registration for one row of a naming."""
        line, word, _ = row
        user = self.holder(naming, row)
        return Registration(user, None, total, Literal(user, line, word))

    def with_elsewhere(
        self, places: Sequence[Registration], paths: Sequence[str]
    ) -> list[Registration]:
        """Appends to the last place a sentence that names the files of further ones, if there are
        any."""
        also = self._further_files_sentence(paths)
        if not places or not also:
            return list(places)
        *before, last = places
        return [*before, replace(last, total=f"{last.total} {also}")]

    def _further_files_sentence(self, paths: Sequence[str]) -> str:
        """Returns a sentence about the files of further places; at least one of data is named if
        there are any. Empty if there are none."""
        data = [each for each in paths if self._collection.is_data(each)]
        programs = [each for each in paths if each not in data]
        first = _MOST_NAMED - 1
        names: dict[str, None] = {}
        for each in (*programs[:first], *data[:1], *programs[first:], *data[1:]):
            if self.exhibits.learn_of_file(each):
                names[f"`{basename(each)}`"] = None
        named = list(names)[:_MOST_NAMED]
        if more := len(names) - len(named):
            named.append("one more file" if more == 1 else f"{more} more files")
        *first, last = named or [""]
        joined = f"{', '.join(first)} and {last}" if first else last
        return f"Some also occur in {joined}." if names else ""

    def holder(self, naming: Naming, row: Row) -> Symbol:
        """Returns the innermost definition around a row that has most of the names, or else the
        file. The innermost of all might just be what is defined by one of the names."""
        graph = self._graph
        inner = self._holder(naming.path, row[0])
        if inner.id.is_file:
            return inner
        around = [inner, *map(graph.symbol, graph.containers(inner.id))]
        around = [each for each in around if each.path == naming.path]
        most = max(len(naming.within(each)) for each in around)
        return next(each for each in around if len(naming.within(each)) >= _SHARE_OF_NAMES * most)

    def _path(self, unit: int) -> str:
        return self._collection.paths[int(self._collection.file[unit])]

    def _is_searched(self, path: str) -> bool:
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
        """Returns the definition around a line, or else the file."""
        graph = self._graph
        return graph.enclosing(path, line) or graph.symbol(SymbolId.of_file(path))

    def _code_lines(self, path: str, runs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, str]]:
        """Yields some lines of a file, without comments and documentation, which have words for
        other reasons, and without imports of what the file itself uses."""
        lines = self.exhibits.source(path).lines if self.exhibits.has(path) else ()
        lexis, taken_in = lexis_of(language_of(path)), self._used_imports(path)
        for first, last in runs:
            own = lines[first - 1 : last]
            layers = lexis.layers("\n".join(own))
            comments = layers.comment_lines.copy()
            for at, docs_text, breaks in layers.docs:
                if own[at].lstrip().startswith(docs_text.partition("\n")[0]):
                    comments.update(range(at, at + breaks + 1))
            code = ((first + at, each) for at, each in enumerate(own) if at not in comments)
            yield from (each for each in code if each[0] not in taken_in)

    def _used_imports(self, path: str) -> set[int]:
        """Returns the lines that import what the file itself refers to. An import that it does not
        use is re-exported, or made for its effect: such a list is what registers a module."""
        facts = self.case.index.view.facts(path)
        if facts is None:
            return set()
        named = facts.references.named
        return {each.line for each in facts.imports if named(each.local)}


def _lines_with_names(
    lines: Iterable[tuple[int, str]],
    names: Names,
    *,
    parts: bool = False,
    words: re.Pattern[str] = _WORD,
) -> Iterator[Row]:
    """Yields the lines that have some names, as words or also as parts of words."""
    for line, written in lines:
        for match in words.finditer(written):
            term = names.term_of(match[0])
            if term in names.files:
                yield line, match[0], term
            elif parts:
                inside = (each for each in text.parts_of(match[0]) if each in names.files)
                yield from ((line, match[0], each) for each in inside)
