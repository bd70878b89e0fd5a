from __future__ import annotations

from shop.domain.cart import Cart
from shop.domain.errors import ShopError, UnknownSku
from shop.domain.order import OrderLine
from shop.repositories.carts import CartRepository
from shop.repositories.products import ProductRepository
from shop.services.pricing import Pricing, Quote

MAX_PER_LINE = 20


class CartService:
    def __init__(self, carts: CartRepository, products: ProductRepository, pricing: Pricing) -> None:
        self._carts = carts
        self._products = products
        self._pricing = pricing

    def add(self, cart_id: str, sku: str, quantity: int) -> Cart:
        if self._products.by_sku(sku) is None:
            raise UnknownSku(sku)
        cart = self._carts.get(cart_id)
        if cart.lines.get(sku, 0) + quantity > MAX_PER_LINE:
            raise ShopError(f"at most {MAX_PER_LINE} of one article")
        cart.add(sku, quantity)
        self._carts.save(cart)
        return cart

    def remove(self, cart_id: str, sku: str) -> Cart:
        cart = self._carts.get(cart_id)
        cart.remove(sku)
        self._carts.save(cart)
        return cart

    def merge_on_sign_in(self, guest_cart_id: str, customer_id: int) -> Cart:
        """The cart somebody filled before signing in joins the one they left last time."""
        own = self._carts.get(f"customer-{customer_id}")
        own.customer_id = customer_id
        own.absorb(self._carts.get(guest_cart_id))
        self._carts.save(own)
        self._carts.delete(guest_cart_id)
        return own

    def add_voucher(self, cart_id: str, code: str) -> Cart:
        cart = self._carts.get(cart_id)
        cart.voucher = code
        self.priced(cart, "DE")  # an invalid code is refused before it is stored
        self._carts.save(cart)
        return cart

    def lines_of(self, cart_id: str) -> list[OrderLine]:
        return self.order_lines(self._carts.get(cart_id))

    def priced(self, cart: Cart, country: str) -> Quote:
        return self._pricing.quote(self.order_lines(cart), cart.voucher, country)

    def order_lines(self, cart: Cart) -> list[OrderLine]:
        lines: list[OrderLine] = []
        for sku, quantity in cart.lines.items():
            product = self._products.by_sku(sku)
            if product is None:
                raise UnknownSku(sku)
            lines.append(OrderLine(sku, quantity, product.price))
        return lines
