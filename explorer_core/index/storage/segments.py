"""Inverted lists: from a term or a name to the files that contain it.

The lists are kept in segments, each covering many files and never changed once written. A segment
is a sorted sequence of blocks, and a block is a run of keys with their postings. A posting depends
on one file only, so it makes no difference to any answer which files share a segment. A changed
file gets postings in a new segment, and its old ones no longer count. Small segments are merged as
their number grows (the logarithmic method of Bentley and Saxe, "Decomposable searching problems",
1980).

A posting of a name is a file. A posting of a term is a place (see `units.Terms`), repeated as often
as a word with that term occurs there. `NO_PLACE` separates the postings of different words. The
places themselves are described in a block of their own.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from enum import IntEnum
from itertools import chain

import msgspec

from explorer_core.index.packing import pack, unpack
from explorer_core.index.storage.record import BlockRow
from explorer_core.index.terms.units import NO_PLACE, Terms

_KEY_END = "\n"
_BLOCK_POSTINGS = 8_000
_BLOCK_KEYS = 2_000
_COMPRESSION_LEVEL = 1
_MAX_SIMILAR = 8
"""Most segments of a similar size that are left unmerged."""
_LARGE_SEGMENT = 256
"""Segments of at least this many live files are not merged for their size; there are few."""


class Kind(IntEnum):
    """The kind of the keys of a block; a block of `PLACES` has no keys."""

    TERM = 0
    DEFINED = 1
    MENTIONED = 2
    PLACES = 3
    RENAMED = 4
    EXTENDED = 5
    ASKED_OF_LITERALS = 6


NAME_KINDS = (
    Kind.DEFINED,
    Kind.MENTIONED,
    Kind.RENAMED,
    Kind.EXTENDED,
    Kind.ASKED_OF_LITERALS,
)
"""The kinds whose keys are names and whose postings are files; see `indexed_names`."""


PostingLists = Mapping[str, Sequence[list[int]]]
"""The postings of each key, in one or more lists; for a term, one or more lists per word."""

SegmentPostings = Sequence[tuple[int, "array[int]"]]
"""A term's postings by segment."""


