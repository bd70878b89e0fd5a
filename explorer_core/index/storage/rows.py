"""Writes rows into a store, within the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from explorer_core.index.storage.record import Batch, BlockRow, FileRecord
from explorer_core.index.storage.schema import json_array
from explorer_core.index.storage.segments import Merger, segments_to_merge
from explorer_core.index.terms.units import FIELDS

_INSERT_FILE = f"INSERT INTO files VALUES(?,?,?,?,?,?,?,?,?,?,?{',?' * len(FIELDS)})"


def delete(cursor: sqlite3.Cursor, paths: Sequence[str]) -> None:
    """Delete files. Their postings stay but no longer count."""
    query = "SELECT id, segment FROM files WHERE path IN (SELECT value FROM json_each(?))"
    found = cursor.execute(query, (json_array(paths),)).fetchall()
    ids = [(file,) for file, _ in found]
    cursor.executemany("DELETE FROM contents WHERE file = ?", ids)
    cursor.executemany("DELETE FROM files WHERE id = ?", ids)
    cursor.executemany(
        "UPDATE segments SET live = live - ? WHERE id = ?",
        [(count, segment) for segment, count in Counter(row[1] for row in found).items()],
    )


def insert(cursor: sqlite3.Cursor, batch: Batch, stamps: Mapping[str, tuple[int, int]]) -> None:
    """Insert new files; ``stamps`` maps their paths to sizes and modification times."""
    segment = _write_segment(cursor, len(batch.records), batch.blocks)
    cursor.executemany(
        _INSERT_FILE,
        [_file_values(record, stamps[record.path], segment) for record in batch.records],
    )
    cursor.executemany(
        "INSERT INTO contents VALUES(?,?,?,?)",
        [
            (
                one.number,
                one.text.units if one.text else None,
                one.facts.outline if one.facts else None,
                one.facts.references if one.facts else None,
            )
            for one in batch.records
        ],
    )


def _file_values(record: FileRecord, stamp: tuple[int, int], segment: int) -> tuple[object, ...]:
    text = record.text
    return (
        record.number, record.path, *stamp, record.digest, record.language, record.set_aside,
        record.definitions, record.references, text.unit_count if text else 0, segment,
        *(text.lengths if text else (0,) * len(FIELDS)),
    )  # fmt: skip


def _write_segment(cursor: sqlite3.Cursor, files: int, rows: Iterable[BlockRow]) -> int:
    cursor.execute("INSERT INTO segments(files, live) VALUES(?,?)", (files, files))
    segment = cursor.lastrowid or 0
    cursor.executemany(
        "INSERT INTO blocks(segment, kind, first, data) VALUES(?,?,?,?)",
        ((segment, row.kind, row.first, row.data) for row in rows),
    )
    return segment


def merge(cursor: sqlite3.Cursor) -> None:
    """Merge segments into one: those of a similar size that are too many, and those that are mostly
    dead."""
    found = cursor.execute("SELECT id, files, live FROM segments").fetchall()
    chosen = segments_to_merge({segment: (files, live) for segment, files, live in found})
    if not chosen:
        return
    merger = Merger()
    live_in_all: set[int] = set()
    for segment in chosen:
        live = live_files(cursor, segment)
        live_in_all |= live
        query = "SELECT kind, data FROM blocks WHERE segment = ?"
        if live:
            merger.add(cursor.execute(query, (segment,)), live)
    merged = _write_segment(cursor, len(live_in_all), merger.blocks()) if live_in_all else 0
    for segment in chosen:
        cursor.execute("UPDATE files SET segment = ? WHERE segment = ?", (merged, segment))
        cursor.execute("DELETE FROM blocks WHERE segment = ?", (segment,))
        cursor.execute("DELETE FROM segments WHERE id = ?", (segment,))


def live_files(database: sqlite3.Connection | sqlite3.Cursor, segment: int) -> frozenset[int]:
    """The files of a segment whose rows still count."""
    query = "SELECT id FROM files WHERE segment = ?"
    return frozenset(row[0] for row in database.execute(query, (segment,)).fetchall())
