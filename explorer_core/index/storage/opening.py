"""Opens the file of a store, creates it, and replaces it if it is damaged or of another version.

A full disk or a missing permission is no reason to throw a store away. The caller gets
StoreUnusableError and can use another folder.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from explorer_core.errors import StoreUnusableError
from explorer_core.index.storage.schema import create, stamp_of_tables

_READ_CACHE_KIB = 8_000
_BUSY_TIMEOUT_S, _RETRY_S = 10.0, 0.01
"""How long to wait for another user of the store, and how often to try again, in seconds."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNUSABLE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
)


def is_damage(error: Exception) -> bool:
    """Whether an error means that a store is damaged."""
    return _error_code(error) in _DAMAGED


def is_unusable(error: Exception) -> bool:
    """Whether an error means that a store's file cannot be read or written at present."""
    return _error_code(error) in _UNUSABLE


def open_store(path: Path, *, anew: bool) -> sqlite3.Connection:
    """A connection to the store at ``path``, waiting for another process that is just creating it.
    The store is created again if ``anew``, or if it is damaged or of another version. Raises
    StoreUnusableError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not anew:
            try:
                return _open_with_retries(path)
            except sqlite3.DatabaseError as error:
                if _error_code(error) in _BUSY or is_unusable(error):
                    raise
        _discard(path)
        return _open_with_retries(path)
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreUnusableError(path, error) from error


def _open_with_retries(path: Path) -> sqlite3.Connection:
    """Retries while the store is busy: SQLite does not wait by itself when a new store is switched
    to write-ahead logging."""
    deadline = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            return _open(path)
        except sqlite3.DatabaseError as error:
            if _error_code(error) not in _BUSY or time.monotonic() > deadline:
                raise
        time.sleep(_RETRY_S)


def connect(path: Path, cache_kib: int) -> sqlite3.Connection:
    """A connection to a store, which waits up to `_BUSY_TIMEOUT_S` for locks of others."""
    connection = sqlite3.connect(
        path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{cache_kib}")
    except BaseException:
        connection.close()
        raise
    return connection


def _discard(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _open(path: Path) -> sqlite3.Connection:
    connection = connect(path, _READ_CACHE_KIB)
    try:
        (stamp,) = connection.execute("PRAGMA user_version").fetchone()
        if stamp == 0:
            create(connection)
        elif stamp != stamp_of_tables():
            raise sqlite3.DatabaseError("made by another version")
        connection.execute("SELECT * FROM files LIMIT 1").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _error_code(error: Exception) -> int:
    """The primary result code of an SQLite error; 0 for other errors."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
