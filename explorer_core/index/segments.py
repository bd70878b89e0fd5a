"""Inverted lists: from a term or a name to the files that have it.

Rows of many files are kept transposed, in segments that never change once written: a segment is a
sorted sequence of blocks, a block a run of keys with their rows. What a row says depends on one
file only; which files share a segment is of no consequence to any answer. A file that changes gets
a row in a new segment, and its old one counts no longer. Small segments are merged as their number
grows (the logarithmic method of Bentley and Saxe, "Decomposable searching problems", 1980).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import IntEnum

import msgspec

from explorer_core.index.packing import pack, unpack
from explorer_core.index.record import FileRecord

_BLOCK_BYTES = 16_000
_BLOCK_KEYS = 2_000
_ROW_BYTES = 12
_MOST_ALIKE = 8
"""Segments of a similar size that are left side by side."""
_LARGE = 256
"""Segments of as many files are not merged for their size; few of them arise."""


class Kind(IntEnum):
    """What the keys of a block are."""

    TERM = 0
    DEFINED = 1
    MENTIONED = 2


class PostingRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One key in one file; for a term, how many units have it and its entries."""

    file: int
    units: int = 0
    entries: bytes = b""


Table = dict[str, list[PostingRow]]


class _Packed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A block as it is stored. Per key: where its rows end and where its entries end; per row: its
    file, units, and bytes of entries."""

    keys: str
    row_ends: bytes
    entry_ends: bytes
    files: bytes
    units: bytes
    sizes: bytes
    entries: bytes


_decoder = msgspec.msgpack.Decoder(_Packed)


class Block:
    """A run of keys in order, with their rows."""

    def __init__(self, data: bytes) -> None:
        packed = _decoder.decode(data)
        self.size = len(data)
        self.keys = packed.keys.split("\n")
        self._row_ends = unpack(packed.row_ends)
        self._entry_ends = unpack(packed.entry_ends)
        self._files = unpack(packed.files)
        self._units = unpack(packed.units)
        self._sizes = unpack(packed.sizes)
        self._entries = packed.entries

    def place(self, key: str) -> int:
        """Where ``key`` is among the keys; -1 if it is not."""
        at = bisect_left(self.keys, key)
        return at if at < len(self.keys) and self.keys[at] == key else -1

    def files(self, at: int) -> array[int]:
        """The files that have key number ``at``."""
        return self._files[self._row_ends[at - 1] if at else 0 : self._row_ends[at]]

    def units(self, at: int) -> array[int]:
        """Beside `files`: how many units have the key."""
        return self._units[self._row_ends[at - 1] if at else 0 : self._row_ends[at]]

    def rows(self, at: int, wanted: AbstractSet[int] | None = None) -> list[PostingRow]:
        """The rows of key number ``at``, only those of ``wanted`` files if given; without units and
        entries where the keys are no terms."""
        files = self.files(at)
        if not self._units:
            return [PostingRow(file) for file in files if wanted is None or file in wanted]
        entries, end = self._entries, self._entry_ends[at - 1] if at else 0
        sizes = self._sizes[self._row_ends[at - 1] if at else 0 : self._row_ends[at]]
        rows: list[PostingRow] = []
        for file, units, size in zip(files, self.units(at), sizes, strict=True):
            start, end = end, end + size
            if wanted is None or file in wanted:
                rows.append(PostingRow(file, units, entries[start:end]))
        return rows


def tables(records: Iterable[tuple[int, FileRecord]]) -> dict[Kind, Table]:
    """The rows of some files, by kind and key."""
    terms: Table = defaultdict(list)
    defined: Table = defaultdict(list)
    mentioned: Table = defaultdict(list)
    for file, record in records:
        row = PostingRow(file)
        for name in record.defined:
            defined[name].append(row)
        for name in record.mentioned:
            mentioned[name].append(row)
        if record.text is not None:
            for term, units, entries in record.text.postings():
                terms[term].append(PostingRow(file, units, entries))
    return {Kind.TERM: terms, Kind.DEFINED: defined, Kind.MENTIONED: mentioned}


def merge_into(table: Table, block: Block, live: AbstractSet[int]) -> None:
    """Add the rows of ``block`` that still count to those of other blocks."""
    for at, key in enumerate(block.keys):
        if rows := block.rows(at, live):
            table.setdefault(key, []).extend(rows)


def blocks(table: Mapping[str, list[PostingRow]], *, of_terms: bool) -> Iterator[tuple[str, bytes]]:
    """A segment's blocks as (first key, data), in the order of their keys."""
    keys: list[str] = []
    size = 0
    for key in sorted(table):
        keys.append(key)
        for row in table[key]:
            size += _ROW_BYTES + len(row.entries)
        if size > _BLOCK_BYTES or len(keys) >= _BLOCK_KEYS:
            yield keys[0], _block(table, keys, of_terms)
            keys, size = [], 0
    if keys:
        yield keys[0], _block(table, keys, of_terms)


def _block(table: Mapping[str, list[PostingRow]], keys: list[str], of_terms: bool) -> bytes:
    rows = [row for key in keys for row in table[key]]
    row_ends: list[int] = []
    entry_ends: list[int] = []
    row_end = entry_end = 0
    for key in keys:
        row_end += len(table[key])
        row_ends.append(row_end)
        if of_terms:
            for row in table[key]:
                entry_end += len(row.entries)
            entry_ends.append(entry_end)
    return msgspec.msgpack.encode(
        _Packed(
            keys="\n".join(keys),
            row_ends=pack(row_ends),
            entry_ends=pack(entry_ends),
            files=pack([row.file for row in rows]),
            units=pack([row.units for row in rows]) if of_terms else b"",
            sizes=pack([len(row.entries) for row in rows]) if of_terms else b"",
            entries=b"".join([row.entries for row in rows]),
        )
    )


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
