from __future__ import annotations

from dataclasses import dataclass

from shop.domain.money import Money


@dataclass(frozen=True)
class Product:
    sku: str
    title: str
    price: Money
    stock: int
    reserved: int = 0

    @property
    def available(self) -> int:
        return self.stock - self.reserved
