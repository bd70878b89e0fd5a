from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass
class Entry:
    seconds: int
    job: Callable[[], None]
    due: float = 0.0


class Scheduler:
    """Runs callables at fixed intervals; whoever owns the process calls ``run_due``."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def every(self, seconds: int, job: Callable[[], None]) -> None:
        self._entries.append(Entry(seconds, job))

    def run_due(self, now: float) -> int:
        ran = 0
        for entry in self._entries:
            if entry.due <= now:
                entry.due = now + entry.seconds
                try:
                    entry.job()
                except Exception:
                    log.exception("job %r failed", entry.job)
                ran += 1
        return ran