class _PackedBlock(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A block as it is stored; ``ends`` says where the postings of each key end."""

    keys: str
    ends: bytes
    postings: bytes


class _PackedPlaces(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Places as they are stored."""

    files: bytes
    entries: bytes


_block_decoder = msgspec.msgpack.Decoder(_PackedBlock)
_places_decoder = msgspec.msgpack.Decoder(_PackedPlaces)


class Block:
    """A sorted run of keys with their postings."""

    def __init__(self, data: bytes) -> None:
        packed = _block_decoder.decode(zlib.decompress(data))
        self.size = 2 * len(packed.keys) + len(packed.postings)
        self.keys = packed.keys.split(_KEY_END)
        self._ends = unpack(packed.ends)
        self._postings = unpack(packed.postings)

    def index_of(self, key: str) -> int:
        """The index of ``key`` among the keys; -1 if it is not there."""
        at = bisect_left(self.keys, key)
        return at if at < len(self.keys) and self.keys[at] == key else -1

    def postings(self, at: int) -> array[int]:
        """The postings of key number ``at``; sorted if it is a name."""
        return self._postings[self._ends[at - 1] if at else 0 : self._ends[at]]


class Places:
    """The places of a segment: the file of each place, and its entry without a count."""

    def __init__(self, data: bytes) -> None:
        packed = _places_decoder.decode(zlib.decompress(data))
        self.size = len(packed.files) + len(packed.entries)
        self.files = unpack(packed.files)
        self.entries = unpack(packed.entries)

    def of_file(self, number: int) -> Places:
        """The same places, all attributed to one file."""
        places = copy(self)
        places.files = array("q", [number]) * len(self.files)
        return places


class Tables:
    """Collects the postings of some files."""

    def __init__(self) -> None:
        self.terms = Terms()
        self._names: dict[Kind, defaultdict[str, list[int]]] = {
            kind: defaultdict(list) for kind in NAME_KINDS
        }

    def name(self, file: int, kind: Kind, names: Iterable[str]) -> None:
        """Add a file's names of one kind. They must be distinct."""
        table = self._names[kind]
        for name in names:
            table[name].append(file)

    def forget(self, file: int) -> None:
        """Remove everything that was added for a file."""
        self.terms.forget(file)
        for table in self._names.values():
            for files in table.values():
                files[:] = [one for one in files if one != file]

    def blocks(self) -> tuple[BlockRow, ...]:
        """The blocks of a segment with all that was collected."""
        terms = self.terms
        return (
            *blocks(Kind.TERM, terms.by_term()),
            *(
                row
                for kind, table in self._names.items()
                for row in blocks(kind, {name: (files,) for name, files in table.items()})
            ),
            *_places_row(terms.files, terms.entries),
        )


class Merger:
    """Merges several segments into one, without the postings that no longer count."""

    def __init__(self) -> None:
        self._tables: dict[Kind, dict[str, list[list[int]]]] = {
            kind: {} for kind in Kind if kind != Kind.PLACES
        }
        self._files, self._entries = array("I", [0]), array("I", [0])

    def add(self, rows: Iterable[tuple[int, bytes]], live: AbstractSet[int]) -> None:
        """Add a segment, given as its blocks with their kinds, and its files that still count."""
        packed = list(rows)
        number_of: dict[int, int] = {}
        for kind, data in packed:
            if kind == Kind.PLACES:
                number_of = self._renumber(Places(data), live)
        of_file = {file: file for file in live}
        for kind, data in packed:
            if kind != Kind.PLACES:
                table, block = self._tables[Kind(kind)], Block(data)
                known = number_of if kind == Kind.TERM else of_file
                for at, key in enumerate(block.keys):
                    kept = [known[one] for one in block.postings(at) if one in known]
                    if any(kept):
                        table.setdefault(key, []).append(kept)

    def blocks(self) -> Iterator[BlockRow]:
        """The blocks of the merged segment."""
        for kind, table in self._tables.items():
            yield from blocks(kind, table)
        yield from _places_row(self._files, self._entries)

    def _renumber(self, places: Places, live: AbstractSet[int]) -> dict[int, int]:
        """Take over the places that still count. Returns their new numbers by the old ones."""
        number_of = {NO_PLACE: NO_PLACE}
        for old, (file, entry) in enumerate(zip(places.files, places.entries, strict=True)):
            if file in live:  # never true of file 0, which stands at `NO_PLACE`
                number_of[old] = len(self._files)
                self._files.append(file)
                self._entries.append(entry)
        return number_of


def blocks(kind: Kind, table: PostingLists) -> Iterator[BlockRow]:
    """The blocks of a table in the order of their keys, without keys that have no postings."""
    keys: list[str] = []
    ends: list[int] = []
    postings: list[int] = []
    for key in sorted(table):
        if _KEY_END in key:  # not a name that anyone can look up
            continue
        lists = table[key]
        begin = len(postings)
        if len(lists) == 1:
            postings += lists[0]
        elif kind != Kind.TERM:
            postings += sorted(chain.from_iterable(lists))
        else:
            for places in filter(None, lists):
                if len(postings) > begin:
                    postings.append(NO_PLACE)
                postings += places
        if len(postings) > begin:
            keys.append(key)
            ends.append(len(postings))
            if len(postings) > _BLOCK_POSTINGS or len(keys) >= _BLOCK_KEYS:
                yield _block_row(kind, keys, ends, postings)
                keys, ends, postings = [], [], []
    if keys:
        yield _block_row(kind, keys, ends, postings)


def _block_row(kind: Kind, keys: list[str], ends: list[int], postings: list[int]) -> BlockRow:
    return _compressed_row(
        kind, keys[0], _PackedBlock(_KEY_END.join(keys), pack(ends), pack(postings))
    )


def _places_row(files: array[int], entries: array[int]) -> Iterator[BlockRow]:
    if len(files) > 1:
        yield _compressed_row(Kind.PLACES, "", _PackedPlaces(pack(files), pack(entries)))


def _compressed_row(kind: Kind, first: str, packed: _PackedBlock | _PackedPlaces) -> BlockRow:
    return BlockRow(kind, first, zlib.compress(msgspec.msgpack.encode(packed), _COMPRESSION_LEVEL))


def segments_to_merge(sizes: Mapping[int, tuple[int, int]]) -> list[int]:
    """The segments to merge into one, given for each how many files it has and how many of these
    still count."""
    mostly_dead = [one for one, (files, live) in sizes.items() if live * 2 <= files]
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for one, (_, live) in sizes.items():
        if live < _LARGE_SEGMENT and one not in mostly_dead:
            by_size[live.bit_length() // 2].append(one)
    return sorted(
        mostly_dead
        + [one for group in by_size.values() if len(group) > _MAX_SIMILAR for one in group]
    )
