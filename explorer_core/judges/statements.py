"""What an edge proves, in one plain sentence. Never more than that."""

from __future__ import annotations

from collections.abc import Sequence

from explorer_core.contracts import Candidate, Relation
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge, Symbol, SymbolId

_VERBS: dict[Relation, str] = {
    "calls": "calls",
    "references": "refers to",
    "imports": "imports",
    "extends": "extends",
    "implements": "implements",
    "overrides": "overrides",
    "contains": "contains",
}


def of_edge(
    graph: SymbolGraph,
    edge: Edge,
    via: Sequence[SymbolId] = (),
    overriding: SymbolId | None = None,
) -> str:
    """The sentence for an edge, what it leads to through ``via``, and what overrides its target."""
    source, target = graph.symbol(edge.source), graph.symbol(edge.target)
    said = f"{called(source)} {_VERBS[edge.relation]} {_called_beside(target, source)}"
    if edge.witness == "graph:name" and edge.namesakes == 2:
        said += " or another of that name"
    elif edge.witness == "graph:name" and edge.namesakes > 2:
        said += f" or one of {edge.namesakes - 1} others of that name"
    elif edge.witness == "graph:name":
        said += ", going by the name"
    if overriding is not None:
        said += f", which {called(graph.symbol(overriding))} overrides"
    beyond = [called(graph.symbol(each)) for each in via if each not in (edge.source, edge.target)]
    if beyond:
        said += f", and goes on through {' and '.join(beyond)}"
    return said + "."


def of_definition(symbol: Symbol) -> str:
    """The sentence for a definition that no edge of the flow starts from."""
    article = "an" if symbol.kind[0] in "aeiou" else "a"
    return f"{called(symbol)} is {article} {symbol.kind} defined here."


def of_place(candidate: Candidate, symbol: Symbol | None) -> str:
    """What a place shows: a definition, a part of it, or terms; empty if none is known."""
    if symbol is None or candidate.range is None:
        terms = candidate.evidence.matched_terms
        return f"text that matches {_listed(terms)}" if terms else ""
    whole = len(candidate.range) >= len(symbol.range)
    return called(symbol) if whole else f"part of {called(symbol)}"


def of_window(terms: Sequence[str]) -> str:
    """The sentence for text outside of definitions."""
    return f"Text that matches {_listed(terms)}."


def called(symbol: Symbol) -> str:
    """A symbol's name as a reader would say it: with its type, without the whole path to it."""
    return f"`{'.'.join(symbol.qualified_name.split('.')[-2:])}`"


def _called_beside(symbol: Symbol, other: Symbol) -> str:
    """`called`, told from another symbol that may have the same name or be the same."""
    if symbol.id == other.id:
        return "itself"
    name = called(symbol)
    return f"another {name}" if name == called(other) else name


def _listed(terms: Sequence[str]) -> str:
    return ", ".join(f"`{term}`" for term in terms[:4])
