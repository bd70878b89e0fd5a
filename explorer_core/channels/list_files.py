"""The list_files channel: the files of a workspace by glob."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from explorer_core.contracts import ChannelResult, Diagnostic, FileListed
from explorer_core.workspace import FileEntry, Workspace, WorkspaceError

_SOURCE = "list_files"


async def list_files(
    workspace: Workspace,
    globs: Sequence[str] = (),
    *,
    limit: int = 200,
    within: Callable[[str], bool] = lambda path: True,
) -> ChannelResult:
    """Files that match any glob, sorted by path; if over ``limit``, the least deeply nested ones.

    If nothing matches, similarly named files are suggested. Files for which ``within`` does not
    hold are neither listed nor suggested.
    """
    try:
        return await asyncio.to_thread(_list, workspace, tuple(globs), limit, within)
    except WorkspaceError as error:
        return ChannelResult(diagnostics=(Diagnostic(source=_SOURCE, message=str(error)),))


def _list(
    workspace: Workspace, globs: tuple[str, ...], limit: int, within: Callable[[str], bool]
) -> ChannelResult:
    found = [
        entry
        for entry in workspace.files()
        if workspace.in_scope(entry.path, globs) and within(entry.path)
    ]
    diagnostics: list[Diagnostic] = []
    if not found:
        asked = ", ".join(globs) or "*"
        similar = workspace.suggest("".join(c for c in asked if c not in "*?[]!{}"))
        near = tuple(each for each in similar if within(each.path))
        message = f"No file matches {asked}; try a wider glob."
        diagnostics.append(Diagnostic(source=_SOURCE, message=message, suggestions=near))
    elif len(found) > limit:
        message = f"{limit} of {len(found):,} files are listed; narrow the glob to see the others."
        diagnostics.append(Diagnostic(source=_SOURCE, message=message, severity="info"))
        found = sorted(sorted(found, key=_depth)[:limit], key=lambda entry: entry.path)
    return ChannelResult(
        observations=tuple(FileListed(path=entry.path, size=entry.size) for entry in found),
        diagnostics=tuple(diagnostics),
    )


def _depth(entry: FileEntry) -> int:
    return entry.path.count("/")
