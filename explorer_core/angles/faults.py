"""Parts of a survey of which each may fail: the others go on, and a note says what is missing."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable

from explorer_core.explorer import ExploreError
from explorer_core.workspace import WorkspaceError

logger = logging.getLogger(__name__)

_TOLD = (ExploreError, WorkspaceError, OSError)
"""Errors whose message is a sentence for whoever asked."""


Part = tuple[str, Callable[[], Awaitable[None]]]
"""The name of a part, and what does it."""


async def in_turn(parts: Iterable[Part], whose: str, notes: list[str]) -> list[str]:
    """The names of the parts that were done. For each that failed ``notes`` get one more, which
    begins with ``whose`` part it is."""
    done: list[str] = []
    for name, part in parts:
        try:
            await part()
            done.append(name)
        except Exception as error:  # noqa: BLE001 - costs this part only
            notes.append(f"{whose} goes without {name}: {gone_without(name, error)}.")
    return done


def gone_without(part: str, error: BaseException) -> str:
    """Why a part is missing, for a note.

    Of an error that nobody foresaw only the type is told, since what it says may be text of the
    repository. The log has it.
    """
    if isinstance(error, _TOLD) and (said := str(error).rstrip(".")):
        return said
    logger.error("A survey goes without %s.", part, exc_info=error)
    return f"it failed by a fault of its own ({type(error).__name__})"
