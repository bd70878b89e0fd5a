"""``sightline callees NAME``: what a symbol calls."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsp_server.commands import relations
from lsp_server.commands.relations import Neighbour, add_arguments

if TYPE_CHECKING:
    from explorer_core.index.graph import SymbolGraph
    from explorer_core.index.symbols import Symbol

__all__ = ["HELP", "add_arguments", "run"]

HELP = "what a symbol calls"


def run(args: argparse.Namespace) -> int:
    """Print one line per edge; returns the exit code. Raises `UserError`."""
    return relations.run(args, _neighbours)


def _neighbours(graph: SymbolGraph, symbol: Symbol) -> Iterable[Neighbour]:
    return (
        Neighbour(edge, graph.symbol(edge.target))
        for edge in graph.outgoing(symbol.id)
        if edge.relation == "calls"
    )
