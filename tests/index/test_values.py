"""Chains of names: ``name``, ``called()``, ``of_some[0]``, and ``<the type of a cast>``."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.index.resolution.values import Part, split_chain

CASES: dict[str, str] = {
    "a": "a",
    "a.b().c": "a b() c",
    "a?.b!.c!!.d&.e->f?->g::h": "a b c d e f g h",
    "empty?": "empty?",
    "save!(x).done?": "save!() done?",
    "\\Shop\\Order::new()": "Shop Order new()",
    "Vec::<u8>::new()": "Vec new()",
    "await a.b()": "a b()",
    "new Foo(a, b).c": "Foo() c",
    "**p.q": "p q",
    "((x))": "x",
    "((a).b)": "a b",
    "(await foo()).bar": "foo() bar",
    "(await (new Foo()).bar()).baz": "Foo() bar() baz",
    "((Foo<?>) x)": "<Foo<?>>",
    "((Foo) popStack()).bar()": "<Foo> bar()",
    "(Foo) x.y": "<Foo>",
    "(x as Foo)": "<Foo>",
    "(a.b as! Foo.Bar).c": "<Foo.Bar> c",
    "(x as unknown as T[])": "<T[]>",
    "((a, b) as T)": "<T>",
    "(<T>x).foo": "<T> foo",
    "<T as Trait>::new()": "<T> new()",
    "x.y().(*T).z": "x y() <*T> z",
    "a[0].b": "a[0] b",
    "xs![0]?.[k].b": "xs[0][k] b",
    "xs[*].b": "xs[*] b",
    "a.b()[i][f(j)].c": "a b()[i][f(j)] c",
    "((Foo *)x)->a[0]": "<Foo *> a[0]",
    "a[0](x).b": "no chain",
    "a[0": "no chain",
    "((a) + b)": "no chain",
    "(a < b)": "no chain",
    "((x) => x)": "no chain",
    "(yield x).z": "no chain",
    "((f)(x)).y": "f() y",
    "((f)(x))(y)": "no chain",
    "": "no chain",
    "((Foo)": "no chain",
    "foo.(": "no chain",
}


def _shown(part: Part) -> str:
    marks = "()" * part.called + "".join(f"[{each}]" for each in part.subscripts)
    return f"<{part.name}>" if part.cast else part.name + marks


@pytest.mark.parametrize("expression", CASES)
def test_chain_of_expression(expression: str) -> None:
    parts = split_chain(expression)
    shown = " ".join(map(_shown, parts)) if parts else "no chain"
    assert shown == CASES[expression]


@given(st.text("ab.()<>*& as!?:[]{}\"'\\new", max_size=40))
def test_parts_of_any_expression_occur_in_it_in_order(expression: str) -> None:
    at = 0
    for part in split_chain(expression) or ():
        assert part.name == part.name.strip()
        at = expression.find(part.name, 0 if part.cast else at)
        assert at >= 0
