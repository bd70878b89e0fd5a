"""``sightline index``: brings the index up to date, keeps it so, or compares it with a rebuild."""

from __future__ import annotations

import argparse
import asyncio
import time
from typing import TYPE_CHECKING

from lsp_server.commands import common
from lsp_server.terminal.exits import ANSWERED, NOTHING_FOUND

if TYPE_CHECKING:
    from explorer_core.index.index import Index

_POLL_INTERVAL_S = 1.0
_PAUSE_FACTOR = 10.0
"""The pause after a check for changes, as a multiple of the time that the check took."""

HELP = "bring the index of a folder up to date"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    common.add_arguments(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--watch",
        action="store_true",
        help="keep the index up to date until interrupted; print a line per change",
    )
    what.add_argument(
        "--verify",
        action="store_true",
        help="compare with a clean rebuild; print the paths that differ and exit with 1",
    )


def run(args: argparse.Namespace) -> int:
    """Index and print what was done; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    async with common.open_index(args) as index:
        for diagnostic in index.contents.diagnostics():
            common.print_notice(diagnostic.message)
        if args.verify:
            differing = await index.verify()
            print("\n".join(differing) or "The index equals a clean rebuild.")
            return NOTHING_FOUND if differing else ANSWERED
        coverage = index.contents.coverage()
        share = f"{coverage.indexed:,} of {coverage.total:,} files in a known language"
        print(f"{share} are in the index.", flush=True)
        if args.watch:
            await _watch(index)
    return ANSWERED


async def _watch(index: Index) -> None:
    """Poll for changes. Checking all files needs no notification service of the system: those
    differ between systems, may lose events, and do not cover network drives."""
    duration_s = 0.0
    while True:
        await asyncio.sleep(max(_POLL_INTERVAL_S, _PAUSE_FACTOR * duration_s))
        started = time.monotonic()
        index.workspace.forget_listing()
        result = await index.sync()
        if result.indexed or result.deleted:
            print(f"{result.indexed:,} files indexed, {result.deleted:,} removed.", flush=True)
        else:
            duration_s = time.monotonic() - started
