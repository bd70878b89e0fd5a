from __future__ import annotations

from shop.domain.errors import UnknownSku
from shop.domain.product import Product
from shop.web.request import Request, Response
from shop.web.router import Routes

routes = Routes("/products")


@routes.get("")
def search(request: Request) -> Response:
    found = request.services.products.search(request.query.get("q", ""))
    return Response(payload=[_shown(product) for product in found])


@routes.get("/{sku}")
def show(request: Request) -> Response:
    product = request.services.products.by_sku(request.params["sku"])
    if product is None:
        raise UnknownSku(request.params["sku"])
    return Response(payload=_shown(product))


def _shown(product: Product) -> dict[str, object]:
    return {"sku": product.sku, "title": product.title, "price": product.price.cents,
            "available": product.available > 0}
