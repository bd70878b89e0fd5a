"""What a survey says of a part that it had to go without."""

from __future__ import annotations

import logging

from explorer_core.explorer import ExploreError
from explorer_core.workspace import WorkspaceError

logger = logging.getLogger(__name__)

_TOLD = (ExploreError, WorkspaceError, OSError)
"""Errors whose message is a sentence for whoever asked."""


def gone_without(part: str, error: BaseException) -> str:
    """Why a part is missing, for a note.

    Of an error that nobody foresaw only the type is told, since what it says may be text of the
    repository. The log has it.
    """
    if isinstance(error, _TOLD) and (said := str(error).rstrip(".")):
        return said
    logger.error("A survey goes without %s.", part, exc_info=error)
    return f"it failed by a fault of its own ({type(error).__name__})"
