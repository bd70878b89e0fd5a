"""Relations of two places in the graph: an edge, or a path through one other symbol."""

from __future__ import annotations

from functools import partial

import pytest

from explorer_core.contracts import Candidate, LineRange, Site
from explorer_core.index.graph import SymbolGraph
from explorer_core.validation.graph_relations import GraphRelations
from tests.index.workspace import graph_of, id_of

SHOP = """
//- shop.py
from stock import FileStock, Stock, log

def order(stock: Stock):
    check(stock)
    stock.take()
    log("ordered")

def check(stock: Stock):
    validate(stock)

def validate(stock: Stock):
    log("validated")

def opened():
    return FileStock("a")

def takes(stock: FileStock): ...

def unpack(crate):
    inspect(crate)

def inspect(crate):
    unpack(crate)
//- stock.py
class Stock:
    def take(self): ...
    def count(self): ...

class FileStock(Stock):
    def __init__(self, path): ...
    def take(self):
        log("taken")

class TinStock(Stock):
    def take(self):
        super().take()

def log(message): ...
"""

RELATIONS: dict[tuple[str, str], tuple[str, str, str] | None] = {
    ("order", "check"): ("calls", "order", ""),
    ("check", "order"): ("calls", "order", ""),
    ("order", "validate"): ("calls", "order", "check"),
    ("validate", "order"): ("calls", "order", "check"),
    # From the caller of an interface member to its implementation.
    ("order", "FileStock.take"): ("calls", "order", "Stock.take"),
    # A call of a supertype's own member does not mean another type's override.
    ("TinStock.take", "Stock.take"): ("calls", "TinStock.take", ""),
    ("TinStock.take", "FileStock.take"): None,
    # A type leads to its constructor, and to no other member.
    ("opened", "FileStock.__init__"): ("calls", "opened", "FileStock"),
    ("opened", "FileStock.take"): None,
    ("takes", "FileStock.__init__"): None,  # names the type only
    # What derives from a type also refers to it, which says less.
    ("FileStock", "Stock"): ("extends", "FileStock", ""),
    ("check", "Stock.count"): None,
    # Both lead to the same symbol, but neither to the other.
    ("check", "opened"): None,
    ("validate", "FileStock.take"): None,
    ("validate", "Stock.take"): None,
}


@pytest.mark.parametrize(("ends", "expected"), RELATIONS.items(), ids=lambda each: str(each))
def test_relation_of_two_places(
    ends: tuple[str, str], expected: tuple[str, str, str] | None
) -> None:
    graph = graph_of(SHOP)
    first, second = (candidate(graph, name, at) for at, name in enumerate(ends, 1))
    hop = GraphRelations(graph, follows_flow=True).between(first, second, ())
    names = {first.id: ends[0], second.id: ends[1]}
    found = (hop.relation, names[hop.from_], "".join(hop.via)) if hop else None
    assert found == expected


@pytest.mark.parametrize("follows_flow", [True, False])
@pytest.mark.parametrize("ends", [("unpack", "inspect"), ("inspect", "unpack")])
def test_hop_between_mutual_callers_follows_the_flow_direction(
    ends: tuple[str, str], follows_flow: bool
) -> None:
    graph = graph_of(SHOP)
    first, second = (candidate(graph, name, at) for at, name in enumerate(ends, 1))
    hop = GraphRelations(graph, follows_flow=follows_flow).between(first, second, ())
    assert hop is not None
    assert (hop.from_, hop.to) == ((first.id, second.id) if follows_flow else (second.id, first.id))


DETOUR = """
//- shop.py
def order(stock):
    if stock.many:
        return order_all(stock)
    return make(stock)

def order_all(stock):
    return build(stock)

def make(stock):
    return build(stock)

def build(stock): ...
"""


@pytest.mark.parametrize(("line", "via"), [(3, "order_all"), (4, "make"), (9, "order_all")])
def test_hop_takes_the_quoted_one_of_several_paths(line: int, via: str) -> None:
    """Fact and arrow once showed two different calls in a place, both of which lead to the next."""
    graph = graph_of(DETOUR)
    first, second = candidate(graph, "order", 1), candidate(graph, "build", 2)
    quoted = (Site(path="shop.py", line=line),)
    hop = GraphRelations(graph, follows_flow=True).between(first, second, quoted)
    assert hop is not None
    assert hop.via == (via,)


