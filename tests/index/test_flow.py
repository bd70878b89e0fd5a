"""The flow spine: a chain of proven steps in call order, and always the same one."""

from __future__ import annotations

from itertools import pairwise
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.spine import STEPS, Spine
from explorer_core.index.symbols import Symbol, SymbolId
from tests.index.workspace import graph_of, id_of

APP = """
//- app/main.py
from .router import Router
from .handlers import show_cart

def serve(request):
    return handle(request)

def handle(request):
    router = Router()
    return router.dispatch(request)

def setup():
    Router().add("/cart", show_cart)
//- app/router.py
class Router:
    def __init__(self):
        self.routes = {}
    def add(self, path, handler): ...
    def dispatch(self, request):
        return self.match(request).run(request)
    def match(self, request) -> "Route":
        return Route(request)
class Route:
    def run(self, request): ...
//- app/handlers.py
from .store import Store
def show_cart(request, store: Store):
    store.load(request)
def unrelated():
    log()
def log(): ...
//- app/store.py
class Store:
    def load(self, key): ...
class FileStore(Store):
    def load(self, key):
        return open_file(key)
def open_file(key): ...
//- tests/test_app.py
from app.main import handle
def test_handle():
    handle(None)
"""

CASES: dict[str, tuple[list[str], list[str]]] = {
    "two seeds are joined by a step that is not a seed": (
        ["handle", "Router.match"],
        ["serve", "handle", "Router.dispatch", "Router.match"],
    ),
    "call of an interface leads to the seeded implementation": (
        ["show_cart", "open_file"],
        ["setup", "show_cart", "FileStore.load", "open_file"],
    ),
    "single seed is preceded by its only caller": (["log"], ["unrelated", "log"]),
}


def step_names(graph: SymbolGraph, spine: Spine) -> list[str]:
    return [graph.symbol(step.symbol).qualified_name for step in spine.steps]


def in_tests(symbol: Symbol) -> bool:
    return symbol.test or symbol.path.startswith("tests/")


@pytest.mark.parametrize("case", CASES)
def test_spine_joins_seeds(case: str) -> None:
    wanted, expected = CASES[case]
    graph = graph_of(APP)
    seeds = {id_of(graph, name): 1.0 for name in wanted}
    assert step_names(graph, find_spine(graph, seeds, avoid=in_tests)) in (expected, expected[1:])


LAYERS = """
//- layers.py
def main():
    serve()
def serve():
    answer()
    tidy_up()
def answer():
    look_up()
def look_up(): ...
def tidy_up(): ...
"""


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (None, ["serve", "answer", "look_up"]),
        ("look_up", ["main", "serve", "answer", "look_up"]),
    ],
)
def test_symptom_has_more_callers_before_it_than_an_entry(
    end: str | None, expected: list[str]
) -> None:
    graph = graph_of(LAYERS)
    seeds = {id_of(graph, "look_up"): 1.0, id_of(graph, "answer"): 0.9}
    spine = find_spine(graph, seeds, end=id_of(graph, end) if end else None)
    assert step_names(graph, spine) == expected


RECURSIVE = """
//- sync.py
def press():
    sync()
def sync():
    exchange()
def exchange():
    upload()
    download()
def upload():
    refresh()
def refresh():
    sync()
def download(): ...
"""


@pytest.mark.parametrize(
    ("best_seed", "expected"),
    [
        ("download", ["sync", "exchange", "download"]),
        ("upload", ["upload", "exchange", "download"]),
    ],
)
def test_recursive_caller_is_not_the_entry_of_a_flow(best_seed: str, expected: list[str]) -> None:
    graph = graph_of(RECURSIVE)
    seeds = {id_of(graph, name): 0.9 for name in ("upload", "exchange", "download")}
    assert step_names(graph, find_spine(graph, {**seeds, id_of(graph, best_seed): 1.0})) == expected


INLINE_TESTS = """
//- src/lib.rs
pub fn parse(text: &str) -> u8 { digit(text) }
fn digit(text: &str) -> u8 { 1 }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn reads() { read("1") }
    fn read(text: &str) { parse(text); }
}
"""


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (["digit"], {"parse", "digit"}),
        (["tests.reads", "digit"], {"tests.reads", "tests.read", "parse", "digit"}),
    ],
)
def test_spine_avoids_inline_tests_unless_seeded(wanted: list[str], expected: set[str]) -> None:
    graph = graph_of(INLINE_TESTS)
    seeds = {id_of(graph, name): 1.0 for name in wanted}
    spine = find_spine(graph, seeds, avoid=in_tests)
    assert {graph.symbol(node).qualified_name for node in spine.nodes} == expected


