"""Schedules cyclic garbage collection so that it does not delay a user who is typing.

A full collection walks every object of every index with the interpreter lock held, which takes a
tenth of a second or more. So automatic full collections are disabled. After an exploration, once
no client has sent anything for a moment, its garbage is collected. The survivors, caches and
reports, are frozen and not walked again.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_YOUNG, _MIDDLE, _NEVER = 50_000, 2, 1_000_000
"""Thresholds of `gc`. The first, objects between collections, is more than a question leaves
behind: few of them are garbage, and walking so many takes some ten milliseconds. The others are
collections between deeper ones."""
_QUIET_S = 1.0
"""How long no client must have sent anything before garbage is collected."""
_LONGEST_DELAY_S = 30.0
"""How long a client that never pauses can put off a collection."""


@dataclass(slots=True)
class _Collector:
    """The state of collection, one per process, whatever the number of clients."""

    running_bodies: int = 0
    last_activity: float = 0.0
    waiting_since: float | None = None
    timer: asyncio.TimerHandle | None = None
    include_frozen: bool = False


_state = _Collector()


def take_over() -> None:
    """Leave collections of old objects to this module. Call it when everything is loaded."""
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    gc.freeze()


def note_activity() -> None:
    """Note that a client sent something."""
    _state.last_activity = time.monotonic()


@contextmanager
def collecting_afterwards() -> Generator[None]:
    """Collect the garbage of the body once all clients are quiet and no other body is running."""
    _state.running_bodies += 1
    started = time.monotonic()
    try:
        yield
    finally:
        _state.running_bodies -= 1
        if time.monotonic() - started > _LONGEST_DELAY_S:
            # The delay was due to this body, not to a client that never paused.
            _state.waiting_since = None
        _schedule()
        if not _state.running_bodies and _is_overdue():
            _collect()


def collect_all() -> None:
    """Let the next collection include frozen objects, since something large was dropped."""
    _state.include_frozen = True
    _schedule()


def _schedule() -> None:
    if _state.waiting_since is None:
        _state.waiting_since = time.monotonic()
        _restart_timer()


def _restart_timer() -> None:
    if _state.timer is not None:
        _state.timer.cancel()
    _state.timer = asyncio.get_running_loop().call_later(_QUIET_S, _collect_if_quiet)


def _is_overdue() -> bool:
    since = _state.waiting_since
    return since is not None and time.monotonic() - since > _LONGEST_DELAY_S


def _collect_if_quiet() -> None:
    is_quiet = time.monotonic() - _state.last_activity > _QUIET_S
    # While a body is running, objects that it is about to drop would be frozen.
    if not _state.running_bodies and (is_quiet or _is_overdue()):
        _collect()
    else:
        _restart_timer()


def _collect() -> None:
    if _state.include_frozen:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    if _state.timer is not None:
        _state.timer.cancel()
    _state.waiting_since, _state.include_frozen = None, False
