"""Symbol graphs over fixture strings, edges in readable form, and the rows that a worker makes."""

from __future__ import annotations

from collections.abc import Iterable

from explorer_core.index.extraction.extract import extract
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.storage.record import Batch
from explorer_core.index.storage.segments import Tables
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.index.workers.analysis import try_record
from explorer_core.index.workers.wire import Task
from tests.fixture import Fixture, parse
from tests.index.memory import MemoryFacts


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
    """A symbol as ``path:Qualified.name``, or as its path alone for a file."""
    if symbol_id.is_file:
        return symbol_id.path
    return f"{symbol_id.path}:{graph.symbol(symbol_id).qualified_name}"


def show(graph: SymbolGraph, edge: Edge) -> str:
    """An edge as ``source relation target witness``; ``name/N`` is by name, among N namesakes."""
    witness = edge.witness.removeprefix("graph:")
    if witness == "name":
        witness += f"/{edge.namesakes}"
    source, target = label(graph, edge.source), label(graph, edge.target)
    return f"{source} {edge.relation} {target} {witness}"


def id_of(graph: SymbolGraph, name: str) -> SymbolId:
    """The id of the only symbol with this name, which may be given as ``path:name``."""
    path, _, name = name.rpartition(":")
    found = [s.id for s in graph.find(name) if not path or s.path == path]
    assert len(found) == 1, f"{name}: {[label(graph, f) for f in found]}"
    return found[0]


def make_batch(tasks: Iterable[Task]) -> Batch:
    """Extract and analyse some files; one that fails is set aside."""
    tables = Tables()
    records = tuple(try_record(task, tables) for task in tasks)
    return Batch(records, tables.blocks())
