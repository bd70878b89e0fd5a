"""Edges in both directions, containment, families of overrides, imports, updates after edits."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.families import families_of
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.resolution.resolve import Resolution, Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import SymbolId
from tests.index.memory import MemoryFacts
from tests.index.workspace import facts_of, graph_of, id_of, label, show

SHOP = """
//- shop/__init__.py
from .cart import Cart as Basket
//- shop/cart.py
class Storage:
    def save(self, cart): ...
class Memory(Storage):
    def save(self, cart): ...
class Disk(Storage):
    def save(self, cart):
        return super().save(cart)
class Cart:
    def __init__(self, storage: Storage):
        self.storage = storage
    def checkout(self):
        self.storage.save(self)
//- shop/views.py
from . import Basket
from .hooks import register, traced

@traced
def checkout(request):
    Basket(None).checkout()

HANDLERS = {"checkout": checkout}
register(checkout)
//- shop/hooks.py
def register(handler): ...
def traced(function): ...
"""


def incoming_edges(graph: SymbolGraph, name: str) -> list[str]:
    return [show(graph, e) for e in graph.incoming(id_of(graph, name)) if e.relation != "contains"]


def test_calls_are_found_from_both_ends() -> None:
    graph = graph_of(SHOP)
    assert incoming_edges(graph, "Cart.checkout") == [
        "shop/views.py:checkout calls shop/cart.py:Cart.checkout type"
    ]
    caller, callee = id_of(graph, "views.checkout"), id_of(graph, "Cart.checkout")
    assert graph.between(caller, callee) == graph.between(callee, caller)
    assert len(graph.between(caller, callee)) == 1


def test_an_alias_is_followed_to_the_definition() -> None:
    found = incoming_edges(graph_of(SHOP), "Cart")
    assert "shop/views.py:checkout calls shop/cart.py:Cart import" in found
    assert "shop/__init__.py imports shop/cart.py:Cart import" in found
    assert "shop/views.py imports shop/cart.py:Cart import" in found


def test_function_passed_or_put_in_a_table_is_referenced() -> None:
    found = [e for e in incoming_edges(graph_of(SHOP), "views.checkout") if "references" in e]
    assert found == [
        "shop/views.py:HANDLERS references shop/views.py:checkout scope",
        "shop/views.py references shop/views.py:checkout scope",
    ]


def test_a_decorator_is_referenced() -> None:
    assert any("references" in edge for edge in incoming_edges(graph_of(SHOP), "traced"))


ATTRIBUTES = """
//- src/lib.rs
pub fn long() -> u32 { 4 }
#[derive(Args)]
pub struct Config {
    #[arg(long, default_value = "x")] pub flag: u32,
    #[arg(long = "lang")] pub key: u32,
    #[arg(value_parser = long)] pub parsed: u32,
    #[check(long(min = 1))] pub nested: u32,
    #[check(custom(function = long))] pub checked: u32,
    #[apply(long, other!)] pub told: u32,
}
#[long] pub fn named() {}
#[cfg(all(unix, not(long)))] #[made::traced] pub fn conditional() {}
//- made/Cargo.toml
[package]
name = "made"
//- made/src/lib.rs
#[proc_macro_attribute]
pub fn traced(given: TokenStream, item: TokenStream) -> TokenStream { item }
"""


@pytest.mark.parametrize(
    ("name", "users"),
    [("long", ["Config.checked", "Config.parsed", "Config.told"]), ("traced", ["conditional"])],
)
def test_an_attribute_refers_to_values_and_macros_not_to_its_own_words(
    name: str, users: list[str]
) -> None:
    graph = graph_of(ATTRIBUTES)
    edges = [e for e in graph.incoming(id_of(graph, name)) if e.relation != "contains"]
    assert sorted(label(graph, e.source) for e in edges) == [f"src/lib.rs:{u}" for u in users]


def test_overrides_and_subtypes_of_a_base_class() -> None:
    graph = graph_of(SHOP)
    base = id_of(graph, "Storage.save")
    assert [show(graph, e) for e in graph.overridden_by(base)] == [
        "shop/cart.py:Memory.save overrides shop/cart.py:Storage.save type",
        "shop/cart.py:Disk.save overrides shop/cart.py:Storage.save type",
    ]
    assert [e.target for e in graph.overrides(id_of(graph, "Disk.save"))] == [base]
    assert len(graph.subtypes(id_of(graph, "Storage"))) == 2
    assert [e.target for e in graph.supertypes(id_of(graph, "Disk"))] == [id_of(graph, "Storage")]


@pytest.mark.parametrize(
    ("call", "users"),
    [
        # Uses of a member include those of what it overrides, transitively.
        ("tap.shut()", ["use.py:Tube.turn", "use.py:run"]),
        # A call through `super` means only the supertype's member.
        ("super().shut()", ["use.py:run"]),
        # So does a call that names the type.
        ("Tap.shut(self)", ["use.py:run"]),
    ],
)
def test_uses_include_calls_of_overridden_members(call: str, users: list[str]) -> None:
    graph = graph_of(f"""
    //- use.py
    class Valve:
        def shut(self): ...
    class Tap(Valve):
        def shut(self): ...
    class Hot(Tap):
        def shut(self): ...
    class Tube(Tap):
        def turn(self, tap: Tap):
            {call}
    def run(valve: Valve):
        valve.shut()
    """)
    edges = graph.uses_through(id_of(graph, "Hot.shut"))
    assert sorted(label(graph, edge.source) for edge in edges) == users


def test_families_follow_written_order_of_supertypes() -> None:
    graph = graph_of("""
        //- a.py
        class First: ...
        class Second: ...
        class Third: ...
        class Fourth: ...
        class Fifth: ...
        class Sixth: ...
        class All(Fourth, First, Sixth, Third, Fifth, Second): ...
    """)
    heads = [graph.symbol(family.head).name for family in families_of(graph, id_of(graph, "All"))]
    assert heads == ["Fourth", "First", "Sixth", "Third", "Fifth", "Second"]


def test_go_methods_override_those_of_implicit_interface() -> None:
    graph = graph_of("""
        //- a.go
        package a
        type Store interface {
            Load() int
            Save()
        }
        type Disk struct{}
        func (d *Disk) Load() int { return 1 }
        func (d *Disk) Save() {}
        type Half struct{}
        func (h *Half) Save() {}
    """)
    assert [show(graph, e) for e in graph.overridden_by(id_of(graph, "Store.Save"))] == [
        "a.go:Disk.Save overrides a.go:Store.Save type"
    ]


@pytest.mark.parametrize(
    ("method", "overrides"),
    [
        ("Put(conn Conn, row *Row) error", True),
        ("Put(from Conn, _ *Row) (err error)", True),
        ("Put(row *Row) error", False),
        ("Put(conn Conn, row *Row)", False),
        ("Put(conn Conn, row *Conn) error", False),
        # an alias may be the same type
        ("Put(conn Conn, row *Line) error", True),
        # and so may an external type
        ("Put(conn Conn, row *db.Entry) error", True),
    ],
)
def test_go_method_must_match_signature_in_interface(method: str, overrides: bool) -> None:
    graph = graph_of(f"""
        //- a.go
        package a
        type Conn struct{{}}
        type Row struct{{}}
        type Line = Row
        type Store interface {{
            Put(conn Conn, row *Row) error
            Close()
        }}
        type Disk struct{{}}
        func (d *Disk) {method} {{ return nil }}
        func (d *Disk) Close() {{}}
    """)
    found = graph.overrides(id_of(graph, "Disk.Put")), graph.overrides(id_of(graph, "Disk.Close"))
    assert [len(each) for each in found] == [overrides, overrides]


def test_importers_and_imports_mirror_each_other() -> None:
    graph = graph_of(SHOP)
    assert {e.path for e in graph.importers("shop/cart.py")} == {
        "shop/__init__.py",
        "shop/views.py",
    }
    for edge in graph.importers("shop/hooks.py"):
        assert edge in graph.imports(edge.path)


def test_find_takes_simple_and_dotted_names() -> None:
    graph = graph_of(SHOP)
    assert {s.qualified_name for s in graph.find("save")} == {
        "Storage.save",
        "Memory.save",
        "Disk.save",
    }
    assert [s.path for s in graph.find("shop.views.checkout")] == ["shop/views.py"]
    assert graph.find("Checkout") == []


def test_enclosing_is_the_innermost_definition() -> None:
    memory, fixture = facts_of("""
        //- a.py
        class A:
            def f(self):
                def g():
                    <|>pass
            <|>x = 1
        <|>y = 2
    """)
    graph = SymbolGraph(memory)
    found = [graph.enclosing(path, line) for path, line, _ in fixture.cursors]
    assert [s and s.qualified_name for s in found] == ["A.f.g", "A.x", "y"]


DEFAULT_EXPORTS = """
//- package.json
{"name": "kit"}
//- tsconfig.json
{"compilerOptions": {"paths": {"@basket": ["./lib/cart.ts"]}}}
//- index.ts
export default function start() {}
//- lib/index.ts
export default function make() {}
//- lib/cart.ts
export default class Cart { add() {} }
//- lib/again.ts
export { default as Basket } from "./cart.js"
//- lib/same.ts
export { default } from "./cart"
//- lib/nameless.ts
export default { run() {} }
//- lib/up.ts
import above from ".."
import here from "."
export const up = () => [above(), here()]
//- use.ts
import make from "./lib"
import Cart from "./lib/cart.js"
import { Basket } from "./lib/again"
import Same from "./lib/same"
import At from "@basket"
import kit from "kit"
import nameless from "./lib/nameless.js"
class Big extends Same {}
export async function use() {
  const later = await import("./lib")
  later.default()
  make()
  kit()
  nameless.run()
  new Cart()
  new Basket()
  new Same()
  new At()
}
//- old/basket.js
class Basket {}
module.exports = Basket
//- old/nameless.js
module.exports = () => {}
//- old/use.js
const Cart = require("./basket")
const named = require("./nameless")
exports.use = () => {
  named()
  return new Cart()
}
//- other.ts
export default class Other {}
//- users/other.ts
import Other from "../other"
export { Other as Another }
"""


@pytest.mark.parametrize("fixture", [SHOP, DEFAULT_EXPORTS], ids=["shop", "defaults"])
def test_every_outgoing_edge_is_someone_elses_incoming_edge(fixture: str) -> None:
    memory, _ = facts_of(fixture)
    graph = SymbolGraph(memory)
    for path in sorted(memory.paths()):
        for symbol_id in [SymbolId(path, -1), *(s.id for s in graph.symbols_in(path))]:
            for edge in graph.outgoing(symbol_id):
                assert edge in graph.incoming(edge.target), show(graph, edge)


@pytest.mark.parametrize(
    ("name", "times"),
    [("start", 2), ("make", 3), ("Cart", 4), ("default.run", 1), ("Other", 0), ("exports", 1)],
)
def test_default_export_is_called_where_it_is_imported(name: str, times: int) -> None:
    graph = graph_of(DEFAULT_EXPORTS)
    edges = graph.incoming(id_of(graph, name))
    assert sum(edge.relation == "calls" and not edge.is_by_name for edge in edges) == times


def test_default_export_is_not_known_by_alias_of_another() -> None:
    graph = graph_of(DEFAULT_EXPORTS)
    assert "Basket" in graph.names_of(id_of(graph, "lib/cart.ts:Cart"))
    assert "Basket" not in graph.names_of(id_of(graph, "Other"))


VERSIONS = {
    "a.py": ["from b import f\ndef use():\n    f()\n", "def f(): ...\ndef use():\n    f()\n", None],
    "b.py": ["def f(): ...\n", "from c import f\n", "class f:\n    pass\n", None],
    "c.py": ["def f(): ...\n", "import a\nclass G(a.f):\n    pass\n", None],
    "pkg/__init__.py": ["", None],
    "pkg/b.py": ["from b import f as g\ndef go(x: 'f'):\n    g()\n", None],
    "kit/package.json": ['{"name": "kit"}', '{"name": "tool"}', None],
    "config.json": [
        '{"compilerOptions": {"paths": {"tool": ["kit"]}}}',
        '{"compilerOptions": {"paths": {"kit": ["kit"]}}}',
        None,
    ],
    "kit/index.ts": ["export function cut() {}\n", None],
    "kit/kit.go": ["package kit\nfunc Cut() {}\n", None],
    "a.go": ['package main\nimport "acme.org/tools/kit"\nfunc use() { kit.Cut() }\n', None],
    "b.go": ["package main\nfunc b() {}\n", 'package main\nimport "elsewhere.org/a/kit"\n', None],
    "Package.swift": [
        'let p = Package(name: "p", targets: [.target(name: "Kit", path: "kit/swift")])\n',
        'let p = Package(name: "p", targets: [.target(name: "Tool", path: "kit/swift")])\n',
        None,
    ],
    "kit/swift/cut.swift": ["func cut() {}\n", None],
    "Sources/Shop/main.swift": ["import Kit\nfunc use() { cut() }\n", None],
    "main.ts": [
        "import { cut } from 'kit'\nexport function use() { cut() }\n",
        "import { cut } from 'tool'\nexport function use() { cut() }\n",
    ],
}
EDITS = st.lists(
    st.sampled_from([(path, i) for path, texts in VERSIONS.items() for i in range(len(texts))]),
    max_size=12,
)


def all_edges(graph: SymbolGraph, memory: MemoryFacts) -> list[str]:
    return [
        show(graph, edge)
        for path in sorted(memory.paths())
        for symbol_id in [SymbolId(path, -1), *(s.id for s in graph.symbols_in(path))]
        for edge in [*graph.outgoing(symbol_id), *graph.incoming(symbol_id)]
    ]


def test_held_graph_is_unaffected_by_later_changes() -> None:
    memory = MemoryFacts()
    for path, versions in VERSIONS.items():
        if (text := versions[0]) is not None and (facts := extract(path, text)) is not None:
            memory.set(path, facts)
    held = SymbolGraph(memory)
    edges_before = all_edges(held, memory)
    assert edges_before
    for path in sorted(memory.paths()):
        memory.discard(path)
        assert all_edges(held.after([path]), memory) == all_edges(SymbolGraph(memory), memory)
    assert [show(held, edge) for edge in held.outgoing(SymbolId(min(VERSIONS), -1))]
    assert all(held.symbol(SymbolId(path, 0)) for path in VERSIONS if VERSIONS[path][0])


@given(EDITS)
@example([("kit/index.ts", 0), ("main.ts", 0), ("kit/package.json", 0), ("kit/package.json", 1)])
@example([("kit/index.ts", 0), ("main.ts", 1), ("config.json", 0), ("config.json", 1)])
@example([("kit/kit.go", 0), ("b.go", 0), ("a.go", 0), ("b.go", 1)])
@example([("kit/swift/cut.swift", 0), ("Sources/Shop/main.swift", 0), ("Package.swift", 0)])
@settings(max_examples=60, deadline=None)
def test_updated_graph_equals_fresh_graph_after_edits(edits: list[tuple[str, int]]) -> None:
    memory = MemoryFacts()
    graph = SymbolGraph(memory)
    for path, version in edits:
        text = VERSIONS[path][version]
        facts = None if text is None else extract(path, text)
        if facts is None:
            memory.discard(path)
        else:
            memory.set(path, facts)
        graph = graph.after([path])
        assert all_edges(graph, memory) == all_edges(SymbolGraph(memory), memory)


def test_reference_that_fails_to_resolve_affects_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    resolve = Resolver._resolve

    def resolve_endlessly(
        self: Resolver, table: FileTable, reference: Reference
    ) -> Resolution | None:
        return (
            resolve_endlessly(self, table, reference)
            if reference.name == "a"
            else resolve(self, table, reference)
        )

    monkeypatch.setattr(Resolver, "_resolve", resolve_endlessly)
    graph = graph_of("//- m.py\ndef a(): pass\ndef b(): pass\ndef c():\n    a()\n    b()\n")
    edges = graph.outgoing(SymbolId("m.py", 2))
    assert [label(graph, edge.target) for edge in edges] == ["m.py:b"]
    assert "m.py:4: a" in caplog.text


PLAYER = """
//- Controls.vue
<template><button @click="press">{{ label }}</button></template>
<script setup lang="ts">
const press = () => 1
</script>
//- Player.vue
<script setup lang="ts">
import Controls from './Controls.vue'
</script>
<template>
  <Controls :song="song"/>
