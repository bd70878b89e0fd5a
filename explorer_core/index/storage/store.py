"""The store: one SQLite file per work tree, in which every row depends on the bytes of one file.

Nothing global is kept (no document frequencies, no averages). Such numbers are computed from the
rows on demand, so that any sequence of changes leads to the same state as a clean build. The
inverted lists of terms and names are kept in segments (see `segments`).
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
    LENGTH_COLUMNS,
    FileRow,
    file_row,
    json_array,
)
from explorer_core.index.storage.segment_reader import KeyPostings, SegmentReader
from explorer_core.index.storage.segments import Kind, Places

_WRITE_CACHE_KIB = 48_000
_WAL_PAGES = 50_000


class Store:
    """A store that anyone may read, and that only the holder of its lease may write. Methods may be
    called from any thread; each call of `write` is one transaction.

    On damage the store is replaced by a new, empty one, and StoreDamagedError is raised.
    StoreUnusableError means that the file can no longer be read or written.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the store at ``path``. One that is damaged or of another version is
        replaced. Raises StoreUnusableError."""
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self.renewals = 0
        """How many times the store was replaced or moved, losing all that it held."""
        self._open(path)

    def _open(self, path: Path, *, anew: bool = False) -> None:
        self._is_reader_closed = True  # until the new one is open
        self._reader = open_store(path, anew=anew)
        self._is_reader_closed = False
        self.path = path
        self._opened_identity = _file_identity(path)
        self._segments = SegmentReader(self._reader)

    def move(self, path: Path) -> None:
        """Switch to the store at ``path``, without taking over any contents."""
        with self._lock:
            self._abandon_file()
            self._open(path)

    def _abandon_file(self) -> None:
        self._reader.close()
        self._writer = None  # a write under way ends on the old file
        self.renewals += 1

    def close(self) -> None:
        with self._lock:
            self._reader.close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def version(self) -> tuple[int, int]:
        """Changes when another connection has written, or the store was replaced or moved."""
        with self._exclusive_reader():
            return self.renewals, self._segments.data_version()

    @contextlib.contextmanager
    def _exclusive_reader(self) -> Generator[None]:
        """Context in which this thread alone uses the reader, with its errors handled."""
        with self._handling_errors(), self._lock:
            if self._is_reader_closed:  # opening a new one failed at the time
                self._open(self.path)
            yield

    @contextlib.contextmanager
    def _handling_errors(self) -> Generator[None]:
        renewals = self.renewals
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, msgspec.DecodeError) as error:
            if is_unusable(error):
                raise StoreUnusableError(self.path, error) from error
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise
            self._replace_file(renewals)
            raise StoreDamagedError from error

    def _replace_file(self, renewals: int) -> None:
        """Replace the file that was in use when ``renewals`` was read."""
        with self._lock:
            if self.renewals == renewals:  # otherwise another thread has done so
                self._abandon_file()
                # If another process has already put a new file there, keep that.
                self._open(self.path, anew=_file_identity(self.path) == self._opened_identity)

    def size(self) -> int:
        """Bytes on disk."""
        return sum(
            file.stat().st_size
            for file in self.path.parent.glob(self.path.name + "*")
            if file.suffix != ".lock"
        )

    # Reading

    def rows(self) -> list[FileRow]:
        """The rows of all files."""
        query = f"SELECT {FILE_COLUMNS}, {LENGTH_COLUMNS} FROM files"
        return [file_row(row) for row in self._fetch(query)]

    def rows_of(self, paths: Iterable[str]) -> list[FileRow]:
        """The rows of those ``paths`` that are in the store."""
        query = (
            f"SELECT {FILE_COLUMNS}, {LENGTH_COLUMNS}"
            " FROM files WHERE path IN (SELECT value FROM json_each(?))"
        )
        return [file_row(row) for row in self._fetch(query, (json_array(paths),))]

    def facts(self, file: int) -> FileFacts | None:
        """The facts of a file, given its number; None if it has none. Its references are read when
        they are first accessed."""
        outline = self._content("outline", file)
        if outline is None:
            return None
        with self._handling_errors():
            return read_facts(outline, lambda: self._content("refs", file))

    def units(self) -> Iterator[tuple[int, bytes]]:
        """The packed units of every file that has any, by its number."""
        yield from self._fetch("SELECT file, units FROM contents WHERE units IS NOT NULL")

    def _content(self, column: str, file: int) -> bytes | None:
        found = self._fetch(f"SELECT {column} FROM contents WHERE file = ?", (file,))
        return found[0][0] if found else None

    def files_with_name(self, kind: Kind, name: str) -> list[int]:
        """The numbers of the files with that name of that kind."""
        found: list[int] = []
        for _, files, live in self._find_postings(kind, name):
            found += files if live is None else filter(live.__contains__, files)
        return found

    def postings(self, term: str) -> list[tuple[int, array[int]]]:
        """A term's postings by segment, including those of files that no longer count."""
        return [
            (segment, postings) for segment, postings, _ in self._find_postings(Kind.TERM, term)
        ]

    def _find_postings(self, kind: Kind, key: str) -> list[KeyPostings]:
        """The postings of a key. Most of the thousands that a question asks for are in memory. They
        cannot raise errors, so they are looked up without `_exclusive_reader`, which would double
        the time."""
        with self._lock:
            found = None if self._is_reader_closed else self._segments.find_in_memory(kind, key)
        if found is None:
            with self._exclusive_reader():
                found = self._segments.find(kind, key)
        return found

    def places(self) -> list[tuple[int, Places]]:
        """The places of each segment, by its number."""
        with self._exclusive_reader():
            return self._segments.places()

    def read_ahead(self, cancelled: threading.Event) -> None:
        """Load the postings of terms, as many as may be held, so that no question waits for them.
        Stops when ``cancelled`` is set or the store is replaced."""
        with self._exclusive_reader():
            segments = self._segments
            pending = segments.term_blocks()
        for segment, block in pending:
            with self._exclusive_reader():
                if cancelled.is_set() or segments is not self._segments:
                    return
                if not segments.load_block(segment, block):
                    return

    def _fetch(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._exclusive_reader():
            return self._reader.execute(query, values).fetchall()

    # Writing

    def next_number(self) -> int:
        """The first of the unused file numbers. The caller must hold the lease."""
        return self._fetch("SELECT coalesce(max(id), 0) + 1 FROM files")[0][0]

    def write(
        self,
        batch: Batch | None = None,
        stamps: Mapping[str, tuple[int, int]] | None = None,
        *,
        deleted: Iterable[str] = (),
    ) -> None:
        """Replace the rows of the files in ``batch`` and delete those of ``deleted``.

        ``stamps`` maps paths to sizes and modification times: with a batch those of its files,
        without one the new stamps of files that are otherwise unchanged.
        """
        renewals = self.renewals
        if _file_identity(self.path) != self._opened_identity:
            # Another process has put a new file there, or the file was removed. Our reader, which
            # has the old one open, would not see what is written there.
            self._replace_file(renewals)
            raise StoreDamagedError
        with self._handling_errors():
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
        writer = self._open_writer()
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

    def checkpoint(self) -> None:
        """After much writing: move the log into the file and release the write cache."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with self._handling_errors(), contextlib.suppress(sqlite3.OperationalError):
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            writer.close()

    def differences(self, other: Path) -> list[str]:
        """Paths whose rows differ from those of another store; only some of them if they are
        many."""
        with contextlib.closing(connect(self.path, _WRITE_CACHE_KIB)) as connection:
            connection.execute("ATTACH ? AS other", (str(other),))
            return differing_paths(connection)

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = connect(self.path, _WRITE_CACHE_KIB)
            # Moving pages from the log into the file once, at the end, avoids writing them twice.
            self._writer.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        return self._writer


def _file_identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at a path; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
