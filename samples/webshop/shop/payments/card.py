from __future__ import annotations

import json
import urllib.error
import urllib.request

from shop.domain.customer import Customer
from shop.domain.errors import PaymentDeclined
from shop.domain.money import Money
from shop.payments.gateway import Charge, PaymentGateway


class CardGateway(PaymentGateway):
    """Credit cards through the acquirer's HTTP interface."""

    kind = "card"

    def __init__(self, endpoint: str, api_key: str) -> None:
        self._endpoint = endpoint
        self._api_key = api_key

    def charge(self, amount: Money, customer: Customer, details: dict[str, str]) -> Charge:
        answer = self._post("charges", {
            "amount": amount.cents, "currency": amount.currency,
            "card_token": details["card_token"], "receipt_email": customer.email,
        })
        if answer["outcome"] == "declined":
            raise PaymentDeclined(answer.get("reason", "the card was declined"))
        return Charge(answer["id"], settled=answer["outcome"] == "captured")

    def refund(self, reference: str, amount: Money) -> None:
        self._post(f"charges/{reference}/refunds", {"amount": amount.cents})

    def _post(self, path: str, payload: dict[str, object]) -> dict[str, str]:
        request = urllib.request.Request(
            f"{self._endpoint}/{path}", data=json.dumps(payload).encode(),
            headers={"Authorization": f"Bearer {self._api_key}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.URLError as error:
            raise PaymentDeclined("the card network cannot be reached") from error
