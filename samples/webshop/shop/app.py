"""Puts the pieces together. The only module that knows every other one."""

from __future__ import annotations

from dataclasses import dataclass

from shop.config import Config
from shop.db import Database
from shop.events.bus import EventBus
from shop.events.subscribers import subscribe_all
from shop.handlers import admin, cart, catalogue, checkout, orders, webhooks
from shop.jobs.abandoned_carts import AbandonedCartJob
from shop.jobs.scheduler import Scheduler
from shop.payments.registry import load_gateways
from shop.repositories.carts import CartRepository
from shop.repositories.customers import CustomerRepository
from shop.repositories.orders import OrderRepository
from shop.repositories.products import ProductRepository
from shop.services.cart import CartService
from shop.services.checkout import CheckoutService
from shop.services.notifications import Mailer, Notifier
from shop.services.pricing import Pricing
from shop.services.refunds import RefundService
from shop.services.stock import StockService
from shop.web.middleware import MIDDLEWARE, wrap
from shop.web.router import Router
from shop.web.wsgi import WsgiApplication


@dataclass
class Services:
    """What handlers may use; handed to each of them through ``request.services``."""

    config: Config
    carts: CartService
    checkout: CheckoutService
    refunds: RefundService
    stock: StockService
    products: ProductRepository
    orders: OrderRepository
    customers: CustomerRepository


@dataclass
class Shop:
    wsgi: WsgiApplication
    scheduler: Scheduler
    services: Services
    bus: EventBus


def build(config: Config, mailer: Mailer | None = None) -> Shop:
    database = Database(config.database)
    products = ProductRepository(database)
    orders_repo = OrderRepository(database)
    customers = CustomerRepository(database)
    carts = CartRepository(database)
    bus = EventBus()

    pricing = Pricing(config)
    stock = StockService(products)
    gateways = load_gateways(config, customers)
    services = Services(
        config=config,
        carts=CartService(carts, products, pricing),
        checkout=CheckoutService(carts, orders_repo, stock, pricing, gateways, bus),
        refunds=RefundService(orders_repo, gateways, bus),
        stock=stock,
        products=products,
        orders=orders_repo,
        customers=customers,
    )
    subscribe_all(bus, Notifier(mailer or Mailer(), customers), stock, customers)

    router = Router()
    for module in (catalogue, cart, checkout, orders, webhooks, admin):
        router.include(module.routes)
    endpoint = wrap(router.dispatch, MIDDLEWARE, services)

    scheduler = Scheduler()
    scheduler.every(3600, AbandonedCartJob(carts, bus, config.abandoned_after_hours))
    scheduler.every(300, stock.release_expired)
    return Shop(WsgiApplication(endpoint, services), scheduler, services, bus)
