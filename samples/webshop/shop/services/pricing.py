"""What a cart costs: vouchers, shipping, tax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shop.config import Config
from shop.domain.errors import ShopError
from shop.domain.money import Money
from shop.domain.order import OrderLine

SHIPPING = Money(490)
Discount = Callable[[Money], Money]

VOUCHERS: dict[str, Discount] = {}


def voucher(code: str) -> Callable[[Discount], Discount]:
    """Registers a discount under the code a customer types."""

    def decorate(discount: Discount) -> Discount:
        VOUCHERS[code.upper()] = discount
        return discount

    return decorate


@voucher("WELCOME10")
def ten_percent(subtotal: Money) -> Money:
    return subtotal.percent(10)


@voucher("FIVER")
def five_euros(subtotal: Money) -> Money:
    return min(Money(500), subtotal)


@dataclass(frozen=True)
class Quote:
    subtotal: Money
    discount: Money
    shipping: Money
    tax: Money
    total: Money


class Pricing:
    def __init__(self, config: Config) -> None:
        self._config = config

    def quote(self, lines: list[OrderLine], code: str | None, country: str = "DE") -> Quote:
        subtotal = sum((line.unit_price * line.quantity for line in lines), Money(0))
        discount = self._discount(code, subtotal)
        after = subtotal - discount
        free = after.cents >= self._config.free_shipping_from_cents
        shipping = Money(0) if free else SHIPPING
        total = after + shipping
        rate = self._config.vat_rates[country]
        # Prices are shown with tax inside, so this is the share of the total, not added to it.
        tax = Money(round(total.cents * rate / (100 + rate)))
        return Quote(subtotal, discount, shipping, tax, total)

    def _discount(self, code: str | None, subtotal: Money) -> Money:
        if not code:
            return Money(0)
        rule = VOUCHERS.get(code.upper())
        if rule is None:
            raise ShopError(f"the voucher {code} is not valid")
        return rule(subtotal)