LONG_PATH = """
//- way.py
from made import Made, Made as Other, reach, reach as get
from passed import got
def first(): second()
def second(): third()
def third(): last()
def last(made: Made):
    again = reach
    LAST
//- passed.py
from made import reach as got
//- made.py
class Made:
    def __init__(self): ...
    def run(self): ...
class Wanted(Made):
    def run(self): ...
def reach(): ...
"""


@pytest.mark.parametrize(
    ("call", "end"),
    [
        ("reach()", "reach"),
        ("get()", "reach"),
        ("got()", "reach"),
        ("again()", "reach"),
        ("Other()", "made.py:Made"),
        ("made.run()", "Made.run"),
    ],
)
def test_last_call_within_path_limit_may_use_an_alias(call: str, end: str) -> None:
    graph = graph_of(LONG_PATH.replace("LAST", call))
    seeds = {id_of(graph, "first"): 1.0, id_of(graph, end): 1.0}
    spine = find_spine(graph, seeds)
    assert step_names(graph, spine)[:: len(spine.steps) - 1] == ["first", end.rpartition(":")[2]]


def test_spine_stops_at_required_end() -> None:
    graph = graph_of(APP)
    end = id_of(graph, "Router.dispatch")
    seeds = {id_of(graph, name): 1.0 for name in ("handle", "Route.run")} | {end: 2.0}
    spine = find_spine(graph, seeds, avoid=in_tests, end=end)
    assert step_names(graph, spine) == ["serve", "handle", "Router.dispatch"]


def test_no_seeds_give_empty_spine() -> None:
    assert find_spine(graph_of(APP), {}) == Spine()


ALL_SYMBOLS = [
    (path, ordinal)
    for path, count in (
        ("app/main.py", 3),
        ("app/router.py", 6),
        ("app/handlers.py", 3),
        ("app/store.py", 5),
    )
    for ordinal in range(count)
]
SEEDS = st.dictionaries(st.sampled_from(ALL_SYMBOLS), st.floats(0.01, 10), max_size=8)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_each_step_is_proven_and_appears_once(weights: dict[tuple[str, int], float]) -> None:
    graph = graph_of(APP)
    ids = {s.id for path, _ in ALL_SYMBOLS for s in graph.symbols_in(path)}
    seeds = {i: w for i in ids if (w := weights.get((i.path, i.ordinal)))}
    spine = find_spine(graph, seeds, avoid=in_tests)
    steps = [step.symbol for step in spine.steps]
    assert len(steps) == len(set(steps)) <= STEPS
    assert set(steps) <= spine.nodes
    assert bool(steps) == bool(seeds)
    for step, following in pairwise(spine.steps):
        edge = step.edge_to_next
        assert edge is not None
        assert step.symbol in (edge.source, edge.target)
        assert step.via or {edge.source, edge.target} == {step.symbol, following.symbol}
        assert edge in graph.outgoing(edge.source)
        assert edge.witness != "graph:name" or edge.namesakes <= 3
    assert find_spine(graph_of(APP), dict(reversed(seeds.items())), avoid=in_tests) == spine


CHAIN = """
//- chain.py
class Interceptor:
    def intercept(self, chain: "Chain"): ...
class Chain:
    def proceed(self): ...
class RealChain(Chain):
    def __init__(self, interceptors, at):
        self.interceptors: Interceptor = interceptors
    def address(self): ...
    def port(self): ...
    def proceed(self):
        return self.interceptors.intercept(self)
class Call:
    def cancel(self): ...
    def enqueue(self): ...
    def execute(self):
        chain = RealChain([Bridge(), Cache(), Connect()], 0)
        return chain.proceed()
class Bridge(Interceptor):
    def intercept(self, chain: Chain):
        return chain.proceed()
class Cache(Interceptor):
    def intercept(self, chain: Chain):
        return chain.proceed()
class Connect(Interceptor):
    def intercept(self, chain: Chain):
        return chain.proceed()
"""


def test_interceptor_chain_enters_only_one_sibling() -> None:
    graph = graph_of(CHAIN)
    seeds = dict.fromkeys(["Call", "RealChain", "Bridge", "Cache", "Connect"], 1.0)
    spine = find_spine(graph, {id_of(graph, name): weight for name, weight in seeds.items()})
    assert step_names(graph, spine) == [
        "Call.execute",
        "RealChain.proceed",
        "Bridge.intercept",
    ]


COLUMN = """
//- a.py
class Pager:
    def draw(self): ...
class Column(Pager):
    def draw(self):
        self.paint()
    def paint(self):
        self.fill()
    def fill(self): ...
    def show(self):
        PAGER.draw(self)
"""


