"""How the shop takes money. One class per way to pay, found by its ``kind``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from shop.domain.customer import Customer
from shop.domain.money import Money


@dataclass(frozen=True)
class Charge:
    reference: str
    settled: bool


class PaymentGateway(ABC):
    kind: str

    @abstractmethod
    def charge(self, amount: Money, customer: Customer, details: dict[str, str]) -> Charge:
        """Takes the money or promises to; raises PaymentDeclined."""

    @abstractmethod
    def refund(self, reference: str, amount: Money) -> None:
        """Gives back all or part of a charge."""
