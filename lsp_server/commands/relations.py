"""What ``refs``, ``callers`` and ``callees`` share: relations of the symbols of one name."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from lsp_server.commands import common
from lsp_server.exits import ANSWERED, NOTHING_FOUND

if TYPE_CHECKING:
    from explorer_core.index.graph import SymbolGraph
    from explorer_core.index.symbols import Edge, Symbol

Related = Callable[["SymbolGraph", "Symbol"], Iterable[tuple["Edge", "Symbol"]]]
"""The edges asked for, each with the symbol at its other end."""


_LIMIT = 200
"""Lines printed unless asked for more: a popular name has thousands of uses."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a command about the symbols of a name."""
    parser.add_argument("name", help="a name, or the end of a qualified one such as Class.method")
    common.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=common.count,
        default=_LIMIT,
        help=f"most lines printed, 0 for all (default: {_LIMIT})",
    )


def show(lines: Iterable[str], limit: int) -> None:
    """Print lines, each once, and say how many were left out."""
    each = list(dict.fromkeys(lines))
    shown = each[:limit] if limit else each
    for line in shown:
        print(line)
    if len(shown) < len(each):
        common.tell(f"{len(each) - len(shown):,} more; --limit 0 prints all.")


def run(args: argparse.Namespace, related: Related) -> int:
    """Print one line per edge; returns the exit code. Raises `UserError`."""
    return asyncio.run(_run(args, related))


async def _run(args: argparse.Namespace, related: Related) -> int:
    async with common.open_index(args) as index:
        graph = index.graph
        symbols = graph.find(args.name)
        if not symbols:
            common.tell(f"there is no symbol '{args.name}' in the index; names are exact.")
        found = {edge: other for symbol in symbols for edge, other in related(graph, symbol)}
        ordered = sorted(found.items(), key=lambda item: (item[0].path, item[0].line))
        show((_json(e, o) if args.json else _line(e, o) for e, o in ordered), args.limit)
    return ANSWERED if found else NOTHING_FOUND


def _line(edge: Edge, other: Symbol) -> str:
    namesakes = f", {edge.namesakes} of that name" if edge.namesakes > 1 else ""
    named = f"{other.kind} {other.qualified_name}"
    if other.id.is_file:
        named = f"file {other.path}"
    elif other.id == edge.target:
        named += f" at {other.path}:{other.line}"
    return f"{edge.path}:{edge.line}  {edge.relation}  {named}  ({edge.witness}{namesakes})"


def _json(edge: Edge, other: Symbol) -> str:
    # Ids are ordinals of this very index and mean nothing outside of it.
    content = msgspec.structs.asdict(edge) | {"symbol": msgspec.structs.asdict(other)}
    del content["source"], content["target"], content["symbol"]["id"]
    return common.json_line(content)
