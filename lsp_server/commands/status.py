"""``sightline status``: the contents and location of a folder's index, and what explorations of the
folder cost."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lsp_server.commands import common
from lsp_server.terminal.exits import ANSWERED

if TYPE_CHECKING:
    from explorer_core.explorations import Summary
    from explorer_core.index.contents import IndexStatus

HELP = "show what a folder's index contains and what its explorations cost"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    common.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the index's contents; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    from explorer_core.explorations import ExplorationLog, summary

    async with common.open_index(args) as index:
        status = await asyncio.to_thread(index.contents.status)
        workspace = index.workspace
    log = ExplorationLog.of(workspace.settings)
    taken = summary(each for root in workspace.roots for each in log.events(str(root.path)))
    if args.json:
        explored = dataclasses.asdict(taken)
        print(common.json_line({**dataclasses.asdict(status), "explorations": explored}))
    else:
        print("\n".join([_text(status), *_explored(taken), f"logged in {log.file}"]))
    return ANSWERED


def _explored(taken: Summary) -> Iterator[str]:
    """Lines on what explorations here took. Those with a model are listed apart, since they cost
    money."""
    said = f"explorations: {taken.explorations:,}, of which {taken.cancelled:,} cancelled"
    if taken.report_tokens:
        ratio = taken.observation_tokens / taken.report_tokens
        said += f"; {ratio:.0f} tokens read per token reported"
    yield said
    if taken.fallback_share is not None:
        reasons = ", ".join(f"{name} {count}" for name, count in taken.stop_reasons)
        cost = f", ${taken.cost_usd:.4f} where the price is known" if taken.cost_usd else ""
        alarm = ": too many; run sightline doctor to find out why" if taken.alarm else ""
        yield (
            f"with a model: {taken.with_model:,} (ended by {reasons}); {taken.input_tokens:,}"
            f" tokens in, {taken.cached_tokens:,} from the cache, {taken.output_tokens:,} out{cost}"
        )
        yield f"offline instead: {taken.fallbacks:,} ({taken.fallback_share:.0%}){alarm}"


def _text(status: IndexStatus) -> str:
    languages = ", ".join(f"{name} {count:,}" for name, count in status.languages.items())
    updated = datetime.fromtimestamp(status.updated, UTC).astimezone().isoformat(" ", "seconds")
    return (
        f"{status.files:,} files ({status.set_aside:,} set aside), {status.symbols:,} symbols,"
        f" {status.references:,} references\n"
        f"languages: {languages or 'none'}\n"
        f"index: {status.location}, {status.size / 1e6:.1f} MB, updated {updated}"
    )
