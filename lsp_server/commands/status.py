"""``sightline status``: what is in the index of a folder, and where it is kept."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lsp_server.commands import common
from lsp_server.exits import ANSWERED

if TYPE_CHECKING:
    from explorer_core.index.index import IndexStatus

HELP = "what is in the index of a folder"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    common.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the index's contents; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    async with common.open_index(args) as index:
        status = await asyncio.to_thread(index.status)
    print(common.json_line(dataclasses.asdict(status)) if args.json else _text(status))
    return ANSWERED


def _text(status: IndexStatus) -> str:
    languages = ", ".join(f"{name} {count:,}" for name, count in status.languages.items())
    updated = datetime.fromtimestamp(status.updated, UTC).astimezone().isoformat(" ", "seconds")
    return (
        f"{status.files:,} files ({status.set_aside:,} set aside), {status.symbols:,} symbols,"
        f" {status.references:,} references\n"
        f"languages: {languages or 'none'}\n"
        f"index: {status.location}, {status.size / 1e6:.1f} MB, updated {updated}"
    )
