"""What is handed over: through channels, to what is started later, to listeners for a type."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.judges.statements import of_edge
from tests.fixture import parse
from tests.index.workspace import graph_of, one, show

POOL = """
//- pool.go
package pool
type Job struct{}
type Pool struct {
	queue chan Job
	quit  chan struct{}
}
func (p *Pool) Push(job Job) { p.queue <- job }
func (p *Pool) Stop() { p.quit <- struct{}{} }
func New() *Pool {
	p := &Pool{queue: make(chan Job)}
	go run(p.queue, p.quit)
	return p
}
func run(jobs <-chan Job, quit <-chan struct{}) {
	select {
	case job := <-jobs:
		handle(job)
	case <-quit:
	}
}
func handle(job Job) {}
"""
SEND = "pool.go:Pool.Push feeds pool.go:run type"


def fed(graph: SymbolGraph, paths: Iterable[str]) -> list[str]:
    """All that is handed over in some files, once each; what the ends say of it is the same."""
    symbols = [s.id for path in paths for s in graph.symbols_in(path)]
    out = {e for s in symbols for e in graph.outgoing(s) if e.relation == "feeds"}
    into = {e for s in symbols for e in graph.incoming(s) if e.relation == "feeds"}
    assert out == into
    return sorted({show(graph, edge) for edge in out})


def check(source: str, *expected: str) -> None:
    assert fed(graph_of(source), parse(source).files) == sorted(expected)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SEND]),  # what only tells to stop carries nothing
        ("go run(p.queue, p.quit)", "", []),
        ("case job := <-jobs:", "case job := <-other:", []),
        # from the field itself, in a loop and at once
        (
            "func handle(job Job) {}",
            "func (p *Pool) loop() {\n\tfor job := range p.queue { handle(job) }\n}\n"
            "func (p *Pool) take() Job { return <-p.queue }\nfunc handle(job Job) {}",
            [
                SEND,
                "pool.go:Pool.Push feeds pool.go:Pool.loop type",
                "pool.go:Pool.Push feeds pool.go:Pool.take type",
            ],
        ),
        # where a function is given two of a type, who knows which
        ("jobs <-chan Job, quit", "jobs, more <-chan Job, quit", []),
        # what is looped over may be no channel
        ("queue chan Job", "queue []Job", []),
    ],
)
def test_channel(before: str, after: str, expected: list[str]) -> None:
    assert not before or before in POOL
    check(POOL.replace(before, after) if before else POOL, *expected)


PASSED = """
//- a.go
package a
type Job struct{}
type Pool struct{ out chan Job }
func iterate(n int) {
	jobs := make(chan Job, n)
	done := make(chan struct{})
	go work(jobs, done)
	send(1, jobs)
}
func work(in <-chan Job, done chan struct{}) { go more(in) }
func more(in <-chan Job) { handle(<-in) }
func send(n int, out chan<- Job) { out <- Job{} }
func quit(done chan struct{}) { done <- struct{}{} }
func (p *Pool) start() { fill(p.out) }
func fill(out chan<- Job) { fillMore(out) }
func fillMore(out chan<- Job) { out <- Job{} }
func (p *Pool) loop() { handle(<-p.out) }
func handle(job Job) {}
"""
BY_VARIABLE = "a.go:send feeds a.go:more type"
BY_FIELD = "a.go:fillMore feeds a.go:Pool.loop type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [BY_VARIABLE, BY_FIELD]),
        ("go more(in)", "", [BY_FIELD]),
        # given another channel
        ("send(1, jobs)", "send(1, make(chan Job))", [BY_FIELD]),
        ("send(1, jobs)", "others := make(chan Job)\n\tsend(1, others)", [BY_FIELD]),
        ("{ fillMore(out) }", "{}", [BY_VARIABLE]),
        # by its place among parameters of one type
        ("send(n int, out chan<- Job)", "send(out, more chan<- Job)", [BY_FIELD]),
    ],
)
def test_channel_that_is_passed_on(before: str, after: str, expected: list[str]) -> None:
    assert before in PASSED
    check(PASSED.replace(before, after) if before else PASSED, *expected)


def test_channel_of_a_file_and_of_another_package() -> None:
    check(
        """
