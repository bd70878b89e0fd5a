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
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

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
from explorer_core.index.storage.rows import delete, insert, merge
from explorer_core.index.storage.schema import (
    FILE_COLUMNS,
    LENGTHS,
    FileRow,
    file_row,
    json_array,
)
from explorer_core.index.storage.segment_reader import Found, SegmentReader
from explorer_core.index.storage.segments import Kind, Places

_WRITE_CACHE_KIB = 48_000
_WAL_PAGES = 50_000


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
        self._segments = SegmentReader(self._reader)

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
            return self.renewals, self._segments.data_version()

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
        for _, files, live in self._found(kind, name):
            found += files if live is None else filter(live.__contains__, files)
        return found

    def postings(self, term: str) -> list[tuple[int, array[int]]]:
        """A term's postings by segment, those in files that no longer count among them."""
        return [(segment, postings) for segment, postings, _ in self._found(Kind.TERM, term)]

    def _found(self, kind: Kind, key: str) -> list[Found]:
        """The postings of a key. A question asks for thousands that are in memory, which cannot
        give trouble, and making ready to see to that takes as long as finding them."""
        with self._lock:
            found = None if self._is_left else self._segments.find_at_hand(kind, key)
        if found is None:
            with self._reading():
                found = self._segments.find(kind, key)
        return found

    def places(self) -> list[tuple[int, Places]]:
        """What the places of each segment are."""
        with self._reading():
            return self._segments.places()

    def read_ahead(self, cancelled: threading.Event) -> None:
        """Take in what there is of postings, as much as may be held, so that no question waits for
        it; until ``cancelled`` is set, or another store is read."""
        with self._reading():
            segments = self._segments
            waiting = segments.term_blocks()
        for segment, block in waiting:
            with self._reading():
                if cancelled.is_set() or segments is not self._segments:
                    return
                if not segments.take_in(segment, block):
                    return

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
        with self._lock:
            self._segments.expire()

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

    def differences(self, other: Path) -> list[str]:
        """Paths whose rows differ from those of another store; some of them where they are many."""
        with contextlib.closing(connect(self.path, _WRITE_CACHE_KIB)) as connection:
            connection.execute("ATTACH ? AS other", (str(other),))
            return differing_paths(connection)

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
