from __future__ import annotations

from datetime import datetime

from shop.domain.money import Money
from shop.domain.order import Order, OrderLine, Status
from shop.repositories.base import Repository


class OrderRepository(Repository):
    def next_number(self) -> str:
        """``2026-000123``: the year and a count within it."""
        year = datetime.now().year
        row = self.database.row("SELECT count(*) AS n FROM orders WHERE number LIKE ?", f"{year}-%")
        return f"{year}-{row['n'] + 1:06d}"

    def add(self, order: Order) -> None:
        with self.database.transaction():
            self.database.execute(
                "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                order.number, order.customer_id, order.status.value, order.total.cents,
                order.total.currency, order.payment_kind, order.payment_ref,
                (order.placed_at or datetime.now()).isoformat())
            for line in order.lines:
                self.database.execute("INSERT INTO order_lines VALUES (?, ?, ?, ?)", order.number,
                                      line.sku, line.quantity, line.unit_price.cents)

    def update(self, order: Order) -> None:
        self.database.execute("UPDATE orders SET status = ?, payment_ref = ? WHERE number = ?",
                              order.status.value, order.payment_ref, order.number)

    def by_number(self, number: str) -> Order | None:
        row = self.database.row("SELECT * FROM orders WHERE number = ?", number)
        if row is None:
            return None
        lines = self.database.rows("SELECT * FROM order_lines WHERE order_number = ?", number)
        return Order(
            number, row["customer_id"],
            tuple(OrderLine(line["sku"], line["quantity"], Money(line["unit_cents"], row["currency"]))
                  for line in lines),
            Money(row["total_cents"], row["currency"]), row["payment_kind"], Status(row["status"]),
            row["payment_ref"], datetime.fromisoformat(row["placed_at"]))

    def of_customer(self, customer_id: int) -> list[Order]:
        rows = self.database.rows(
            "SELECT number FROM orders WHERE customer_id = ? ORDER BY placed_at DESC", customer_id)
        return [order for row in rows if (order := self.by_number(row["number"]))]
