import pytest

from shop.web.errors import HttpError
from shop.web.request import Request, Response
from shop.web.router import Router, Routes


def request(method, path):
    return Request(method, path, services=None)


def router():
    routes = Routes("/tea")

    @routes.get("/{leaf}")
    def show(request):
        return Response(payload=request.params["leaf"])

    router = Router()
    router.include(routes)
    return router


def test_a_parameter_reaches_the_handler():
    assert router().dispatch(request("GET", "/tea/oolong")).payload == "oolong"


@pytest.mark.parametrize(("method", "path", "status"), [("POST", "/tea/oolong", 405), ("GET", "/milk", 404)])
def test_what_is_not_there(method, path, status):
    with pytest.raises(HttpError) as caught:
        router().dispatch(request(method, path))
    assert caught.value.status == status
