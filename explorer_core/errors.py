"""What a question can fail by. Light to load: who shows it to a user need not load what raises
it."""

from __future__ import annotations

from pathlib import Path


class ExploreError(Exception):
    """A question that cannot be answered as asked; the message says what to do."""


class StoreDamagedError(ExploreError):
    """The store was damaged, or its file removed or replaced, and another is in use: what was read
    from it, and what was written lately, is to be done again."""

    def __init__(self) -> None:
        super().__init__("The index was damaged or removed and is made anew; ask again.")


class StoreUnusableError(ExploreError):
    """The store can be kept no longer, or not at all, in its folder; nothing is wrong with it."""

    def __init__(self, path: Path, why: object) -> None:
        self.why = getattr(why, "strerror", None) or str(why)
        super().__init__(
            f"The index cannot be kept in {path.parent} ({self.why});"
            " free some space there, or set cache_dir to a folder that can be written."
        )
