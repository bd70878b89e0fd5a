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
"""Shows a progress message, and the fraction that is done (0 to 1, None if unknown)."""
ColourChoice = Literal["auto", "always", "never"]

_PROGRESS_DELAY_S = 0.4
_PLAIN_PROGRESS_DELAY_S = 2.0
_TICK_S = 0.1
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def prepare_streams() -> None:
    """Make output possible in any encoding: characters that a terminal cannot show are replaced.

    On Windows a pipe gets UTF-8 whatever the code page is, since a program reads it. A standard
    stream that was closed is opened on the null device, so that its descriptor is not reused for
    another file that would then receive the output.
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
    """Formats messages on one line without tracebacks, for a log that is shown to users."""

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's own name
        return ""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(super().format(record).split())


class _Sentence(OneLine):
    """Formats a message as commands print theirs: ``sightline: ... .``"""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return f"sightline: {text}" if text.endswith((".", "!", "?")) else f"sightline: {text}."


def print_warnings() -> None:
    """Print logged warnings in the style of a command's own messages, unless the command sets up
    logging itself."""
    logging.lastResort = warning_handler()


def warning_handler() -> logging.Handler:
    """A handler that prints warnings to standard error in the style of a command's messages."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    if not os.environ.get("SIGHTLINE_DEBUG"):
        handler.setFormatter(_Sentence())
    return handler


def wants_colour(choice: ColourChoice, stream: TextIO) -> bool:
    """Whether to colour ``stream``: decided by the flag, then NO_COLOR, then FORCE_COLOR, then by
    whether it is a capable terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _printable(text: str) -> str:
    """The text with control characters replaced: a quoted file could use them to control the
    terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def print_for_people(renderable: RenderableType, choice: ColourChoice) -> None:
    """Print a rich renderable on standard output, coloured as chosen."""
    from rich.console import Console

    colour = wants_colour(choice, sys.stdout)
    # "never" turns off everything that a terminal can do, including bold text and hyperlinks.
    terminal = colour or (False if choice == "never" else None)
    console = Console(force_terminal=terminal, no_color=not colour, soft_wrap=True, highlight=False)
    console.print(renderable)


@asynccontextmanager
async def progress(stream: TextIO, choice: ColourChoice = "auto") -> AsyncGenerator[Show]:
    """Yields a function that shows progress, once the work takes longer than a moment.

    A terminal gets one line that disappears at the end; anything else gets one plain line.
    """
    latest: list[tuple[str, float | None]] = []
    display = (
        _as_progress_bar if stream.isatty() and os.environ.get("TERM") != "dumb" else _as_plain_line
    )
    display_task = asyncio.create_task(display(stream, latest, choice))

    def show(message: str, fraction: float | None = None) -> None:
        latest[:] = [(message, fraction)]

    try:
        yield show
    finally:
        display_task.cancel()
        await asyncio.wait({display_task})


async def _as_progress_bar(
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


async def _as_plain_line(
    stream: TextIO, latest: list[tuple[str, float | None]], _: ColourChoice
) -> None:
    await asyncio.sleep(_PLAIN_PROGRESS_DELAY_S)
    message = latest[0][0] if latest else "Exploring"
    print(f"sightline: {_printable(message)} ...", file=stream, flush=True)