//- go.mod
module example.com/m
//- bus/bus.go
package bus
import "example.com/m/event"
var Events = make(chan event.Event)
var Typed chan event.Event
func Send(e event.Event) { Typed <- e }
//- event/event.go
package event
type Event struct{}
//- main.go
package main
import "example.com/m/bus"
func listen() { print(<-bus.Typed) }
""",
        "bus/bus.go:Send feeds main.go:listen type",
    )


def test_each_of_several_takes_from_a_channel_and_none_is_named_alone() -> None:
    source = POOL.replace(
        "func handle", "func (p *Pool) take() Job { return <-p.queue }\nfunc handle"
    )
    graph = graph_of(source)
    push = one(graph, "Pool.Push")
    said = {of_edge(graph, edge) for edge in graph.fed_by(push)}
    assert said == {
        "`Pool.Push` hands over to `Pool.take` or another.",
        "`Pool.Push` hands over to `run` or another.",
    }


JOB = """
//- report_job.rb
class ReportJob < ApplicationJob
  def perform(id)
    build(id)
  end
  def build(id); end
end
//- maker.rb
class Maker
  def make
    ReportJob.perform_later(3)
  end
end
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("perform_later(3)", "perform_later(3)", True),
        ("ReportJob.perform_later", "ReportJob.set(wait: 3).perform_later", True),
        ("< ApplicationJob", "\n  include Worker", True),
        ("< ApplicationJob", "", False),  # nothing from elsewhere could have it
        ("perform_later", "performing", False),  # another word
        ("perform_later", "later", False),
        ("def perform", "def self.perform", False),  # of no object
    ],
)
def test_started_by_a_longer_name(before: str, after: str, expected: bool) -> None:
    assert before in JOB
    edge = "maker.rb:Maker.make feeds report_job.rb:ReportJob.perform name/1"
    check(JOB.replace(before, after), *[edge] * expected)


TASK = """
//- tasks.py
from queue_library import task
@task
def build(x):
    return x
//- views.py
from tasks import build
def make():
    build.delay(3)
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("@task", "@task", True),
        ("from tasks import build", "import tasks", True),
        ("@task\n", "", False),
        ("from queue_library import task", "def task(f): return f", False),
        # what is called like any function is asked about, and not started
        ("    build.delay(3)", "    build.delay(3)\n    build(3)", False),
        ("def make():", "def make(build):", False),
    ],
)
def test_started_by_a_member_of_a_function(before: str, after: str, expected: bool) -> None:
    assert before in TASK
    source = TASK.replace(before, after)
    if after == "import tasks":
        source = source.replace("build.delay", "tasks.build.delay")
    check(source, *["views.py:make feeds tasks.py:build name/1"] * expected)


def test_what_one_function_tells_of_a_member_holds_for_the_others() -> None:
    source = TASK + "    other.delay()\n    other()\n"
    source = source.replace("return x\n", "return x\n@task\ndef other(): ...\n")
    check(
        source.replace("import build", "import build, other"),
        "views.py:make feeds tasks.py:build name/1",
        "views.py:make feeds tasks.py:other name/1",
    )


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
        # who takes an `Added` is whom it is for
        ("Publish<T>(T message)", "Publish(Added message)", []),
        # a store of such has more to do with it
        ("void Handle(Added message) { }", "void Handle(Added a) { } void Drop(Added a) { }", []),
        # a helper beside what the interface asks for
        ("void Handle(Added message)", "void Show(Added message)", []),
        # a value like any other
        ("Publish(new Added())", "Publish(new Added()); a = new Added(); b = new Added()", []),
        # an interface that asks for one of this very type
        (
            "interface IHandle<T> { void Handle(T message); }",
            "interface IHandle<T> { void Handle(Added message); }",
            [],
        ),
        # a call of the handler itself
        ("_bus.Publish(new", "it.Handle(new", []),
        # what is made is an argument on a line of its own
        ("new Added()", "\n    new Added()", [MADE]),
        ("Publish(new Added())", "Publish(1);\n    it = new Added()", []),
        ("new Added()", "\n    it.Get(), new Added()", [MADE]),
    ],
)
def test_event_and_what_its_type_is_an_argument_of(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in BUS
    check(BUS.replace(before, after) if before else BUS, *expected)


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
def test_event_in_other_languages(source: str) -> None:
    path = source.split()[1]
    check(source, f"{path}:Maker.make feeds {path}:Listener.on type")


@pytest.mark.parametrize(
    ("returns", "called", "expected"),
    [
        ("Added", "Added.of(1)", True),
        ("Other", "Added.of(1)", False),
        ("Added", "maker.of(1)", False),
    ],
)
def test_event_that_a_member_of_its_type_makes(returns: str, called: str, expected: bool) -> None:
    check(
        f"""
