from __future__ import annotations

import sqlite3

from shop.domain.money import Money
from shop.domain.product import Product
from shop.repositories.base import Repository


class ProductRepository(Repository):
    def by_sku(self, sku: str) -> Product | None:
        row = self.database.row("SELECT * FROM products WHERE sku = ?", sku)
        return _product(row) if row else None

    def search(self, text: str, limit: int = 50) -> list[Product]:
        rows = self.database.rows(
            "SELECT * FROM products WHERE title LIKE ? ORDER BY title LIMIT ?", f"%{text}%", limit)
        return [_product(row) for row in rows]

    def reserve(self, sku: str, quantity: int) -> bool:
        """Sets pieces aside in one statement, so that two buyers cannot get the last one."""
        return self.database.execute(
            "UPDATE products SET reserved = reserved + ? WHERE sku = ? AND stock - reserved >= ?",
            quantity, sku, quantity) == 1

    def release(self, sku: str, quantity: int) -> None:
        self.database.execute(
            "UPDATE products SET reserved = max(reserved - ?, 0) WHERE sku = ?", quantity, sku)

    def take(self, sku: str, quantity: int) -> None:
        self.database.execute(
            "UPDATE products SET stock = stock - ?, reserved = reserved - ? WHERE sku = ?",
            quantity, quantity, sku)


def _product(row: sqlite3.Row) -> Product:
    return Product(row["sku"], row["title"], Money(row["price_cents"], row["currency"]),
                   row["stock"], row["reserved"])
