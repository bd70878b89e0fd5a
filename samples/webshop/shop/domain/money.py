"""Amounts in minor units. Two currencies never mix."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal


@dataclass(frozen=True, order=True)
class Money:
    cents: int
    currency: str = "EUR"

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.cents - other.cents, self.currency)

    def __mul__(self, quantity: int) -> Money:
        return Money(self.cents * quantity, self.currency)

    def percent(self, rate: int | Decimal) -> Money:
        """A share of the amount, rounded half up to whole cents."""
        share = (Decimal(self.cents) * Decimal(rate) / 100).quantize(Decimal(1), ROUND_HALF_UP)
        return Money(int(share), self.currency)

    def _same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise ValueError(f"cannot mix {self.currency} and {other.currency}")