//- A.java
class Added {{ static {returns} of(int n) {{ return new {returns}(n); }} }}
class Other {{ }}
class Maker {{ Bus bus; Other maker; void make() {{ bus.post({called}); }} }}
class Listener {{ @Subscribe public void on(Added e) {{ }} }}
""",
        *["A.java:Maker.make feeds A.java:Listener.on type"] * expected,
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", True),
        # some of the handlers are told of it by name
        ("void show() { listener.on(new Added()); }", True),
        # what has such things, and does not only hear of them
        ("void keep(Added a) { } ", False),
        ("Added make() { return new Added(); }", False),
        # whoever asks for its class has none of it
        ("boolean is() { return bus.has(Added.class); }", True),
    ],
)
def test_event_of_many_is_only_ever_that(more: str, expected: bool) -> None:
    makes = "".join(f"void make{n}() {{ bus.post(new Added()); }} " for n in range(21))
    hears = "".join(
        f"class L{n} {{ @Subscribe public void on(Added e) {{ }} }} " for n in range(13)
    )
    others = "".join(f"class Other{n} {{ {more} }} " for n in range(6))
    source = f"""
//- A.java
class Added {{ }}
class Maker {{ Bus bus; {makes}}}
{hears}
{others}
"""
    assert len(fed(graph_of(source), ["A.java"])) == (21 * 13 if expected else 0)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("Added e = new Added(1); e.n = 2; bus.post(e);", True),
        ("var e = new Added(1); var f = 2; bus.post(f, e);", True),
        ("var e = new Added(1); keep(2);", False),
        # what is called knows of it, or takes another
        ("var e = new Added(1); bus.post(e); keep(e);", False),
        ("var e = new Added(1); bus.post(e.n);", False),
        ("var e = new Added(1); var f = new Added(2); same.is(e, f);", False),
        ("var e = other(); bus.post(e);", False),
        ("var e = new Added(1); run(() -> { var e = 1; });", False),
    ],
)
def test_event_that_a_variable_holds(made: str, expected: bool) -> None:
    check(
        f"""
//- A.java
class Added {{ }}
class Maker {{ Bus bus; void keep(Added e) {{ }} void make() {{ {made} }} }}
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
def test_event_that_a_variable_holds_in_other_languages(source: str) -> None:
    graph = graph_of(source)
    (edge,) = {
        edge
        for path in parse(source).files
        for symbol in graph.symbols_in(path)
        for edge in graph.outgoing(symbol.id)
        if edge.relation == "feeds"
    }
    assert "(e)" in parse(source).files[edge.path].splitlines()[edge.line - 1]


def test_annotation_that_is_for_something_else() -> None:
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


JOINED = """
//- worker.h
struct Base { virtual void failed() = 0; };
struct Worker : Base {
  void found(int n); void written(int n); void scan(); void failed() override;
};
//- worker.cpp
#include "worker.h"
void Worker::scan() { emit found(3); written(4); failed(); }
void Worker::written(int n) { }
void Worker::failed() { }
//- watcher.cpp
#include "worker.h"
struct Watcher { Watcher(); void onFound(int n); void told(int n); Worker *w; };
Watcher::Watcher() {
  connect(w, &Worker::found, this, &Watcher::onFound);
}
void Watcher::onFound(int n) { }
"""
FOUND = "worker.cpp:Worker.scan feeds watcher.cpp:Watcher.onFound type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [FOUND]),
        ("&Watcher::onFound", "overload<int>(&Watcher::onFound)", [FOUND]),
        ("connect(w,", "connect(of(1)->w(),\n  ", [FOUND]),
        # what leads nowhere itself leads on to what it is joined with
        (
            "this, &Watcher::onFound);",
            "this, &Watcher::told);\n  connect(this, &Watcher::told, this, &Watcher::onFound);",
            [FOUND],
        ),
        ("this, &Watcher::onFound);", "this, &Watcher::told);", []),
        # what has a body does what that says
        ("&Worker::found,", "&Worker::written,", []),
        ("&Worker::found,", "&Base::failed,", []),
        # two calls, a table and a list of three join nothing
        ("connect(w, &Worker::found, this, ", "on(w, &Worker::found); on(", []),
        (
            "connect(w, &Worker::found, this, &Watcher::onFound)",
            "a = {&Worker::found, &Watcher::onFound}",
            [],
        ),
        ("this, &Watcher::onFound", "&Watcher::onFound, &Watcher::told", []),
        ("emit found(3);", "", []),
        # what macros are given that name members with the types of their parameters
        (
            "&Worker::found, this, &Watcher::onFound",
            "OF(found(int)), this, TO(onFound(int))",
            [FOUND],
        ),
        ("&Worker::found, this, &Watcher::onFound", "OF(found(int)), TO(onFound(int))", [FOUND]),
        ("&Worker::found, this, &Watcher::onFound", "OF(written(int)), TO(onFound(int))", []),
        ("&Worker::found, this, &Watcher::onFound", "OF(found(int)), w, TO(onFound(int))", []),
        (
            "connect(w, &Worker::found, this, &Watcher::onFound",
            "a->connect(w, OF(found(int)), TO(onFound(int))",
            [],
        ),
    ],
)
def test_what_a_call_joins(before: str, after: str, expected: list[str]) -> None:
    assert not before or before in JOINED
    check(JOINED.replace(before, after) if before else JOINED, *expected)


