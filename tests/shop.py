"""The small workspace used to test the faces, with a question about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture import parse

SHOP = """
    //- shop/web.py
    from shop.orders import place_order


    def checkout(request):
        return place_order(request.basket)
    //- shop/orders.py
    # 🧺 篮子
    from shop.store import save_order


    def place_order(basket):
        order = {"lines": list(basket)}
        return save_order(order)
    //- shop/store.py
    ORDERS = []


    def save_order(order):
        ORDERS.append(order)
        return len(ORDERS)
    //- my notes/café #1.py
    def restock_shelf():
        pass
"""
QUESTION = "How does checkout place_order and save_order?"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return parse(SHOP).write(tmp_path / "work tree")
