"""Errors that a question can end with. Imports little, so that code that only displays errors need
not load the code that raises them."""

from __future__ import annotations

from pathlib import Path


class ExploreError(Exception):
    """A question that cannot be answered as asked; the message says what to do."""


class StoreDamagedError(ExploreError):
    """The store was damaged, or its file removed or replaced, and another is in use now. What was
    read from the old one, and what was written to it lately, must be done again."""

    def __init__(self) -> None:
        super().__init__("The index was damaged or removed and is being rebuilt; ask again.")


class StoreUnusableError(ExploreError):
    """The store cannot, or can no longer, be kept in its folder. The store itself is not
    damaged."""

    def __init__(self, path: Path, why: object) -> None:
        self.why = getattr(why, "strerror", None) or str(why)
        super().__init__(
            f"The index cannot be stored in {path.parent} ({self.why});"
            " free some space there, or set cache_dir to a writable folder."
        )
