"""``sightline callees NAME``: what a symbol calls."""

from __future__ import annotations

from lsp_server.commands.relations import Neighbour, add_arguments, command_of

__all__ = ["HELP", "add_arguments", "run"]

HELP = "what a symbol calls"

run = command_of(
    lambda graph, symbol: (
        Neighbour(edge, graph.symbol(edge.target))
        for edge in graph.outgoing(symbol.id)
        if edge.relation == "calls"
    ),
    "callees",
)
