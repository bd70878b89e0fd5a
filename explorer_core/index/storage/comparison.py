"""Compares two stores, regardless of the order in which they were written."""

from __future__ import annotations

import sqlite3
from itertools import groupby

from explorer_core.index.storage.schema import LENGTH_COLUMNS
from explorer_core.index.storage.segments import Block, Kind, Places
from explorer_core.index.terms.units import NO_PLACE

_MAX_PATHS = 20
_ROW_QUERIES = (
    "SELECT path, digest, language, set_aside, definitions, reference_count, unit_count, "
    + LENGTH_COLUMNS
    + " FROM {db}.files",
    "SELECT path, units, outline, refs FROM {db}.contents JOIN {db}.files ON id = file",
)


def differing_paths(connection: sqlite3.Connection) -> list[str]:
    """Up to `_MAX_PATHS` paths whose rows differ between the databases ``main`` and ``other``."""
    paths: set[str] = set()
    for rows in _ROW_QUERIES:
        for one, two in (("main", "other"), ("other", "main")):
            query = (
                f"SELECT DISTINCT path FROM ({rows.format(db=one)}"
                f" EXCEPT {rows.format(db=two)}) LIMIT {_MAX_PATHS}"
            )
            paths.update(row[0] for row in connection.execute(query))
    here, there = _checksums(connection, "main"), _checksums(connection, "other")
    paths.update(path for path, _ in here.items() ^ there.items())
    return sorted(paths)[:_MAX_PATHS]


def _checksums(connection: sqlite3.Connection, database: str) -> dict[str, int]:
    """A checksum per file over all its terms and names with their entries. The postings of a file
    are all in one segment, ordered by key, so the order of writing makes no difference."""
    query = f"SELECT id, path, segment FROM {database}.files"
    files = {file: (path, segment) for file, path, segment in connection.execute(query)}
    sums = dict.fromkeys(files, 0)
    query = f"SELECT segment, data FROM {database}.blocks WHERE kind = {Kind.PLACES:d}"
    places = {segment: Places(data) for segment, data in connection.execute(query)}
    query = (
        f"SELECT segment, kind, data FROM {database}.blocks WHERE kind != {Kind.PLACES:d}"
        " ORDER BY segment, kind, first"
    )
    for segment, kind, data in connection.execute(query):
        block = Block(data)
        for at, key in enumerate(block.keys):
            found = sorted((one, len([*run])) for one, run in groupby(block.postings(at)))
            for posting, times in found:
                file, entry = posting, 0
                if kind == Kind.TERM:
                    file = places[segment].files[posting] if posting != NO_PLACE else -1
                    entry = places[segment].entries[posting] | times
                if file in files and files[file][1] == segment:
                    sums[file] = hash((sums[file], kind, key, entry))
    return {path: sums[file] for file, (path, _) in files.items()}
