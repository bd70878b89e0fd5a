from __future__ import annotations

from datetime import datetime

from shop.domain.cart import Cart
from shop.repositories.base import Repository


class CartRepository(Repository):
    def get(self, cart_id: str) -> Cart:
        """The stored cart, or a fresh one under that id."""
        row = self.database.row("SELECT * FROM carts WHERE id = ?", cart_id)
        if row is None:
            return Cart(cart_id)
        lines = self.database.rows("SELECT sku, quantity FROM cart_lines WHERE cart_id = ?", cart_id)
        return Cart(cart_id, row["customer_id"], row["voucher"],
                    {line["sku"]: line["quantity"] for line in lines},
                    datetime.fromisoformat(row["touched_at"]))

    def save(self, cart: Cart) -> None:
        with self.database.transaction():
            self.database.execute(
                "INSERT INTO carts (id, customer_id, voucher, touched_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET customer_id = excluded.customer_id, "
                "voucher = excluded.voucher, touched_at = excluded.touched_at",
                cart.id, cart.customer_id, cart.voucher, cart.touched_at.isoformat())
            self.database.execute("DELETE FROM cart_lines WHERE cart_id = ?", cart.id)
            for sku, quantity in cart.lines.items():
                self.database.execute("INSERT INTO cart_lines VALUES (?, ?, ?)", cart.id, sku, quantity)

    def delete(self, cart_id: str) -> None:
        self.database.execute("DELETE FROM carts WHERE id = ?", cart_id)

    def untouched_since(self, moment: datetime) -> list[Cart]:
        rows = self.database.rows(
            "SELECT id FROM carts WHERE touched_at < ? AND customer_id IS NOT NULL",
            moment.isoformat())
        return [self.get(row["id"]) for row in rows]
