"""``sightline refs NAME``: where a symbol is used: called, read, imported, extended."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsp_server.commands import relations
from lsp_server.commands.relations import add_arguments

if TYPE_CHECKING:
    from explorer_core.index.graph import SymbolGraph
    from explorer_core.index.symbols import Edge, Symbol

__all__ = ["HELP", "add_arguments", "run"]

HELP = "where a symbol is used: called, read, imported, extended"


def run(args: argparse.Namespace) -> int:
    """Print one line per edge; returns the exit code. Raises `UserError`."""
    return relations.run(args, _related)


def _related(graph: SymbolGraph, symbol: Symbol) -> Iterable[tuple[Edge, Symbol]]:
    return (
        (edge, graph.symbol(edge.source))
        for edge in graph.incoming(symbol.id)
        if edge.relation != "contains"
    )
