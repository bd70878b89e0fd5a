"""From calls with an event's name as text to the functions registered under that name."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import check

CARTS = """
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
        # another call of the same member does the same thing
        ("this.tell(cart.owner, 'cart_filled', cart)", "socket.on('cart_filled', cart)", []),
        # a single word, or prose, is not a unique name
        ("cart_filled", "filled", []),
        ("cart_filled", "a cart is filled", []),
        (
            "cart_filled",
            "cartFilled",
            [each.replace("cart_f", "cartF") for each in (SHOWN, TITLED)],
        ),
        ("(cart) => {\n  document.title = cart.title\n}", "noteFilled", [NOTED, SHOWN]),
        # a text that an import uses is a module's name
        (
            "import { noteFilled }",
            "import { cart } from 'cart_filled'\nimport { noteFilled }",
            [SHOWN[:-1] + "1"],
        ),
    ],
)
def test_event_name_feeds_functions_registered_under_it(
    before: str, after: str, expected: list[str]
) -> None:
    assert before in CARTS
    every = before == "cart_filled"
    source = CARTS.replace(before, after) if every else CARTS.replace(before, after, 1)
    check(source, *expected)


def test_name_with_many_registered_functions_is_ignored() -> None:
    other = "//- more_{at}.js\nsocket.on('cart_filled', (cart) => {{\n  cart.seen = true\n}})\n"
    check(CARTS + "".join(other.format(at=at) for at in range(9)))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            """
//- shop/carts.py
from shop import bus

def fill(cart):
    bus.send("cart_filled", cart=cart)

def look(cart):
    bus.send(f"cart_{cart}", cart=cart)
//- more/log.py
class Log:
    def __init__(self, bus):
        bus.listen("cart_filled", self.note)

    def note(self, cart): ...
""",
            "shop/carts.py:fill feeds more/log.py:Log.note name/1",
        ),
        (
            """
//- carts.c
void fill(struct cart *cart, int full) {
    tell(full ? "cart filled" : "cart touched", 1, cart);
}
//- log.c
static void note(struct cart *cart) {}
void log_init(void) {
    listen("cart filled", (HANDLER) note);
}
""",
            "carts.c:fill feeds log.c:note name/1",
        ),
        (
            """
//- carts.cpp
void Carts::fill(Cart& cart) { bus.tell("cart/filled", cart); }
//- log.cpp
void note(Cart& cart) {}
void Log::open() { bus.listen("cart/filled", &note); }
""",
            "carts.cpp:Carts.fill feeds log.cpp:note name/1",
        ),
    ],
    ids=["python", "c", "c++"],
)
def test_event_name_in_other_languages(source: str, expected: str) -> None:
    check(source, expected)
