"""Full-text search over units: BM25F.

BM25F after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009):
term frequencies are weighted and normalised per field, added up, and saturated once. Terms are
taken rarest first. In a long query the common ones, which decide little, only complete the scores
of the best candidates that the rare ones found (the "continue" strategy of Moffat and Zobel,
"Self-indexing inverted files for fast text retrieval", 1996).
"""

from __future__ import annotations

import heapq
import math
import sys
import threading
from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from explorer_core.index.segments import PostingRow
from explorer_core.index.units import (
    COUNT_MASK,
    FIELD_MASK,
    FIELD_SHIFT,
    FIELDS,
    PATH,
    PATH_UNIT,
    UNIT_SHIFT,
)
from explorer_core.index.view import View

_HEAD = 3
_FILE_B = 0.75
_STRIDE = _HEAD + PATH
_SCANNED_UNITS = 25_000
"""Occurrences in units that are looked at before only the best candidates are completed."""
_NEGLIGIBLE = 1e-4
"""A term that weighs less than this share of the weightiest only completes candidates, too."""
_CANDIDATES = 2
"""How many candidates are completed, as a multiple of the hits wanted."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25F's parameters; weights and length normalisations in the order of `FIELDS`."""

    k1: float = 1.2
    weights: tuple[float, ...] = (5.0, 2.0, 2.0, 1.5, 1.0, 1.0, 2.5)
    b: tuple[float, ...] = (0.3, 0.3, 0.4, 0.6, 0.75, 0.6, 0.3)


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A unit that matched.

    ``ordinal`` is that of its definition, -1 for a window. ``fields`` splits the score over the
    fields it came from. ``terms`` has, per matched term, its occurrences per field; those in the
    path count for every unit of the file. ``lengths`` is the unit's words per field.
    """

    path: str
    start: int
    end: int
    ordinal: int
    score: float
    fields: dict[str, float]
    terms: dict[str, dict[str, int]]
    lengths: dict[str, int]


@dataclass(frozen=True, slots=True)
class Collection:
    """The whole that is searched: how many units, and their average words per field."""

    units: int
    averages: dict[str, float]


class Searcher:
    """Searches what a view shows. Methods may be called from any thread, one at a time."""

    def __init__(self, view: View, weighting: Weighting | None = None) -> None:
        self._view = view
        self._weighting = weighting or Weighting()
        self._lock = threading.Lock()
        self._table: _Table | None = None

    def collection(self) -> Collection:
        """Size and averages of the collection."""
        with self._lock:
            table = self._current()
            return Collection(table.count, dict(zip(FIELDS, table.averages, strict=True)))

    def spread(self, term: str) -> tuple[int, int]:
        """How many files and how many units have a term (not counting paths for the units)."""
        return self._view.spread(term)

    def search(
        self,
        terms: Mapping[str, float],
        *,
        limit: int = 200,
        allowed: Callable[[str], bool] | None = None,
    ) -> list[UnitHit]:
        """The best units for weighted index terms (as `text.analyse` makes them), best first.

        A file that matches only by its path shows with its first unit. Ties are in the order of
        path and line.
        """
        with self._lock:
            table = self._current()
            query = _Query(self._view, table, self._weighting, terms)
            return query.run(limit, table.files_where(allowed) if allowed else None)

    def files(self, terms: Mapping[str, float]) -> dict[str, float]:
        """BM25 of whole files for weighted index terms. A term's frequency is how many entries it
        has in a file, one per unit and field, and a file's length how many units it has."""
        with self._lock:
            table = self._current()
            count = max(len(table.first), 1)
            mean = max(table.count / count, 1.0)
            scores: dict[int, float] = {}
            for term, weight in terms.items():
                rows = [row for row in self._view.postings(term) if row.file in table.first]
                rarity = weight * math.log1p((count - len(rows) + 0.5) / (len(rows) + 0.5))
                for row in rows:
                    length = 1 - _FILE_B + _FILE_B * table.units_in(row.file) / mean
                    frequency = len(row.entries)
                    gain = rarity * frequency / (frequency + self._weighting.k1 * length)
                    scores[row.file] = scores.get(row.file, 0.0) + gain
            return {table.path_of(file): score for file, score in scores.items()}

    def terms_like(self, term: str, *, limit: int = 10) -> list[tuple[str, float]]:
        """Terms of the vocabulary that resemble ``term``, by the Dice coefficient of their padded
        character trigrams, best first; terms that start with it always count."""
        with self._lock:
            table = self._current()
            return table.vocabulary(self._view).like(term, limit)

    def _current(self) -> _Table:
        if self._table is None or self._table.generation != self._view.generation:
            self._table = _Table(self._view, self._weighting)
        return self._table


