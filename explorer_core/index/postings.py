"""One term's postings as columns, which is how search reads them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.segments import Places
from explorer_core.index.units import COUNT_MASK, ENTRY_BITS, NO_PLACE, PATH_UNIT, UNIT_SHIFT

_UNIT_BITS = ENTRY_BITS - UNIT_SHIFT
_SEGMENT_SHIFT = 32
_TOGETHER = 8_000
"""Postings that are worked on at once: enough that the calls do not count, and few enough to stay
in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries of a term (see `units`), and beside each its file. The entries of a file are
    sorted and stand together."""

    files: NDArray[np.int64]
    entries: NDArray[np.uint32]

    @classmethod
    def of(cls, parts: Iterable[tuple[array[int], Places, AbstractSet[int] | None]]) -> Postings:
        """Join what segments have: postings of the term (see `segments`), what their places are,
        and which of the files still count there."""
        gathered = _Gathered()
        joined: list[tuple[NDArray[np.int64], NDArray[np.uint32]]] = []
        for postings, places, live in parts:
            gathered.take(np.array(postings, np.uint32), places, live)
            if gathered.size > _TOGETHER:
                joined.append(gathered.joined())
                gathered = _Gathered()
        joined.append(gathered.joined())
        files, entries = zip(*joined, strict=True)
        return cls(np.concatenate(files), np.concatenate(entries))

    def without(self, hidden: AbstractSet[int]) -> Postings:
        """Those of other files than ``hidden``."""
        if not hidden:
            return self
        kept = np.isin(self.files, np.fromiter(hidden, np.int64, len(hidden)), invert=True)
        return Postings(self.files[kept], self.entries[kept])

    def and_of(self, file: int, more: NDArray[np.uint32]) -> Postings:
        """These and the entries of one more file."""
        return Postings(
            np.concatenate((self.files, np.full(len(more), file, np.int64))),
            np.concatenate((self.entries, more)),
        )

    def spread(self) -> tuple[int, int]:
        """How many files, and how many units besides paths, have the term."""
        units = self.entries >> UNIT_SHIFT
        in_text = units != PATH_UNIT
        pairs = self.files << _UNIT_BITS | units
        return _runs(self.files), _runs(pairs[in_text])


class _Gathered:
    """Postings of several segments. What can be is done to all of them at once: there are many
    segments, and of most terms each has little."""

    size = 0

    def __init__(self) -> None:
        self._numbers = [np.empty(0, np.uint32)]
        self._files = [np.empty(0, np.uint32)]
        self._entries = [np.empty(0, np.uint32)]
        self._alive: dict[int, NDArray[np.bool_]] = {}

    def take(
        self, numbers: NDArray[np.uint32], places: Places, live: AbstractSet[int] | None
    ) -> None:
        """Postings of one segment; `NO_PLACE` has a row among the places too."""
        files = np.frombuffer(places.files, np.uint32)[numbers]
        if live is not None:
            self._alive[len(self._numbers)] = np.isin(
                files, np.fromiter(live, np.uint32, len(live))
            )
        self.size += len(numbers)
        self._numbers.append(numbers)
        self._files.append(files)
        self._entries.append(np.frombuffer(places.entries, np.uint32)[numbers])

    def joined(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Files, and entries with their counts, in the order of segment and place."""
        numbers = np.concatenate(self._numbers)
        heads = np.cumsum([len(some) for some in self._numbers])
        begins = np.empty(len(numbers), np.bool_)
        np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
        begins[heads[heads < len(numbers)]] = True
        runs = np.flatnonzero(begins)
        counts = np.minimum(np.diff(runs, append=len(numbers)), COUNT_MASK).astype(np.uint32)
        standing = numbers[runs] != NO_PLACE
        if self._alive:
            standing &= self._counts_still()[runs]
        if not standing.all():
            runs, counts = runs[standing], counts[standing]
            places = np.searchsorted(heads, runs, "right") << _SEGMENT_SHIFT | numbers[runs]
            order = np.argsort(places, kind="stable")
            runs, counts = runs[order], counts[order]
        entries = np.concatenate(self._entries)[runs]
        entries |= counts
        return np.concatenate(self._files)[runs].astype(np.int64), entries

    def _counts_still(self) -> NDArray[np.bool_]:
        return np.concatenate(
            [
                self._alive.get(at, np.ones(len(numbers), np.bool_))
                for at, numbers in enumerate(self._numbers)
            ]
        )


def _runs(numbers: NDArray[np.int64]) -> int:
    """How many different numbers there are, equal ones standing together."""
    return len(numbers) and 1 + int(np.count_nonzero(np.diff(numbers)))
