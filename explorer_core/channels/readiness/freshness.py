"""Makes the index ready for a question without waiting for all of it.

An index from an earlier session is brought up to date. A workspace that was never indexed is first
searched as text for the files that matter. These are indexed first, the question continues once
they are in, and the rest follows in the background.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer_core.channels.question.query import Query
from explorer_core.channels.readiness.first_files import Aside, main_languages
from explorer_core.channels.readiness.first_look import FirstLook, first_look
from explorer_core.contracts import Diagnostic
from explorer_core.events import Event, OnEvent
from explorer_core.index.index import Index
from explorer_core.index.sync import Progress, SyncResult

_TRUSTED_S = 180.0
"""Seconds for which a file watcher is trusted without checking the files."""

STILL_BUILT = Diagnostic(
    source="index",
    message="The index is still being built; places in files not yet indexed are missing.",
    affects_answer=True,
)

_ELSEWHERE = Event("index", "Another process is indexing; adding the files that matter")

OnProgress = Callable[[Progress], None]


@dataclass(slots=True)
class Freshness:
    """Keeps one index in step with its files.

    ``aside`` identifies files that seldom answer a question; ``first_look`` serves the first
    question, if one was started earlier; ``background`` is a sync still running.

    After `watch`, a question checks only files reported as changed. Watchers lose events, so every
    few minutes all files are checked nonetheless, in the background.
    """

    index: Index
    aside: Aside
    first_look: FirstLook | None = None
    background: asyncio.Task[SyncResult] | None = None
    _reading_ahead: asyncio.Task[None] | None = None
    _watched: bool = False
    _changed: set[str] = field(default_factory=set[str])
    _complete_at: float | None = None
    _complete_in: int = 0
    """The value of the index's ``renewals`` (how often it lost its content) at that time."""
    _epoch: int = 0
    """Incremented when files are created or deleted; an earlier listing may be out of date."""
    _catching_up: asyncio.Lock = field(default_factory=asyncio.Lock)

    def watch(self) -> None:
        """Declare that `note` will be called for every file that changes from now on."""
        self._watched = True
        self.index.workspace.watch_listing()

    @property
    def _is_complete(self) -> bool:
        """Whether all files are indexed, and all changes since then are known."""
        return self._complete_at is not None and self._complete_in == self.index.renewals

    def note(self, changed: Collection[str], *, listing: bool) -> None:
        """Record files whose text changed; ``listing``: files were created or deleted."""
        self._changed.update(changed)
        if listing:
            self._epoch += 1
            self._complete_at = None
            self.index.workspace.forget_listing()

    async def catch_up(self) -> None:
        """Index the files that were noted, if the rest is known to be up to date."""
        async with self._catching_up:
            if self._is_complete:
                paths: list[str] = []
                if self._changed:
                    known = await asyncio.to_thread(self._known)
                    paths, self._changed = sorted(self._changed & known), set()
                try:
                    await self.index.sync(paths=paths)
                except BaseException:
                    self._changed.update(paths)
                    raise

    def _known(self) -> set[str]:
        """The files that are listed or indexed. Other files are ignored; an indexed file that is
        gone must leave the index."""
        listed = {entry.path for entry in self.index.workspace.files()}
        return listed | self.index.view.stored().keys()

    async def _sync_all(
        self, on_progress: OnProgress | None = None, *, since: int | None = None, **more: Any
    ) -> SyncResult:
        """Sync every file, and record that all are up to date, unless files were created or deleted
        meanwhile. ``since`` is the epoch of the listing, if one is passed on."""
        started, renewals = time.monotonic(), self.index.renewals
        epoch = self._epoch if since is None else since
        noted, self._changed = self._changed, set()
        try:
            result = await self.index.sync(on_progress=on_progress, **more)
        except BaseException:
            self._changed |= noted
            raise
        whole = self._watched and result.complete and epoch == self._epoch
        self._complete_at, self._complete_in = started if whole else None, renewals
        if self._complete_at is not None and self._reading_ahead is None:
            self._reading_ahead = asyncio.create_task(self.index.read_ahead())
        return result

    async def ready(
        self, query: Query, scope: Sequence[str], on_event: OnEvent
    ) -> tuple[Diagnostic, ...]:
        """Return once a question can be answered; the diagnostics say what is still missing.
        Progress is reported to ``on_event``.

        Raises EmptyWorkspace.
        """
        if self._is_complete:
            await self.catch_up()
            if self._is_complete:
                self._reconcile()
                return ()
        epoch = self._epoch
        look, self.first_look = self.first_look, None
        look = look or await first_look(self.index.workspace)
        if self.background is not None and not self.background.done():
            return await self._first_files(look, epoch, query, scope, on_event)
        if self.index.view.stored() or look.is_small:
            result = await self._sync_all(lambda at: _report_progress(at, on_event))
            return (
                () if result.complete else await self._beside_writer(look, query, scope, on_event)
            )
        if self.background is None:
            # Start the workers while searching for the files that matter.
            await asyncio.to_thread(lambda: self.index.warm(main_languages(look.files)))
        return await self._first_files(look, epoch, query, scope, on_event)

    def _reconcile(self) -> None:
        """Check all files in the background if the watcher has been trusted for too long."""
        if (
            self._complete_at is not None
            and time.monotonic() - self._complete_at > _TRUSTED_S
            and (self.background is None or self.background.done())
        ):
            self.index.workspace.forget_listing()
            self.background = asyncio.create_task(self._sync_all())

    async def settle(self) -> None:
        """Wait for the background sync, if any, to end."""
        if self.background is not None:
            await self.background

    async def stop(self) -> None:
        """Cancel background work; what a sync has already written stays."""
        under_way: list[asyncio.Task[Any]] = [
            task
            for task in (self.background, self._reading_ahead)
            if task is not None and not task.done()
        ]
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way)

    async def _first_files(
        self,
        look: FirstLook,
        epoch: int,
        query: Query,
        scope: Sequence[str],
        on_event: OnEvent,
    ) -> tuple[Diagnostic, ...]:
        """Index the files that matter, and let all others follow in the background."""
        paths = await self._files_that_matter(look, query, scope, on_event)
        if self.background is None or self.background.done():
            arrived = asyncio.Event()

            def took(at: Progress) -> None:
                _report_progress(at, on_event)
                if at.stored >= len(paths):
                    arrived.set()

            self.background = asyncio.create_task(
                self._sync_all(took, since=epoch, listed=look.files, priority=paths)
            )
            self.background.add_done_callback(lambda _: arrived.set())
            await arrived.wait()
            if self.background.done() and not _is_whole(self.background):
                on_event(_ELSEWHERE)
                await self.index.sync(paths=paths)
                return (STILL_BUILT,)
        else:
            await self.index.sync(
                paths=paths, on_progress=lambda at: _report_progress(at, on_event)
            )
        return () if self.background.done() else (STILL_BUILT,)

    async def _beside_writer(
        self, look: FirstLook, query: Query, scope: Sequence[str], on_event: OnEvent
    ) -> tuple[Diagnostic, ...]:
        """Another process is writing the index: index the files that matter in memory, unless that
        process has already done so."""
        paths = await self._files_that_matter(look, query, scope, on_event)
        on_event(_ELSEWHERE)
        await self.index.sync(paths=paths)
        return (STILL_BUILT,)

    async def _files_that_matter(
        self, look: FirstLook, query: Query, scope: Sequence[str], on_event: OnEvent
    ) -> list[str]:
        on_event(Event("index", f"Looking through {len(look.files):,} files for those that matter"))
        return await look.files_that_matter(query, scope, self.aside)


def _report_progress(at: Progress, on_event: OnEvent) -> None:
    """Report the progress of a sync, if it has anything to do."""
    if at.total:
        on_event(Event("index", f"Indexing {at.done} of {at.total} files", at.done / at.total))


def _is_whole(sync: asyncio.Task[SyncResult]) -> bool:
    """Whether a finished sync covered every file; it does not if another process was writing."""
    return not sync.cancelled() and sync.exception() is None and sync.result().complete
