"""Pieces set aside for somebody who is paying."""

from __future__ import annotations

import time

from shop.domain.errors import NotEnoughStock, UnknownSku
from shop.domain.events import OrderPaid
from shop.repositories.products import ProductRepository

HOLD_SECONDS = 15 * 60


class StockService:
    def __init__(self, products: ProductRepository) -> None:
        self._products = products
        self._holds: dict[str, tuple[float, dict[str, int]]] = {}

    def hold(self, key: str, lines: dict[str, int]) -> None:
        """Reserves every line or none."""
        done: dict[str, int] = {}
        for sku, quantity in lines.items():
            if not self._products.reserve(sku, quantity):
                self._give_back(done)
                product = self._products.by_sku(sku)
                if product is None:
                    raise UnknownSku(sku)
                raise NotEnoughStock(sku, quantity, product.available)
            done[sku] = quantity
        self._holds[key] = (time.time() + HOLD_SECONDS, done)

    def release(self, key: str) -> None:
        _, lines = self._holds.pop(key, (0.0, {}))
        self._give_back(lines)

    def release_expired(self) -> None:
        now = time.time()
        for key in [key for key, (until, _) in self._holds.items() if until < now]:
            self.release(key)

    def on_paid(self, event: OrderPaid) -> None:
        self._holds.pop(event.order.number, None)
        for line in event.order.lines:
            self._products.take(line.sku, line.quantity)

    def _give_back(self, lines: dict[str, int]) -> None:
        for sku, quantity in lines.items():
            self._products.release(sku, quantity)
