"""A server with a ticker in its event loop: ``python -m tests.bench.ticker OUT bare|sightline``.

Every 5 ms the ticker records in OUT, as a pair of doubles, when it ran (monotonic seconds) and how
late it was (seconds). The bare server is pygls with one feature.
"""

from __future__ import annotations

import sys
import time
from array import array
from asyncio.base_events import BaseEventLoop
from collections.abc import Callable
from pathlib import Path

TICK_S = 0.005
_SAMPLES = 400


def install(out: Path) -> None:
    """Add a ticker to every event loop of this process."""
    run_forever: Callable[[BaseEventLoop], None] = BaseEventLoop.run_forever

    def ticking(self: BaseEventLoop) -> None:
        samples: array[float] = array("d")

        def tick(due: float) -> None:
            now = time.monotonic()
            samples.extend((now, now - due))
            if len(samples) >= 2 * _SAMPLES:
                with out.open("ab") as file:
                    samples.tofile(file)
                del samples[:]
                now = time.monotonic()
            self.call_later(TICK_S, tick, now + TICK_S)

        self.call_later(TICK_S, tick, time.monotonic() + TICK_S)
        run_forever(self)

    BaseEventLoop.run_forever = ticking


def delays(out: Path, since: float, until: float) -> list[float]:
    """The delays of the ticks between two moments, in ms, sorted."""
    samples = array("d")
    data = out.read_bytes()
    samples.frombytes(data[: len(data) // 16 * 16])
    pairs = zip(samples[::2], samples[1::2], strict=True)
    return sorted(1000 * delay for moment, delay in pairs if since <= moment <= until)


def main() -> None:
    out, which = sys.argv[1:]
    install(Path(out))
    if which == "bare":
        from tests.bench.server import BARE

        exec(BARE)
    else:
        from lsp_server.cli import main as sightline

        sightline(["serve"])


if __name__ == "__main__":
    main()