class _Table:
    """All units of one generation of the view, laid out for scoring.

    ``numbers`` holds `_STRIDE` numbers per unit: ordinal + 1, start, end, words per field.
    """

    def __init__(self, view: View, weighting: Weighting) -> None:
        self.generation = view.generation
        self.numbers = array("I")
        self.first: dict[int, int] = {}
        self.path_length: dict[int, int] = {}
        self.sizes: dict[int, int] = {}
        for file, packed in view.units().items():
            numbers = array("I", packed)
            if sys.byteorder == "big":
                numbers.byteswap()
            if len(numbers) == 1:
                continue  # an empty file has a path and nothing to show
            self.path_length[file] = numbers[0]
            self.first[file] = len(self.numbers)
            self.numbers.extend(numbers[1:])
            self.sizes[file] = len(numbers) // _STRIDE
        self.count = len(self.numbers) // _STRIDE
        self.path_of = view.path_of
        sums = [0] * len(FIELDS)
        for row in view.visible_rows():
            for field, length in enumerate(row.lengths):
                sums[field] += length
        self.averages = [total / max(self.count, 1) for total in sums]
        self.flat = [1 - b for b in weighting.b]
        self.slope = [
            b / average if average else 0.0
            for b, average in zip(weighting.b, self.averages, strict=True)
        ]
        self._vocabulary: _Vocabulary | None = None

    def units_in(self, file: int) -> int:
        """How many units a file has."""
        return self.sizes[file]

    def files_where(self, allowed: Callable[[str], bool]) -> set[int]:
        return {file for file in self.first if allowed(self.path_of(file))}

    def vocabulary(self, view: View) -> _Vocabulary:
        if self._vocabulary is None:
            self._vocabulary = _Vocabulary(view.terms())
        return self._vocabulary


