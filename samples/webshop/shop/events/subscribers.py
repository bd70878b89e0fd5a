"""Who listens to what."""

from __future__ import annotations

from shop.domain.events import CartAbandoned, OrderPaid, OrderPlaced, OrderRefunded
from shop.events.bus import EventBus
from shop.repositories.customers import CustomerRepository
from shop.services.notifications import Notifier
from shop.services.stock import StockService

CENTS_PER_POINT = 100


class LoyaltyProgramme:
    """One point for every euro; taken back when the money is."""

    def __init__(self, customers: CustomerRepository) -> None:
        self._customers = customers

    def award(self, event: OrderPaid) -> None:
        if event.order.payment_kind != "points":
            points = event.order.total.cents // CENTS_PER_POINT
            self._customers.change_points(event.order.customer_id, points)

    def take_back(self, event: OrderRefunded) -> None:
        points = event.amount.cents // CENTS_PER_POINT
        self._customers.change_points(event.order.customer_id, -points)


def subscribe_all(bus: EventBus, notifier: Notifier, stock: StockService,
                  customers: CustomerRepository) -> None:
    loyalty = LoyaltyProgramme(customers)
    table = {
        OrderPlaced: [notifier.order_placed],
        OrderPaid: [stock.on_paid, loyalty.award],
        OrderRefunded: [notifier.order_refunded, loyalty.take_back],
        CartAbandoned: [notifier.cart_abandoned],
    }
    for kind, subscribers in table.items():
        for subscriber in subscribers:
            bus.subscribe(kind, subscriber)
