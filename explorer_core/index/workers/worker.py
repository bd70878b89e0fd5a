"""A worker process: steps back, and answers orders.

Nothing but this is loaded before it has stepped back: whoever started it is still loading too, and
somebody waits for that.
"""

from __future__ import annotations

import gc
import os

_NICENESS = 10
"""Not added to what was inherited: twice as low would be never, on a busy machine."""


def main() -> None:
    """Answer orders at low priority."""
    _lower_priority()
    # An analysis leaves hardly a cycle behind, and what is loaded stays; looking for some among a
    # million short-lived matches is what would cost.
    gc.disable()
    from explorer_core.index.workers.answering import answer_orders

    answer_orders()


def _lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(max(0, _NICENESS - os.nice(0)))


if __name__ == "__main__":
    main()
