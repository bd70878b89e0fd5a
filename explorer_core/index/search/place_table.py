"""Where terms stand at one moment, in columns, which is how search reads postings."""

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
"""From files, units and fields to rows, negative for what is not of the moment."""


class PlaceTable:
    """The places of all segments in a row: of each its field, and the row of what it is part of.

    Rows are looked up once for all terms, since the same places are named by every term that stands
    there. Methods may be called from any thread.
    """

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._lock = threading.Lock()
        self._bases: dict[int, int] = {}
        self._codes: NDArray[np.int32] = np.empty(0, np.int32)
        """Row and field of each place, as the upper bits of an entry; `_NOWHERE` for what is not of
        the moment."""

    def knows(self, postings: SegmentPostings) -> bool:
        """Whether the segments of some postings have been added."""
        return all(segment in self._bases for segment, _ in postings)

    def entries(self, postings: SegmentPostings) -> NDArray[np.int64]:
        """Where a term stands: row, field and count in one number (bits as in `terms.units`),
        ascending. Where several words with this term stand at a place, each has an entry."""
        numbers, runs = self._runs(postings)
        counts = np.minimum(np.append(runs[1:], len(numbers)) - runs, COUNT_MASK)
        entries = self._codes[numbers[runs]].astype(np.int64) << FIELD_SHIFT | counts
        found = entries[entries >= 0]
        # Of one word in one segment they are ascending where rows are numbered as places are, which
        # a stable sort (Timsort) makes use of.
        found.sort(kind="stable")
        return found

    def count(self, postings: SegmentPostings) -> int:
        """How many `entries` a term has."""
        numbers, runs = self._runs(postings)
        return int(np.count_nonzero(self._codes[numbers[runs]] != _NOWHERE))

    def _runs(self, postings: SegmentPostings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the places that a term's postings name, and where each run of equal ones
        begins. A run is one word as often as it occurs at a place; two segments have no place in
        common."""
        numbers = self._numbers(postings)
        return numbers, run_begins(numbers)

    def _numbers(self, postings: SegmentPostings) -> NDArray[np.int64]:
        """The numbers here of the places that a term's postings name."""
        # All at once: there are many segments, and of most terms each has little.
        joined = np.frombuffer(b"".join(numbers for _, numbers in postings), np.uint32)
        bases = np.array([self._bases[segment] for segment, _ in postings], np.int64)
        return joined.astype(np.int64) + bases.repeat([len(numbers) for _, numbers in postings])

    def add(self, segments: Iterable[tuple[int, Places]]) -> None:
        """Take in those of some segments that are not here yet."""
        with self._lock:
            codes = [self._codes]
            base, bases = len(self._codes), dict(self._bases)
            for segment, places in segments:
                if segment not in bases:
                    bases[segment] = base
                    base += len(places.files)
                    codes.append(self._looked_up(places))
            self._codes = np.concatenate(codes)
            self._bases = bases

    def _looked_up(self, places: Places) -> NDArray[np.int32]:
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
