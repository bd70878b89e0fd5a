"""Full-text search over units: BM25F.

BM25F follows Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
(2009): term frequencies are weighted and normalised per field, summed, and saturated once. Every
unit with a matching term is scored, one term at a time, over columns (see `collection`). The weight
of a term depends on its rarity and on how often names contain it (`TermStatistics.salience`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.search.collection import Collection, Floats, Ints, Matches
from explorer_core.index.search.place_table import run_begins
from explorer_core.index.search.term_statistics import TermStatistics
from explorer_core.index.storage.view import View
from explorer_core.index.terms.units import (
    COUNT_MASK,
    FIELD_BITS,
    FIELD_SHIFT,
    FIELDS,
    PATH,
)
from explorer_core.lru_cache import LruCache

_FILE_B = 0.75


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25F's parameters. ``weights`` and ``b`` (length normalisation) are in the order of
    `FIELDS`. A term's rarity is multiplied by its `TermStatistics.naming_share` to the power of
    ``naming``; 0 turns that off."""

    k1: float = 1.2
    naming: float = 0.5
    weights: tuple[float, ...] = (5.0, 2.0, 2.0, 1.5, 1.0, 1.0, 2.5)
    b: tuple[float, ...] = (0.3, 0.3, 0.4, 0.6, 0.75, 0.6, 0.3)


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A unit that matched. ``ordinal`` is that of its definition, -1 for a window. ``unit`` is its
    number in the collection that was searched, and is meaningless for any other collection."""

    path: str
    start: int
    end: int
    ordinal: int
    score: float
    unit: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class FileScores:
    """BM25 scores of whole files."""

    collection: Collection
    scores: Floats

    def of(self, path: str) -> float:
        """The score of one file; 0 for an unknown one."""
        number = self.collection.file_number(path)
        return 0.0 if number is None else float(self.scores[number])

    @property
    def best(self) -> float:
        return float(self.scores.max(initial=0.0))


class Searcher:
    """Searches the contents of a view. Methods may be called from any thread."""

    def __init__(self, view: View, weighting: Weighting | None = None) -> None:
        self._view = view
        self._weighting = weighting or Weighting()
        self._lock = threading.Lock()
        self._search: Search | None = None

    def now(self) -> Search:
        """A search over the current contents; later changes do not affect it."""
        with self._lock:
            held = self._search
            if held is None or held.collection.generation != self._view.generation:
                held = Search(Collection(self._view), self._weighting)
                self._search = held
            return held


@dataclass(frozen=True, slots=True)
class _Shares:
    """What a term adds to the scores of units and files, before the factors for its weight and
    salience. ``of_paths`` is for files whose path has the term; ``of_units`` is what units get in
    addition to what their file's path gives them."""

    units: Ints
    of_units: Floats
    files: Ints
    of_paths: Floats

    @property
    def bytes(self) -> int:
        columns = (self.units, self.of_units, self.files, self.of_paths)
        return sum(column.nbytes for column in columns)


@dataclass(frozen=True, slots=True)
class _InFiles:
    """The files that contain a term, and the number of its entries in each."""

    files: Ints
    frequency: Floats

    @property
    def bytes(self) -> int:
        return self.files.nbytes + self.frequency.nbytes


