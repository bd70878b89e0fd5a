"""One term's postings as columns, which is how search reads them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.units import PATH_UNIT, UNIT_SHIFT


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries of a term (see `units`), and beside each its file. The entries of a file are
    sorted and stand together."""

    files: NDArray[np.int64]
    entries: NDArray[np.uint32]

    @classmethod
    def of(
        cls, parts: Iterable[tuple[array[int], array[int], AbstractSet[int] | None]]
    ) -> Postings:
        """Join what segments have: files, entries, and which of the files still count there."""
        files: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        entries: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
        for some_files, some_entries, live in parts:
            these = np.array(some_files, np.int64)
            those = np.array(some_entries, np.uint32)
            if live is not None:
                counts = np.isin(these, np.fromiter(live, np.int64, len(live)))
                these, those = these[counts], those[counts]
            files.append(these)
            entries.append(those)
        return cls(np.concatenate(files), np.concatenate(entries))

    def without(self, hidden: AbstractSet[int]) -> Postings:
        """Those of other files than ``hidden``."""
        if not hidden:
            return self
        kept = np.isin(self.files, np.fromiter(hidden, np.int64, len(hidden)), invert=True)
        return Postings(self.files[kept], self.entries[kept])

    def and_of(self, file: int, entries: Iterable[int]) -> Postings:
        """These and the entries of one more file."""
        more = np.array(list(entries), np.uint32)
        return Postings(
            np.concatenate((self.files, np.full(len(more), file, np.int64))),
            np.concatenate((self.entries, more)),
        )

    def spread(self) -> tuple[int, int]:
        """How many files, and how many units besides paths, have the term."""
        units = self.entries >> UNIT_SHIFT
        in_text = units != PATH_UNIT
        pairs = np.stack((self.files[in_text], units[in_text].astype(np.int64)))
        return len(np.unique(self.files)), np.unique(pairs, axis=1).shape[1]