EXPORTED = """
//- api.ts
import stock from "./stock.js"
export function order() { return stock.take(1) }
export function hand(use: any) { use(stock) }
//- stock.ts
function take(n: number) {}
function count() {}
export default { take, count }
"""


@pytest.mark.parametrize(
    ("ends", "via"),
    [(("order", "take"), ""), (("order", "count"), None), (("hand", "count"), "default")],
)
def test_reference_to_one_member_does_not_lead_to_another(
    ends: tuple[str, str], via: str | None
) -> None:
    graph = graph_of(EXPORTED)
    first, second = (candidate(graph, name, at) for at, name in enumerate(ends, 1))
    hop = GraphRelations(graph, follows_flow=True).between(first, second, ())
    assert ("".join(hop.via) if hop else None) == via


def test_path_through_a_place_shown_elsewhere_is_no_hop() -> None:
    graph = graph_of(SHOP)
    order, validate, check = map(partial(candidate, graph), ("order", "validate", "check"), "123")
    relations = GraphRelations(graph, follows_flow=True)
    assert relations.between(order, validate) is not None
    assert relations.between(order, validate, (), [check]) is None
    assert relations.between(order, check, (), [validate]) is not None


@pytest.mark.parametrize(
    ("ends", "avoided", "via"),
    [
        (("order", "build"), {"order_all"}, "make"),
        (("order", "build"), {"order_all", "make"}, None),
        (("order", "build"), {"order_all", "make", "order"}, "order_all"),
    ],
)
def test_path_through_an_avoided_symbol_is_no_hop(
    ends: tuple[str, str], avoided: set[str], via: str | None
) -> None:
    graph = graph_of(DETOUR)
    first, second = (candidate(graph, name, at) for at, name in enumerate(ends, 1))
    relations = GraphRelations(
        graph, follows_flow=True, avoid=lambda symbol: symbol.name in avoided
    )
    hop = relations.between(first, second)
    assert ("".join(hop.via) if hop else None) == via


def test_place_that_starts_above_its_symbol_is_related_like_it() -> None:
    """Lines that were read from above a function are still about the function."""
    graph = graph_of(SHOP)
    first, second = candidate(graph, "order", 1), candidate(graph, "check", 2)
    assert first.range is not None
    wide = first.model_copy(update={"range": LineRange(start=1, end=first.range.end)})
    hop = GraphRelations(graph, follows_flow=True).between(wide, second)
    assert hop is not None
    assert (hop.relation, hop.from_, hop.to) == ("calls", first.id, second.id)


def test_deriving_relation_precedes_a_better_known_reference() -> None:
    namespace = "<?php\nnamespace Shop;\n"
    graph = graph_of(
        f"//- a.php\n{namespace}class Trouble extends \\RuntimeException {{}}\n"
        f"//- b.php\n{namespace}class Shortage extends Trouble {{}}\n"
    )
    first, second = candidate(graph, "Shortage", 1), candidate(graph, "Trouble", 2)
    hop = GraphRelations(graph, along=True).between(first, second)
    assert hop is not None
    assert hop.relation == "extends"


WAYS = """
//- client.ts
import { url } from "./urls"
export function list() { return send(url()) }
function send(where: string) {}
//- urls.ts
export function url(other) { return other.named() }
//- server.ts
export class Server { named() {} }
"""


@pytest.mark.parametrize(
    ("end", "witness"),
    [("url", "graph:import"), ("Server.named", "graph:name")],
)
def test_path_has_the_witness_of_its_weakest_edge(end: str, witness: str) -> None:
    graph = graph_of(WAYS)
    first, second = candidate(graph, "list", 1), candidate(graph, end, 2)
    hop = GraphRelations(graph, follows_flow=True).between(first, second)
    assert hop is not None
    assert hop.witness == witness


def candidate(graph: SymbolGraph, name: str, number: int | str) -> Candidate:
    symbol = graph.symbol(id_of(graph, name))
    return Candidate(
        id=f"c{number}",
        path=symbol.path,
        range=symbol.range,
        symbols=(symbol.info,),
    )
