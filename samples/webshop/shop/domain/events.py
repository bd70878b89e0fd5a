"""Things that happened, in the past tense."""

from __future__ import annotations

from dataclasses import dataclass

from shop.domain.cart import Cart
from shop.domain.money import Money
from shop.domain.order import Order


@dataclass(frozen=True)
class OrderPlaced:
    order: Order


@dataclass(frozen=True)
class OrderPaid:
    order: Order


@dataclass(frozen=True)
class OrderRefunded:
    order: Order
    amount: Money


@dataclass(frozen=True)
class CartAbandoned:
    cart: Cart
