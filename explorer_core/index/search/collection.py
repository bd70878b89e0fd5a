"""All units of one generation of the index, laid out in columns, and the matches of a term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.packing import NUMBER_BYTES
from explorer_core.index.search.place_table import PlaceTable
from explorer_core.index.storage.segments import SegmentPostings
from explorer_core.index.storage.view import View
from explorer_core.index.terms.units import (
    COUNT_MASK,
    FIELD_MASK,
    FIELD_SHIFT,
    FIELDS,
    NUMBERS_PER_UNIT,
    PATH,
    UNIT_HEAD,
    UNIT_SHIFT,
)
from explorer_core.lru_cache import LruCache

_CACHE_BYTES = 32_000_000
_CACHE_BYTES_PER_UNIT = 200
"""Bytes for results computed for terms, shared by all questions to a collection; the larger of the
two bounds counts."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Matches:
    """Where one term occurs. ``entries`` (bits as in `terms.units`) are ascending, one per word,
    unit and field. ``path_files`` and ``path_counts`` have one item per word and file whose path
    contains it."""

    entries: Ints
    path_files: Ints
    path_counts: Ints

    @property
    def units(self) -> Ints:
        """The unit of each entry, ascending."""
        return self.entries >> UNIT_SHIFT

    @property
    def fields(self) -> Ints:
        """The field of each entry."""
        return self.entries >> FIELD_SHIFT & FIELD_MASK

    @property
    def bytes(self) -> int:
        return self.entries.nbytes + self.path_files.nbytes + self.path_counts.nbytes


