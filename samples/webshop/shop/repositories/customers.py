from __future__ import annotations

import sqlite3

from shop.domain.customer import Customer
from shop.repositories.base import Repository


class CustomerRepository(Repository):
    def by_id(self, customer_id: int) -> Customer | None:
        row = self.database.row("SELECT * FROM customers WHERE id = ?", customer_id)
        return _customer(row) if row else None

    def by_email(self, email: str) -> Customer | None:
        row = self.database.row("SELECT * FROM customers WHERE email = ?", email.lower())
        return _customer(row) if row else None

    def change_points(self, customer_id: int, by: int) -> None:
        self.database.execute(
            "UPDATE customers SET loyalty_points = max(loyalty_points + ?, 0) WHERE id = ?",
            by, customer_id)


def _customer(row: sqlite3.Row) -> Customer:
    return Customer(row["id"], row["email"], row["password_hash"], row["loyalty_points"],
                    bool(row["is_staff"]))
