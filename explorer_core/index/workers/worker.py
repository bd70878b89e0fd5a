"""A worker process: lowers its priority, then answers orders.

Nothing else is loaded before that: the process that started it is usually still loading too, with
a user waiting for it.
"""

from __future__ import annotations

import gc
import os

_NICENESS = 10
"""Absolute, not added to an inherited niceness: with twice as much, a worker would never run on a
busy machine."""


def main() -> None:
    """Answer orders at low priority."""
    _lower_priority()
    # An analysis leaves hardly any reference cycles behind. Searching for them among a million
    # short-lived matches would be expensive.
    gc.disable()
    from explorer_core.index.workers.answering import answer_orders

    answer_orders()


def _lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(max(0, _NICENESS - os.nice(0)))


if __name__ == "__main__":
    main()
