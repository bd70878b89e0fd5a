"""The front door of the index: open it, bring it up to date, query it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import tempfile
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from explorer_core.errors import StoreDamagedError, StoreUnusableError
from explorer_core.index.contents import Contents
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.location import store_path
from explorer_core.index.search.bm25f import Search, Searcher
from explorer_core.index.storage.lease import Lease
from explorer_core.index.storage.record import Batch
from explorer_core.index.storage.store import Store
from explorer_core.index.storage.view import View
from explorer_core.index.sync import OnProgress, Progress, Sync, SyncResult, SyncTask
from explorer_core.index.workers.pool import Pool
from explorer_core.index.workers.wire import Task
from explorer_core.workspace import FileEntry, Workspace

logger = logging.getLogger(__name__)

_IDLE_WORKERS = 1
_WAIT_S = 0.02
"""Seconds between two checks for cancellation while waiting."""
T = TypeVar("T")


class Index:
    """The symbol graph and the full-text search of one workspace.

    `sync` brings it up to date. Everything else answers from the state of the last `sync`, in which
    the unsaved text of a file takes precedence over its saved text.
    """

    def __init__(self, workspace: Workspace, path: Path, pool: Pool | None = None) -> None:
        self.workspace = workspace
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._store = self._open_store(path)
        self.view = self._open_view()
        self.contents = Contents(workspace, self._store, self.view)
        self.searcher = Searcher(self.view)
        self._pool = pool or Pool(workspace.settings.index_workers)
        self._owns_pool = pool is None
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._executor = ThreadPoolExecutor(4, thread_name_prefix="sightline-sync")
        self._running: set[threading.Event] = set()
        self._unwritten: set[str] = set()
        self._graph = SymbolGraph(self.view)

    @classmethod
    def open(cls, workspace: Workspace, pool: Pool | None = None) -> Index:
        """Open the index of a workspace, in the user's cache folder or ``settings.cache_dir``. If
        that is not writable, a temporary folder is used that `close` removes. The index takes
        ownership of ``pool``."""
        index = cls(
            workspace, store_path(workspace), pool or Pool(workspace.settings.index_workers)
        )
        index._owns_pool = True
        return index

    def _open_store(self, path: Path) -> Store:
        try:
            return Store(path)
        except StoreUnusableError as error:
            return Store(self._temporary_path(path, error))

    def _open_view(self) -> View:
        try:
            return View(self._store)
        except StoreDamagedError:
            return View(self._store)

    def _temporary_path(self, path: Path, error: StoreUnusableError) -> Path:
        """A path for a store that cannot be kept, in a temporary folder that `close` removes.
        Raises StoreUnusableError if that is in use already or cannot be created."""
        if self._folder is not None:
            raise error
        try:
            self._folder = tempfile.TemporaryDirectory(
                prefix="sightline-", ignore_cleanup_errors=True
            )
        except OSError:
            raise error from None
        logger.warning(
            "The index cannot be stored in %s (%s), so it is not kept; set cache_dir to a writable"
            " folder.",
            path.parent,
            error.why,
        )
        return Path(self._folder.name) / path.name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def location(self) -> Path:
        """The file of the store."""
        return self._store.path

    @property
    def renewals(self) -> int:
        """How many times the whole index was lost: to damage, or when its store had to move."""
        return self._store.renewals

    def close(self) -> None:
        """End the workers and close the store."""
        for cancelled in list(self._running):
            cancelled.set()
        if self._owns_pool:
            self._pool.close()  # first, so that no thread waits for work in progress
        self._executor.shutdown(wait=True, cancel_futures=True)
        if self._owns_pool:
            self._pool.close()
        self._store.close()
        if self._folder is not None:
            self._folder.cleanup()

    def warm(self, languages: Sequence[str] = ()) -> None:
        """Start the workers ahead of a `sync`, with the grammars of ``languages`` loaded."""
        self._pool.warm(languages)

    async def sync(
        self,
        *,
        paths: Sequence[str] | None = None,
        listed: Sequence[FileEntry] | None = None,
        priority: Sequence[str] = (),
        on_progress: OnProgress | None = None,
        wait: bool = True,
    ) -> SyncResult:
        """Bring the index up to date: all files, those of ``priority`` first, or only ``paths``.
        ``listed`` saves listing all files again if the caller has just done so.

        ``on_progress`` is called on this event loop. Cancelling ends the work soon; what was
        written stays. A sync of all files waits for a running one of this process, unless ``wait``
        is False. While another process or thread is writing, only ``paths`` and overlays are taken
        in.
        """
        report = _called_on_this_loop(on_progress)
        return await self._in_thread(
            lambda cancelled: self.sync_now(
                SyncTask(paths, listed, priority, report, cancelled), wait=wait
            )
        )

    async def read_ahead(self) -> None:
        """Load what every question needs before one is asked. Cancelling ends the work soon."""
        await self._in_thread(self._store.read_ahead)

    def sync_now(self, task: SyncTask | None = None, *, wait: bool = True) -> SyncResult:
        """Blocking `sync`, by default of all files; progress is reported on this thread. A store
        that turns out to be damaged or unwritable is replaced and filled again."""
        task = task or SyncTask()
        try:
            return self._sync_once(task, wait)
        except StoreDamagedError:
            logger.warning("The index was damaged or removed, and is being rebuilt.")
        except StoreUnusableError as error:
            self._store.move(self._temporary_path(self._store.path, error))
        return self._sync_once(task, wait)

    def _sync_once(self, task: SyncTask, wait: bool) -> SyncResult:
        paths, cancelled = task.paths, task.cancelled
        self._mask_overlays(cancelled)
        with self._write_access(cancelled, wait=wait and paths is None) as granted:
            if not granted:
                return self._mask_changes(task)
            self.view.refresh()
            result = self._sync(task).write()
            self._write_masked(cancelled)
            if paths is None and not cancelled.is_set():
                self._store.checkpoint()
                self._pool.shrink(_IDLE_WORKERS)
            return result

    @contextmanager
    def _write_access(
        self, cancelled: threading.Event, *, wait: bool
    ) -> Generator[bool, None, None]:
        """Yields whether this thread may write. It can ``wait`` for other threads of this index,
        but never waits for another process."""
        while not self._writing.acquire(timeout=_WAIT_S if wait else 0):
            if not wait or cancelled.is_set():
                yield False
                return
        try:
            lease = self._lease()
            if lease is None:
                yield False
            else:
                with lease:
                    yield True
        finally:
            self._writing.release()

    def _lease(self) -> Lease | None:
        try:
            return Lease.acquire(self._store.path)
        except OSError as error:
            raise StoreUnusableError(self._store.path, error) from error

    def _sync(self, task: SyncTask) -> Sync:
        return Sync(self.workspace, self._store, self.view, self._pool, task)

    def _mask_changes(self, task: SyncTask) -> SyncResult:
        """While another process, or another thread of this one, writes: hold ``paths`` in memory
        only."""
        if task.paths is None:
            return SyncResult(complete=False)
        self.view.refresh()
        masked, result = self._sync(SyncTask(task.paths, cancelled=task.cancelled)).mask()
        with self._lock:
            self._unwritten.update(masked)
        return result

    def _write_masked(self, cancelled: threading.Event) -> None:
        """Write what was held in memory while the lease was unavailable."""
        with self._lock:
            paths, self._unwritten = self._unwritten, set()
        if not paths:
            return
        complete = False
        try:
            complete = self._sync(SyncTask(sorted(paths), cancelled=cancelled)).write().complete
        finally:
            if not complete:  # some paths may still be held in memory only
                with self._lock:
                    self._unwritten |= paths
        if complete:
            self.view.mask((), unmask=paths - set(self.workspace.overlays.paths()))

    @property
    def graph(self) -> SymbolGraph:
        """The symbol graph over what is indexed now. After a change a new graph is returned, so
        that no sync alters a graph that a caller holds. Only one thread at a time may query it."""
        self.view.refresh()
        with self._lock:
            if changed := self.view.take_changes():
                self._graph = self._graph.after(changed)
            return self._graph

    @contextmanager
    def frozen(self) -> Generator[None]:
        """Context in which this thread sees no writes by others. Checking for them takes longer
        than most queries of the graph."""
        self.view.refresh()
        with self.view.still():
            yield

    def search(self) -> Search:
        """Full-text search over what is indexed now."""
        self.view.refresh()
        return self.searcher.now()

    async def verify(self) -> list[str]:
        """Paths whose rows differ from those of a clean rebuild; empty if the index is correct."""
        return await self._in_thread(self._verify)

    def _verify(self, cancelled: threading.Event) -> list[str]:
        with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
            path = Path(folder) / "clean.sqlite"
            store = Store(path)
            try:
                task = SyncTask(cancelled=cancelled)
                Sync(self.workspace, store, View(store), self._pool, task).write()
                store.checkpoint()
            finally:
                store.close()
            return self._store.differences(path)

    def _mask_overlays(self, cancelled: threading.Event) -> None:
        """Make the masks agree with the overlays of files that the workspace lists. An ignored or
        secret file is not indexed merely because an editor has it open."""
        overlays = self.workspace.overlays
        unsaved = set(overlays.paths())
        if unsaved:
            unsaved &= {entry.path for entry in self.workspace.files()}
        masked_digests = self.view.masks()
        tasks: list[Task] = []
        with_overlay: set[str] = set()
        for path in sorted(unsaved):
            source = overlays.source(path)
            if source is None:
                continue
            with_overlay.add(path)
            if masked_digests.get(path) != source.digest:
                tasks.append(Task(path, source.text, source.digest))
        with self._lock:
            unmasked = masked_digests.keys() - with_overlay - self._unwritten
        if tasks or unmasked:
            output = self._pool.run(tasks, cancelled, width=len(tasks), apart=True) if tasks else ()
            self.view.mask([r for r in output if isinstance(r, Batch)], unmask=unmasked)

    async def _in_thread(self, work: Callable[[threading.Event], T]) -> T:
        cancelled = threading.Event()

        self._running.add(cancelled)
        future = asyncio.get_running_loop().run_in_executor(self._executor, work, cancelled)
        future.add_done_callback(lambda _: self._running.discard(cancelled))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            cancelled.set()
            raise


def _called_on_this_loop(on_progress: OnProgress | None) -> OnProgress | None:
    """A function, callable from any thread, that calls ``on_progress`` on the running loop."""
    if on_progress is None:
        return None
    loop = asyncio.get_running_loop()

    def report(progress: Progress) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
            loop.call_soon_threadsafe(on_progress, progress)

    return report
