"""The terminal: encodings, colour, hyperlinks and progress."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType

Show = Callable[[str, float | None], None]
"""Takes what is being done, and the fraction of the whole that is done if it is known."""
ColourChoice = Literal["auto", "always", "never"]

_PROGRESS_DELAY_S = 0.4
_PLAIN_PROGRESS_DELAY_S = 2.0
_TICK_S = 0.1
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def prepare_streams() -> None:
    """Make output possible in any encoding: what a terminal cannot show is replaced, never fatal.

    A pipe gets UTF-8 whatever the system's code page says, for a program reads it. A stream that
    was closed leads nowhere: its descriptor must not become that of another file, and what is
    printed to it must not go to another stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - to the end
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if not stream.isatty() and os.name == "nt" and "PYTHONIOENCODING" not in os.environ:
            reconfigure(encoding="utf-8")
        reconfigure(errors="replace")


class OneLine(logging.Formatter):
    """Messages without tracebacks: this log is shown to users."""

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's own name
        return ""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(super().format(record).split())


class _Sentence(OneLine):
    """A message as commands tell theirs."""

    def format(self, record: logging.LogRecord) -> str:
        said = super().format(record)
        return f"sightline: {said}" if said.endswith((".", "!", "?")) else f"sightline: {said}."


def tell_warnings() -> None:
    """Show what is logged like what commands say themselves, unless one has a log of its own."""
    logging.lastResort = warning_handler()


def warning_handler() -> logging.Handler:
    """Writes warnings to standard error like what commands say themselves."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    if not os.environ.get("SIGHTLINE_DEBUG"):
        handler.setFormatter(_Sentence())
    return handler


def wants_colour(choice: ColourChoice, stream: TextIO) -> bool:
    """Whether to colour ``stream``: the flag, then NO_COLOR and FORCE_COLOR, then the terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _printable(text: str) -> str:
    """The text without control characters, which a quoted file could use to drive the terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def print_for_people(renderable: RenderableType, choice: ColourChoice) -> None:
    """Print a rich renderable on standard output, with as much colour as is wanted."""
    from rich.console import Console

    colour = wants_colour(choice, sys.stdout)
    # Of a terminal nothing is left where there is to be no colour: no bold and no hyperlinks.
    terminal = colour or (False if choice == "never" else None)
    console = Console(force_terminal=terminal, no_color=not colour, soft_wrap=True, highlight=False)
    console.print(renderable)


@asynccontextmanager
async def progress(stream: TextIO, choice: ColourChoice = "auto") -> AsyncGenerator[Show]:
    """Show what the yielded function is told, once the work takes longer than a moment.

    A terminal gets one line that goes away again; anything else gets one plain line.
    """
    latest: list[tuple[str, float | None]] = []
    display = _on_terminal if stream.isatty() and os.environ.get("TERM") != "dumb" else _plainly
    showing = asyncio.create_task(display(stream, latest, choice))

    def show(message: str, fraction: float | None = None) -> None:
        latest[:] = [(message, fraction)]

    try:
        yield show
    finally:
        showing.cancel()
        await asyncio.wait({showing})


async def _on_terminal(
    stream: TextIO, latest: list[tuple[str, float | None]], choice: ColourChoice
) -> None:
    await asyncio.sleep(_PROGRESS_DELAY_S)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    console = Console(file=stream, no_color=not wants_colour(choice, stream))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Exploring", total=None)
        while True:
            if latest:
                message, fraction = latest[0]
                bar.update(
                    task,
                    description=_printable(message),
                    total=None if fraction is None else 1.0,
                    completed=fraction or 0.0,
                )
            await asyncio.sleep(_TICK_S)


async def _plainly(stream: TextIO, latest: list[tuple[str, float | None]], _: ColourChoice) -> None:
    await asyncio.sleep(_PLAIN_PROGRESS_DELAY_S)
    message = latest[0][0] if latest else "Exploring"
    print(f"sightline: {_printable(message)} ...", file=stream, flush=True)
