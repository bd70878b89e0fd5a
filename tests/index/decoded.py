"""Decodes the contents of the text index."""

from __future__ import annotations

import sqlite3
import struct
from typing import NamedTuple

from explorer_core.index.index import Index
from explorer_core.index.storage.segments import Block, Kind
from explorer_core.index.terms.units import (
    COUNT_MASK,
    FIELD_MASK,
    FIELD_SHIFT,
    NUMBERS_PER_UNIT,
    UNIT_HEAD,
    UNIT_SHIFT,
)


class Entry(NamedTuple):
    """``times`` occurrences of a term in field ``field`` of the file's unit number ``unit``."""

    unit: int
    field: int
    times: int


class Unit(NamedTuple):
    """Lines ``start`` to ``end``; ``ordinal`` is that of the definition, or -1 for a window.

    ``lengths`` counts words per field. ``path`` comes last and is the same for all units of a file.
    """

    ordinal: int
    start: int
    end: int
    lengths: tuple[int, ...]


def read_entry(entry: int) -> Entry:
    """Decode one entry."""
    return Entry(entry >> UNIT_SHIFT, entry >> FIELD_SHIFT & FIELD_MASK, entry & COUNT_MASK)


def read_units(units: bytes) -> list[Unit]:
    """Decode the units of one file."""
    path_length, *numbers = struct.unpack(f"<{len(units) // 4}I", units)
    return [
        Unit(
            numbers[at] - 1,
            numbers[at + 1],
            numbers[at + 2],
            (*numbers[at + UNIT_HEAD : at + NUMBERS_PER_UNIT], path_length),
        )
        for at in range(0, len(numbers), NUMBERS_PER_UNIT)
    ]


def vocabulary(index: Index) -> set[str]:
    """Every term in memory or in the store, including terms of files that no longer count."""
    with sqlite3.connect(index.location) as connection:
        rows = connection.execute("SELECT data FROM blocks WHERE kind = ?", (Kind.TERM,)).fetchall()
    written = {term for (data,) in rows for term in Block(data).keys}
    masks = index.view._masks.values()  # pyright: ignore[reportPrivateUsage]
    return written.union(*(mask.terms for mask in masks))
