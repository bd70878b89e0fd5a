"""Getting the index ready for a question without making anybody wait for all of it.

A workspace that was indexed before is brought up to date. One that never was is searched as text
for the files that matter; those are indexed first and the question goes on as soon as they are in,
while the rest follows in the background.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from explorer_core.channels.grep import grep
from explorer_core.channels.query import Query
from explorer_core.contracts import Diagnostic, GrepMatch
from explorer_core.index import text
from explorer_core.index.index import Index
from explorer_core.index.languages import language_of
from explorer_core.index.sync import Progress, SyncResult
from explorer_core.workspace import FileEntry

_PATTERNS = 24
_LONG_PATTERN = 3
_MATCHES = 3000
_FIRST_FILES = 120
"""Files that matter enough to wait for."""
_GREP_TIME_S = 0.8
_WARM_LANGUAGES = 2
_SMALL = 400
"""A workspace of no more files is indexed whole sooner than it is searched."""

OnProgress = Callable[[Progress], None]


@dataclass(slots=True)
class Freshness:
    """Keeps one index in step with its files. ``background`` is the sync still under way."""

    index: Index
    background: asyncio.Task[SyncResult] | None = None

    async def ready(
        self, query: Query, scope: Sequence[str], on_progress: OnProgress
    ) -> tuple[Diagnostic, ...]:
        """Return once a question can be answered; diagnostics say what is still missing."""
        if self.background is not None and not self.background.done():
            return await self._first_files(query, scope, on_progress)
        files = await asyncio.to_thread(self.index.workspace.files)
        if self.index.view.stored() or len(files) <= _SMALL:
            await self.index.sync(on_progress=on_progress)
            return ()
        if self.background is None:
            await asyncio.to_thread(self._warm, files)
        return await self._first_files(query, scope, on_progress)

    async def settle(self) -> None:
        """Wait until the background sync has ended."""
        if self.background is not None:
            await self.background

    async def stop(self) -> None:
        """Cancel the background sync; what it wrote stays."""
        if self.background is not None and not self.background.done():
            self.background.cancel()
            with suppress(asyncio.CancelledError):
                await self.background

    async def _first_files(
        self, query: Query, scope: Sequence[str], on_progress: OnProgress
    ) -> tuple[Diagnostic, ...]:
        paths = await self._files_that_matter(query, scope)
        if self.background is None or self.background.done():
            arrived = asyncio.Event()

            def told(at: Progress) -> None:
                on_progress(at)
                if at.done >= len(paths):
                    arrived.set()

            self.background = asyncio.create_task(self.index.sync(priority=paths, on_progress=told))
            self.background.add_done_callback(lambda _: arrived.set())
            await arrived.wait()
        else:
            await self.index.sync(paths=paths, on_progress=on_progress)
        if self.background.done():
            return ()
        message = "The index is still being built; places in files not reached yet are missing."
        return (Diagnostic(source="index", message=message, affects_answer=True),)

    def _warm(self, files: Sequence[FileEntry]) -> None:
        """Have the workers start while the files that matter are searched for."""
        counted = Counter(language_of(entry.path) for entry in files)
        del counted[None]
        self.index.warm([str(language) for language, _ in counted.most_common(_WARM_LANGUAGES)])

    async def _files_that_matter(self, query: Query, scope: Sequence[str]) -> list[str]:
        """Files by the rarity of the question's words in them, best first.

        Words are searched by their stems, which are found inside of longer words.
        """
        counts = text.count(query.text)
        stems = sorted(
            (term for term in counts if len(term) >= _LONG_PATTERN),
            key=lambda term: (-len(term), term),
        )
        found = await grep(
            self.index.workspace,
            stems[:_PATTERNS],
            ignore_case=True,
            scope=scope,
            limit=_MATCHES,
            timeout_s=_GREP_TIME_S,
        )
        terms_of: dict[str, set[str]] = {}
        for match in found.observations:
            if isinstance(match, GrepMatch):
                terms_of.setdefault(match.segment.path, set()).update(match.terms)
        spread = Counter(term for terms in terms_of.values() for term in terms)
        worth = {
            path: sum(math.log1p(len(terms_of) / spread[term]) for term in terms)
            for path, terms in terms_of.items()
        }
        return sorted(worth, key=lambda path: (-worth[path], path))[:_FIRST_FILES]
