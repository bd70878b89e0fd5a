"""Mail to customers."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage

from shop.domain.events import CartAbandoned, OrderPlaced, OrderRefunded
from shop.repositories.customers import CustomerRepository

TEMPLATES = {
    "confirmation": "Thank you! We received your order {number} over {total}.",
    "refund": "We returned {amount} for your order {number}.",
    "reminder": "You left {count} things in your cart. They are still there.",
}


class Mailer:
    def __init__(self, host: str = "localhost", sender: str = "shop@example.com") -> None:
        self._host = host
        self._sender = sender

    def send(self, to: str, subject: str, text: str) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message.set_content(text)
        with smtplib.SMTP(self._host) as server:
            server.send_message(message)


class Notifier:
    def __init__(self, mailer: Mailer, customers: CustomerRepository) -> None:
        self._mailer = mailer
        self._customers = customers

    def order_placed(self, event: OrderPlaced) -> None:
        self._write(event.order.customer_id, "Your order", "confirmation",
                    number=event.order.number, total=event.order.total.cents / 100)

    def order_refunded(self, event: OrderRefunded) -> None:
        self._write(event.order.customer_id, "Your refund", "refund",
                    number=event.order.number, amount=event.amount.cents / 100)

    def cart_abandoned(self, event: CartAbandoned) -> None:
        if event.cart.customer_id is not None:
            self._write(event.cart.customer_id, "Still interested?", "reminder",
                        count=len(event.cart.lines))

    def _write(self, customer_id: int, subject: str, template: str, **values: object) -> None:
        customer = self._customers.by_id(customer_id)
        if customer is not None:
            self._mailer.send(customer.email, subject, TEMPLATES[template].format(**values))