class _Query:
    """One search, term by term."""

    def __init__(
        self, view: View, table: _Table, weighting: Weighting, terms: Mapping[str, float]
    ) -> None:
        self._view, self._table, self._weighting = view, table, weighting
        self._fields = tuple(zip(weighting.weights, table.flat, table.slope, strict=True))
        self._scores: dict[int, float] = {}
        self._file_of: dict[int, int] = {}
        self._path_scores: dict[int, float] = {}
        self._rows: dict[str, list[PostingRow]] = {}
        self._idf: dict[str, float] = {}
        self._units: dict[str, int] = {}
        for term, weight in terms.items():
            in_files, in_units = view.spread(term)
            frequency = max(in_files, in_units)
            if frequency and weight > 0:
                without = max(table.count - frequency, 0)
                self._idf[term] = weight * math.log1p((without + 0.5) / (frequency + 0.5))
                self._units[term] = frequency

    def run(self, limit: int, allowed: set[int] | None) -> list[UnitHit]:
        budget = _SCANNED_UNITS
        files = allowed
        order = sorted(self._idf, key=lambda term: (-self._idf[term], term))
        least = _NEGLIGIBLE * self._idf[order[0]] if order else 0.0
        for term in order:
            if self._idf[term] < least:
                budget = min(budget, 1)
            if budget > 0 and (budget := budget - self._units[term]) <= 0:
                files = self._candidates(limit, files)
            self._add(term, files)
        totals = self._totals()
        return self._hits(self._best(limit, totals), totals)

    def _candidates(self, limit: int, files: set[int] | None) -> set[int] | None:
        """The files of the best units so far, if there are enough to go on with only these."""
        totals = self._totals()
        if len(totals) <= limit:
            return files
        best = self._best(_CANDIDATES * limit, totals)
        kept = {self._file_of[unit] for unit in best}
        file_of = self._file_of
        self._scores = {
            unit: score for unit, score in self._scores.items() if file_of[unit] in kept
        }
        self._path_scores = {
            file: score for file, score in self._path_scores.items() if file in kept
        }
        return kept

    def _totals(self) -> dict[int, float]:
        """Scores with what the paths add; a file only its path speaks for gets its first unit."""
        paths, file_of = self._path_scores, self._file_of
        if not paths:
            return self._scores
        totals = {
            unit: score + paths.get(file_of[unit], 0.0) for unit, score in self._scores.items()
        }
        reached = {file_of[unit] for unit in self._scores}
        for file, score in paths.items():
            if file not in reached:
                unit = self._table.first[file]
                file_of[unit] = file
                totals[unit] = score
        return totals

    def _add(self, term: str, files: set[int] | None) -> None:
        """Add what a term contributes to the scores. Inlined: it is run for every entry."""
        idf, k1 = self._idf[term], self._weighting.k1
        scores, file_of = self._scores, self._file_of
        numbers, first_of, weigh = self._table.numbers, self._table.first, self._fields
        for row in self._read(term, files):
            file, entries = row.file, row.entries
            first = first_of[file]
            in_path = by_path = 0.0
            if entries[-1] >> UNIT_SHIFT == PATH_UNIT:
                in_path = self._in_path(file, entries[-1])
                by_path = idf * in_path / (k1 + in_path)
                self._path_scores[file] = self._path_scores.get(file, 0.0) + by_path
                entries = entries[:-1]
            current = -1
            frequency = 0.0
            for entry in entries:
                unit = first + (entry >> UNIT_SHIFT) * _STRIDE
                if unit != current:
                    if current >= 0:
                        gain = idf * frequency / (k1 + frequency) - by_path
                        scores[current] = scores.get(current, 0.0) + gain
                    current, frequency = unit, in_path
                    file_of[unit] = file
                field = entry >> FIELD_SHIFT & FIELD_MASK
                weight, flat, slope = weigh[field]
                length = numbers[unit + _HEAD + field]
                frequency += weight * (entry & COUNT_MASK) / (flat + slope * length)
            if current >= 0:
                gain = idf * frequency / (k1 + frequency) - by_path
                scores[current] = scores.get(current, 0.0) + gain

    def _in_path(self, file: int, entry: int) -> float:
        """A term's weighted frequency in a path."""
        weight, flat, slope = self._fields[PATH]
        return weight * (entry & COUNT_MASK) / (flat + slope * self._table.path_length[file])

    def _read(self, term: str, files: set[int] | None) -> list[PostingRow]:
        view = self._view
        found = view.postings(term) if files is None else view.postings_in(term, files)
        rows = self._rows[term] = [row for row in found if row.file in self._table.first]
        return rows

    def _best(self, count: int, totals: Mapping[int, float]) -> list[int]:
        """The best units in order; ties in the order of path and line."""
        bar = min(heapq.nlargest(count, totals.values()), default=0.0)
        reached = [unit for unit, total in totals.items() if total >= bar]
        reached.sort(key=lambda unit: (-totals[unit], *self._place(unit)))
        return reached[:count]

    def _place(self, unit: int) -> tuple[str, int]:
        return self._table.path_of(self._file_of[unit]), self._table.numbers[unit + 1]

    def _hits(self, units: list[int], totals: Mapping[int, float]) -> list[UnitHit]:
        """The hits, with the counts behind their scores."""
        counts: dict[int, dict[str, dict[str, int]]] = {unit: {} for unit in units}
        of_file: dict[int, list[int]] = {}
        for unit in units:
            of_file.setdefault(self._file_of[unit], []).append(unit)
        for term, rows in self._rows.items():
            for row in rows:
                if row.file not in of_file:
                    continue
                first = self._table.first[row.file]
                for entry in row.entries:
                    unit = first + (entry >> UNIT_SHIFT) * _STRIDE
                    field = entry >> FIELD_SHIFT & FIELD_MASK
                    if field == PATH:
                        for one in of_file[row.file]:
                            counts[one].setdefault(term, {})[FIELDS[PATH]] = entry & COUNT_MASK
                    elif unit in counts:
                        fields = counts[unit].setdefault(term, {})
                        fields[FIELDS[field]] = fields.get(FIELDS[field], 0) + (entry & COUNT_MASK)
        return [self._hit(unit, totals[unit], counts[unit]) for unit in units]

    def _hit(self, unit: int, score: float, terms: dict[str, dict[str, int]]) -> UnitHit:
        table, numbers = self._table, self._table.numbers
        file = self._file_of[unit]
        lengths = (*numbers[unit + _HEAD : unit + _STRIDE], table.path_length[file])
        fields: dict[str, float] = {}
        for term, counted in terms.items():
            shares = {
                name: self._weighting.weights[at]
                * counted[name]
                / (table.flat[at] + table.slope[at] * lengths[at])
                for at, name in enumerate(FIELDS)
                if name in counted
            }
            gain = self._idf[term] / (self._weighting.k1 + sum(shares.values()))
            for name, share in shares.items():
                fields[name] = fields.get(name, 0.0) + share * gain
        return UnitHit(
            path=table.path_of(file),
            start=numbers[unit + 1],
            end=numbers[unit + 2],
            ordinal=numbers[unit] - 1,
            score=score,
            fields=fields,
            terms=terms,
            lengths=dict(zip(FIELDS, lengths, strict=True)),
        )


class _Vocabulary:
    """The terms that occur, by character trigram. Built at the first fuzzy look-up."""

    def __init__(self, terms: list[str]) -> None:
        self._terms = terms
        self._sizes: list[int] = []
        self._with: dict[str, array[int]] = {}
        for number, term in enumerate(terms):
            grams = _trigrams(term)
            self._sizes.append(len(grams))
            for gram in grams:
                self._with.setdefault(gram, array("I")).append(number)

    def like(self, term: str, limit: int) -> list[tuple[str, float]]:
        grams = _trigrams(term)
        shared: dict[int, int] = {}
        for gram in grams:
            for number in self._with.get(gram, ()):
                shared[number] = shared.get(number, 0) + 1
        found = {
            self._terms[number]: 2 * count / (len(grams) + self._sizes[number])
            for number, count in shared.items()
        }
        at = bisect_left(self._terms, term)
        while at < len(self._terms) and self._terms[at].startswith(term):
            found.setdefault(self._terms[at], 0.0)
            at += 1
        return heapq.nsmallest(limit, found.items(), key=lambda item: (-item[1], item[0]))


def _trigrams(term: str) -> set[str]:
    padded = f"\0{term}\0"
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
