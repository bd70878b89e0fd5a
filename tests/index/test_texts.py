"""Edges from texts: dotted paths to a definition, and addresses to the function that answers."""

from __future__ import annotations

import pytest

from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.judges.statements import of_edge, of_target
from tests.fixture import parse
from tests.index.workspace import graph_of, id_of, label


def edges_by_text(source: str) -> list[str]:
    """A fixture's edges by name or address, once each. Checks that both ends of an edge agree."""
    graph, paths = graph_of(source), list(parse(source).files)
    symbols = [symbol.id for path in paths for symbol in graph.symbols_in(path)]
    tops = [SymbolId(path, TOP) for path in paths]
    out = {e for each in (*symbols, *tops) for e in graph.outgoing(each) if _is_by_name(e)}
    into = {e for each in symbols for e in graph.incoming(each) if _is_by_name(e)}
    assert out == into
    return sorted({_shown(graph, edge) for edge in out})


def _is_by_name(edge: Edge) -> bool:
    return edge.relation == "references" and edge.witness == "graph:name"


def _shown(graph: SymbolGraph, edge: Edge) -> str:
    how = "address" if graph.goes_by_address(edge) else "name"
    return f"{label(graph, edge.source)} {how} {label(graph, edge.target)}"


def check(source: str, *expected: str) -> None:
    assert edges_by_text(source) == sorted(expected)


MANIFEST = """
//- app/Shop.java
package shop.app;
class Shop {
    static class Till {}
}
//- other/Shop.java
package shop.other;
class Shop {}
//- manifest.xml
<manifest>
  <application android:name="%s" />
</manifest>
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop.app.Shop", ["app/Shop.java:Shop"]),
        ("shop.app.Shop.Till", ["app/Shop.java:Shop.Till"]),
        ("shop.Shop", []),
        ("app.Shop", []),
        ("shop.app.Cart", []),
    ],
)
def test_text_in_markup_is_a_fully_qualified_type(text: str, expected: list[str]) -> None:
    graph = graph_of(MANIFEST % text)
    edges = graph.outgoing(SymbolId("manifest.xml", TOP))
    assert [label(graph, edge.target) for edge in edges] == expected
    assert all(edge in graph.incoming(edge.target) and not edge.is_by_name for edge in edges)


ROUTES = """
//- app/carts_controller.rb
class CartsController
  def show
  end
  def fill!
    step = Step.new
  end
end
//- app/admin/items_controller.rb
module Admin
  class ItemsController
    def index
    end
  end
end
//- config/routes.rb
draw do
  get "/carts/:id" => "carts#show"
end
"""
SHOWN = "config/routes.rb name app/carts_controller.rb:CartsController.show"
FILLED = "config/routes.rb name app/carts_controller.rb:CartsController.fill!"
LISTED = "config/routes.rb name app/admin/items_controller.rb:Admin.ItemsController.index"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("carts#show", [SHOWN]),
        ("carts#fill!", [FILLED]),
        ("carts_controller#show", [SHOWN]),
        ("admin/items#index", [LISTED]),
        ("items#index", [LISTED]),
        ("other/items#index", []),  # the leading parts have to match, too
        ("items/admin#index", []),
        ("cart#show", []),
        ("carts#missing", []),
        ("carts#step", []),  # a local variable is not visible elsewhere
        ("carts/show", []),  # not a separator before a member in this language
        ("the carts#show", []),
        ("#show", []),
        ("Admin::ItemsController", [LISTED.replace(".index", "")]),
    ],
)
def test_controller_path_in_a_text(text: str, expected: list[str]) -> None:
    check(ROUTES.replace("carts#show", text), *expected)


def test_ambiguous_controller_path_has_no_edge() -> None:
    other = "//- app/old/carts_controller.rb\nclass CartsController\n  def show\n  end\nend\n"
    check(ROUTES + other)


STORE = """
//- store/users.js
export const getters = {
  named: (state) => state.name
}
export const actions = {
  load(context) {
    context.done = true
  }
}
function load() {}
//- store/index.js
export function reset() {}
//- page.js
// 'users/load'
export function open(store) {
  TEXT
}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("store.dispatch('users/reset')", []),
        ("store.commit('store/reset')", ["page.js:open name store/index.js:reset"]),
        ("return store.getters['users/named']", ["page.js:open name store/users.js:getters.named"]),
        ("store.dispatch('users/load')", []),  # ambiguous: there are two
        ("store.dispatch(`users/named`)", ["page.js:open name store/users.js:getters.named"]),
        ("store.dispatch(`users/${which}`)", []),
    ],
)
def test_path_to_a_member_of_a_file(text: str, expected: list[str]) -> None:
    check(STORE.replace("TEXT", text), *expected)