COMPONENTS = """
//- Editor.vue
<template><button @click="save" /><i @click="$emit('closed')" /></template>
<script setup lang="ts">
const emit = defineEmits(["saved", "name-changed", "closed"]);
function save() { emit("saved", 1); }
function rename(name) { emit("name-changed", name); log("saved"); }
</script>
//- Old.vue
<template><b /></template>
<script>
export default {
  setup(props, context) {
    const store = () => context.emit("saved", 2);
    return { store };
  },
};
</script>
//- Page.vue
<template>
  <div>
    <Editor @saved="reload" v-on:name-changed="rename($event, 1)" @closed="open = false" />
    <Old @saved.once="(one) => reload(one)" @click="reload" />
  </div>
</template>
<script setup lang="ts">
import Editor from "./Editor.vue";
import Old from "./Old.vue";
function reload() {}
function rename(name) {}
</script>
"""
SAVED = "Editor.vue:save feeds Page.vue:reload type"
RENAMED = "Editor.vue:rename feeds Page.vue:rename type"
STORED = "Old.vue:default.setup.store feeds Page.vue:reload type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SAVED, RENAMED, STORED]),
        ("<Editor ", "<editor ", [SAVED, RENAMED, STORED]),
        ("v-on:name-changed", "@nameChanged", [SAVED, RENAMED, STORED]),
        ('emit("name-changed"', 'emit("nameChanged"', [SAVED, RENAMED, STORED]),
        ("context.emit", "this.$emit", [SAVED, RENAMED, STORED]),
        (
            "open = false",
            "reload()",
            [SAVED, RENAMED, STORED, "Editor.vue:template feeds Page.vue:reload type"],
        ),
        # other events, other components, and what is no event
        ("@saved=", "@saved-all=", [RENAMED, STORED]),
        ("@saved=", ":saved=", [RENAMED, STORED]),
        ('"./Editor.vue"', '"elsewhere"', [STORED]),
        ('context.emit("saved"', 'context.tell("saved"', [SAVED, RENAMED]),
        ("context.emit(", "context.emit(name, ", [SAVED, RENAMED]),
    ],
)
def test_events_of_components(before: str, after: str, expected: list[str]) -> None:
    assert not before or before in COMPONENTS
    check(COMPONENTS.replace(before, after) if before else COMPONENTS, *expected)


