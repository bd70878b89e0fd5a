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
    totals = summary(each for root in workspace.roots for each in log.events(str(root.path)))
    if args.json:
        exploration_totals = dataclasses.asdict(totals)
        print(common.json_line({**dataclasses.asdict(status), "explorations": exploration_totals}))
    else:
        print("\n".join([_text(status), *_exploration_lines(totals), f"logged in {log.file}"]))
    return ANSWERED


def _exploration_lines(totals: Summary) -> Iterator[str]:
    """Lines on what explorations here took. Those with a model are listed apart, since they cost
    money."""
    line = f"explorations: {totals.explorations:,}, of which {totals.cancelled:,} cancelled"
    if totals.report_tokens:
        ratio = totals.observation_tokens / totals.report_tokens
        line += f"; {ratio:.0f} tokens read per token reported"
    yield line
    if totals.fallback_share is not None:
        reasons = ", ".join(f"{name} {count}" for name, count in totals.stop_reasons)
        cost = f", ${totals.cost_usd:.4f} where the price is known" if totals.cost_usd else ""
        alarm = ": too many; run sightline doctor to find out why" if totals.alarm else ""
        yield (
            f"with a model: {totals.with_model:,} (ended by {reasons}); {totals.input_tokens:,}"
            f" tokens in, {totals.cached_tokens:,} from the cache,"
            f" {totals.output_tokens:,} out{cost}"
        )
        yield f"offline instead: {totals.fallbacks:,} ({totals.fallback_share:.0%}){alarm}"


def _text(status: IndexStatus) -> str:
    languages = ", ".join(f"{name} {count:,}" for name, count in status.languages.items())
    updated = datetime.fromtimestamp(status.updated, UTC).astimezone().isoformat(" ", "seconds")
    return (
        f"{status.files:,} files ({status.set_aside:,} set aside), {status.symbols:,} symbols,"
        f" {status.references:,} references\n"
        f"languages: {languages or 'none'}\n"
        f"index: {status.location}, {status.size / 1e6:.1f} MB, updated {updated}"
    )
