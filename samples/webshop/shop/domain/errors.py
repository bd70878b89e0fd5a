"""Everything the shop can refuse, in words a customer may read."""


class ShopError(Exception):
    pass


class UnknownSku(ShopError):
    def __init__(self, sku: str) -> None:
        super().__init__(f"there is no article {sku}")


class NotEnoughStock(ShopError):
    def __init__(self, sku: str, wanted: int, left: int) -> None:
        super().__init__(f"only {left} of {sku} left, {wanted} wanted")


class EmptyCart(ShopError):
    pass


class PaymentDeclined(ShopError):
    pass


class IllegalTransition(ShopError):
    pass
