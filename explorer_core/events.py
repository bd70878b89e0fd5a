"""What an exploration tells while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer_core.contracts import Report


@dataclass(frozen=True, slots=True)
class Event:
    """Progress of an exploration. ``fraction`` is 0 to 1 where it is known.

    ``partial`` is the answer so far, checked against the files like the last one: what stands in
    while a model judges, its first tries, the flow before a compiler has vouched for it.
    """

    stage: str
    message: str
    fraction: float | None = None
    partial: Report | None = None


OnEvent = Callable[[Event], None]


def untold(event: Event) -> None:
    """Where nobody listens."""
