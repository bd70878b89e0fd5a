"""All SQL. One connection per thread of the HTTP server."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace

from fieldkit.model import Change, Observation


class Storage:
    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.row_factory = sqlite3.Row
        self.connection.execute("PRAGMA foreign_keys = ON")

    def observation(self, identifier: str) -> Observation | None:
        row = self.connection.execute("SELECT * FROM observations WHERE id = ?", (identifier,)).fetchone()
        return _observation(row) if row else None

    def save(self, observation: Observation) -> Observation:
        """Stores the next version; the triggers of the schema write the change log."""
        values = observation.as_dict()
        self.connection.execute(
            "INSERT INTO observations (id, species, count, latitude, longitude, note, observer, version, deleted) "
            "VALUES (:id, :species, :count, :latitude, :longitude, :note, :observer, :version, :deleted) "
            "ON CONFLICT (id) DO UPDATE SET species = :species, count = :count, latitude = :latitude, "
            "longitude = :longitude, note = :note, version = :version, deleted = :deleted", values)
        return replace(observation)

    def changed_since(self, number: int) -> tuple[int, list[Observation]]:
        """The newest change number, and every observation that changed after ``number``, once each."""
        newest = self.connection.execute("SELECT coalesce(max(number), 0) FROM change_log").fetchone()[0]
        rows = self.connection.execute(
            "SELECT * FROM observations WHERE id IN (SELECT observation FROM change_log WHERE number > ?)",
            (number,)).fetchall()
        return newest, [_observation(row) for row in rows]

    def fields_changed_after(self, identifier: str, version: int) -> set[str]:
        rows = self.connection.execute(
            "SELECT fields FROM field_history WHERE observation = ? AND version > ?", (identifier, version))
        return {name for row in rows for name in json.loads(row["fields"])}

    def remember_fields(self, identifier: str, version: int, fields: list[str]) -> None:
        self.connection.execute(
            "INSERT INTO field_history VALUES (?, ?, ?)", (identifier, version, json.dumps(fields)))

    def open_conflict(self, device: str, change: Change) -> int:
        cursor = self.connection.execute(
            "INSERT INTO conflicts (observation, device, theirs) VALUES (?, ?, ?)",
            (change.observation, device, json.dumps(change.fields)))
        return cursor.lastrowid or 0

    def device_key(self, device: str) -> str | None:
        row = self.connection.execute("SELECT key_hash FROM devices WHERE id = ?", (device,)).fetchone()
        return row["key_hash"] if row else None

    def touch_device(self, device: str) -> None:
        self.connection.execute("UPDATE devices SET last_seen = datetime('now') WHERE id = ?", (device,))

    def add_track(self, identifier: str, device: str, encoded: str, metres: float) -> None:
        self.connection.execute("INSERT OR REPLACE INTO tracks VALUES (?, ?, ?, ?)",
                                (identifier, device, encoded, metres))


def _observation(row: sqlite3.Row) -> Observation:
    return Observation(row["id"], row["species"], row["latitude"], row["longitude"], row["observer"],
                       row["count"], row["note"], row["version"], bool(row["deleted"]))
