"""A store's file: opened as it is, made, and thrown away when it is damaged.

Only damage is a reason to throw one away. A full disk or a missing permission says nothing against
what a store holds, and who is told so can work in another folder.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from explorer_core.errors import StoreUnusableError
from explorer_core.index.storage.schema import create, stamp_of_tables

_READ_CACHE_KIB = 8_000
_BUSY_S, _LOOK_AGAIN_S = 10.0, 0.01
"""How long somebody else who is at the store is waited for, and how often looked for."""
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
    """Whether an error says that a store is damaged."""
    return _code(error) in _DAMAGED


def is_unusable(error: Exception) -> bool:
    """Whether an error says that a store's file cannot be read or written now."""
    return _code(error) in _UNUSABLE


def open_store(path: Path, *, anew: bool) -> sqlite3.Connection:
    """The store as it is, once nobody else is just making it; a new one if it is to be ``anew``,
    and where it is damaged or of another version. Raises StoreUnusableError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not anew:
            try:
                return _open_patiently(path)
            except sqlite3.DatabaseError as error:
                if _code(error) in _BUSY or is_unusable(error):
                    raise
        _discard(path)
        return _open_patiently(path)
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreUnusableError(path, error) from error


def _open_patiently(path: Path) -> sqlite3.Connection:
    """To turn a new store to write-ahead logging SQLite does not wait for others by itself."""
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            return _open(path)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _BUSY or time.monotonic() > until:
                raise
        time.sleep(_LOOK_AGAIN_S)


def connect(path: Path, cache_kib: int) -> sqlite3.Connection:
    """A connection to a store, which waits for others."""
    connection = sqlite3.connect(
        path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
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


def _code(error: Exception) -> int:
    """The primary code of an error of SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
