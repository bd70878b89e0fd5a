from __future__ import annotations

from datetime import datetime, timedelta

from shop.domain.events import CartAbandoned
from shop.events.bus import EventBus
from shop.repositories.carts import CartRepository


class AbandonedCartJob:
    def __init__(self, carts: CartRepository, bus: EventBus, hours: int) -> None:
        self._carts = carts
        self._bus = bus
        self._hours = hours
        self._reminded: set[str] = set()

    def __call__(self) -> None:
        limit = datetime.now() - timedelta(hours=self._hours)
        for cart in self._carts.untouched_since(limit):
            if cart.lines and cart.id not in self._reminded:
                self._reminded.add(cart.id)
                self._bus.publish(CartAbandoned(cart))
