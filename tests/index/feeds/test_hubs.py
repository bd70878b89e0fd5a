"""From the trigger of a hub to the functions registered with it."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

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
        # distinguished by the tag or name of the hub
        ("b.OnSave().Trigger", 'b.OnSave("a").Trigger', [LISTENED, WATCHED]),
        ("b.OnSave().Trigger", 'b.OnSave("b").Trigger', [WATCHED]),
        ('app.OnSave("a")', "app.OnDrop()", [WATCHED]),
        # nothing is stored, nothing is called, or something else is passed
        ("h.handlers = append(h.handlers, handler)", "handler.Func(nil)", []),
        ("run(event)", "log(event)", []),
        ("Trigger(event T)", "Trigger(event string)", []),
        # a function that makes its own object
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
def test_trigger_of_hub_feeds_functions_bound_to_it(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(HUB, before, after), *expected)


def test_hubs_made_by_two_functions_are_distinct() -> None:
    source = HUB.replace("func listen(app App) {", "func listen() {\n\tapp := New()")
    source = source.replace("func (b *Base) save() error {", "func save() error { b := New();")
    check(source, WATCHED)


def test_trigger_of_emitter_field_feeds_its_subscribers() -> None:
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
