"""From the sender on a channel to its receiver."""

from __future__ import annotations

import pytest

from explorer_core.index.flow import find_spine
from explorer_core.judges.statements import of_edge
from tests.index.feeds.checking import changed, check
from tests.index.workspace import graph_of, id_of

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


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SEND]),  # a mere stop signal carries nothing
        ("go run(p.queue, p.quit)", "", []),
        ("case job := <-jobs:", "case job := <-other:", []),
        # received from the field itself, in a loop or directly
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
        # with two parameters of one type, the right one is unknown
        ("jobs <-chan Job, quit", "jobs, more <-chan Job, quit", []),
        # the loop is not over a channel
        ("queue chan Job", "queue []Job", []),
    ],
)
def test_sender_feeds_receivers_of_channel(before: str, after: str, expected: list[str]) -> None:
    check(changed(POOL, before, after), *expected)


PASSED_ON = """
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
        # another channel is passed
        ("send(1, jobs)", "send(1, make(chan Job))", [BY_FIELD]),
        ("send(1, jobs)", "others := make(chan Job)\n\tsend(1, others)", [BY_FIELD]),
        ("{ fillMore(out) }", "{}", [BY_VARIABLE]),
        # its position among parameters of one type differs
        ("send(n int, out chan<- Job)", "send(out, more chan<- Job)", [BY_FIELD]),
    ],
)
def test_channel_passed_through_parameters(before: str, after: str, expected: list[str]) -> None:
    check(changed(PASSED_ON, before, after), *expected)


def test_package_level_channel_used_by_another_package() -> None:
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


def test_statement_names_all_receivers_of_a_channel() -> None:
    source = POOL.replace(
        "func handle", "func (p *Pool) take() Job { return <-p.queue }\nfunc handle"
    )
    graph = graph_of(source)
    push = id_of(graph, "Pool.Push")
    statements = {of_edge(graph, edge) for edge in graph.fed_by(push)}
    assert statements == {
        "`Pool.Push` sends to `Pool.take` or `run`.",
        "`Pool.Push` sends to `run` or `Pool.take`.",
    }


def test_flow_follows_channel_from_sender_to_receiver() -> None:
    graph = graph_of(POOL)
    ends = id_of(graph, "Pool.Push"), id_of(graph, "handle")
    spine = find_spine(graph, dict.fromkeys(ends, 1.0))
    assert [graph.symbol(step.symbol).name for step in spine.steps] == ["Push", "run", "handle"]