@pytest.mark.parametrize(
    ("receiver", "end"),
    [("pager", "Column.fill"), ("Pager", "Pager.draw"), ("super()", "Pager.draw")],
)
def test_call_through_type_or_super_does_not_lead_to_override(receiver: str, end: str) -> None:
    source = COLUMN.replace("PAGER", receiver).replace("show(self)", "show(self, pager: Pager)")
    graph = graph_of(source.replace("super().draw(self)", "super().draw()"))
    seeds = {"Column.show": 1.0, "Pager.draw": 0.9, "Column.draw": 0.6, "Column.fill": 0.6}
    spine = find_spine(graph, {id_of(graph, name): weight for name, weight in seeds.items()})
    assert step_names(graph, spine)[0] == "Column.show"
    assert step_names(graph, spine)[-1] == end
    lead = find_spine(
        graph, dict.fromkeys([id_of(graph, "Column.draw"), id_of(graph, "Column.fill")], 1.0)
    )
    assert ("Column.show" in step_names(graph, lead)) is (receiver == "pager")


NOTIFIER = """
//- go.mod
module shop
//- api/post.go
package api
type Notifier interface { Notify(text string) }
type API struct { NAME Notifier }
func (a *API) Post(text string) { a.NAME.Notify(text) }
//- stream/stream.go
package stream
type Stream struct {}
func (s *Stream) Notify(text string) { s.write(text) }
func (s *Stream) write(text string) {}
"""


@pytest.mark.parametrize("name", ["Notifier", "Sender"])
def test_field_named_like_its_interface_leads_to_implementation(
    name: str,
) -> None:
    graph = graph_of(NOTIFIER.replace("NAME", name))
    seeds = dict.fromkeys([id_of(graph, "API.Post"), id_of(graph, "Stream.write")], 1.0)
    assert step_names(graph, find_spine(graph, seeds)) == [
        "API.Post",
        "Stream.Notify",
        "Stream.write",
    ]


PLUGINS = """
//- plugins.ts
export interface Plugin { load?: (id: string) => void }
export function run(plugin: Plugin) { plugin.load?.('a') }
//- files.ts
import { Plugin } from './plugins'
export function files(): Plugin {
  return { load: (id) => read(id) }
}
function read(id: string) {}
"""


INJECTED = """
//- Sync.cs
class Sync {
    private readonly IFetch _fetch;
    void Run() { _fetch.Fetch(); }
}
interface IFetch { void Fetch(); }
class Fetcher : IFetch {
    private readonly ISend _send;
    public void Fetch() { _send.Send(); }
}
interface ISend { void Send(); }
class Sender : ISend {
    public void Send() { Write(); }
    void Write() { }
}
"""
SECOND_IMPLEMENTATIONS = """
class Queue : ISend { public void Send() { } }
class Cache : IFetch { public void Fetch() { } }
"""


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ("", ["Sync.Run", "Fetcher.Fetch", "Sender.Send", "Sender.Write"]),
        (
            f"//- tests/Fake.cs{SECOND_IMPLEMENTATIONS}",
            ["Sync.Run", "Fetcher.Fetch", "Sender.Send", "Sender.Write"],
        ),
        (f"//- Second.cs{SECOND_IMPLEMENTATIONS}", ["Sync.Run"]),
    ],
)
def test_interface_with_single_implementation_is_crossed_cheaply(
    others: str, expected: list[str]
) -> None:
    graph = graph_of(INJECTED + others)
    seeds = {id_of(graph, name): 1.0 for name in ("Run", "Write")}
    assert step_names(graph, find_spine(graph, seeds, avoid=in_tests)) == expected


def test_interface_field_leads_to_member_of_object_literal() -> None:
    graph = graph_of(PLUGINS)
    seeds = {id_of(graph, name): 1.0 for name in ("run", "read")}
    assert step_names(graph, find_spine(graph, seeds)) == ["run", "files.load", "read"]


MANY_FUNCTIONS = "\n        ".join(
    f"def other{at}(): first{at}(), second{at}()\n"
    f"        def first{at}(): ...\n"
    f"        def second{at}(): ..."
    for at in range(25)
)
"""Three times 25 functions, more than a search explores."""

HANDLER = """
//- a.py
class Handler:
    def handle(self): ...
def run(handler: Handler):
    handler.handle()
class Keeper(Handler):
    def handle(self):
        keep()
def keep(): ...
"""

DETOUR = """
    //- a.py
    def start():
        recheck()
        fail()
    def recheck(): move()
    def move():
        look()
        place()
    def place():
        look()
        fail()
    def fail(): ...
    def look(): ...
    """