TASKS = """
//- shop/__init__.py
//- shop/tasks.py
from shop.mails import send
class Job:
    def run(self): ...
def fill(cart): ...
//- shop/mails.py
def send(to): ...
//- settings.py
def start(queue):
    '''Runs "shop.tasks.fill".'''
    queue.put("TEXT")
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop.tasks.fill", "shop/tasks.py:fill"),
        ("shop.tasks:fill", "shop/tasks.py:fill"),
        ("shop.tasks:Job", "shop/tasks.py:Job"),
        ("shop.tasks.Job.run", "shop/tasks.py:Job.run"),
        ("shop.tasks.send", "shop/mails.py:send"),  # re-exported by an import
        ("tasks.fill", ""),  # not a path that an import could have
        ("shop.tasks.missing", ""),
        ("other.tasks.fill", ""),
    ],
)
def test_importable_dotted_path(text: str, expected: str) -> None:
    check(
        TASKS.replace("TEXT", text), *([f"settings.py:start name {expected}"] if expected else [])
    )


ORDERS = """
//- server/orders.js
class Orders {
  show(request) { return request.id }
  cancel(request) { return request.id }
  allow(request, next) { next() }
}
export default new Orders()
//- server/routes.js
import orders from './orders.js'
class Routes {
  init() {
    this.router.get('/orders/:id/lines', orders.allow.bind(this), orders.show.bind(this))
    this.router.delete('/orders/:id/lines', orders.cancel.bind(this))
    this.router.get('/orders', (request) => this.list(request, orders.cancel))
  }
}
//- client/page.js
export function open(http, id, more) {
  ASKED
}
"""
SHOW = "client/page.js:open address server/orders.js:Orders.show"
CANCEL = "client/page.js:open address server/orders.js:Orders.cancel"


@pytest.mark.parametrize(
    ("asking_call", "expected"),
    [
        ("http.get(`/api/orders/${id}/lines`)", [SHOW]),
        ("http.$delete(`/api/orders/${id}/lines?all=${more}`)", [CANCEL]),
        ("http.get('/orders/' + id + '/lines')", [SHOW]),
        ("http.get(BASE + '/orders/' + id + '/lines')", [SHOW]),
        ("http.get(`${BASE}orders/${id}/lines`)", [SHOW]),
        ("http.get(`http://${HOST}/orders/${id}/lines`)", [SHOW]),
        ("http.get('/orders/7/lines')", [SHOW]),
        ("http.get('/orders/mine/lines')", [SHOW]),
        ("http.post(`/api/orders/${id}/lines`)", []),  # ambiguous: it may mean either
        ("http.get(`/api/orders/${id}`)", []),
        ("http.get(`/api/${more}/${id}/lines`)", []),  # only one part, and a common one
        ("http.get(`/api/carts/${id}/lines`)", []),
        ("http.get(`https://other.org/orders/${id}/lines`)", []),
        ("http.get(`orders/${id}/lines`)", [SHOW]),
        ("http.get('/api/orders')", []),  # an anonymous function answers there
        ("this.router.get(`/orders/${id}/lines`, http.missing)", [SHOW]),
    ],
)
def test_address_leads_to_registered_function(asking_call: str, expected: list[str]) -> None:
    check(ORDERS.replace("ASKED", asking_call), *expected)


def test_address_registered_with_unknown_function_has_no_edge() -> None:
    more = "    this.router.get('/old/orders/:id/lines', missing)\n  }"
    check(ORDERS.replace("  }\n}\n//- client", f"{more}\n}}\n//- client").replace("ASKED", ""))


GROUPS = """
//- app.go
package app
func routes(m *Router) {
	m.Group("/users", func() {
		m.Get("/{id}/keys", listKeys)
		m.Get("/keys/all", all)
	})
	m.Group("/groups", func() {
		m.Get("/{id}/keys", all)
	})
}
func listKeys() {}
func all() {}
func Users(m *Router) { m.Group("/people/list", more) }
func more(m *Router) { m.Get("/in/more", all) }
//- page.ts
export const keys = (id: string) => fetch(`/api/users/${id}/keys`)
export const people = () => fetch('/people/list')
"""


def test_address_with_prefix_of_a_group() -> None:
    check(GROUPS, "page.ts:keys address app.go:listKeys")


ANNOTATED = """
//- server.py
router = APIRouter(prefix="/shop/carts")
@router.get("/{cart_id}/items")
def items(cart_id): ...
@router.get("/{cart_id}")
def one(cart_id): ...
@cases([given("/shop/other")])
def test_it(): ...
//- Carts.java
@Controller("/store/carts")
class Carts {
  @Get("{id}/items") String items() { return ""; }
}
//- page.ts
export const items = (id: string) => `/api/shop/carts/${id}/items`
export const one = (id: string) => `/api/shop/carts/${id}`
export const stored = (id: string) => `/api/store/carts/${id}/items`
export const other = () => fetch("/shop/other")
"""


def test_address_in_decorator_or_annotation() -> None:
    check(
        ANNOTATED,
        "page.ts:items address server.py:items",
        "page.ts:one address server.py:one",
        "page.ts:stored address Carts.java:Carts.items",
    )


def test_text_without_leading_slash_is_address_between_languages_only() -> None:
    source = """
    //- server.go
    package server
    func routes(m *Router) { m.Get("/cart/list", show) }
    func show() { render("cart/list") }
    //- page.ts
    export const show = () => call({ path: 'cart/list' })
    """
    check(source, "page.ts:show address server.go:show")


@pytest.mark.parametrize("client_member", ["get", "fetch"])
def test_anonymous_handler_needs_the_same_member_name(client_member: str) -> None:
    source = f"""
    //- app.js
    app.get('/carts/:id/items', (request) => {{
      request.done = true
    }})
    //- page.js
    export const items = (http, id) => http.{client_member}(`/carts/${{id}}/items`)
    """
    answers = "page.js:items address app.js:app.get('/carts/:id/items')"
    check(source, *([answers] if client_member == "get" else []))


def test_statements_about_an_address_edge() -> None:
    graph = graph_of(ORDERS.replace("ASKED", "http.get(`/orders/${id}/lines`)"))
    (shown,) = (s for s in graph.find("show"))
    (edge,) = (e for e in graph.incoming(shown.id) if _is_by_name(e))
    assert of_edge(graph, edge) == "`open` refers to `Orders.show`, judging by the address."
    assert of_target(graph, [edge]) == (
        "`Orders.show` is referred to by `open`, judging by the address."
    )


@pytest.mark.parametrize("folder", ["client", "server"])
def test_flow_follows_address_from_client_to_server(folder: str) -> None:
    source = f"""
    //- server/app.py
    @router.post("/users/keys")
    def keep(key): check(key)
    def check(key): note(key)
    def note(key): log(key)
    //- {folder}/page.js
    export function open(http, key) {{
      http.send('/users/keys', key)
    }}
    """
    graph = graph_of(source)
    ends = id_of(graph, "open"), id_of(graph, "note")
    spine = find_spine(graph, dict.fromkeys(ends, 1.0))
    names = [graph.symbol(step.symbol).name for step in spine.steps]
    assert (names[0] == "open") == (folder == "client")
    assert names[-1] == "note"


def test_texts_in_comments_and_imports_are_no_addresses() -> None:
    facts = extract("a.ts", "import x from 'a/b'\n// '/c/d'\nconst e = \"'/f/g'\"\n")
    assert facts is not None
    assert facts.addresses == ()


LISTED = """
//- Check.php
<?php
class Check {
    public function run() { $this->all(%s); }
    private function name() {}
    private function lock() {}
    private function all($names) { foreach ($names as $each) { $this->$each(); } }
}
class Other { public function email() {} }
"""


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("array('name', 'lock')", ["lock", "name"]),
        ('["name", "lock", ]', ["lock", "name"]),
        ("[Event::ONE => 'name', self::TWO => ['lock', -10]]", ["lock", "name"]),
        ("[Event::ONE => 'name']", ["name"]),
        ("['name', 'email']", []),
        ("['name', 'lock', 3]", []),
        ("['name', 'lock', $other]", []),
        ("['name']", []),
        ("$all['name']", []),
        ("'name'", []),
        ("['one' => 'name', 'two' => 'lock']", []),
        ("['name' => Event::ONE]", []),
    ],
)
def test_listed_texts_name_methods_of_class_if_all_do(argument: str, expected: list[str]) -> None:
    check(LISTED % argument, *(f"Check.php:Check.run name Check.php:Check.{e}" for e in expected))
