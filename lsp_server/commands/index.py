"""``sightline index``: bring the index up to date, or compare it with a clean rebuild."""

from __future__ import annotations

import argparse
import asyncio

from lsp_server.commands import common
from lsp_server.exits import ANSWERED, NOTHING_FOUND

HELP = "bring the index of a folder up to date"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    common.add_arguments(parser)
    parser.add_argument(
        "--verify",
        action="store_true",
        help="compare with a clean rebuild; exit code 1 and the paths if anything differs",
    )


def run(args: argparse.Namespace) -> int:
    """Index and say what was done; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    async with common.open_index(args) as index:
        for diagnostic in index.diagnostics():
            common.tell(diagnostic.message)
        if args.verify:
            differing = await index.verify()
            print("\n".join(differing) or "The index equals a clean rebuild.")
            return NOTHING_FOUND if differing else ANSWERED
        coverage = index.coverage()
        print(f"{coverage.indexed:,} of {coverage.total:,} files are in the index.")
    return ANSWERED
