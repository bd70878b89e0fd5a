import pytest

from shop.domain.errors import NotEnoughStock, PaymentDeclined
from shop.domain.money import Money
from shop.domain.order import OrderLine, Status


def lines(quantity):
    return [OrderLine("tea", quantity, Money(700))]


def test_an_invoice_order_waits_for_its_money(shop, outbox):
    ada = shop.services.customers.by_id(1)
    order = shop.services.checkout.place_order("c", ada, lines(2), "invoice", {})
    assert order.status is Status.PLACED
    assert [subject for _, subject, _ in outbox.sent] == ["Your order"]


def test_a_declined_payment_frees_the_stock(shop):
    ada = shop.services.customers.by_id(1)
    with pytest.raises(PaymentDeclined):
        shop.services.checkout.place_order("c", ada, lines(2), "points", {})
    assert shop.services.products.by_sku("tea").available == 3


def test_the_last_piece_is_sold_once(shop):
    ada = shop.services.customers.by_id(1)
    with pytest.raises(NotEnoughStock):
        shop.services.checkout.place_order("c", ada, lines(4), "invoice", {})


def test_paying_awards_points(shop):
    ada = shop.services.customers.by_id(1)
    order = shop.services.checkout.place_order("c", ada, lines(2), "invoice", {})
    shop.services.checkout.confirm(order)
    assert shop.services.customers.by_id(1).loyalty_points == 18