WEIGHTED: dict[str, tuple[str, dict[str, float], list[str]]] = {
    "call of one member of a default export leads to no other member": (
        """
        //- api.ts
        import sync from "./sync.js"
        export function changed() { return sync.records(1) }
        //- sync.ts
        function start() {}
        function records(n: number) { return n }
        export default { start, records }
        """,
        {"changed": 1.0, "start": 0.9},
        ["changed"],
    ),
    "call of a renamed member of a default export leads to it": (
        """
        //- api.ts
        import sync from "./sync.js"
        export function changed() { return sync.again(1) }
        //- sync.ts
        function records(n: number) { return n }
        export default { again: records }
        """,
        {"changed": 1.0, "records": 0.9},
        ["changed", "records"],
    ),
    "object passed as an argument leads to all its members": (
        """
        //- api.ts
        import sync from "./sync.js"
        export function changed() { use(sync) }
        //- sync.ts
        function start() {}
        export default { start }
        """,
        {"changed": 1.0, "start": 0.9},
        ["changed", "start"],
    ),
    "best-weighted overload is reached through another overload": (
        """
        //- Disk.java
        class Disk {
            void removeExpired() { removeExpired(now()); }
            void removeExpired(int when) { delete(when); }
            void removeTooMany() { delete(1); }
            void delete(int at) {}
            int now() { return 1; }
        }
        class Cache {
            Disk disk;
            void clean() {
                disk.removeExpired();
                disk.removeTooMany();
            }
        }
        """,
        {
            "Disk.removeExpired:3": 1.0,
            "Cache.clean": 0.73,
            "Disk.removeTooMany": 0.6,
            "Disk.removeExpired:2": 0.55,
        },
        ["Cache.clean", "Disk.removeExpired:2", "Disk.removeExpired:3"],
    ),
    "best-weighted overload stands for all that pass the flow on": (
        """
        //- disk.swift
        func clean() { remove(); log() }
        func remove() { remove(when: now()); log() }
        func remove(when: Int) { delete(when); log() }
        func delete(_ at: Int) {}
        func now() -> Int { return 1 }
        func log() {}
        """,
        {"remove:3": 1.0, "clean": 0.7, "delete": 0.7},
        ["clean", "remove:3", "delete"],
    ),
    "nested function does not earn the weight of the enclosing one": (
        """
        //- grep.py
        def live_grep(options):
            command = build(options)
            def attach(prompt):
                refine(prompt)
            return pick(command, attach)
        def refine(prompt): ...
        def build(options): ...
        def pick(command, attach): ...
        """,
        {"live_grep": 1.0, "live_grep.attach": 0.31, "refine": 0.33, "build": 0.28},
        ["live_grep", "live_grep.attach", "refine"],
    ),
    "seed is reached though the search limit is exhausted": (
        f"""
        //- a.py
        from z import clean
        def download():
            {"; ".join(f"other{at}()" for at in range(25))}
            clean()
        {MANY_FUNCTIONS}
        //- z.py
        def clean():
            remove()
        def remove(): ...
        """,
        {"download": 1.0, "remove": 0.45},
        ["download", "remove"],
    ),
    "best seed is kept though a heavier chain is in another file": (
        """
        //- a.py
        def ask(): answer()
        def answer(): ...
        //- b.py
        def one(): two()
        def two(): three()
        def three(): ...
        """,
        {"answer": 1.0, "one": 0.9, "two": 0.9, "three": 0.9},
        ["ask", "answer"],
    ),
    "heavier chain in another file wins if the best seed is isolated": (
        """
        //- a.py
        def answer(): ...
        //- b.py
        def one(): two()
        def two(): three()
        def three(): ...
        """,
        {"answer": 1.0, "one": 0.9, "two": 0.9, "three": 0.9},
        ["one", "two", "three"],
    ),
    "heavier chain in the file of the best seed wins": (
        """
        //- a.py
        def ask(): answer()
        def answer(): ...
        def one(): two()
        def two(): three()
        def three(): ...
        """,
        {"answer": 1.0, "one": 0.9, "two": 0.9, "three": 0.9},
        ["one", "two", "three"],
    ),
    "uncalled start is entered by the only call of the overridden method": (
        HANDLER,
        {"Keeper.handle": 1.0, "keep": 0.8},
        ["run", "Keeper.handle", "keep"],
    ),
    "interface method is a step if it outweighs its implementation": (
        HANDLER,
        {"Handler.handle": 1.0, "Keeper.handle": 0.4, "keep": 0.8},
        ["run", "Handler.handle", "Keeper.handle", "keep"],
    ),
    "start with several callers of its own is not entered": (
        """
        //- a.py
        class Handler:
            def handle(self): ...
        def run(handler: Handler):
            handler.handle()
        class Keeper(Handler):
            def handle(self):
                keep()
        def first(keeper: Keeper):
            keeper.handle()
        def second(keeper: Keeper):
            keeper.handle()
        def keep(): ...
        """,
        {"Keeper.handle": 1.0, "keep": 0.8},
        ["Keeper.handle", "keep"],
    ),
    "reference to a type does not lead to references of the type": (
        """
        //- a.py
        class Agent:
            def check(self): ...
            checks = [check]
        class Slow(Agent):
            def check(self):
                wait()
        def wait(): ...
        def show(agents):
            return isinstance(agents, Agent)
        """,
        {"Slow.check": 1.0, "wait": 0.6, "show": 0.9},
        ["Slow.check", "wait"],
    ),
    "reference to a value does not lead to its constructor": (
        """
        //- log.ts
        export class Log {
            constructor() { open(); }
            info(text: string) {}
        }
        function open() {}
        export const log = new Log();
        //- main.ts
        import { log } from "./log";
        function start() { check(log); }
        function check(log) {}
        """,
        {"start": 1.0, "Log.constructor": 0.9, "check": 0.6},
        ["start", "check"],
    ),
    "detour around a direct call is cut if its seeds weigh little": (
        DETOUR,
        {"fail": 1.0, "start": 0.6, "move": 0.25, "place": 0.25},
        ["start", "fail"],
    ),
    "detour around a direct call is kept if its seeds weigh enough": (
        DETOUR,
        {"fail": 1.0, "start": 0.6, "move": 0.5, "place": 0.5},
        ["start", "move", "place", "fail"],
    ),
    "creating an object does not lead to a symbol in the class body (Ruby)": (
        """
        //- a.rb
        class Issue
          validate :check
          def check; end
        end
        class Start
          def run
            Issue.new
          end
        end
        """,
        {"run": 1.0, "check": 0.9},
        ["run"],
    ),
    "creating an object leads to a function in the init block (Kotlin)": (
        """
        //- a.kt
        class Issue {
            init { validate(::check) }
            fun check() {}
        }
        fun run() { Issue() }
        """,
        {"run": 1.0, "check": 0.9},
        ["run", "check"],
    ),
    "local made from a callback is not data and may end the spine": (
        """
        //- app.ts
        export function App() {
            const load = keep(() => { fetchAll(); log(); }, []);
            const limits = sized(() => [1, 2]);
            return { load, limits };
        }
        """,
        {"App": 1.0, "load": 0.7},
        ["App", "load"],
    ),
    "isolated best seed yields to the best connected one": (
        """
        //- a.py
        def answer(): ...
        def one(): two()
        def two(): ...
        """,
        {"answer": 1.0, "one": 0.4, "two": 0.3},
        ["one", "two"],
    ),
}


