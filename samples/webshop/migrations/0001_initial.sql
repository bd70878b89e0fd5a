CREATE TABLE products (
    sku         TEXT PRIMARY KEY,
    title       TEXT NOT NULL,
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    currency    TEXT NOT NULL DEFAULT 'EUR',
    stock       INTEGER NOT NULL DEFAULT 0,
    reserved    INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE customers (
    id             INTEGER PRIMARY KEY,
    email          TEXT NOT NULL UNIQUE,
    password_hash  TEXT NOT NULL,
    loyalty_points INTEGER NOT NULL DEFAULT 0,
    is_staff       INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE carts (
    id          TEXT PRIMARY KEY,
    customer_id INTEGER REFERENCES customers(id),
    voucher     TEXT,
    touched_at  TEXT NOT NULL
);

CREATE TABLE cart_lines (
    cart_id  TEXT NOT NULL REFERENCES carts(id) ON DELETE CASCADE,
    sku      TEXT NOT NULL REFERENCES products(sku),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (cart_id, sku)
);

CREATE TABLE orders (
    number       TEXT PRIMARY KEY,
    customer_id  INTEGER NOT NULL REFERENCES customers(id),
    status       TEXT NOT NULL,
    total_cents  INTEGER NOT NULL,
    currency     TEXT NOT NULL,
    payment_kind TEXT NOT NULL,
    payment_ref  TEXT,
    placed_at    TEXT NOT NULL
);

CREATE TABLE order_lines (
    order_number TEXT NOT NULL REFERENCES orders(number),
    sku          TEXT NOT NULL,
    quantity     INTEGER NOT NULL,
    unit_cents   INTEGER NOT NULL,
    PRIMARY KEY (order_number, sku)
);
