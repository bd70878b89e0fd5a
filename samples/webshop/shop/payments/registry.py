"""Which ways to pay this shop offers."""

from __future__ import annotations

from shop.config import Config
from shop.payments.card import CardGateway
from shop.payments.gateway import PaymentGateway
from shop.payments.invoice import InvoiceGateway
from shop.payments.points import PointsGateway
from shop.repositories.customers import CustomerRepository


def load_gateways(config: Config, customers: CustomerRepository) -> dict[str, PaymentGateway]:
    gateways: list[PaymentGateway] = [InvoiceGateway(), PointsGateway(customers)]
    if config.card_api_key:
        gateways.append(CardGateway(config.card_endpoint, config.card_api_key))
    return {gateway.kind: gateway for gateway in gateways}
