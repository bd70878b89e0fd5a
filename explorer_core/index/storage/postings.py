"""Where terms stand at one moment, in columns, which is how search reads postings."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.storage.segments import Places
from explorer_core.index.terms.units import (
    COUNT_MASK,
    FIELD_MASK,
    FIELD_SHIFT,
    NO_PLACE,
    UNIT_SHIFT,
)

_NOWHERE = -1


Listed = Sequence[tuple[int, "array[int]"]]
"""A term's postings (see `segments`), the numbers of its places by segment."""

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
        self.rows: NDArray[np.int32] = np.empty(0, np.int32)
        self.fields: NDArray[np.uint8] = np.empty(0, np.uint8)

    def knows(self, postings: Listed) -> bool:
        """Whether the segments of some postings have been added."""
        return all(segment in self._bases for segment, _ in postings)

    def occurrences(self, postings: Listed) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
        """The places of a term that are of the moment, each as often as different words have the
        term there, and how often the word occurs in it."""
        numbers, runs = self._runs(postings)
        counts = np.minimum(np.diff(runs, append=len(numbers)), COUNT_MASK).astype(np.uint16)
        places = numbers[runs]
        here = self.rows[places] != _NOWHERE
        return places[here], counts[here]

    def count(self, postings: Listed) -> int:
        """How many `occurrences` a term has."""
        numbers, runs = self._runs(postings)
        return int(np.count_nonzero(self.rows[numbers[runs]] != _NOWHERE))

    def _runs(self, postings: Listed) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers that a term's postings name, and where one differs from that before it: the
        same word again and again is one run, and places of two segments are never the same."""
        numbers = self._numbers(postings)
        begins = np.ones(len(numbers), np.bool_)
        np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
        return numbers, np.flatnonzero(begins)

    def _numbers(self, postings: Listed) -> NDArray[np.int64]:
        """The numbers here of the places that a term's postings name."""
        # All at once: there are many segments, and of most terms each has little.
        joined = np.frombuffer(b"".join(numbers for _, numbers in postings), np.uint32)
        bases = np.array([self._bases[segment] for segment, _ in postings], np.int64)
        return joined.astype(np.int64) + bases.repeat([len(numbers) for _, numbers in postings])

    def add(self, segments: Iterable[tuple[int, Places]]) -> None:
        """Take in those of some segments that are not here yet."""
        with self._lock:
            rows, fields = [self.rows], [self.fields]
            base, bases = len(self.rows), dict(self._bases)
            for segment, places in segments:
                if segment not in bases:
                    bases[segment] = base
                    base += len(places.files)
                    row, field = self._looked_up(places)
                    rows.append(row)
                    fields.append(field)
            self.rows, self.fields = np.concatenate(rows), np.concatenate(fields)
            self._bases = bases

    def _looked_up(self, places: Places) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        entries = np.asarray(places.entries)
        fields = (entries >> FIELD_SHIFT & FIELD_MASK).astype(np.uint8)
        units = (entries >> UNIT_SHIFT).astype(np.int64)
        rows = self._locate(np.asarray(places.files).astype(np.int64), units, fields)
        found = np.where(rows < 0, _NOWHERE, rows).astype(np.int32)
        found[NO_PLACE] = _NOWHERE
        return found, fields


def runs_in(numbers: NDArray[np.integer]) -> int:
    """How many different numbers there are, equal ones standing together."""
    return len(numbers) and 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
