from pathlib import Path

import pytest

from shop.app import build
from shop.config import Config
from shop.services.notifications import Mailer

MIGRATIONS = Path(__file__).parent.parent / "migrations"


class Outbox(Mailer):
    def __init__(self):
        super().__init__()
        self.sent = []

    def send(self, to, subject, text):
        self.sent.append((to, subject, text))


@pytest.fixture
def outbox():
    return Outbox()


@pytest.fixture
def shop(outbox):
    shop = build(Config(database=":memory:"), outbox)
    database = shop.services.products.database
    for script in sorted(MIGRATIONS.glob("*.sql")):
        for statement in script.read_text().split(";"):
            database.execute(statement)
    database.execute("INSERT INTO products (sku, title, price_cents, stock) VALUES ('tea', 'Tea', 700, 3)")
    database.execute("INSERT INTO customers (id, email, password_hash) VALUES (1, 'ada@example.com', '$')")
    return shop
