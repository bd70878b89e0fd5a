"""From the creation of an event object to the handlers of its type."""

from __future__ import annotations

import pytest

from explorer_core.index.flow import find_spine
from tests.fixture import parse
from tests.index.feeds.checking import changed, check, feeds_edges
from tests.index.workspace import graph_of, id_of

BUS = """
//- Bus.cs
public interface IHandle<T> { void Handle(T message); }
public class Bus {
  public void Publish<T>(T message) { }
}
//- Events.cs
public class Added { public int Id; }
public class Removed { }
//- Maker.cs
public class Maker {
  private Bus _bus;
  public void Make() { _bus.Publish(new Added()); }
}
//- Listener.cs
public class Listener : IHandle<Added>, IHandle<Removed> {
  public void Handle(Added message) { }
  public void Handle(Removed message) { }
}
"""
MADE = "Maker.cs:Maker.Make feeds Listener.cs:Listener.Handle type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [MADE]),
        ("new Added()", "new Added { Id = 1 }", [MADE]),
        ("public interface IHandle<T> { void Handle(T message); }", "", [MADE]),
        ("IHandle<Added>, ", "", []),
        ("_bus.Publish(new Added())", "var it = new Added()", []),
        # the callee itself takes an `Added`
        ("Publish<T>(T message)", "Publish(Added message)", []),
        # a class with several such methods is a store of them, not a listener
        ("void Handle(Added message) { }", "void Handle(Added a) { } void Drop(Added a) { }", []),
        # not the method that the interface requires
        ("void Handle(Added message)", "void Show(Added message)", []),
        # mostly used as an ordinary value
        ("Publish(new Added())", "Publish(new Added()); a = new Added(); b = new Added()", []),
        # the interface requires exactly this type
        (
            "interface IHandle<T> { void Handle(T message); }",
            "interface IHandle<T> { void Handle(Added message); }",
            [],
        ),
        # a direct call of the handler
        ("_bus.Publish(new", "it.Handle(new", []),
        # the new object is an argument on its own line
        ("new Added()", "\n    new Added()", [MADE]),
        ("Publish(new Added())", "Publish(1);\n    it = new Added()", []),
        ("new Added()", "\n    it.Get(), new Added()", [MADE]),
    ],
)
def test_event_feeds_implementer_of_generic_handler(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(BUS, before, after), *expected)


@pytest.mark.parametrize(
    "source",
    [
        """
//- A.java
class Added { }
class Maker { Bus bus; void make() { bus.post(new Added()); } }
class Listener implements IHandle<Added> { public void on(Added e) { } }
""",
        """
//- A.kt
class Added
class Maker(val bus: Bus) { fun make() { bus.post(Added()) } }
class Listener : IHandle<Added> { override fun on(e: Added) { } }
""",
        """
//- a.ts
class Added { }
class Maker { bus: Bus; make() { this.bus.post(new Added()); } }
class Listener implements IHandle<Added> { on(e: Added) { } }
""",
        """
//- a.py
from bus import IHandle, bus
class Added: ...
class Maker:
    def make(self): bus.post(Added())
class Listener(IHandle[Added]):
    def on(self, e: Added): ...
""",
        """
//- A.java
class Added { }
class Maker { Bus bus; void make() { bus.post(new Added()); } }
class Listener { @Subscribe public void on(Added e) { } }
""",
    ],
)
def test_event_feeds_handler_in_other_languages(source: str) -> None:
    path = source.split()[1]
    check(source, f"{path}:Maker.make feeds {path}:Listener.on type")


@pytest.mark.parametrize(
    ("returns", "factory_call", "expected"),
    [
        ("Added", "Added.of(1)", True),
        ("Other", "Added.of(1)", False),
        ("Added", "maker.of(1)", False),
    ],
)
def test_event_made_by_factory_method_of_its_type(
    returns: str, factory_call: str, expected: bool
) -> None:
    check(
        f"""
//- A.java
class Added {{ static {returns} of(int n) {{ return new {returns}(n); }} }}
class Other {{ }}
class Maker {{ Bus bus; Other maker; void make() {{ bus.post({factory_call}); }} }}
class Listener {{ @Subscribe public void on(Added e) {{ }} }}
""",
        *["A.java:Maker.make feeds A.java:Listener.on type"] * expected,
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", True),
        # some handlers are also called by name
        ("void show() { listener.on(new Added()); }", True),
        # others own or make such objects, instead of only handling them
        ("void keep(Added a) { } ", False),
        ("Added make() { return new Added(); }", False),
        # a mention of its class has no such object
        ("boolean is() { return bus.has(Added.class); }", True),
    ],
)
def test_event_with_many_handlers_must_not_be_an_ordinary_value(more: str, expected: bool) -> None:
    makers = "".join(f"void make{n}() {{ bus.post(new Added()); }} " for n in range(21))
    listeners = "".join(
        f"class L{n} {{ @Subscribe public void on(Added e) {{ }} }} " for n in range(13)
    )
    others = "".join(f"class Other{n} {{ {more} }} " for n in range(6))
    source = f"""
//- A.java
class Added {{ }}
class Maker {{ Bus bus; {makers}}}
{listeners}
{others}
"""
    assert len(feeds_edges(graph_of(source), ["A.java"])) == (21 * 13 if expected else 0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Added e = new Added(1); e.n = 2; bus.post(e);", True),
        ("var e = new Added(1); var f = 2; bus.post(f, e);", True),
        ("var e = new Added(1); keep(2);", False),
        # a callee knows its type, or gets something else
        ("var e = new Added(1); bus.post(e); keep(e);", False),
        ("var e = new Added(1); bus.post(e.n);", False),
        ("var e = new Added(1); var f = new Added(2); same.is(e, f);", False),
        ("var e = other(); bus.post(e);", False),
        ("var e = new Added(1); run(() -> { var e = 1; });", False),
    ],
)
def test_event_held_by_a_variable(body: str, expected: bool) -> None:
    check(
        f"""
//- A.java
class Added {{ }}
class Maker {{ Bus bus; void keep(Added e) {{ }} void make() {{ {body} }} }}
class Listener {{ @Subscribe public void on(Added e) {{ }} }}
""",
        *["A.java:Maker.make feeds A.java:Listener.on type"] * expected,
    )


