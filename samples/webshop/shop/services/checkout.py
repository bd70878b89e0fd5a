"""From a cart to a paid order."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from shop.domain.customer import Customer
from shop.domain.errors import EmptyCart, PaymentDeclined, ShopError
from shop.domain.events import OrderPaid, OrderPlaced
from shop.domain.order import Order, OrderLine, Status
from shop.events.bus import EventBus
from shop.payments.gateway import PaymentGateway
from shop.repositories.carts import CartRepository
from shop.repositories.orders import OrderRepository
from shop.services.pricing import Pricing
from shop.services.stock import StockService


class CheckoutService:
    def __init__(self, carts: CartRepository, orders: OrderRepository, stock: StockService,
                 pricing: Pricing, gateways: dict[str, PaymentGateway], bus: EventBus) -> None:
        self._carts = carts
        self._orders = orders
        self._stock = stock
        self._pricing = pricing
        self._gateways = gateways
        self._bus = bus

    def place_order(self, cart_id: str, customer: Customer, lines: list[OrderLine],
                    payment_kind: str, details: dict[str, str]) -> Order:
        """Holds the stock, takes the money, stores the order; a declined payment frees the stock."""
        if not lines:
            raise EmptyCart("there is nothing in the cart")
        cart = self._carts.get(cart_id)
        quote = self._pricing.quote(lines, cart.voucher, details.get("country", "DE"))
        order = Order(self._orders.next_number(), customer.id, tuple(lines), quote.total,
                      payment_kind, placed_at=datetime.now())
        self._stock.hold(order.number, {line.sku: line.quantity for line in lines})
        try:
            charge = self._gateway(payment_kind).charge(order.total, customer, details)
        except PaymentDeclined:
            self._stock.release(order.number)
            raise
        order = replace(order, payment_ref=charge.reference)
        self._orders.add(order)
        self._carts.delete(cart_id)
        self._bus.publish(OrderPlaced(order))
        return self.confirm(order) if charge.settled else order

    def confirm(self, order: Order) -> Order:
        """The money is there: also called when the acquirer tells us later."""
        paid = order.moved_to(Status.PAID)
        self._orders.update(paid)
        self._bus.publish(OrderPaid(paid))
        return paid

    def _gateway(self, kind: str) -> PaymentGateway:
        try:
            return self._gateways[kind]
        except KeyError:
            raise ShopError(f"paying by {kind} is not possible here") from None
