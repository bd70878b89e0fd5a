"""``sightline callers NAME``: what calls a symbol."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsp_server.commands import relations
from lsp_server.commands.relations import Neighbour, add_arguments, users

if TYPE_CHECKING:
    from explorer_core.index.graph import SymbolGraph
    from explorer_core.index.symbols import Symbol

__all__ = ["HELP", "add_arguments", "run"]

HELP = "what calls a symbol"


def run(args: argparse.Namespace) -> int:
    """Print one line per edge; returns the exit code. Raises `UserError`."""
    return relations.run(args, _neighbours)


def _neighbours(graph: SymbolGraph, symbol: Symbol) -> Iterable[Neighbour]:
    return (each for each in users(graph, symbol) if each.edge.relation == "calls")
