"""``sightline callers NAME``: what calls a symbol."""

from __future__ import annotations

from lsp_server.commands.relations import add_arguments, command_of, users

__all__ = ["HELP", "add_arguments", "run"]

HELP = "what calls a symbol"

run = command_of(
    lambda graph, symbol: (each for each in users(graph, symbol) if each.edge.relation == "calls"),
    "callers",
)
