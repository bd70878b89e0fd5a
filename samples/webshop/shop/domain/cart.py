from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from shop.domain.errors import UnknownSku


@dataclass
class Cart:
    id: str
    customer_id: int | None = None
    voucher: str | None = None
    lines: dict[str, int] = field(default_factory=dict)
    touched_at: datetime = field(default_factory=datetime.now)

    def add(self, sku: str, quantity: int) -> None:
        self.lines[sku] = self.lines.get(sku, 0) + quantity
        self.touched_at = datetime.now()

    def remove(self, sku: str) -> None:
        if sku not in self.lines:
            raise UnknownSku(sku)
        del self.lines[sku]
        self.touched_at = datetime.now()

    def absorb(self, other: Cart) -> None:
        """Takes over another cart's lines: the larger quantity of the two wins."""
        for sku, quantity in other.lines.items():
            self.lines[sku] = max(quantity, self.lines.get(sku, 0))
        self.voucher = self.voucher or other.voucher
