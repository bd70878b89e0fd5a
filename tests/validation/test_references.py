"""Unobserved references in free text are recognised by their shape; honest facts pass."""

from __future__ import annotations

import pytest

from explorer_core.contracts import FileRead, LineRange, Segment, SymbolInfo
from explorer_core.validation.references import (
    ObservedNames,
    scope_is_observed,
    unobserved_references,
)
from tests.validation.shop import observe

NAMES = ObservedNames(observe())


def unobserved_in(text: str) -> list[str]:
    """The unobserved references in a text about c1, which is shop/routes.py:3-6."""
    return unobserved_references(text, NAMES, lines=LineRange(start=3, end=6))


HONEST = [
    "",
    "`new_order` calls `place_order`.",
    "`Store.save` writes the row; `place_order` calls it.",
    "Calls store.save(order) and/or check_stock(order), e.g. for new orders, i.e. always.",
    "The route /orders/new takes POST.",
    "Reads request.json and passes it on",
    "Defined in shop/routes.py",
    "Defined in routes.py, used by `shop/orders.py`.",
    "shop/routes.py:4 defines it",
    "shop/orders.py:1-5 does the work",
    "On line 5 it calls place_order",
    "new_order:5 calls it",
    "**shop/routes.py** defines it",
    "./shop/routes.py defines it",
    "Lines 4-6 build the answer",
    "Everything in shop/ is involved",
    "Read/write access, input/output, TCP/IP",
    "Runs 3 times at 50% within 2.5 s since v1.2.3",
    "A->B, a=b, x != y, f(x)[0], *args, **kwargs, @app.route",
    "Returns None; raises ValueError: 12 is too many",
    "Überträgt die Bestellung an `place_order`",
    "注文を保存する。`place_order` を呼び出す。",
    "Stores a Std::Vector and std::string",
    "The order (see above) is saved...",
    "Needed because of #10888.",
    "Answers 404/500 or 1/2 of it",
    "`@app.route` registers it; `(*Store).save` writes",
    "Splits on \\n and \\d+",
]


@pytest.mark.parametrize("text", HONEST)
def test_observed_references_pass(text: str) -> None:
    assert unobserved_in(text) == []


@pytest.mark.parametrize("name", ["Tray.min", "Tray.log", "Tray.py", "Tray.sort!", "Tray.full?"])
def test_name_learned_from_an_edge_may_be_mentioned(name: str) -> None:
    registry = observe()
    symbol = SymbolInfo(
        name=name.partition(".")[2], qualified_name=f"shop.{name}", kind="method", line=1
    )
    text = f"`new_order` calls `{name}`."
    assert unobserved_references(text, ObservedNames(registry))
    registry.record_symbols([symbol])
    assert unobserved_references(text, ObservedNames(registry)) == []


@pytest.mark.parametrize(
    "name", ["writes a file.has a new line", "reads in/out.json.", "counts on line 70.stops"]
)
def test_name_that_is_a_sentence_is_recognised_whole(name: str) -> None:
    registry = observe()
    text = f"a test that uses `new_order`: `{name}`"
    assert unobserved_references(text, ObservedNames(registry))
    registry.record_symbols([SymbolInfo(name=name, qualified_name=name, kind="method", line=1)])
    assert unobserved_references(text, ObservedNames(registry)) == []
    assert unobserved_references(text.replace("`", ""), ObservedNames(registry))


