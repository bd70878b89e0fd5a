"""Answers about projects of a few files, where most words of any question occur once or never."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_offline import answer_question

CART = """
//- cart.py
from store import Store


class Cart:
    def __init__(self, store: Store):
        self.store = store
        self.items = []

    def add(self, item, count=1):
        '''Add an item, unless it is sold out.'''
        if not self.store.take(item, count):
            raise ValueError("sold out")
        self.items.append((item, count))

    def total(self):
        return sum(self.store.price(item) * count for item, count in self.items)
//- store.py
class Store:
    def __init__(self, stock, prices):
        self.stock, self.prices = stock, prices

    def take(self, item, count):
        if self.stock.get(item, 0) < count:
            return False
        self.stock[item] -= count
        return True

    def price(self, item):
        return self.prices[item]
//- main.py
from cart import Cart
from store import Store


def main():
    cart = Cart(Store({"tea": 3}, {"tea": 2}))
    cart.add("tea", 2)
    print(cart.total())
"""
POOL = """
//- pool.go
package main

// Pool runs jobs on a few goroutines.
type Pool struct {
	jobs chan func()
	size int
}

func NewPool(size int) *Pool {
	p := &Pool{jobs: make(chan func()), size: size}
	for i := 0; i < size; i++ {
		go p.work()
	}
	return p
}

func (p *Pool) work() {
	for job := range p.jobs {
		runSafely(job)
	}
}

func (p *Pool) Submit(job func()) { p.jobs <- job }
//- safe.go
package main

import "log"

func runSafely(job func()) {
	defer func() {
		if r := recover(); r != nil {
			log.Println("job panicked:", r)
		}
	}()
	job()
}
//- main.go
package main

func main() {
	pool := NewPool(4)
	pool.Submit(func() { println("hi") })
}
"""
FIRST = 3
"""How many places of an answer are looked at."""


@pytest.mark.parametrize(
    ("project", "question", "definition", "is_told"),
    [
        # Only the subject occurs: the other words are a person's own.
        (CART, "Where is the stock reduced when something is bought?", "Store.take", False),
        (CART, "How does the store know what is in stock?", "Store.take", False),
        (POOL, "Where is a job handed to a worker?", "Pool.Submit", False),
        (POOL, "How many goroutines are started?", "NewPool", False),
        # The words that do not occur merely make up the sentence.
        (CART, "How is the total of the cart computed?", "Cart.total", True),
        (CART, "What does the cart cost in total?", "Cart.total", True),
        (CART, "Why do I get sold out?", "Cart.add", True),
        (POOL, "How are jobs run by the pool?", "Pool.work", True),
    ],
)
async def test_definition_that_is_asked_for_is_among_the_first_places(
    tmp_path: Path, project: str, question: str, definition: str, *, is_told: bool
):
    report = await answer_question(tmp_path, project, question, "explain")
    assert report.action != "skip_explore_result"
    first = [link.fact.split("`")[1] for link in report.links[:FIRST]]
    assert definition in first, report.links
    assert report.confidence != "low" or not is_told


@pytest.mark.parametrize(
    ("project", "question"),
    [
        (CART, "Where are coupons redeemed?"),
        (CART, "How does the login work?"),
        (CART, "Where is the invoice printed to a PDF?"),
        (CART, "How are customers notified by mail?"),
        (POOL, "How is the database opened?"),
        (POOL, "Where are jobs retried after a delay?"),
    ],
)
async def test_answer_about_something_absent_has_low_confidence(
    tmp_path: Path, project: str, question: str
):
    report = await answer_question(tmp_path, project, question, "explain")
    assert report.confidence == "low"
