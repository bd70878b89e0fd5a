from __future__ import annotations

from shop.domain.errors import ShopError
from shop.domain.events import OrderRefunded
from shop.domain.money import Money
from shop.domain.order import Order, Status
from shop.events.bus import EventBus
from shop.payments.gateway import PaymentGateway
from shop.repositories.orders import OrderRepository


class RefundService:
    def __init__(self, orders: OrderRepository, gateways: dict[str, PaymentGateway],
                 bus: EventBus) -> None:
        self._orders = orders
        self._gateways = gateways
        self._bus = bus

    def refund(self, number: str, amount: Money | None = None) -> Order:
        order = self._orders.by_number(number)
        if order is None or order.payment_ref is None:
            raise ShopError(f"there is no paid order {number}")
        amount = amount or order.total
        if amount > order.total:
            raise ShopError("a refund cannot exceed what was paid")
        refunded = order.moved_to(Status.REFUNDED)
        self._gateways[order.payment_kind].refund(order.payment_ref, amount)
        self._orders.update(refunded)
        self._bus.publish(OrderRefunded(refunded, amount))
        return refunded
