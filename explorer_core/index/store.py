"""The store: SQLite, one file per work tree, every row made of the bytes of one file only.

Nothing global is kept (no document frequencies, no averages): such numbers are computed from the
rows when they are asked for, so that any sequence of changes leaves what a clean build would.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from explorer_core.index.facts import FileFacts
from explorer_core.index.record import ENGINE_VERSION, FileRecord, unpack_facts
from explorer_core.index.units import FIELDS

SCHEMA_VERSION = 1
_STAMP = SCHEMA_VERSION * 1000 + ENGINE_VERSION

_SCHEMA = f"""
CREATE TABLE files(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INT NOT NULL, mtime_ns INT NOT NULL,
  digest TEXT NOT NULL, language TEXT, set_aside TEXT NOT NULL, definitions INT NOT NULL,
  reference_count INT NOT NULL, unit_count INT NOT NULL,
  {", ".join(f"{field}_length INT NOT NULL" for field in FIELDS)});
CREATE TABLE contents(file INTEGER PRIMARY KEY, facts BLOB, units BLOB, keys BLOB NOT NULL);
CREATE TABLE names(name TEXT, mentioned INT, file INT, PRIMARY KEY(name, mentioned, file))
  WITHOUT ROWID;
CREATE TABLE postings(term TEXT, file INT, units INT NOT NULL, entries BLOB NOT NULL,
  PRIMARY KEY(term, file)) WITHOUT ROWID;
PRAGMA user_version = {_STAMP};
"""
_INSERT_FILE = f"INSERT INTO files VALUES(NULL,?,?,?,?,?,?,?,?,?{',?' * len(FIELDS)})"  # noqa: S608
_READ_CACHE_KIB = 8_000
_WRITE_CACHE_KIB = 48_000
_WAL_PAGES = 50_000


@dataclass(frozen=True, slots=True)
class FileRow:
    """What is known of one file. ``lengths`` are words per field, summed over its units."""

    id: int
    path: str
    size: int
    mtime_ns: int
    digest: str
    language: str | None
    set_aside: str
    definitions: int
    references: int
    unit_count: int
    lengths: tuple[int, ...]


class PostingRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One term in one file."""

    file: int
    units: int
    entries: bytes