@dataclass(frozen=True)
class Occurrences:
    """How often each of ``terms`` occurs in each field of some units. A term in a path counts for
    every unit of the file.

    ``counts`` is units x terms x `FIELDS`; ``lengths``, in words, units x `FIELDS`.
    """

    terms: tuple[str, ...]
    counts: Floats
    lengths: Floats

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Units x terms: whether the unit has the term."""
        return np.asarray(self.counts.sum(axis=2) > 0)


class Collection:
    """The searchable contents of one generation of the view. Methods may be called from any thread.

    Files are numbered in the order of their places, so that the matches of a term come out nearly
    sorted; the units of a file are numbered by line.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        snapshot = view.snapshot()
        self.generation = snapshot.generation
        packed, paths = snapshot.units, snapshot.paths
        known = [file for file in paths if len(packed[file]) > NUMBER_BYTES]
        order = _rank_by_first_place(places.files for _, places in snapshot.places)
        known.sort(key=lambda file: order.get(file, len(order)))
        self.paths = [paths[file] for file in known]
        numbers = np.frombuffer(b"".join(packed[file] for file in known), "<u4")
        spans = np.array([len(packed[file]) // NUMBER_BYTES for file in known], np.int64)
        heads = np.cumsum(spans) - spans
        units = np.delete(numbers, heads).reshape(-1, NUMBERS_PER_UNIT)
        self.sizes: Ints = spans // NUMBERS_PER_UNIT
        """How many units each file has."""
        self.first: Ints = np.cumsum(self.sizes) - self.sizes
        """The first unit of each file."""
        self.file: Ints = np.repeat(np.arange(len(known)), self.sizes)
        """The file of each unit."""
        self.path_lengths: Floats = numbers[heads].astype(np.float64)
        self._unit_numbers = units
        self.cache_bytes = max(_CACHE_BYTES, _CACHE_BYTES_PER_UNIT * len(units))
        """Most bytes of results for terms that may be held."""
        self._matches_cache: LruCache[str, Matches] = LruCache(
            self.cache_bytes, lambda matches: matches.bytes
        )
        self._lowest_file = min(known, default=0)
        self._number_of_file = np.full(max(known, default=0) - self._lowest_file + 1, -1, np.int64)
        self._number_of_file[np.array(known, np.int64) - self._lowest_file] = np.arange(len(known))
        sums = np.array([row.lengths for row in snapshot.rows]).reshape(-1, len(FIELDS))
        self.average_lengths: Floats = sums.sum(axis=0) / max(self.units, 1)
        self._marks_by_predicate: dict[Callable[[str], bool], NDArray[np.bool_]] = {}
        self._languages = {row.path: row.language for row in snapshot.rows}
        referring = {row.path for row in snapshot.rows if row.references}
        self.has_references = np.array([path in referring for path in self.paths], np.bool_)
        """For each file whether it contains any reference."""
        self.place_table = PlaceTable(self._rows_of_places)
        self.place_table.add(snapshot.places)

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self._unit_numbers)

    def unit(self, number: int) -> tuple[int, int, int]:
        """The ordinal of a unit's definition (-1 for a window), its first and its last line."""
        ordinal, start, end = self._unit_numbers[number, :UNIT_HEAD].tolist()
        return ordinal - 1, start, end

    def own_lines(self, unit: int) -> list[tuple[int, int]]:
        """The lines of a unit without those of units nested in it, as runs (first, last)."""
        file = self.file[unit]
        _, at, end = self.unit(unit)
        runs: list[tuple[int, int]] = []
        for other in range(unit + 1, int(self.first[file] + self.sizes[file])):
            _, first, last = self.unit(other)
            if first > end:
                break
            if first > at:
                runs.append((at, first - 1))
            at = max(at, last + 1)
        return [*runs, (at, end)] if at <= end else runs

    def size_of(self, path: str) -> int:
        """How many units a file has."""
        number = self._file_numbers.get(path)
        return 0 if number is None else int(self.sizes[number])

    def language_share(self, path: str) -> float:
        """The share of all units that are in the same language as a file."""
        same_language = self._units_by_language[self._languages.get(path)]
        return same_language / max(self.units, 1)

    @cached_property
    def _units_by_language(self) -> Counter[str | None]:
        units: Counter[str | None] = Counter()
        for path, size in zip(self.paths, self.sizes.tolist(), strict=True):
            units[self._languages.get(path)] += size
        return units

    @cached_property
    def path_order(self) -> Ints:
        """The rank of each file when sorted by path."""
        order = np.empty(len(self.paths), np.int64)
        order[sorted(range(len(self.paths)), key=self.paths.__getitem__)] = np.arange(len(order))
        return order

    def file_number(self, path: str) -> int | None:
        return self._file_numbers.get(path)

    @property
    def lengths(self) -> NDArray[np.uint32]:
        """The number of words in each field of each unit, without the path: units x fields."""
        return self._unit_numbers[:, UNIT_HEAD:]

    def marks(self, predicate: Callable[[str], bool]) -> NDArray[np.bool_]:
        """For each file whether ``predicate`` is true of its path. The result is kept for good, so
        ``predicate`` should be one of a few long-lived functions."""
        found = self._marks_by_predicate.get(predicate)
        if found is None:
            found = self._marks_by_predicate[predicate] = np.array(
                [predicate(path) for path in self.paths], np.bool_
            )
        return found

    def marks_of(self, paths: Iterable[str]) -> NDArray[np.bool_]:
        """For each file whether it is one of ``paths``."""
        found = (self._file_numbers.get(path) for path in paths)
        marks = np.zeros(len(self.paths), np.bool_)
        marks[[number for number in found if number is not None]] = True
        return marks

    def where(self, allowed: Callable[[str], bool], files: Ints) -> NDArray[np.bool_]:
        """For each of ``files``, which may repeat, whether its path is allowed."""
        distinct, which = np.unique(files, return_inverse=True)
        numbers: list[int] = distinct.tolist()
        allows = [allowed(self.paths[number]) for number in numbers]
        return np.array(allows, np.bool_)[which]

    def matches(self, term: str) -> Matches:
        """Where a term occurs."""
        return self._matches_cache.get(term, self._compute_matches)

    def frequency(self, term: str) -> int:
        """How many entries a term has, including those of paths; faster than making them."""
        return self.place_table.count(self._postings(term))

    def are_data(self, units: Iterable[int]) -> NDArray[np.bool_]:
        """For each of ``units`` whether its file holds data or prose rather than a program."""
        return ~self.has_references[self.file[np.fromiter(units, np.int64)]]

    def is_data(self, path: str) -> bool:
        """Whether a file holds data or prose rather than a program; True if it is not searched."""
        number = self._file_numbers.get(path)
        return number is None or not self.has_references[number]

    def occurrences(self, units: Sequence[int], terms: Sequence[str]) -> Occurrences:
        """How often ``terms`` occur in ``units``."""
        chosen = np.array(units, np.int64)
        files = self.file[chosen]
        counts = np.zeros((len(chosen), len(terms), len(FIELDS)))
        for at, term in enumerate(terms):
            matches = self.matches(term)
            rows, entries = _entries_of_units(chosen, matches.entries)
            places = rows * len(FIELDS) + (entries >> FIELD_SHIFT & FIELD_MASK)
            found = np.bincount(places, entries & COUNT_MASK, minlength=counts[:, at].size)
            counts[:, at] = found.reshape(-1, len(FIELDS))
            counts[:, at, PATH] = self.in_paths(matches)[files]
        lengths = np.empty((len(chosen), len(FIELDS)))
        lengths[:, :PATH] = self.lengths[chosen]
        lengths[:, PATH] = self.path_lengths[files]
        return Occurrences(tuple(terms), counts, lengths)

    @cached_property
    def _file_numbers(self) -> dict[str, int]:
        return {path: number for number, path in enumerate(self.paths)}

    def in_paths(self, matches: Matches) -> Floats:
        """For each file, how often its path contains the term."""
        return np.bincount(
            matches.path_files, matches.path_counts, minlength=len(self.paths)
        ).astype(np.float64)

    def _postings(self, term: str) -> SegmentPostings:
        """A term's postings, once the table knows all their segments: a writer may have merged
        some meanwhile."""
        while not self.place_table.knows(found := self._view.postings(term)):
            self.place_table.add(self._view.places())
        return found

    def _compute_matches(self, term: str) -> Matches:
        entries = self.place_table.entries(self._postings(term))
        paths_begin = np.searchsorted(entries, self.units << UNIT_SHIFT)
        in_paths = entries[paths_begin:]
        return Matches(
            entries[:paths_begin],
            path_files=(in_paths >> UNIT_SHIFT) - self.units,
            path_counts=in_paths & COUNT_MASK,
        )

    def _rows_of_places(self, files: Ints, units: Ints, fields: NDArray[np.uint8]) -> Ints:
        """The row of each place: the number of its unit, or for the path field the number of its
        file plus the number of all units. Negative for a place of another generation."""
        if not self.paths:
            return np.full(len(files), -1, np.int64)
        known = files - self._lowest_file
        outside = (known < 0) | (known >= len(self._number_of_file))
        numbers = self._number_of_file[np.where(outside, 0, known)]
        rows = np.where(fields == PATH, self.units + numbers, self.first[numbers] + units)
        # The view may have moved on: newer files and units do not belong to this generation.
        stale = outside | (numbers < 0) | (fields != PATH) & (units >= self.sizes[numbers])
        return np.where(stale, -1, rows)


def _rank_by_first_place(places: Iterable[Sequence[int]]) -> dict[int, int]:
    """The rank of each file by its first place. ``places`` has, for each segment, the file of each
    place; the places of a file are consecutive."""
    order: dict[int, int] = {}
    for files in map(np.asarray, places):
        begins = np.flatnonzero(np.diff(files, prepend=files[:1] - 1))
        for file in files[begins].tolist():
            order.setdefault(file, len(order))
    return order


def _entries_of_units(wanted: Ints, entries: Ints) -> tuple[Ints, Ints]:
    """The entries of the wanted units, preceded by the index of each one's unit in ``wanted``."""
    first = np.searchsorted(entries, wanted << UNIT_SHIFT)
    times = np.searchsorted(entries, wanted + 1 << UNIT_SHIFT) - first
    rows = np.repeat(np.arange(len(wanted)), times)
    before = np.cumsum(times) - times
    return rows, entries[np.arange(len(rows)) + np.repeat(first - before, times)]
