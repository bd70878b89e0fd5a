"""Shared by ``refs``, ``callers`` and ``callees``: prints relations of the symbols with a name."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from lsp_server.commands import common
from lsp_server.terminal.exits import ANSWERED, NOTHING_FOUND

if TYPE_CHECKING:
    from explorer_core.index.graph import SymbolGraph
    from explorer_core.index.symbols import Edge, Symbol

Neighbours = Callable[["SymbolGraph", "Symbol"], Iterable["Neighbour"]]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge with the symbol at its other end. ``through`` is the edge's target if that is not the
    queried symbol but a member that it overrides."""

    edge: Edge
    other: Symbol
    through: Symbol | None = None


def users(graph: SymbolGraph, symbol: Symbol) -> Iterator[Neighbour]:
    """The uses of a symbol, by its own name or through a member that it overrides."""
    for edge in graph.incoming(symbol.id):
        yield Neighbour(edge, graph.symbol(edge.source))
    for edge in graph.uses_through(symbol.id):
        yield Neighbour(edge, graph.symbol(edge.source), graph.symbol(edge.target))


_LIMIT = 200
"""Most lines printed by default: a popular name has thousands of uses."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a command about the symbols with a name."""
    parser.add_argument(
        "name", help="a name, or the last parts of a qualified one, such as Class.method"
    )
    common.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=common.count,
        default=_LIMIT,
        help=f"maximum number of lines to print, 0 for all (default: {_LIMIT})",
    )


def print_lines(lines: Iterable[str], limit: int) -> None:
    """Print lines, each once, and say how many were left out."""
    distinct = list(dict.fromkeys(lines))
    shown = distinct[:limit] if limit else distinct
    for line in shown:
        print(line)
    if len(shown) < len(distinct):
        common.print_notice(f"{len(distinct) - len(shown):,} more; --limit 0 prints all.")


def command_of(neighbours: Neighbours, what: str) -> Callable[[argparse.Namespace], int]:
    """A command's ``run``: prints one line per edge, returns the exit code, raises `UserError`.
    ``what`` is the plural by which a message calls the neighbours."""
    return lambda args: asyncio.run(_run(args, neighbours, what))


async def _run(args: argparse.Namespace, neighbours: Neighbours, what: str) -> int:
    from explorer_core.report.printable import printable

    async with common.open_index(args) as index:
        graph = index.graph
        symbols = graph.find(args.name)
        if not symbols:
            common.print_notice(f"there is no symbol '{args.name}' in the index; names are exact.")
        found: dict[Edge, Neighbour] = {}
        for each in (each for symbol in symbols for each in neighbours(graph, symbol)):
            if each.edge not in found or each.through is None:
                found[each.edge] = each
        ordered = sorted(found.values(), key=lambda each: (each.edge.path, each.edge.line))
        if symbols and not found:
            first, *others = sorted(symbols, key=lambda each: each.kind == "section")
            more = f", one of {len(symbols):,} with that name" if others else ""
            place = printable(f"{first.kind} {first.qualified_name} at {first.path}:{first.line}")
            common.print_notice(f"no {what} of '{args.name}' are known ({place}{more}).")
        print_lines(map(_json if args.json else _line, ordered), args.limit)
    return ANSWERED if found else NOTHING_FOUND


def _line(neighbour: Neighbour) -> str:
    from explorer_core.report.printable import printable

    edge, other, through = neighbour.edge, neighbour.other, neighbour.through
    remarks = f", {edge.namesakes} with that name" if edge.namesakes > 1 else ""
    if through is not None:
        remarks += f", through {through.qualified_name} at {through.path}:{through.line}"
    named = f"{other.kind} {other.qualified_name}"
    if other.id.is_file:
        named = f"file {other.path}"
    elif other.id == edge.target:
        named += f" at {other.path}:{other.line}"
    place = f"{edge.path}:{edge.line}"
    return printable(f"{place}  {edge.relation}  {named}  ({edge.witness}{remarks})")


def _json(neighbour: Neighbour) -> str:
    # Ids hold ordinals, which mean nothing outside of this index.
    content = msgspec.structs.asdict(neighbour.edge)
    del content["source"], content["target"]
    for key, symbol in (("symbol", neighbour.other), ("through", neighbour.through)):
        content[key] = None if symbol is None else msgspec.structs.asdict(symbol)
        if symbol is not None:
            del content[key]["id"]
    return common.json_line(content)
