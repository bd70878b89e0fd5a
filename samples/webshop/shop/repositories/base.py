from __future__ import annotations

from shop.db import Database


class Repository:
    """SQL lives in subclasses of this and nowhere else."""

    def __init__(self, database: Database) -> None:
        self.database = database