HUB = """
//- hook/hook.go
package hook
type Handler[T any] struct {
	Name string
	Func func(T) error
}
type Hook[T any] struct {
	handlers []*Handler[T]
}
func (h *Hook[T]) Bind(handler *Handler[T]) {
	h.handlers = append(h.handlers, handler)
}
func (h *Hook[T]) BindFunc(fn func(e T) error) {
	h.Bind(&Handler[T]{Func: fn})
}
func (h *Hook[T]) Each(fn func(e T) error) {
	for _, each := range h.handlers { fn(each.Func) }
}
func (h *Hook[T]) Length() int { return len(h.handlers) }
func (h *Hook[T]) Trigger(event T) error {
	for _, handler := range h.handlers {
		run := handler.Func
		run(event)
	}
	return nil
}
//- app.go
package app
import "shop/hook"
type Event struct{}
type App interface {
	OnSave(tags ...string) *hook.Hook[*Event]
	OnDrop() *hook.Hook[*Event]
}
type Base struct { onSave, onDrop *hook.Hook[*Event] }
func (b *Base) OnSave(tags ...string) *hook.Hook[*Event] { return b.onSave }
func (b *Base) OnDrop() *hook.Hook[*Event] { return b.onDrop }
func (b *Base) save() error { return b.OnSave().Trigger(&Event{}) }
func (b *Base) drop() error { return b.onDrop.Trigger(&Event{}) }
func New() *Base { return &Base{} }
//- listen.go
package app
import "shop/hook"
func listen(app App) {
	app.OnSave("a").BindFunc(func(e *Event) error { return nil })
}
func count(app App) int {
	app.OnSave().Each(func(e *Event) error { return nil })
	return app.OnSave().Length()
}
func watch(base *Base) {
	base.onDrop.Bind(&hook.Handler[*Event]{Func: func(e *Event) error { return nil }})
}
//- go.mod
module shop
"""
LISTENED = "app.go:Base.save feeds listen.go:listen type"
WATCHED = "app.go:Base.drop feeds listen.go:watch type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [LISTENED, WATCHED]),
        # by what tells hubs apart
        ("b.OnSave().Trigger", 'b.OnSave("a").Trigger', [LISTENED, WATCHED]),
        ("b.OnSave().Trigger", 'b.OnSave("b").Trigger', [WATCHED]),
        ('app.OnSave("a")', "app.OnDrop()", [WATCHED]),
        # nothing is kept, nothing is called, or something else
        ("h.handlers = append(h.handlers, handler)", "handler.Func(nil)", []),
        ("run(event)", "log(event)", []),
        ("Trigger(event T)", "Trigger(event string)", []),
        # each has its own
        (
            "func (b *Base) save() error { return b.",
            "func save() error { b := New(); return b.",
            ["app.go:save feeds listen.go:listen type", WATCHED],
        ),
        (
            "func listen(app App) {",
            "func listen() {\n\tapp := New()",
            [LISTENED, WATCHED],
        ),
    ],
)
def test_functions_that_are_kept_to_be_called(before: str, after: str, expected: list[str]) -> None:
    assert not before or before in HUB
    check(HUB.replace(before, after) if before else HUB, *expected)


def test_what_two_functions_make_are_two_hubs() -> None:
    source = HUB.replace("func listen(app App) {", "func listen() {\n\tapp := New()")
    source = source.replace("func (b *Base) save() error {", "func save() error { b := New();")
    check(source, WATCHED)


def test_functions_that_an_object_keeps() -> None:
    check(
        "//- emitter.ts\ntype Subscriber<T> = (payload: T) => void;\n"
        "export class Emitter<T> {\n  subscribers: Subscriber<T>[] = [];\n"
        "  on(...handlers: Subscriber<T>[]) { this.subscribers.push(...handlers); }\n"
        "  has(handler: Subscriber<T>) {\n"
        "    return this.subscribers.filter((one) => one === handler).length > 0;\n  }\n"
        "  trigger(payload: T) {\n    for (const one of this.subscribers) one(payload);\n  }\n}\n"
        "//- app.ts\nimport { Emitter } from './emitter';\n"
        "export class App {\n  changed = new Emitter<string>();\n"
        "  other = new Emitter<string>();\n"
        "  change() { this.changed.trigger('a'); }\n"
        "  asked() { return this.changed.has((text) => {}); }\n"
        "  else() { this.other.on((text) => {}); }\n}\n"
        "//- use.ts\nimport { App } from './app';\n"
        "export function use(app: App) { app.changed.on((text) => {}); }\n",
        "app.ts:App.change feeds use.ts:use type",
    )


