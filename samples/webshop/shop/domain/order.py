"""An order and the states it may be in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from shop.domain.errors import IllegalTransition
from shop.domain.money import Money


class Status(Enum):
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"


ALLOWED = {
    Status.PLACED: {Status.PAID, Status.CANCELLED},
    Status.PAID: {Status.SHIPPED, Status.REFUNDED},
    Status.SHIPPED: {Status.REFUNDED},
    Status.CANCELLED: set(),
    Status.REFUNDED: set(),
}


@dataclass(frozen=True)
class OrderLine:
    sku: str
    quantity: int
    unit_price: Money


@dataclass(frozen=True)
class Order:
    number: str
    customer_id: int
    lines: tuple[OrderLine, ...]
    total: Money
    payment_kind: str
    status: Status = Status.PLACED
    payment_ref: str | None = None
    placed_at: datetime | None = None

    def moved_to(self, status: Status) -> Order:
        if status not in ALLOWED[self.status]:
            raise IllegalTransition(f"order {self.number} is {self.status.value}, not {status.value}")
        return replace(self, status=status)
