"""``sightline.status``, ``.reindex`` and ``.clearCache``."""

from __future__ import annotations

import asyncio
import contextlib
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from explorer_core import __version__
from explorer_core.workspace.writing import remove
from lsp_server.command_names import CLEAR_CACHE, REINDEX, STATUS
from lsp_server.executing.asking import cancellable
from lsp_server.executing.executing import add_command
from lsp_server.executing.progress import WorkDone
from lsp_server.executing.results import Cleared, IndexState, ProviderState, Reindexed, Status
from lsp_server.protocol import NoParams
from lsp_server.reports.report_document import report_folder

if TYPE_CHECKING:
    from explorer_core.index.sync import Progress
    from lsp_server.server import SightlineServer
    from lsp_server.workspace.opened import OpenedWorkspace

_NOT_SHOWN_AFTER_S = 24 * 3600
"""Age of a report's file from which it counts as not shown by any other session."""


def register(server: SightlineServer) -> None:
    """Add the commands."""
    add_command(server, STATUS, NoParams, _status)
    add_command(server, REINDEX, NoParams, _reindex)
    add_command(server, CLEAR_CACHE, NoParams, _clear_cache)


async def _status(
    ls: SightlineServer, params: NoParams, token: types.ProgressToken | None
) -> Status:
    """The state of the server, its workspace and its providers."""
    session = ls.session
    status = Status(
        version=__version__,
        folders=tuple(folder.uri for folder in session.workspace.folders),
        position_encoding=session.encoding,
        reports=len(list(session.reports)),
        watched_by_client=session.is_watched,
    )
    if not session.workspace.folders:
        return status
    async with session.workspace.using() as opened:
        from explorer_core.judges.choice import asked_model  # loaded by now, with the workspace

        index = await asyncio.to_thread(_index_state, opened)
        providers = _providers(opened, session.vouching.trouble)
        settings = opened.settings
        judge_and_model = {"judge": settings.judge, "model": asked_model(settings)}
        return status.model_copy(update={"index": index, "providers": providers, **judge_and_model})


def _providers(
    opened: OpenedWorkspace, trouble: Mapping[str, tuple[str, ...]]
) -> tuple[ProviderState, ...]:
    """The compilers that are asked about every report, and the last resort if it was ever asked."""
    last = opened.fallback_compiler
    asked_providers = [
        *opened.compilers,
        *([last] if last is not None and last.name in trouble else []),
    ]
    return tuple(
        ProviderState(name=each.name, witness=each.witness, trouble=trouble.get(each.name))
        for each in asked_providers
    )


def _index_state(opened: OpenedWorkspace) -> IndexState:
    index = opened.explorer.index
    found, coverage = index.contents.status(), index.contents.coverage()
    return IndexState(
        location=str(found.location),
        size_bytes=found.size,
        files=found.files,
        symbols=found.symbols,
        references=found.references,
        set_aside=found.set_aside,
        languages=found.languages,
        indexed=coverage.indexed,
        total=coverage.total,
    )


async def _reindex(
    ls: SightlineServer, params: NoParams, token: types.ProgressToken | None
) -> Reindexed:
    """Examine every file again, whatever the watcher reported."""

    async def work(progress: WorkDone) -> Reindexed:
        def report_progress(state: Progress) -> None:
            if state.total:
                progress.report(
                    f"Indexing {state.done} of {state.total} files", state.done / state.total
                )

        async with ls.session.workspace.using() as opened:
            opened.workspace.forget_listing()
            result = await opened.explorer.index.sync(on_progress=report_progress)
        return Reindexed(
            indexed=result.indexed,
            unchanged=result.unchanged,
            deleted=result.deleted,
            set_aside=result.set_aside,
            complete=result.complete,
        )

    return await cancellable(ls, token, work)


async def _clear_cache(
    ls: SightlineServer, params: NoParams, token: types.ProgressToken | None
) -> Cleared:
    """Delete the files of old reports and the judgements about these folders. The index stays,
    since it is checked against the files anyway."""
    kept = {live.id for live in ls.session.reports.shown()}
    if not ls.session.workspace.folders:
        return await asyncio.to_thread(_delete_reports, report_folder(ls), kept)
    async with ls.session.workspace.using() as opened:
        # Only an open workspace knows its own settings, and with them its cache folder.
        reports = await asyncio.to_thread(_delete_reports, report_folder(ls), kept)
        judgements = await asyncio.to_thread(_delete_judgements, opened)
    return Cleared(
        removed_files=reports.removed_files + judgements.removed_files,
        removed_bytes=reports.removed_bytes + judgements.removed_bytes,
    )


def _delete_judgements(opened: OpenedWorkspace) -> Cleared:
    removed = [opened.explorer.cache.clear(str(root.path)) for root in opened.workspace.roots]
    return Cleared(
        removed_files=sum(files for files, _ in removed),
        removed_bytes=sum(size for _, size in removed),
    )


def _delete_reports(cache: Path, kept: set[str]) -> Cleared:
    removed = size = 0
    for file in cache.glob("*.*") if cache.is_dir() else ():
        with contextlib.suppress(OSError):  # deleted meanwhile, or open in another program
            status = file.stat()
            is_recent = time.time() - status.st_mtime < _NOT_SHOWN_AFTER_S
            if stat.S_ISREG(status.st_mode) and file.stem not in kept and not is_recent:
                remove(file)
                size += status.st_size
                removed += 1
    return Cleared(removed_files=removed, removed_bytes=size)
