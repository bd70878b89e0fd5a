from __future__ import annotations

import uuid

from shop.domain.customer import Customer
from shop.domain.errors import PaymentDeclined
from shop.domain.money import Money
from shop.payments.gateway import Charge, PaymentGateway

CREDIT_LIMIT = Money(50_000)


class InvoiceGateway(PaymentGateway):
    """Pay within thirty days; only up to the credit limit."""

    kind = "invoice"

    def charge(self, amount: Money, customer: Customer, details: dict[str, str]) -> Charge:
        if amount > CREDIT_LIMIT:
            raise PaymentDeclined("this is too much for an invoice")
        return Charge(f"INV-{uuid.uuid4().hex[:12]}", settled=False)

    def refund(self, reference: str, amount: Money) -> None:
        """Nothing was paid yet; accounting writes a credit note by hand."""