</template>
//- plugins/keys.client.ts
export default {
  navigateTo() {}
}
"""


def test_component_references_components_in_its_template() -> None:
    graph = graph_of(PLAYER)
    edges = graph.outgoing(id_of(graph, "Player.vue:template"))
    assert [show(graph, edge) for edge in edges] == [
        "Player.vue:template references Controls.vue:template import"
    ]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Controls", ["Controls.vue:template"]),
        ("Controls.press", ["Controls.vue:press"]),
        ("keys.client", ["plugins/keys.client.ts:default"]),
        ("keys.client.navigateTo", ["plugins/keys.client.ts:default.navigateTo"]),
    ],
)
def test_unnamed_export_is_found_by_file_name(name: str, found: list[str]) -> None:
    graph = graph_of(PLAYER)
    assert [label(graph, symbol.id) for symbol in graph.find(name)] == found


@pytest.mark.parametrize("name", ["toUrl", "Urls.toUrl", "String.toUrl", "Urls.String.toUrl"])
def test_extension_within_a_type_is_found_by_either_type(name: str) -> None:
    graph = graph_of("//- a.kt\nobject Urls { fun String.toUrl() {} }\n")
    assert [label(graph, symbol.id) for symbol in graph.find(name)] == ["a.kt:Urls.toUrl"]


ROUTES = """
//- app.js
const { find } = require("./users");
app.get("/users.json", (req, res) => { res.json(find()); });
//- users.js
function find() {}
module.exports = { find };
"""


def test_anonymous_callback_is_found_by_its_call_with_uses() -> None:
    graph = graph_of(ROUTES)
    (route,) = graph.find('app.get("/users.json")')
    assert [show(graph, edge) for edge in graph.uses(route.id)] == [
        'app.js:app.get("/users.json") calls users.js:find import'
    ]
    assert not route.exported


OUT_OF_CLASS = """
//- down.h
class Timer { public: void timeout(); };
class Down { public: Down(); ~Down(); void job(); };
//- down.cpp
#include "down.h"
Down::Down() { connect(new Timer, &Timer::timeout, this, &Down::job); }
PUBLIC_API Down::~Down() {}
void Down::job() {}
"""


def test_out_of_class_constructor_is_member_and_contains_nothing() -> None:
    graph = graph_of(OUT_OF_CLASS)
    kinds = {(s.name, s.kind) for path in ("down.h", "down.cpp") for s in graph.symbols_in(path)}
    assert {("Down", "class"), ("Down", "constructor"), ("~Down", "constructor")} < kinds
    assert not {("Down", "method"), ("~Down", "method")} & kinds
    (class_id,) = (s.id for s in graph.find("Down") if s.kind == "class")
    inside = [label(graph, edge.target) for edge in graph.contained(class_id)]
    assert inside == [
        *("down.h:Down.Down", "down.cpp:Down.Down", "down.h:Down.~Down", "down.cpp:Down.~Down"),
        "down.h:Down.job",
    ]
    constructor = id_of(graph, "down.cpp:Down")
    assert [
        show(graph, edge) for edge in graph.between(constructor, id_of(graph, "down.cpp:Down.job"))
    ] == ["down.cpp:Down.Down references down.cpp:Down.job type"]
    assert not [*graph.contained(constructor)]