SIGNAL = """
//- signals.py
from elsewhere import Signal
finished = Signal()
//- handlers.py
from signals import finished
def store(sender, document, **kwargs): ...
def note(document, copies): ...
def show(page): ...
//- consumer.py
from signals import finished
def consume(doc):
    finished.send(
        sender=None,
        document=doc.get(copy=1),
    )
//- apps.py
from signals import finished
from handlers import note, show, store
def ready():
    finished.connect(note)
    finished.connect(store)
"""
SENT, NOTED, SHOWN = (
    f"consumer.py:consume feeds handlers.py:{name} type" for name in ("store", "note", "show")
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SENT]),
        ("connect(store)", "connect(receiver=store)", [SENT]),
        ("finished.connect(store)", "...", []),
        # what it is given decorates: a member of it, or what is given the object
        ("def store(", "@finished.connect\ndef store(", [SENT]),
        ("def store(", "@receiver(finished, weak=False)\ndef store(", [SENT]),
        ("def show(page)", "@receiver(finished)\ndef show(sender, *, document)", [SENT, SHOWN]),
        # one that takes what is sent
        ("connect(store)", "connect(note)", []),
        ("sender=None", "copies=2", [SENT, NOTED]),
        ("connect(store)", "connect(show)", []),
        # nothing is handed over by name
        ("sender=None,\n        document=", "", []),
        # the member that is called is given functions, too
        ("finished.send(", "finished.connect(", []),
        # an object of the repository's own type, or none that is made
        ("from elsewhere import Signal", "class Signal: ...", []),
        ("finished = Signal()", "finished = 3", []),
    ],
)
def test_functions_given_to_an_object_of_elsewhere(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in SIGNAL
    check(SIGNAL.replace(before, after) if before else SIGNAL, *expected)


EVENTS = """
//- src/lib.rs
mod event;
mod keys;
mod screen;
//- src/event.rs
pub enum Event {
    Key(u8),
    Paste {
        text: String,
    },
    Quit,
    Tick,
}
impl Event {
    pub fn run(self) {
        match self {
            Event::Quit => { stop(); }
            _ => {}
        }
    }
}
fn stop() {}
//- src/keys.rs
use crate::event::Event;
pub struct Keys { tx: Sender<Event> }
impl Keys {
    pub fn press(&self, key: u8) { self.tx.send(Event::Key(key)).unwrap(); }
    pub fn paste(&self) { self.put(Some(Event::Paste { text: String::new() })); }
    pub fn quit(&self) { self.tx.send(Event::Quit); }
    pub fn tick(&self) -> Option<Event> { Some(Event::Tick) }
    fn put(&self, event: Option<Event>) { self.tx.send(event) }
}
//- src/screen.rs
use crate::event::Event;
pub fn run(rx: Receiver<Event>) {
    match rx.recv() {
        Ok(Event::Key(key)) => {
            let mark = 1;
            draw(key);
        },
        Event::Paste { text } | Event::Tick => show(text),
        Event::Quit => rx.close(),
    }
}
fn draw(key: u8) {}
fn show(text: String) {}
pub fn name(event: Event) -> Name {
    match event {
        Event::Key(key) => Name::Of(draw(key)),
        Event::Quit => Name::Quit,
    }
}
"""
PRESSED = "src/keys.rs:Keys.press feeds src/screen.rs:run type"
PASTED = "src/keys.rs:Keys.paste feeds src/screen.rs:run type"
QUIT = "src/keys.rs:Keys.quit feeds src/screen.rs:run type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [PRESSED, PASTED]),
        ("Event::Quit => rx.close()", "Event::Quit => { rx.close(); }", [PRESSED, PASTED, QUIT]),
        ("Event::Quit => rx.close()", "Event::Quit => show(end)?", [PRESSED, PASTED, QUIT]),
        # what an arm gives is no more than a value
        ("=> show(text)", "=> text.len()", [PRESSED]),
        ("=> show(text)", "=> Name::Pasted(show(text))", [PRESSED]),
        # beside others an argument says how something is done
        ("send(Event::Key(key))", "send(Event::Key(key), 1)", [PASTED]),
        # what gives back what it is given hands nothing over, and no more does what keeps it
        ("self.tx.send(Event::Key(key)).unwrap()", "Some(1).ok_or(Event::Key(key))", [PASTED]),
        ("{ self.tx.send(event) }", "{ self.last = event; }", [PRESSED]),
        # what is called takes it itself
        ("self.tx.send(Event::Key(key)).unwrap()", "crate::screen::run(Event::Key(key))", [PASTED]),
        # of what carries nothing all are values
        ("Key(u8),\n    Paste {\n        text: String,\n    },", "Key, Paste,", []),
        # an event in another one
        ("Ok(Event::Key(key))", "Wrapped::In(Event::Key(key))", [PASTED]),
        # what many take is no message
        (
            "fn draw(key: u8) {}",
            "fn draw(key: u8) {}\n"
            + "".join(
                f"fn take{n}(e: Event) {{ match e {{ Event::Key(k) => draw(k), _ => {{}} }} }}\n"
                for n in range(4)
            ),
            [],
        ),
    ],
)
def test_messages_are_for_what_does_something_with_their_case(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in EVENTS
    check(EVENTS.replace(before, after) if before else EVENTS, *expected)


@pytest.mark.parametrize(("end", "runs"), [("draw", True), ("show", False)])
def test_flow_goes_on_with_the_message_that_it_hands_over(end: str, runs: bool) -> None:
    graph = graph_of(EVENTS)
    ends = one(graph, "Keys.press"), one(graph, end)
    steps = find_spine(graph, dict.fromkeys(ends, 1.0)).steps
    assert (len({ends[0], ends[1]} & {step.symbol for step in steps}) == 2) == runs


def test_flow_runs_through_what_is_handed_over() -> None:
    graph = graph_of(POOL)
    ends = one(graph, "Pool.Push"), one(graph, "handle")
    spine = find_spine(graph, dict.fromkeys(ends, 1.0))
    assert [graph.symbol(step.symbol).name for step in spine.steps] == ["Push", "run", "handle"]


@pytest.mark.parametrize(("takers", "runs"), [(1, True), (16, False)])
def test_flow_does_not_run_far_through_one_of_many(takers: int, runs: bool) -> None:
    hears = "".join(
        f"class L{n} {{ @Subscribe public void on(Added e) {{ a{n}(); }} void a{n}() {{ b{n}(); }}"
        f" void b{n}() {{ }} }} "
        for n in range(takers)
    )
    graph = graph_of(f"""
//- A.java
class Added {{ }}
class Maker {{ Bus bus; void make() {{ bus.post(new Added()); }} }}
{hears}
""")
    ends = one(graph, "Maker.make"), one(graph, "L0.b0")
    assert (len(find_spine(graph, dict.fromkeys(ends, 1.0)).steps) > 1) == runs


def test_flow_is_led_in_from_what_hands_over() -> None:
    graph = graph_of(JOB)
    ends = one(graph, "ReportJob.perform"), one(graph, "ReportJob.build")
    spine = find_spine(graph, dict.fromkeys(ends, 1.0))
    assert [graph.symbol(step.symbol).name for step in spine.steps] == ["make", "perform", "build"]
    assert of_edge(graph, graph.fed_by(one(graph, "Maker.make"))[0]) == (
        "`Maker.make` hands over to `ReportJob.perform`, going by the name."
    )


ADDED = """
//- ILibrary.cs
public interface ILibrary { event EventHandler<int> Added; }
//- Library.cs
public class Library : ILibrary {
  public event EventHandler<int>? Added;
  public int Count;
  public void Add(int one) {
    if (Added is not null) Log(nameof(Added));
    Added?.Invoke(this, one);
  }
  public void Close() { Added -= this.OnOwn; Count += 1; }
  private void OnOwn(object sender, int one) { }
}
//- Watcher.cs
public class Watcher {
  private readonly ILibrary _library;
  public void Start() { _library.Added += OnAdded; }
  public void Stop() { _library.Added -= OnAdded; }
  public void Show(Library other) { other.Added += this.OnShown; other.Count += Most(); }
  private void OnAdded(object sender, int one) { }
  private void OnShown(object sender, int one) { }
  private int Most() => 1;
}
"""
ON_ADDED = "Library.cs:Library.Add feeds Watcher.cs:Watcher.OnAdded type"
ON_SHOWN = "Library.cs:Library.Add feeds Watcher.cs:Watcher.OnShown type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [ON_ADDED, ON_SHOWN]),
        ("Added?.Invoke(this, one)", "Added(this, one)", [ON_ADDED, ON_SHOWN]),
        ("Added?.Invoke(this, one)", "Util.Tell(Added, this, one)", [ON_ADDED, ON_SHOWN]),
        ("Added?.Invoke(this, one)", "var all = this.Added; all(this, one)", [ON_ADDED, ON_SHOWN]),
        (": ILibrary", "", [ON_SHOWN]),
        ("_library.Added +=", "_library.Added -=", [ON_SHOWN]),
        # what is no event may be anything
        ("event EventHandler<int>? Added", "EventHandler<int>? Added", []),
        (
            "Added -= this.OnOwn",
            "Added += this.OnOwn",
            [ON_ADDED, ON_SHOWN, "Library.cs:Library.Add feeds Library.cs:Library.OnOwn type"],
        ),
    ],
)
def test_event_of_a_type_and_its_handlers(before: str, after: str, expected: list[str]) -> None:
    assert before in ADDED
    check(ADDED.replace(before, after) if before else ADDED, *expected)