class _Keys(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The keys of a file's rows in ``names`` and ``postings``, to delete them by."""

    terms: list[str]
    defined: tuple[str, ...]
    mentioned: tuple[str, ...]


_keys_decoder = msgspec.msgpack.Decoder(_Keys)


class Store:
    """A store that is read, and written by whoever holds its lease. Methods may be called from any
    thread; writing happens in one transaction until a call of `write` commits."""

    def __init__(self, path: Path) -> None:
        """Open or make the store at ``path``; one that is damaged or of another version is made
        anew."""
        self.path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._reader = self._open()
        except sqlite3.DatabaseError:
            self._discard()
            self._reader = self._open()
        self._writer: sqlite3.Connection | None = None

    def close(self) -> None:
        with self._lock:
            self._reader.close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def version(self) -> int:
        """A number that changes when another connection has written."""
        with self._lock:
            return self._reader.execute("PRAGMA data_version").fetchone()[0]

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
        return [_file_row(row) for row in self._fetch("SELECT * FROM files")]

    def rows_of(self, paths: Iterable[str]) -> list[FileRow]:
        """Those of ``paths`` that are there."""
        query = "SELECT files.* FROM json_each(?) JOIN files ON files.path = value"
        return [_file_row(row) for row in self._fetch(query, (_json(paths),))]

    def facts(self, file: int) -> FileFacts | None:
        found = self._fetch("SELECT facts FROM contents WHERE file = ?", (file,))
        return unpack_facts(found[0][0]) if found and found[0][0] is not None else None

    def units(self) -> Iterator[tuple[int, bytes]]:
        """The packed units of every file that has some."""
        yield from self._fetch("SELECT file, units FROM contents WHERE units IS NOT NULL")

    def files_with_name(self, name: str, *, mentioned: bool) -> list[int]:
        """Files that define a name, or that mention it."""
        query = "SELECT file FROM names WHERE name = ? AND mentioned = ?"
        return [row[0] for row in self._fetch(query, (name, int(mentioned)))]

    def spread(self, term: str) -> tuple[int, int]:
        """How many files and how many units have a term."""
        query = "SELECT count(*), coalesce(sum(units), 0) FROM postings WHERE term = ?"
        return self._fetch(query, (term,))[0]

    def postings(self, term: str) -> list[PostingRow]:
        """A term's entries in all files."""
        query = "SELECT file, units, entries FROM postings WHERE term = ?"
        return [PostingRow(*row) for row in self._fetch(query, (term,))]

    def postings_in(self, term: str, files: Sequence[int]) -> list[PostingRow]:
        """A term's entries in some files."""
        query = (
            "SELECT p.file, p.units, p.entries FROM json_each(?) AS wanted"
            " CROSS JOIN postings AS p ON p.term = ? AND p.file = wanted.value"
        )
        return [PostingRow(*row) for row in self._fetch(query, (_json(files), term))]

    def terms(self) -> list[str]:
        """The vocabulary, sorted; found by skipping from term to term through the index."""
        query = """
          WITH RECURSIVE vocabulary(term) AS (
            SELECT min(term) FROM postings UNION ALL
            SELECT (SELECT min(term) FROM postings WHERE term > vocabulary.term)
            FROM vocabulary WHERE term IS NOT NULL)
          SELECT term FROM vocabulary WHERE term IS NOT NULL"""
        return [row[0] for row in self._fetch(query)]

    def _fetch(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._reader.execute(query, values).fetchall()

    # Writing

    def write(
        self,
        records: Sequence[tuple[FileRecord, int, int]] = (),
        *,
        deleted: Iterable[str] = (),
        touched: Mapping[str, tuple[int, int]] | None = None,
        commit: bool = True,
    ) -> None:
        """Replace the rows of the files in ``records``, which come with size and modification
        time; delete those of ``deleted``; note new sizes and times for ``touched``. Readers see it
        after the next write that commits; an error takes back all that was not committed."""
        writer = self._writing()
        with contextlib.closing(writer.cursor()) as cursor:
            try:
                if not writer.in_transaction:
                    cursor.execute("BEGIN IMMEDIATE")
                for path in deleted:
                    _delete(cursor, path)
                _insert(cursor, records)
                cursor.executemany(
                    "UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?",
                    [(*stamp, path) for path, stamp in (touched or {}).items()],
                )
                if commit:
                    cursor.execute("COMMIT")
            except BaseException:
                if writer.in_transaction:
                    cursor.execute("ROLLBACK")
                raise

    def settle(self) -> None:
        """After much writing: move the log into the file, and give up the writing cache."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with contextlib.suppress(sqlite3.OperationalError):
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            writer.close()

    def differences(self, other: Path, *, limit: int = 20) -> list[str]:
        """Paths whose rows differ from those of another store; at most ``limit``."""
        with contextlib.closing(self._connect(_WRITE_CACHE_KIB)) as connection:
            connection.execute("ATTACH ? AS other", (str(other),))
            paths: set[str] = set()
            for rows in _ROWS:
                for one, two in (("main", "other"), ("other", "main")):
                    query = (
                        f"SELECT DISTINCT path FROM ({rows.format(db=one)}"  # noqa: S608
                        f" EXCEPT {rows.format(db=two)}) LIMIT {limit}"
                    )
                    paths.update(row[0] for row in connection.execute(query))
            connection.execute("DETACH other")
        return sorted(paths)[:limit]

    def _writing(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = self._connect(_WRITE_CACHE_KIB)
            # Moving pages from the log into the file once, at the end, saves writing them twice.
            self._writer.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        return self._writer

    def _open(self) -> sqlite3.Connection:
        connection = self._connect(_READ_CACHE_KIB)
        try:
            (stamp,) = connection.execute("PRAGMA user_version").fetchone()
            if stamp == 0:
                _create(connection)
            elif stamp != _STAMP:
                raise sqlite3.DatabaseError("made by another version")
            connection.execute("SELECT * FROM files LIMIT 1").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self, cache_kib: int) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=10.0, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{cache_kib}")
        return connection

    def _discard(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


_ROWS = (
    "SELECT path, digest, language, set_aside, definitions, reference_count, unit_count, "
    + ", ".join(f"{field}_length" for field in FIELDS)
    + " FROM {db}.files",
    "SELECT path, facts, units, keys FROM {db}.contents JOIN {db}.files ON id = file",
    "SELECT path, name, mentioned FROM {db}.names JOIN {db}.files ON id = file",
    "SELECT path, term, units, entries FROM {db}.postings JOIN {db}.files ON id = file",
)


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    (stamp,) = connection.execute("PRAGMA user_version").fetchone()
    if stamp == 0:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
    connection.execute("COMMIT")


def _json(values: Iterable[object]) -> str:
    return msgspec.json.encode(list(values)).decode()


def _file_row(row: tuple[Any, ...]) -> FileRow:
    return FileRow(*row[:10], lengths=row[10:])


def _delete(cursor: sqlite3.Cursor, path: str) -> None:
    found = cursor.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    if found is None:
        return
    (file,) = found
    (packed,) = cursor.execute("SELECT keys FROM contents WHERE file = ?", (file,)).fetchone()
    keys = _keys_decoder.decode(zlib.decompress(packed))
    cursor.executemany(
        "DELETE FROM postings WHERE term = ? AND file = ?", [(term, file) for term in keys.terms]
    )
    cursor.executemany(
        "DELETE FROM names WHERE name = ? AND mentioned = ? AND file = ?",
        [(name, 0, file) for name in keys.defined] + [(name, 1, file) for name in keys.mentioned],
    )
    cursor.execute("DELETE FROM contents WHERE file = ?", (file,))
    cursor.execute("DELETE FROM files WHERE id = ?", (file,))


def _insert(cursor: sqlite3.Cursor, records: Sequence[tuple[FileRecord, int, int]]) -> None:
    postings: list[tuple[str, int, int, bytes]] = []
    names: list[tuple[str, int, int]] = []
    for record, size, mtime_ns in records:
        _delete(cursor, record.path)
        text = record.text
        cursor.execute(
            _INSERT_FILE,
            (
                record.path, size, mtime_ns, record.digest, record.language, record.set_aside,
                record.definitions, record.references, text.unit_count if text else 0,
                *(text.lengths if text else (0,) * len(FIELDS)),
            ),
        )  # fmt: skip
        file = cursor.lastrowid or 0
        terms = sorted(text.postings) if text else []
        keys = msgspec.msgpack.encode(_Keys(terms, record.defined, record.mentioned))
        cursor.execute(
            "INSERT INTO contents VALUES(?,?,?,?)",
            (file, record.facts, text.units if text else None, zlib.compress(keys, 1)),
        )
        if text:
            postings += [(term, file, *posting) for term, posting in text.postings.items()]
        names += [(name, 0, file) for name in record.defined]
        names += [(name, 1, file) for name in record.mentioned]
    # In the order of the index, neighbouring rows go to the same page.
    postings.sort()
    names.sort()
    cursor.executemany("INSERT INTO postings VALUES(?,?,?,?)", postings)
    cursor.executemany("INSERT INTO names VALUES(?,?,?)", names)
