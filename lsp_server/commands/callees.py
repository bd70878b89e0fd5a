"""``sightline callees NAME``: what a symbol calls."""

from __future__ import annotations

from lsp_server.commands.relations import Neighbour, add_arguments, printing

__all__ = ["HELP", "add_arguments", "run"]

HELP = "what a symbol calls"

run = printing(
    lambda graph, symbol: (
        Neighbour(edge, graph.symbol(edge.target))
        for edge in graph.outgoing(symbol.id)
        if edge.relation == "calls"
    ),
    "callees",
)
