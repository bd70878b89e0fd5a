"""``sightline symbols NAME``: where symbols with that name are defined."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

import msgspec

from lsp_server.commands import common, relations
from lsp_server.commands.relations import add_arguments
from lsp_server.terminal.exits import ANSWERED, NOTHING_FOUND

if TYPE_CHECKING:
    from explorer_core.index.symbols import Symbol

__all__ = ["HELP", "add_arguments", "run"]

HELP = "where a symbol is defined"


def run(args: argparse.Namespace) -> int:
    """Print one line per definition; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    async with common.open_index(args) as index:
        symbols = index.graph.find(args.name)
        if not symbols:
            common.print_notice(f"there is no symbol '{args.name}' in the index; names are exact.")
        relations.print_lines(map(_json if args.json else _line, symbols), args.limit)
    return ANSWERED if symbols else NOTHING_FOUND


def _line(symbol: Symbol) -> str:
    from explorer_core.report.printable import printable

    place = f"{symbol.path}:{symbol.range.start}-{symbol.range.end}"
    line = f"{place}  {symbol.kind} {symbol.qualified_name}  {symbol.signature}"
    return printable(line.rstrip())


def _json(symbol: Symbol) -> str:
    content = msgspec.structs.asdict(symbol)
    del content["id"]
    return common.json_line({"path": symbol.path} | content)