class Search:
    """Queries over one collection. Results computed for a term are shared by all queries and
    threads: the words that most questions share are also those with the most postings."""

    def __init__(self, collection: Collection, weighting: Weighting) -> None:
        self.collection = collection
        self._k1 = weighting.k1
        self.terms = TermStatistics(collection, weighting.naming)
        self._weights = np.array(weighting.weights)
        self._flat = 1 - np.array(weighting.b)
        averages = collection.average_lengths
        self._slope = np.divide(
            np.array(weighting.b), averages, out=np.zeros(len(FIELDS)), where=averages > 0
        )
        self._shares: LruCache[str, _Shares] = LruCache(
            collection.room // 2, lambda some: some.bytes
        )
        self._in_files: LruCache[str, _InFiles] = LruCache(
            collection.room // 4, lambda some: some.bytes
        )

    def units(
        self,
        terms: Mapping[str, float],
        *,
        limit: int = 200,
        allowed: Callable[[str], bool] | None = None,
        files: NDArray[np.bool_] | None = None,
    ) -> list[UnitHit]:
        """The best units for weighted index terms (those of `text.analyse`), best first.

        ``files`` (a mask over file numbers) and ``allowed`` (a predicate on paths) restrict the
        files. A file that matches only by its path is represented by its first unit. Ties are
        ordered by path and line.
        """
        within = self.collection
        scores = np.zeros(within.units)
        of_paths = np.zeros(len(within.paths))
        for term, weight in terms.items():
            if weight > 0:
                shares = self._shares.get(term, self._find_shares)
                worth = weight * self.terms.salience(term)
                scores[shares.units] += worth * shares.of_units
                of_paths[shares.files] += worth * shares.of_paths
        reached = np.flatnonzero(scores > 0)
        named_only = of_paths > 0
        if files is not None:
            reached = reached[files[within.file[reached]]]
            named_only &= files
        named_only[within.file[reached]] = False
        named = np.flatnonzero(named_only)
        found = np.concatenate((reached, within.first[named]))
        totals = np.concatenate((scores[reached] + of_paths[within.file[reached]], of_paths[named]))
        if allowed is not None:
            kept = within.where(allowed, within.file[found])
            found, totals = found[kept], totals[kept]
        return [self._hit(*best) for best in self._best(found, totals, limit)]

    def having(
        self,
        terms: Iterable[str],
        *,
        share: float,
        limit: int,
        files: NDArray[np.bool_],
        allowed: Callable[[str], bool] | None = None,
    ) -> list[UnitHit]:
        """The units of ``files`` (a mask) whose text contains enough of the ``terms``, best first.

        Each distinct term counts once, by its salience. A unit qualifies if its terms add up to
        ``share`` of the total of all terms that occur in any unit.
        """
        within = self.collection
        told = np.zeros(within.units)
        total = 0.0
        for term in terms:
            units = within.matches(term).units
            if len(units):
                worth = self.terms.salience(term)
                told[units] += worth  # once per unit, even where `units` repeats it
                total += worth
        reached = np.flatnonzero((told >= share * total - 1e-9) & (told > 0))
        reached = reached[files[within.file[reached]]]
        if allowed is not None:
            reached = reached[within.where(allowed, within.file[reached])]
        return [self._hit(*best) for best in self._best(reached, told[reached], limit)]

    def files(self, terms: Mapping[str, float]) -> FileScores:
        """BM25 scores of whole files for weighted index terms. A term's frequency is the number of
        its entries in a file, one per word, unit and field. A file's length is its number of
        units."""
        within = self.collection
        count = max(len(within.paths), 1)
        mean = max(within.units / count, 1.0)
        scores = np.zeros(len(within.paths))
        for term, weight in terms.items():
            found = self._in_files.get(term, self._find_in_files)
            length = 1 - _FILE_B + _FILE_B * within.sizes[found.files] / mean
            having = len(found.files)
            rarity = np.log1p((count - having + 0.5) / (having + 0.5))
            worth = weight * rarity * self.terms.naming_weight(term)
            scores[found.files] += worth * found.frequency / (found.frequency + self._k1 * length)
        return FileScores(within, scores)

    def _find_in_files(self, term: str) -> _InFiles:
        within = self.collection
        matches = within.matches(term)
        entries = np.concatenate((within.file[matches.units], matches.path_files))
        frequency = np.bincount(entries, minlength=len(within.paths))
        files = np.flatnonzero(frequency)
        return _InFiles(files, frequency[files].astype(np.float64))

    def _find_shares(self, term: str) -> _Shares:
        within = self.collection
        matches = within.matches(term)
        units, frequency = self._in_units(matches)
        in_path = within.in_paths(matches) * self._weights[PATH]
        in_path /= self._flat[PATH] + self._slope[PATH] * within.path_lengths
        named = np.flatnonzero(in_path)
        of_path = in_path / (self._k1 + in_path)
        files = within.file[units]
        frequency += in_path[files]
        of_units = frequency / (self._k1 + frequency) - of_path[files]
        return _Shares(units, of_units, named, of_path[named])

    def _in_units(self, matches: Matches) -> tuple[Ints, Floats]:
        """The units with a term, ascending, and its weighted frequency in each. Integer counts are
        summed per unit and field first, so that the result does not depend on the numbering of
        places."""
        by_field = matches.entries >> FIELD_SHIFT
        begins, times = _summed(by_field, (matches.entries & COUNT_MASK).astype(np.float64))
        by_field = by_field[begins]
        units = by_field >> FIELD_BITS
        first, frequency = _summed(units, self._worths[by_field] * times)
        return units[first], frequency

    @cached_property
    def _worths(self) -> Floats:
        """What one occurrence adds to a term's frequency, indexed by the unit and field bits of an
        entry: the weight of the field, normalised by the field's length in that unit."""
        worths = np.zeros((self.collection.units, 1 << FIELD_BITS))
        worths[:, :PATH] = self._flat[:PATH] + self._slope[:PATH] * self.collection.lengths
        np.divide(self._weights[:PATH], worths[:, :PATH], out=worths[:, :PATH])
        return worths.ravel()

    def _best(self, units: Ints, totals: Floats, limit: int) -> list[tuple[int, float]]:
        """The ``limit`` units with the largest totals, with these, largest first. Ties are ordered
        by path and line."""
        within = self.collection
        if len(units) > limit:
            bar = np.partition(totals, -limit)[-limit]
            units, totals = units[totals >= bar], totals[totals >= bar]
        order = np.lexsort((units, within.path_order[within.file[units]], -totals))[:limit]
        return list(zip(units[order].tolist(), totals[order].tolist(), strict=True))

    def _hit(self, unit: int, score: float) -> UnitHit:
        within = self.collection
        path = within.paths[int(within.file[unit])]
        ordinal, start, end = within.unit(unit)
        return UnitHit(path, start, end, ordinal, score, unit)


def _summed(numbers: NDArray[np.integer], values: Floats) -> tuple[Ints, Floats]:
    """For each distinct one of ascending numbers, where it begins and the sum of its values."""
    begins = run_begins(numbers)
    return begins, values if len(begins) == len(values) else np.add.reduceat(values, begins)