@pytest.mark.parametrize(
    "source",
    [
        """
//- A.cs
class Added { public int N; }
interface IHandle<T> { void Handle(T message); }
class Maker { IBus bus; void Make() {
  var e = new Added { N = Count() };
  bus.Publish(e);
} }
class Listener : IHandle<Added> { public void Handle(Added message) { } }
""",
        """
//- a.kt
class Added(val n: Int)
class Maker(val bus: Bus) { fun make() { val e = Added(1)
  bus.post(e) } }
class Listener { @Subscribe fun on(e: Added) { } }
""",
    ],
)
def test_event_held_by_a_variable_in_other_languages(source: str) -> None:
    graph = graph_of(source)
    (edge,) = {
        edge
        for path in parse(source).files
        for symbol in graph.symbols_in(path)
        for edge in graph.outgoing(symbol.id)
        if edge.relation == "feeds"
    }
    assert "(e)" in parse(source).files[edge.path].splitlines()[edge.line - 1]


def test_annotation_with_other_uses_does_not_make_a_handler() -> None:
    check("""
//- A.java
class Added { }
class Maker { Bus bus; void make() { bus.post(new Added()); } }
class AddedTest {
  @Test public void on(Added e) { }
  @Test public void works() { }
  @Test public void fails() { }
}
""")


@pytest.mark.parametrize(("handler_count", "runs"), [(1, True), (16, False)])
def test_flow_does_not_pass_one_of_many_handlers(handler_count: int, runs: bool) -> None:
    listeners = "".join(
        f"class L{n} {{ @Subscribe public void on(Added e) {{ a{n}(); }} void a{n}() {{ b{n}(); }}"
        f" void b{n}() {{ }} }} "
        for n in range(handler_count)
    )
    graph = graph_of(f"""
//- A.java
class Added {{ }}
class Maker {{ Bus bus; void make() {{ bus.post(new Added()); }} }}
{listeners}
""")
    ends = id_of(graph, "Maker.make"), id_of(graph, "L0.b0")
    assert (len(find_spine(graph, dict.fromkeys(ends, 1.0)).steps) > 1) == runs


PAIRED = """
//- app/Done.php
<?php
namespace App;
class Done { public function __construct(public int $x) {} }
//- app/Other.php
<?php
namespace App;
class Other {}
//- app/Prune.php
<?php
namespace App;
class Prune {
  public function handle(Done $event): void { $this->prune(); }
  private function prune() {}
}
//- app/Events.php
<?php
namespace App;
class Events {
  protected $listen = [Other::class => [], Done::class => [Prune::class]];
  function boot() { }
}
//- app/Scan.php
<?php
namespace App;
class Scan { function scan() { event(new Done(3)); } }
"""
PRUNED = "app/Scan.php:Scan.scan feeds app/Prune.php:Prune.handle type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [PRUNED]),
        ("[Prune::class]", "[Other::class, Prune::class]", [PRUNED]),
        ("[Prune::class]", "[]", []),
        # paired as arguments of a call
        (
            "[Prune::class]];\n  function boot() { }",
            "[]];\n  function boot() { $this->bus->listen(Done::class, Prune::class); }",
            [PRUNED],
        ),
        # in reverse order
        ("Done::class => [Prune::class]", "Prune::class => [Done::class]", []),
        # the method takes something else, or is private
        ("handle(Done $event)", "handle(Other $event)", []),
        ("handle(Done $event)", "handle(Done $event, int $more)", []),
        ("public function handle", "private function handle", []),
    ],
)
def test_event_paired_with_its_handler_class(before: str, after: str, expected: list[str]) -> None:
    check(changed(PAIRED, before, after), *expected)


def test_event_paired_with_its_handler_class_in_python() -> None:
    check(
        "//- a.py\nfrom bus import publish\nclass Added: ...\n"
        "class Mailer:\n    def send(self, event: Added): ...\n"
        "HANDLERS = {Added: [Mailer]}\ndef make(): publish(Added())\n",
        "a.py:make feeds a.py:Mailer.send type",
    )
