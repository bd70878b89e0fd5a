"""Symbol graphs over fixture strings, and edges written so that a test can read them."""

from __future__ import annotations

from explorer_core.index.extraction.extract import extract
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge, MemoryFacts, SymbolId
from tests.fixture import Fixture, parse


def facts_of(source: str) -> tuple[MemoryFacts, Fixture]:
    """The facts of every file of a fixture."""
    fixture = parse(source)
    memory = MemoryFacts()
    for path, text in fixture.files.items():
        facts = extract(path, text)
        if facts is not None:
            memory.set(path, facts)
    return memory, fixture


def graph_of(source: str) -> SymbolGraph:
    """The symbol graph of a fixture."""
    return SymbolGraph(facts_of(source)[0])


def label(graph: SymbolGraph, symbol_id: SymbolId) -> str:
    """``path:Qualified.name``, or the path alone for a file."""
    if symbol_id.is_file:
        return symbol_id.path
    return f"{symbol_id.path}:{graph.symbol(symbol_id).qualified_name}"


def show(graph: SymbolGraph, edge: Edge) -> str:
    """``source relation target witness``, with the count of namesakes after a bare name."""
    witness = edge.witness.removeprefix("graph:")
    if witness == "name":
        witness += f"/{edge.namesakes}"
    source, target = label(graph, edge.source), label(graph, edge.target)
    return f"{source} {edge.relation} {target} {witness}"


def one(graph: SymbolGraph, name: str) -> SymbolId:
    """The id of the only symbol of that name, which may be given as ``path:name``."""
    path, _, name = name.rpartition(":")
    found = [s.id for s in graph.find(name) if not path or s.path == path]
    assert len(found) == 1, f"{name}: {[label(graph, f) for f in found]}"
    return found[0]