@pytest.mark.parametrize("case", WEIGHTED)
def test_weights_of_seeds_decide_the_spine(case: str) -> None:
    text, weights, expected = WEIGHTED[case]
    graph = graph_of(dedent(text))
    seeds = {_symbol_named(graph, name): weight for name, weight in weights.items()}
    steps = [step.symbol for step in find_spine(graph, seeds).steps]
    assert steps == [_symbol_named(graph, name) for name in expected]


def _symbol_named(graph: SymbolGraph, name: str) -> SymbolId:
    """The symbol with this name; ``name:line`` chooses one of several."""
    name, _, line = name.partition(":")
    if not line:
        return id_of(graph, name)
    (found,) = (each.id for each in graph.find(name) if each.line == int(line))
    return found


@pytest.mark.parametrize("written", ['.name = "gpu", .draw = draw_frame', '"gpu", draw_frame'])
def test_call_of_struct_field_leads_to_initialising_function(written: str) -> None:
    graph = graph_of(f"""
//- driver.h
struct driver {{ const char *name; int (*draw)(int frame); }};
//- gpu.c
#include "driver.h"
static int draw_frame(int frame) {{ return frame; }}
const struct driver gpu = {{ {written} }};
//- video.c
#include "driver.h"
int show_video(const struct driver *chosen) {{ return chosen->draw(1); }}
""")
    seeds = {id_of(graph, "show_video"): 1.0, id_of(graph, "draw_frame"): 0.9}
    spine = find_spine(graph, seeds)
    step_names = [graph.symbol(step.symbol).name for step in spine.steps]
    assert step_names == ["show_video", "draw_frame"]
    assert spine.steps[0].via == (id_of(graph, "driver.draw"),)
