"""Progress events of a running exploration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer_core.contracts import Report


@dataclass(frozen=True, slots=True)
class Event:
    """Progress of an exploration. ``fraction`` is 0 to 1, where known.

    ``partial`` is the answer so far, checked against the files like the final one: the offline
    answer while a model judges, the model's first tries, or the flow before a compiler vouched for
    it.
    """

    stage: str
    message: str
    fraction: float | None = None
    partial: Report | None = None


OnEvent = Callable[[Event], None]


def ignore_event(event: Event) -> None:
    """An event handler that does nothing."""
