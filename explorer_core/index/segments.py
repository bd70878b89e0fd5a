"""Inverted lists: from a term or a name to the files that have it.

Rows of many files are kept transposed, in segments that never change once written: a segment is a
sorted sequence of blocks, a block a run of keys with their postings. What a posting says depends on
one file only; which files share a segment is of no consequence to any answer. A file that changes
gets postings in a new segment, and its old ones count no longer. Small segments are merged as their
number grows (the logarithmic method of Bentley and Saxe, "Decomposable searching problems", 1980).

A posting is a number: the file's in the upper bits, and below 32 bits of entry (see `units`).
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum

import msgspec

from explorer_core.index.packing import pack, pack_long, unpack
from explorer_core.index.record import BlockRow
from explorer_core.index.units import FILE_SHIFT, PATH_UNIT, UNIT_SHIFT, Terms

_BLOCK_POSTINGS = 4_000
_BLOCK_KEYS = 2_000
_LEVEL = 1
_MOST_ALIKE = 8
"""Segments of a similar size that are left side by side."""
_LARGE = 256
"""Segments of as many files are not merged for their size; few of them arise."""
_ENTRY_MASK = (1 << FILE_SHIFT) - 1


class Kind(IntEnum):
    """What the keys of a block are."""

    TERM = 0
    DEFINED = 1
    MENTIONED = 2


PostingLists = dict[str, list[int]]


class _Packed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A block as it is stored. Per key: where its postings end; of terms also how many files and
    how many units have it. Per posting: its file and, of terms, its entry."""

    keys: str
    ends: bytes
    in_files: bytes
    in_units: bytes
    files: bytes
    entries: bytes


_decoder = msgspec.msgpack.Decoder(_Packed)


class Block:
    """A run of keys in order, with their postings."""

    def __init__(self, data: bytes) -> None:
        packed = _decoder.decode(zlib.decompress(data))
        self.size = 2 * len(packed.keys) + len(packed.files) + len(packed.entries)
        self.keys = packed.keys.split("\n")
        self._ends = unpack(packed.ends)
        self._in_files = unpack(packed.in_files)
        self._in_units = unpack(packed.in_units)
        self._files = unpack(packed.files)
        self._entries = unpack(packed.entries)

    def place(self, key: str) -> int:
        """Where ``key`` is among the keys; -1 if it is not."""
        at = bisect_left(self.keys, key)
        return at if at < len(self.keys) and self.keys[at] == key else -1

    def spread(self, at: int) -> tuple[int, int]:
        """How many files and how many units have term number ``at``."""
        return self._in_files[at], self._in_units[at]

    def files(self, at: int) -> array[int]:
        """The files of the postings of key number ``at``, sorted; of a term, with repetitions."""
        return self._files[self._ends[at - 1] if at else 0 : self._ends[at]]

    def entries(self, at: int) -> array[int]:
        """The entries of the postings of term number ``at``, beside `files`."""
        return self._entries[self._ends[at - 1] if at else 0 : self._ends[at]]

    def postings(self, at: int) -> Iterator[tuple[int, int]]:
        """The file and entry of every posting of key number ``at``; the entry of a name is 0."""
        start, end = self._ends[at - 1] if at else 0, self._ends[at]
        files = self._files[start:end]
        return zip(files, self._entries[start:end] or [0] * len(files), strict=True)


class Tables:
    """The postings of some files while they are gathered."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.defined: PostingLists = defaultdict(list)
        self.mentioned: PostingLists = defaultdict(list)

    def name(self, file: int, defined: Iterable[str], mentioned: Iterable[str]) -> None:
        """Note the names that a file defines and mentions, each once."""
        for names, table in ((defined, self.defined), (mentioned, self.mentioned)):
            for name in names:
                table[name].append(file << FILE_SHIFT)

    def forget(self, file: int) -> None:
        """Take back what was noted of a file."""
        for table in (self.terms.words, self.terms.in_paths, self.defined, self.mentioned):
            for postings in table.values():
                postings[:] = [one for one in postings if one >> FILE_SHIFT != file]

    def blocks(self) -> tuple[BlockRow, ...]:
        """The segment's blocks. To be called once."""
        tables = {
            Kind.TERM: self.terms.postings(),
            Kind.DEFINED: self.defined,
            Kind.MENTIONED: self.mentioned,
        }
        return tuple(row for kind, table in tables.items() for row in blocks(kind, table))


def blocks(kind: Kind, table: Mapping[str, list[int]]) -> Iterator[BlockRow]:
    """The blocks of a table in the order of their keys; sorts its postings."""
    keys: list[str] = []
    size = 0
    for key in sorted(table):
        if postings := table[key]:
            keys.append(key)
            size += len(postings)
            if size > _BLOCK_POSTINGS or len(keys) >= _BLOCK_KEYS:
                yield BlockRow(kind, keys[0], _block(kind, [(key, table[key]) for key in keys]))
                keys, size = [], 0
    if keys:
        yield BlockRow(kind, keys[0], _block(kind, [(key, table[key]) for key in keys]))


def _block(kind: Kind, rows: Sequence[tuple[str, list[int]]]) -> bytes:
    of_terms = kind == Kind.TERM
    everything: list[int] = []
    ends: list[int] = []
    in_files: list[int] = []
    in_units: list[int] = []
    for _, postings in rows:
        postings.sort()
        everything += postings
        ends.append(len(everything))
        if of_terms:
            files, units = _spread(postings)
            in_files.append(files)
            in_units.append(units)
    halves = memoryview(pack_long(everything)).cast("I")
    packed = _Packed(
        keys="\n".join(key for key, _ in rows),
        ends=pack(ends),
        in_files=pack(in_files),
        in_units=pack(in_units),
        files=halves[1::2].tobytes(),
        entries=halves[::2].tobytes() if of_terms else b"",
    )
    return zlib.compress(msgspec.msgpack.encode(packed), _LEVEL)


def _spread(postings: list[int]) -> tuple[int, int]:
    """How many files and how many units the sorted postings of a term are of."""
    if len(postings) == 1:
        return 1, int(postings[0] & _ENTRY_MASK < PATH_UNIT << UNIT_SHIFT)
    units = {posting >> UNIT_SHIFT for posting in postings}
    files = {unit >> FILE_SHIFT - UNIT_SHIFT for unit in units}
    in_paths = sum([unit & PATH_UNIT == PATH_UNIT for unit in units])
    return len(files), len(units) - in_paths


def merge_into(table: PostingLists, block: Block, live: AbstractSet[int]) -> None:
    """Add the postings of ``block`` that still count to those of other blocks."""
    for at, key in enumerate(block.keys):
        postings = [file << FILE_SHIFT | one for file, one in block.postings(at) if file in live]
        if postings:
            table.setdefault(key, []).extend(postings)


def to_merge(sizes: Mapping[int, tuple[int, int]]) -> list[int]:
    """Which segments should become one, given their files and how many of those still count."""
    mostly_dead = [one for one, (files, live) in sizes.items() if live * 2 <= files]
    alike: defaultdict[int, list[int]] = defaultdict(list)
    for one, (_, live) in sizes.items():
        if live < _LARGE and one not in mostly_dead:
            alike[live.bit_length() // 2].append(one)
    return sorted(
        mostly_dead + [one for group in alike.values() if len(group) > _MOST_ALIKE for one in group]
    )
