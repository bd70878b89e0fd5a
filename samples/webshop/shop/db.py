"""One SQLite connection and nested transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


class Database:
    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._depth = 0

    def rows(self, sql: str, *parameters: object) -> list[sqlite3.Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, *parameters: object) -> sqlite3.Row | None:
        return self._connection.execute(sql, parameters).fetchone()

    def execute(self, sql: str, *parameters: object) -> int:
        """Runs a statement and returns how many rows it touched."""
        return self._connection.execute(sql, parameters).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commits at the end of the outermost block; inner blocks are savepoints."""
        name = f"level_{self._depth}"
        self._connection.execute("BEGIN IMMEDIATE" if self._depth == 0 else f"SAVEPOINT {name}")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            undo = "ROLLBACK" if self._depth == 0 else f"ROLLBACK TO {name}"
            self._connection.execute(undo)
            raise
        self._depth -= 1
        self._connection.execute("COMMIT" if self._depth == 0 else f"RELEASE {name}")
