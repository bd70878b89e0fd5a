from __future__ import annotations

from shop.domain.customer import Customer
from shop.domain.errors import PaymentDeclined
from shop.domain.money import Money
from shop.payments.gateway import Charge, PaymentGateway
from shop.repositories.customers import CustomerRepository

POINT_VALUE_CENTS = 1


class PointsGateway(PaymentGateway):
    """Loyalty points as money."""

    kind = "points"

    def __init__(self, customers: CustomerRepository) -> None:
        self._customers = customers

    def charge(self, amount: Money, customer: Customer, details: dict[str, str]) -> Charge:
        needed = amount.cents // POINT_VALUE_CENTS
        if customer.loyalty_points < needed:
            raise PaymentDeclined(f"{needed} points needed, {customer.loyalty_points} left")
        self._customers.change_points(customer.id, -needed)
        return Charge(f"points:{customer.id}", settled=True)

    def refund(self, reference: str, amount: Money) -> None:
        customer_id = int(reference.removeprefix("points:"))
        self._customers.change_points(customer_id, amount.cents // POINT_VALUE_CENTS)
