"""Runs parts of a survey so that a failing part does not stop the others, but is noted."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable

from explorer_core.explorer import ExploreError
from explorer_core.workspace import WorkspaceError

logger = logging.getLogger(__name__)

_USER_ERRORS = (ExploreError, WorkspaceError, OSError)
"""Errors whose message is a sentence for the user."""


Part = tuple[str, Callable[[], Awaitable[None]]]
"""The name of a part, and the function that does it."""


async def run_parts(parts: Iterable[Part], owner: str, notes: list[str]) -> list[str]:
    """Run the parts in order; returns the names of those that succeeded. For each failure a note
    that starts with ``owner``, whose part it is, gets appended to ``notes``."""
    succeeded: list[str] = []
    for name, part in parts:
        try:
            await part()
            succeeded.append(name)
        except Exception as error:  # noqa: BLE001 - costs this part only
            notes.append(f"{owner} lacks the source {name}: {failure_reason(name, error)}.")
    return succeeded


def failure_reason(part: str, error: BaseException) -> str:
    """The reason why a part is missing, for a note.

    For unexpected errors this is only the type, since the message may contain text of the
    repository. The log has all of it.
    """
    if isinstance(error, _USER_ERRORS) and (message := str(error).rstrip(".")):
        return message
    logger.error("A survey lacks %s.", part, exc_info=error)
    return f"it failed because of an internal error ({type(error).__name__})"
