"""The places of terms in one generation of the index, in columns, as search reads postings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.storage.segments import Places, SegmentPostings
from explorer_core.index.terms.units import (
    COUNT_MASK,
    FIELD_BITS,
    FIELD_MASK,
    FIELD_SHIFT,
    NO_PLACE,
    UNIT_SHIFT,
)

_NOWHERE = -1


Locate = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]], NDArray[np.int64]]
"""Maps files, units and fields to rows; negative for places of another generation."""


class PlaceTable:
    """The places of all segments in sequence, each with its field and its row (its unit, or its
    file for a path).

    Rows are looked up once for all terms, since every term that occurs at a place refers to it.
    Methods may be called from any thread.
    """

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._lock = threading.Lock()
        self._first_place: dict[int, int] = {}
        self._codes: NDArray[np.int32] = np.empty(0, np.int32)
        """Row and field of each place, as the upper bits of an entry; `_NOWHERE` for a place of
        another generation."""

    def knows(self, postings: SegmentPostings) -> bool:
        """Whether the segments of some postings have been added."""
        return all(segment in self._first_place for segment, _ in postings)

    def entries(self, postings: SegmentPostings) -> NDArray[np.int64]:
        """Where a term occurs: row, field and count in one number (bits as in `terms.units`),
        ascending. If several words with this term occur at a place, each has its own entry."""
        numbers, runs = self._place_runs(postings)
        counts = np.minimum(np.append(runs[1:], len(numbers)) - runs, COUNT_MASK)
        entries = self._codes[numbers[runs]].astype(np.int64) << FIELD_SHIFT | counts
        found = entries[entries >= 0]
        # The entries of one word in one segment are mostly ascending already, since rows are
        # numbered in the order of places. A stable sort (Timsort) takes advantage of that.
        found.sort(kind="stable")
        return found

    def count(self, postings: SegmentPostings) -> int:
        """How many `entries` a term has."""
        numbers, runs = self._place_runs(postings)
        return int(np.count_nonzero(self._codes[numbers[runs]] != _NOWHERE))

    def _place_runs(self, postings: SegmentPostings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the places in a term's postings, and where each run of equal ones begins.
        A run holds the occurrences of one word at one place. Segments share no places."""
        numbers = self._place_numbers(postings)
        return numbers, run_begins(numbers)

    def _place_numbers(self, postings: SegmentPostings) -> NDArray[np.int64]:
        """The numbers, in this table, of the places in a term's postings."""
        # All at once: there are many segments, and most terms have few postings in each.
        joined = np.frombuffer(b"".join(numbers for _, numbers in postings), np.uint32)
        bases = np.array([self._first_place[segment] for segment, _ in postings], np.int64)
        return joined.astype(np.int64) + bases.repeat([len(numbers) for _, numbers in postings])

    def add(self, segments: Iterable[tuple[int, Places]]) -> None:
        """Add the places of those segments that are not here yet."""
        with self._lock:
            codes = [self._codes]
            base, bases = len(self._codes), dict(self._first_place)
            for segment, places in segments:
                if segment not in bases:
                    bases[segment] = base
                    base += len(places.files)
                    codes.append(self._codes_of(places))
            self._codes = np.concatenate(codes)
            self._first_place = bases

    def _codes_of(self, places: Places) -> NDArray[np.int32]:
        entries = np.asarray(places.entries)
        fields = (entries >> FIELD_SHIFT & FIELD_MASK).astype(np.uint8)
        units = (entries >> UNIT_SHIFT).astype(np.int64)
        rows = self._locate(np.asarray(places.files).astype(np.int64), units, fields)
        found = np.where(rows < 0, _NOWHERE, rows << FIELD_BITS | fields).astype(np.int32)
        found[NO_PLACE] = _NOWHERE
        return found


def run_begins(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """Where each run of equal numbers begins."""
    begins = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
    return np.flatnonzero(begins)