UNSEEN = [
    "see src/fake.py:10",
    "see src/fake.py",
    "see fake.py",
    "(fake.py)",
    "see shop/unread.py",
    "`shop/unread.py`",
    "[here](shop/unread.py)",
    "<a href='shop/unread.py'>x</a>",
    "shop/routes.py:99",
    "shop/routes.py:5-99",
    "routes.py:99",
    "routes.py(99)",
    "routes.py#L99",
    "routes.py#99",
    "#L99",
    "shop/routes.py#L5-L99",
    "shop/routes.py@99",
    "shop/routes.py, line 99",
    "see :99",
    "see:99",
    "new_order:99",
    "on line 99",
    "on lines 4-99",
    "line no. 99",
    "line #99",
    "Line:99",
    "L99",
    "the 99th line",
    "line number 99",
    "Other\\Space\\Thing",
    "ln 99",
    "shop\\unread.py",
    "C:\\shop\\unread.py",
    "c:/shop/unread",
    "\\\\server\\share\\x",
    "file:///etc/passwd",
    "https://example.com/x",
    "ftp://x",
    "//example.com/x",
    "vscode://file/x",
    "./unread",
    "../secrets",
    "~/secrets",
    "/etc/passwd",
    "shop/unread",
    "shop/deep/thing",
    "github.com/evil/thing",
    "see .env",
    "Makefile.am",
    "shop⁄unread.py",
    "shop∕unread.py",
    "shop/unread．py",
    "shop／unread.py",
    "shop/un\u200bread.py",
    "shop/un\u00adread.py",
    "fa\u2060ke.py",
    "routes.py：99",
    "routes.py∶99",
    "routes.py:９９",
    "shop%2Funread.py",
    "shop&#47;unread&period;py",
    "\x1b]8;;file:///etc/passwd\x1b\\see\x1b]8;;\x1b\\ fake.py",
    "shop/\x1b[31munread.py",
    "FAKE.PY",
    "Order.row",
    "Store.lines",
    "fаke.py",
    "src/*.py",
    "see order.txt",
    "see request.log",
    "**fake.py**",
    "shop/orders.py:0",
]


@pytest.mark.parametrize("text", UNSEEN)
def test_unobserved_references_are_recognised(text: str) -> None:
    assert unobserved_in(text) != []


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        (r"It makes an `App\Models\Order`.", True),
        (r"It makes an `App\Models\Order\Line`.", False),
        (r"It is in App\Models\Order.php", False),
        ("It loads old.orders.py", False),
        ("It loads orders.part", True),
        ("It loads part.php", False),
    ],
)
def test_name_in_code_is_observed_unless_it_may_be_a_file(text: str, expect: bool) -> None:
    registry = observe()
    lines = (r"use App\Models\Order;", 'load("old.orders.py", orders.part, "part.php", old)')
    registry.add(FileRead(segment=Segment(path="a.php", start=1, lines=lines), total_lines=2))
    assert (unobserved_references(text, ObservedNames(registry)) == []) is expect


@pytest.mark.parametrize("wrap", ["{}", "see {}.", "({})", "`{}`", "“{}”", "x,{},y", "→{}", "—{}—"])
@pytest.mark.parametrize("reference", ["src/fake.py:10", "fake.py", "shop/unread.py", "on line 99"])
def test_unobserved_references_are_recognised_in_any_context(reference: str, wrap: str) -> None:
    assert unobserved_in(wrap.format(reference)) != []


@pytest.mark.parametrize(
    ("scope", "expect"),
    [
        ("shop/**", True),
        ("**/*.py", True),
        ("*.py", True),
        ("shop/routes.py", True),
        (".", True),
        ("given/**", True),
        ("fake/**", False),
        ("shop/unread.py", False),
        ("**/unread.py", False),
        ("../**", False),
        ("/etc/*", False),
        ("C:/**", False),
        ("file:///x", False),
    ],
)
def test_scope_is_observed_if_it_matches_observed_files(scope: str, expect: bool) -> None:
    assert scope_is_observed(scope, NAMES, ("given/**",)) is expect


@pytest.mark.parametrize(
    ("term", "expect"), [("settings.CACHE", True), ("app.run", True), ("fake.py", False)]
)
def test_search_term_may_name_unobserved_code_but_no_file(term: str, expect: bool) -> None:
    assert (unobserved_references(term, NAMES, search_term=True) == []) is expect
