"""When cyclic garbage is looked for, so that nobody who types waits for it.

A full collection walks every object of every index with the interpreter lock held: a tenth of a
second and more. So none starts by itself. After an exploration, once no client has said anything
for a moment, what it left is collected, and what stays, caches and reports, is frozen: it is walked
once and not again.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_YOUNG, _MIDDLE, _NEVER = 50_000, 2, 1_000_000
"""Objects between collections, more than a question leaves behind: few of them are garbage, and
looking through so many takes some ten milliseconds. And collections between deeper ones."""
_QUIET_S = 1.0
_LONGEST_S = 30.0
"""How long somebody who never pauses keeps garbage from being collected."""


@dataclass(slots=True)
class _Collector:
    """The collector is the process's, whatever the number of its clients."""

    under_way: int = 0
    heard: float = 0.0
    waiting_since: float | None = None
    timer: asyncio.TimerHandle | None = None
    everything: bool = False


_state = _Collector()


def take_over() -> None:
    """From now on only what is below looks at old objects; call it when everything is loaded."""
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    gc.freeze()


def heard() -> None:
    """A client said something."""
    _state.heard = time.monotonic()


@contextmanager
def collected_afterwards() -> Generator[None]:
    """Collect what the body leaves, when it is quiet and no other body is under way."""
    _state.under_way += 1
    started = time.monotonic()
    try:
        yield
    finally:
        _state.under_way -= 1
        if time.monotonic() - started > _LONGEST_S:
            # It was this body that took so long, and not a client that never paused.
            _state.waiting_since = None
        _wait()
        if not _state.under_way and _is_overdue():
            _collect()


def collect_all() -> None:
    """Something large is gone: next time look at everything, frozen or not."""
    _state.everything = True
    _wait()


def _wait() -> None:
    if _state.waiting_since is None:
        _state.waiting_since = time.monotonic()
        _look_again()


def _look_again() -> None:
    if _state.timer is not None:
        _state.timer.cancel()
    _state.timer = asyncio.get_running_loop().call_later(_QUIET_S, _tidy)


def _is_overdue() -> bool:
    since = _state.waiting_since
    return since is not None and time.monotonic() - since > _LONGEST_S


def _tidy() -> None:
    is_quiet = time.monotonic() - _state.heard > _QUIET_S
    # What is under way would be frozen with all that it is about to drop.
    if not _state.under_way and (is_quiet or _is_overdue()):
        _collect()
    else:
        _look_again()


def _collect() -> None:
    if _state.everything:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    if _state.timer is not None:
        _state.timer.cancel()
    _state.waiting_since, _state.everything = None, False