TOLD = """
//- server/carts.js
class Carts {
  fill(cart) {
    cart.full = true
    this.tell(cart.owner, 'cart_filled', cart)
  }
  tell(owner, what, cart) { sockets.of(owner).emit(what, cart) }
}
//- client/page.js
class Page {
  open(socket) {
    socket.on('cart_filled', this.show)
  }
  show(cart) { this.cart = cart }
  close(socket) { socket.off('cart_filled', this.show) }
}
//- client/log.js
export function noteFilled(cart) { console.log(cart) }
//- client/main.js
import { noteFilled } from './log.js'
socket.on('cart_filled', (cart) => {
  document.title = cart.title
})
"""
SHOWN = "server/carts.js:Carts.fill feeds client/page.js:Page.show name/2"
TITLED = "server/carts.js:Carts.fill feeds client/main.js:socket.on('cart_filled') name/2"
NOTED = "server/carts.js:Carts.fill feeds client/log.js:noteFilled name/2"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SHOWN, TITLED]),
        ("'cart_filled', cart)", '"cart_filled", cart)', [SHOWN, TITLED]),
        ("'cart_filled', cart)", "new Told('cart_filled', cart))", [SHOWN, TITLED]),
        ("'cart_filled', cart)", "'cart_emptied', cart)", []),
        ("'cart_filled', cart)", "cart_filled, cart)", []),
        # whoever calls the same with it does the same with it
        ("this.tell(cart.owner, 'cart_filled', cart)", "socket.on('cart_filled', cart)", []),
        # one word, or prose, is no name of one thing
        ("cart_filled", "filled", []),
        ("cart_filled", "a cart is filled", []),
        (
            "cart_filled",
            "cartFilled",
            [each.replace("cart_f", "cartF") for each in (SHOWN, TITLED)],
        ),
        ("(cart) => {\n  document.title = cart.title\n}", "noteFilled", [NOTED, SHOWN]),
        # what is a module's name is told of by its import
        (
            "import { noteFilled }",
            "import { cart } from 'cart_filled'\nimport { noteFilled }",
            [SHOWN[:-1] + "1"],
        ),
    ],
)
def test_functions_given_with_a_name_are_there_for_who_gives_it(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in TOLD
    every = before == "cart_filled"
    source = TOLD.replace(before, after) if every else TOLD.replace(before, after, 1)
    check(source, *expected)


def test_a_name_that_many_functions_are_given_with_is_no_name_of_one_thing() -> None:
    other = "//- more_{at}.js\nsocket.on('cart_filled', (cart) => {{\n  cart.seen = true\n}})\n"
    check(TOLD + "".join(other.format(at=at) for at in range(9)))


REGISTERED = """
//- app/models/change.rb
class Change < Outside
  after_create :scan
  validate :check
  def scan; end
  def check; end
end
//- app/models/fetch.rb
class Fetch
  def run
    Change.create(1)
  end
end
"""
SCANNED = "app/models/fetch.rb:Fetch.run feeds app/models/change.rb:Change.scan name/1"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SCANNED]),
        ("Change.create(1)", "change = Change.new; change.create!", [SCANNED]),
        ("Change.create(1)", "Change.destroy(1)", []),
        ("Change.create(1)", "Other.create(1)", []),
        ("Change.create(1)", "Change.after_create(1)", []),
        # what is defined here is what is asked for, or told of the method
        ("def scan; end", "def self.create(n); end\n  def scan; end", []),
        ("def scan; end", "def self.after_create(n); end\n  def scan; end", []),
        # also what is mixed in or inherited
        (
            "Change.create(1)",
            "Sub.create(1) if Change\n  end\nend\nclass Sub < Change\n  def x",
            [SCANNED],
        ),
    ],
)
def test_method_whose_name_the_body_of_its_class_gives(
    before: str, after: str, expected: list[str]
) -> None:
    check(REGISTERED.replace(before, after) if before else REGISTERED, *expected)
