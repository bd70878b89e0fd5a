"""Reads the segments of a store: keeps their directory in memory, and as many blocks as fit."""

from __future__ import annotations

import contextlib
import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from explorer_core.index.storage.rows import live_files
from explorer_core.index.storage.segments import Block, Kind, Places
from explorer_core.lru_cache import LruCache

_CACHE_BYTES = 32_000_000
_CACHE_BYTES_PER_FILE = 4_000
"""Bounds of the blocks held in memory; the larger one counts. The more files there are, the more a
question reads."""
_Stored = TypeVar("_Stored", Block, Places)


@dataclass(frozen=True, slots=True)
class _Segment:
    """The directory of a segment: by kind, the first key and the row number of every block, and
    which of its files still count (None for all)."""

    first_keys: dict[int, list[str]]
    blocks: dict[int, list[int]]
    live: frozenset[int] | None


KeyPostings = tuple[int, "array[int]", frozenset[int] | None]
"""The number of a segment, the postings of a key in it, and which of its files still count."""


class _NotInMemoryError(Exception):
    """A block is not in memory and would have to be read."""


class _GetBlock(Protocol):
    """How to get a row of the table of blocks."""

    def __call__(self, number: int, read: type[_Stored]) -> _Stored: ...


class SegmentReader:
    """Reads the segments of one store over its connection. Reloads their directory after
    `data_version` or `expire` has noticed a write. Only one thread at a time may call methods: the
    one that has the connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._segments: dict[int, _Segment] = {}
        self._segments_by_kind: dict[int, list[tuple[int, _Segment, list[str], list[int]]]] = {}
        """By kind, the segments that have blocks of it, with first keys and row numbers."""
        self._loaded_version = -2
        """The data version that the directory was loaded from."""
        self._seen_version = -1
        """The data version that was last seen."""
        self._blocks: LruCache[int, Block | Places] = LruCache(
            _CACHE_BYTES, lambda block: block.size
        )

    def find(self, kind: Kind, key: str) -> list[KeyPostings]:
        """The postings of a key in each segment that has it."""
        with self._read_transaction():
            return list(self._postings(kind, key, self._block))

    def find_in_memory(self, kind: Kind, key: str) -> list[KeyPostings] | None:
        """The result of `find`, or None if that would have to read from disk."""
        # Asking SQLite for the data version each time took a third of the time of a name look-up.
        if self._seen_version != self._loaded_version:
            return None
        try:
            return list(self._postings(kind, key, self._block_in_memory))
        except _NotInMemoryError:
            return None

    def places(self) -> list[tuple[int, Places]]:
        """The places of each segment, by its number."""
        with self._read_transaction():
            return [
                (number, self._block(segment.blocks[Kind.PLACES][0], Places))
                for number, segment in self._segments.items()
                if Kind.PLACES in segment.blocks
            ]

    def term_blocks(self) -> list[tuple[int, int]]:
        """The blocks with postings of terms, as pairs of segment and block number."""
        with self._read_transaction():
            return [
                (number, block)
                for number, segment in self._segments.items()
                for block in segment.blocks.get(Kind.TERM, ())
            ]

    def load_block(self, number: int, block: int) -> bool:
        """Read a block into memory, if its segment still exists. False if memory is full."""
        if self._blocks.is_full:
            return False
        with self._read_transaction():
            if number in self._segments:
                self._block(block, Block)
        return True

    @contextlib.contextmanager
    def _read_transaction(self) -> Generator[None]:
        """Context of one read transaction: all that it reads is consistent with the directory."""
        self._connection.execute("BEGIN")
        try:
            self._load_segments()
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def _postings(self, kind: Kind, key: str, get: _GetBlock) -> Iterator[KeyPostings]:
        for number, segment, first_keys, blocks in self._segments_by_kind.get(kind, ()):
            near = bisect_right(first_keys, key) - 1
            if near < 0:
                continue
            block = get(blocks[near], Block)
            if (at := block.index_of(key)) >= 0:
                yield number, block.postings(at), segment.live

    def data_version(self) -> int:
        """SQLite's data version, which changes when another connection has written."""
        self._seen_version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return self._seen_version

    def expire(self) -> None:
        """Note that something was written and the segments may have changed."""
        self._seen_version = -1

    def _load_segments(self) -> None:
        """Reload the directory if any connection has written."""
        version = self.data_version()
        if version == self._loaded_version:
            return
        segments: dict[int, _Segment] = {}
        query = "SELECT id, files, live FROM segments WHERE live > 0 ORDER BY id"
        rows = self._connection.execute(query).fetchall()
        known_files = sum(live for _, _, live in rows)
        self._blocks.capacity = max(_CACHE_BYTES, _CACHE_BYTES_PER_FILE * known_files)
        for number, files, live in rows:
            known = self._segments.get(number)
            first_keys, blocks = (
                (known.first_keys, known.blocks) if known else self._directory(number)
            )
            segments[number] = _Segment(
                first_keys, blocks, None if live == files else live_files(self._connection, number)
            )
        self._segments_by_kind = {
            kind: [
                (number, each, each.first_keys[kind], each.blocks[kind])
                for number, each in segments.items()
                if kind in each.first_keys
            ]
            for kind in Kind
        }
        self._segments, self._loaded_version = segments, version

    def _directory(self, segment: int) -> tuple[dict[int, list[str]], dict[int, list[int]]]:
        first_keys: dict[int, list[str]] = {}
        blocks: dict[int, list[int]] = {}
        query = "SELECT kind, first, id FROM blocks WHERE segment = ? ORDER BY kind, first"
        for kind, key, number in self._connection.execute(query, (segment,)):
            first_keys.setdefault(kind, []).append(key)
            blocks.setdefault(kind, []).append(number)
        return first_keys, blocks

    def _block(self, number: int, read: type[_Stored]) -> _Stored:
        """A row of the table of blocks, as `Block` or `Places`; read from disk if necessary."""
        cached = self._blocks.find(number)
        if isinstance(cached, read):
            return cached
        query = "SELECT data FROM blocks WHERE id = ?"
        data = self._connection.execute(query, (number,)).fetchone()[0]
        block = read(data)
        self._blocks.put(number, block)
        return block

    def _block_in_memory(self, number: int, read: type[_Stored]) -> _Stored:
        """`_block` without reading from disk. Raises _NotInMemoryError if it is not in memory."""
        cached = self._blocks.find(number)
        if not isinstance(cached, read):
            raise _NotInMemoryError
        return cached
