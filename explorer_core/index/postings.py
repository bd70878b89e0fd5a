"""One term's postings as columns, which is how search reads them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.segments import Places
from explorer_core.index.units import COUNT_MASK, ENTRY_BITS, PATH_UNIT, UNIT_SHIFT

_UNIT_BITS = ENTRY_BITS - UNIT_SHIFT


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
        files: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        entries: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
        for postings, places, live in parts:
            numbers = np.array(postings, np.uint32)
            runs = np.flatnonzero(np.diff(numbers, prepend=~numbers[:1]))
            counts = np.diff(runs, append=len(numbers))
            numbers = numbers[runs]
            if breaks := len(numbers) - np.count_nonzero(numbers):
                order = np.argsort(numbers, kind="stable")[breaks:]
                numbers, counts = numbers[order], counts[order]
            these = np.frombuffer(places.files, np.uint32)[numbers].astype(np.int64)
            those = np.frombuffer(places.entries, np.uint32)[numbers]
            those |= np.minimum(counts, COUNT_MASK).astype(np.uint32)
            if live is not None:
                alive = np.isin(these, np.fromiter(live, np.int64, len(live)))
                these, those = these[alive], those[alive]
            files.append(these)
            entries.append(those)
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


def _runs(numbers: NDArray[np.int64]) -> int:
    """How many different numbers there are, equal ones standing together."""
    return len(numbers) and 1 + int(np.count_nonzero(np.diff(numbers)))
