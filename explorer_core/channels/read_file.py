"""The read_file channel: part of one file, on request."""

from __future__ import annotations

import asyncio

from explorer_core.contracts import ChannelResult, Diagnostic, FileRead
from explorer_core.workspace import FileMissing, Workspace, WorkspaceError

_SOURCE = "read_file"


async def read_file(
    workspace: Workspace,
    path: str,
    *,
    start: int = 1,
    end: int | None = None,
    max_chars: int | None = None,
) -> ChannelResult:
    """Lines ``start`` to ``end`` (1-based, inclusive; default: all) as one `FileRead`.

    Lines beyond ``max_chars`` (default ``settings.observation_chars_per_result``) are left out, and
    the observation says so. For a missing file the diagnostic suggests similar paths.
    """
    try:
        source = await asyncio.to_thread(workspace.read, path)
    except FileMissing as error:
        message = await asyncio.to_thread(str, error)
        return _trouble(Diagnostic(source=_SOURCE, message=message, suggestions=error.suggestions))
    except WorkspaceError as error:
        return _trouble(Diagnostic(source=_SOURCE, message=str(error)))
    total = len(source.lines)
    first, last = max(start, 1), total if end is None else min(end, total)
    if first > total or last < first:
        has = "1 line" if total == 1 else f"{total} lines"
        asked = f"lines {start}-{end}" if end is not None else f"line {start}"
        message = f"{source.path!r} has {has}; it has no {asked}."
        return _trouble(Diagnostic(source=_SOURCE, message=message))
    room = workspace.settings.observation_chars_per_result if max_chars is None else max_chars
    shown = first - 1
    for line in source.lines[first - 1 : last]:
        room -= len(line) + 1
        if room < 0:
            break
        shown += 1
    if shown < first:
        length = len(source.lines[first - 1])
        message = f"Line {first} of {source.path!r} is {length:,} characters long; it is not shown."
        return _trouble(Diagnostic(source=_SOURCE, message=message))
    read = FileRead(segment=source.segment(first, shown), total_lines=total, truncated=shown < last)
    return ChannelResult(observations=(read,))


def _trouble(diagnostic: Diagnostic) -> ChannelResult:
    return ChannelResult(diagnostics=(diagnostic,))
