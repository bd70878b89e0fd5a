"""``sightline refs NAME``: where a symbol is used: called, read, imported, extended."""

from __future__ import annotations

from lsp_server.commands.relations import add_arguments, command_of, users

__all__ = ["HELP", "add_arguments", "run"]

HELP = "where a symbol is used: called, read, imported, extended"

run = command_of(
    lambda graph, symbol: (
        each for each in users(graph, symbol) if each.edge.relation != "contains"
    ),
    "uses",
)
