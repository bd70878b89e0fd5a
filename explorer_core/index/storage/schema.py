"""The tables of a store, and the row of a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from explorer_core.index.storage.engine import engine_version
from explorer_core.index.terms.units import FIELDS

SCHEMA_VERSION = 26

_SCHEMA = f"""
CREATE TABLE files(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INT NOT NULL, mtime_ns INT NOT NULL,
  digest TEXT NOT NULL, language TEXT, set_aside TEXT NOT NULL, definitions INT NOT NULL,
  reference_count INT NOT NULL, unit_count INT NOT NULL, segment INT NOT NULL,
  {", ".join(f"{field}_length INT NOT NULL" for field in FIELDS)});
CREATE TABLE contents(file INTEGER PRIMARY KEY, units BLOB, outline BLOB, refs BLOB);
CREATE TABLE segments(id INTEGER PRIMARY KEY AUTOINCREMENT, files INT NOT NULL, live INT NOT NULL);
CREATE TABLE blocks(id INTEGER PRIMARY KEY AUTOINCREMENT, segment INT NOT NULL, kind INT NOT NULL,
  first TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX blocks_by_segment ON blocks(segment, kind, first);
"""
FILE_COLUMNS = (
    "id, path, size, mtime_ns, digest, language, set_aside, definitions,"
    " reference_count, unit_count"
)
LENGTH_COLUMNS = ", ".join(f"{field}_length" for field in FIELDS)


@dataclass(frozen=True, slots=True)
class FileRow:
    """The row of one file. ``lengths`` are words per field, summed over its units."""

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


def create(connection: sqlite3.Connection) -> None:
    """Create the tables, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    (stamp,) = connection.execute("PRAGMA user_version").fetchone()
    if stamp == 0:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {stamp_of_tables()}")
    connection.execute("COMMIT")


def stamp_of_tables() -> int:
    """The stamp of a store made by this schema and this analysis."""
    return (engine_version() + SCHEMA_VERSION) & 0x7FFFFFFF or 1


def file_row(row: tuple[Any, ...]) -> FileRow:
    """Converts a row selected as `FILE_COLUMNS` and `LENGTH_COLUMNS`."""
    return FileRow(*row[:10], lengths=row[10:])


def json_array(values: Iterable[object]) -> str:
    """Any number of values as one parameter of a statement; ``json_each`` turns it into rows."""
    return msgspec.json.encode(list(values)).decode()
