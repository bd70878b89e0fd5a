"""A partly observed workspace of a few files, for the tests of validation and of the report."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from explorer_core.contracts import (
    Candidate,
    Dropped,
    FileListed,
    FileRead,
    Hop,
    LineRange,
    Site,
    SymbolFound,
)
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.registry import Registry
from explorer_core.workspace import FileMissing, SourceText
from tests.fixture import Fixture, parse

SHOP = parse(
    """
    //- shop/routes.py
    from shop.orders import place_order

    @app.route("/orders/new", methods=["POST"])
    def new_order(request):
        order = place_order(request.json, "list.html")
        return render(order)
    //- shop/orders.py
    def place_order(data):
        order = Order(**data)
        check_stock(order)
        store.save(order)
        return order


    def check_stock(order):
        for line in order.lines:
            if line.amount > 0:
                reserve(line)
    //- shop/store.py
    class Store:
        def save(self, order):
            with self.connection() as db:
                db.execute("INSERT INTO orders VALUES (?)", order.row())
    //- shop/unread.py
    SECRET = 1
    """
)

DECLARED = {
    "shop/routes.py": [("new_order", "function", 3, 6, 4)],
    "shop/orders.py": [
        ("place_order", "function", 1, 5, 1),
        ("check_stock", "function", 8, 11, 8),
    ],
    "shop/store.py": [("Store", "class", 1, 4, 1), ("Store.save", "method", 2, 4, 2)],
}


def declarations(path: str) -> list[Symbol]:
    return [
        Symbol(
            SymbolId(path, ordinal),
            name.rpartition(".")[2],
            name,
            kind,
            LineRange(start=start, end=end),
            line,
            "",
            "",
        )
        for ordinal, (name, kind, start, end, line) in enumerate(DECLARED.get(path, []))
    ]


@dataclass
class Files:
    """The current files; tests edit or delete them."""

    texts: dict[str, str] = field(default_factory=lambda: dict(SHOP.files))

    def read(self, path: str) -> SourceText:
        if path not in self.texts:
            raise FileMissing(path)
        return SourceText.of_text(path, self.texts[path])


@dataclass(frozen=True)
class CallsInOrder:
    """A relation finder that knows the given calls between symbols."""

    calls: dict[tuple[str, str], Site]

    def between(
        self,
        first: Candidate,
        second: Candidate,
        quoted: Collection[Site] = (),
        elsewhere: Collection[Candidate] = (),
    ) -> Hop | None:
        for one, other in ((first, second), (second, first)):
            site = self.calls.get((one.symbols[0].name, other.symbols[0].name))
            if site:
                return Hop(
                    relation="calls", from_=one.id, to=other.id, site=site, witness="graph:import"
                )
        return None


NO_CALLS = CallsInOrder({})
CALLS = CallsInOrder(
    {
        ("new_order", "place_order"): Site(path="shop/routes.py", line=5),
        ("place_order", "save"): Site(path="shop/orders.py", line=4),
    }
)


def observe(fixture: Fixture = SHOP) -> Registry:
    """Candidates: c1 new_order, c2 place_order, c3 check_stock, c4 Store.save, c5 lines read, c6 a
    listed file."""
    registry = Registry(declarations=declarations)
    files = Files(dict(fixture.files))
    for path, name in [
        ("shop/routes.py", "new_order"),
        ("shop/orders.py", "place_order"),
        ("shop/orders.py", "check_stock"),
        ("shop/store.py", "Store.save"),
    ]:
        found = next(each for each in declarations(path) if each.qualified_name == name)
        registry.add(
            SymbolFound(
                path=path,
                range=found.range,
                symbol=found.info,
                segment=files.read(path).segment(found.range.start, found.range.end),
                terms=("order",),
            )
        )
    source = files.read("shop/store.py")
    registry.add(FileRead(segment=source.segment(1, 4), total_lines=4))
    registry.add(FileListed(path="shop/readme.md", size=10))
    return registry


def described(dropped: Dropped) -> str:
    """What was dropped, with its id if it has one."""
    return f"{dropped.what} {dropped.id or ''}".rstrip()
