"""The store: SQLite, one file per work tree, every row made of the bytes of one file only.

Nothing global is kept (no document frequencies, no averages): such numbers are computed from the
rows when they are asked for, so that any sequence of changes leaves what a clean build would. Rows
by term and by name are kept transposed, in the segments of `segments`.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import zlib
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from explorer_core.errors import StoreDamagedError, StoreUnusableError
from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.storage.comparison import differing_paths
from explorer_core.index.storage.opening import (
    connect,
    is_damage,
    is_unusable,
    open_store,
)
from explorer_core.index.storage.record import Batch, read_facts
from explorer_core.index.storage.rows import delete, insert, live_files, merge
from explorer_core.index.storage.schema import (
    FILE_COLUMNS,
    LENGTHS,
    FileRow,
    file_row,
    json_array,
)
from explorer_core.index.storage.segments import Block, Kind, Places

_HELD_BLOCK_BYTES = 32_000_000
_HELD_BLOCK_BYTES_PER_FILE = 4_000
"""Bound of the blocks held in memory, the larger one: a question reads more of more files."""
_WRITE_CACHE_KIB = 48_000
_WAL_PAGES = 50_000
_Stored = TypeVar("_Stored", Block, Places)


@dataclass(frozen=True, slots=True)
class _Segment:
    """What is held in memory of a segment: the first key and the number of every block, by kind,
    and which of its files still count (None for all)."""

    first: dict[int, list[str]]
    blocks: dict[int, list[int]]
    live: frozenset[int] | None


_Found = tuple[int, _Segment, "array[int]"]
"""A segment with its number, and the postings of a key in it."""


class _NotAtHandError(Exception):
    """A block would have to be read."""


class _Get(Protocol):
    """How a row of the table of blocks is come by."""

    def __call__(self, number: int, read: type[_Stored]) -> _Stored: ...


class Store:
    """A store that is read, and written by whoever holds its lease. Methods may be called from any
    thread; writing happens in one transaction until a call of `write` commits.

    Whoever comes upon damage gets a new, empty store and StoreDamagedError; StoreUnusableError says
    that the file can be read or written no longer.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the store at ``path``; one that is damaged or of another version is made
        anew. Raises StoreUnusableError."""
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self.renewals = 0
        """How many times all that it held was left behind."""
        self._take(path)

    def _take(self, path: Path, *, anew: bool = False) -> None:
        self._is_left = True  # until another is open
        self._reader = open_store(path, anew=anew)
        self._is_left = False
        self.path = path
        self._file = _identity(path)
        self._segments: dict[int, _Segment] = {}
        self._segments_at = -1
        self._blocks: OrderedDict[int, Block | Places] = OrderedDict()
        self._blocks_size = 0
        self._most_held = _HELD_BLOCK_BYTES

    def move(self, path: Path) -> None:
        """Go on with the store at ``path``, without what this one holds."""
        with self._lock:
            self._leave()
            self._take(path)

    def _leave(self) -> None:
        self._reader.close()
        self._writer = None  # who is writing ends on the file that is left
        self.renewals += 1

    def close(self) -> None:
        with self._lock:
            self._reader.close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def version(self) -> tuple[int, int]:
        """It changes when another connection has written, or this is another store."""
        with self._reading():
            return self.renewals, self._reader.execute("PRAGMA data_version").fetchone()[0]

    @contextlib.contextmanager
    def _reading(self) -> Generator[None]:
        """The reader is this thread's alone, and trouble it has is seen to."""
        with self._seeing_to_trouble(), self._lock:
            if self._is_left:  # no other could be opened then
                self._take(self.path)
            yield

    @contextlib.contextmanager
    def _seeing_to_trouble(self) -> Generator[None]:
        renewals = self.renewals
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, msgspec.DecodeError) as error:
            if is_unusable(error):
                raise StoreUnusableError(self.path, error) from error
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise
            self._renew(renewals)
            raise StoreDamagedError from error

    def _renew(self, renewals: int) -> None:
        """Leave the file that was in use after so many ``renewals``."""
        with self._lock:
            if self.renewals == renewals:  # else another thread has seen to it
                self._leave()
                # Another process may have put a new one in its place.
                self._take(self.path, anew=_identity(self.path) == self._file)

    def size(self) -> int:
        """Bytes on disk."""
        return sum(
            file.stat().st_size
            for file in self.path.parent.glob(self.path.name + "*")
            if file.suffix != ".lock"
        )

    # Reading

    def rows(self) -> list[FileRow]:
        """Every file."""
        query = f"SELECT {FILE_COLUMNS}, {LENGTHS} FROM files"
        return [file_row(row) for row in self._fetch(query)]

    def rows_of(self, paths: Iterable[str]) -> list[FileRow]:
        """Those of ``paths`` that are there."""
        query = (
            f"SELECT {FILE_COLUMNS}, {LENGTHS}"
            " FROM files WHERE path IN (SELECT value FROM json_each(?))"
        )
        return [file_row(row) for row in self._fetch(query, (json_array(paths),))]

    def facts(self, file: int) -> FileFacts | None:
        """What is kept of a file's syntax; its references are read when they are looked at."""
        outline = self._content("outline", file)
        if outline is None:
            return None
        with self._seeing_to_trouble():
            return read_facts(outline, lambda: self._content("refs", file))

    def units(self) -> Iterator[tuple[int, bytes]]:
        """The packed units of every file that has some."""
        yield from self._fetch("SELECT file, units FROM contents WHERE units IS NOT NULL")

    def _content(self, column: str, file: int) -> bytes | None:
        found = self._fetch(f"SELECT {column} FROM contents WHERE file = ?", (file,))
        return found[0][0] if found else None

    def files_with_name(self, kind: Kind, name: str) -> list[int]:
        """Files that have a name of that kind."""
        found: list[int] = []
        for _, segment, files in self._found(kind, name):
            live = segment.live
            found += files if live is None else filter(live.__contains__, files)
        return found

    def postings(self, term: str) -> list[tuple[int, array[int]]]:
        """A term's postings by segment, those in files that no longer count among them."""
        found = self._found(Kind.TERM, term)
        return [(number, postings) for number, _, postings in found]

    def places(self) -> list[tuple[int, Places]]:
        """What the places of each segment are."""
        with self._reading(), self._one_moment():
            return [
                (number, self._held(segment.blocks[Kind.PLACES][0], Places))
                for number, segment in self._segments.items()
                if Kind.PLACES in segment.blocks
            ]

    def read_ahead(self, cancelled: threading.Event) -> None:
        """Take in what there is of postings, as much as may be held, so that no question waits for
        it; until ``cancelled`` is set."""
        with self._reading(), self._one_moment():
            segments = list(self._segments.items())
        for number, segment in segments:
            for block in segment.blocks.get(Kind.TERM, ()):
                with self._reading(), self._one_moment():
                    if cancelled.is_set() or self._blocks_size >= self._most_held:
                        return
                    if number in self._segments:
                        self._held(block, Block)

    def terms(self) -> list[str]:
        """The vocabulary, sorted."""
        with self._reading():
            self._load_segments()
            terms: set[str] = set()
            for segment in self._segments.values():
                for number in segment.blocks.get(Kind.TERM, ()):
                    block = self._held(number, Block)
                    terms.update(self._live_keys(block, segment) if segment.live else block.keys)
        return sorted(terms)

    def _live_keys(self, block: Block, segment: _Segment) -> Iterator[str]:
        """The terms of a block in files that still count."""
        live = segment.live or frozenset()
        files = self._held(segment.blocks[Kind.PLACES][0], Places).files
        for at, key in enumerate(block.keys):
            if any(place and files[place] in live for place in block.postings(at)):
                yield key

    def _found(self, kind: Kind, key: str) -> list[_Found]:
        """The postings of a key in each segment that has it."""
        with self._reading():
            if self._reader.execute("PRAGMA data_version").fetchone()[0] == self._segments_at:
                try:
                    return list(self._postings(kind, key, self._at_hand))
                except _NotAtHandError:
                    pass
            with self._one_moment():
                return list(self._postings(kind, key, self._held))

    @contextlib.contextmanager
    def _one_moment(self) -> Generator[None]:
        """What is read from disk within this is of one moment with the segments it belongs to."""
        self._reader.execute("BEGIN")
        try:
            self._load_segments()
            yield
        finally:
            if self._reader.in_transaction:
                self._reader.execute("COMMIT")

    def _postings(self, kind: Kind, key: str, get: _Get) -> Iterator[_Found]:
        for number, segment in self._segments.items():
            near = bisect_right(segment.first.get(kind, ()), key) - 1
            if near < 0:
                continue
            block = get(segment.blocks[kind][near], Block)
            if (at := block.place(key)) >= 0:
                yield number, segment, block.postings(at)

    def _load_segments(self) -> None:
        """Take in which segments there are, if any connection has written."""
        version = self._reader.execute("PRAGMA data_version").fetchone()[0]
        if version == self._segments_at:
            return
        segments: dict[int, _Segment] = {}
        query = "SELECT id, files, live FROM segments WHERE live > 0 ORDER BY id"
        rows = self._reader.execute(query).fetchall()
        known_files = sum(live for _, _, live in rows)
        self._most_held = max(_HELD_BLOCK_BYTES, _HELD_BLOCK_BYTES_PER_FILE * known_files)
        for number, files, live in rows:
            known = self._segments.get(number)
            first, blocks = (known.first, known.blocks) if known else self._directory(number)
            segments[number] = _Segment(
                first, blocks, None if live == files else live_files(self._reader, number)
            )
        self._segments, self._segments_at = segments, version

    def _directory(self, segment: int) -> tuple[dict[int, list[str]], dict[int, list[int]]]:
        first: dict[int, list[str]] = {}
        blocks: dict[int, list[int]] = {}
        query = "SELECT kind, first, id FROM blocks WHERE segment = ? ORDER BY kind, first"
        for kind, key, number in self._reader.execute(query, (segment,)):
            first.setdefault(kind, []).append(key)
            blocks.setdefault(kind, []).append(number)
        return first, blocks

    def _held(self, number: int, read: type[_Stored]) -> _Stored:
        """A row of the table of blocks, as read by `Block` or `Places`."""
        held = self._blocks.get(number)
        if isinstance(held, read):
            self._blocks.move_to_end(number)
            return held
        query = "SELECT data FROM blocks WHERE id = ?"
        block = self._blocks[number] = read(self._reader.execute(query, (number,)).fetchone()[0])
        self._blocks_size += block.size
        while self._blocks_size > self._most_held and len(self._blocks) > 1:
            self._blocks_size -= self._blocks.popitem(last=False)[1].size
        return block

    def _at_hand(self, number: int, read: type[_Stored]) -> _Stored:
        """What `_held` gives, if it is in memory. Raises _NotAtHandError."""
        held = self._blocks.get(number)
        if not isinstance(held, read):
            raise _NotAtHandError
        return held

    def _fetch(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._reading():
            return self._reader.execute(query, values).fetchall()

    # Writing

    def next_number(self) -> int:
        """The first number of a file that is free, with all above it; for the lease's holder."""
        return self._fetch("SELECT coalesce(max(id), 0) + 1 FROM files")[0][0]

    def write(
        self,
        batch: Batch | None = None,
        stamps: Mapping[str, tuple[int, int]] | None = None,
        *,
        deleted: Iterable[str] = (),
    ) -> None:
        """Replace the rows of the files in ``batch`` and delete those of ``deleted``. ``stamps``
        has sizes and modification times: of the batch's files all, of others what is new."""
        renewals = self.renewals
        if _identity(self.path) != self._file:
            # Another process has put a new one there, or somebody removed it: what is written there
            # would not be found by our reader.
            self._renew(renewals)
            raise StoreDamagedError
        with self._seeing_to_trouble():
            self._write(batch, stamps or {}, deleted)

    def _write(
        self,
        batch: Batch | None,
        stamps: Mapping[str, tuple[int, int]],
        deleted: Iterable[str],
    ) -> None:
        records = batch.records if batch else ()
        writer = self._writing()
        with contextlib.closing(writer.cursor()) as cursor:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                cursor.executemany(
                    "UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?",
                    [(*stamp, path) for path, stamp in stamps.items()] if batch is None else (),
                )
                delete(cursor, [*deleted, *(record.path for record in records)])
                if batch and records:
                    insert(cursor, batch, stamps)
                merge(cursor)
                cursor.execute("COMMIT")
            except BaseException:
                if writer.in_transaction:
                    cursor.execute("ROLLBACK")
                raise

    def settle(self) -> None:
        """After much writing: move the log into the file, and give up the writing cache."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with self._seeing_to_trouble(), contextlib.suppress(sqlite3.OperationalError):
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            writer.close()

    def differences(self, other: Path, *, limit: int = 20) -> list[str]:
        """Paths whose rows differ from those of another store; at most ``limit``."""
        with contextlib.closing(connect(self.path, _WRITE_CACHE_KIB)) as connection:
            connection.execute("ATTACH ? AS other", (str(other),))
            differing = differing_paths(connection, limit=limit)
            connection.execute("DETACH other")
        return differing

    def _writing(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = connect(self.path, _WRITE_CACHE_KIB)
            # Moving pages from the log into the file once, at the end, saves writing them twice.
            self._writer.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        return self._writer


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
