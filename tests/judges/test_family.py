"""A family of implementations is shown as signatures, and no quote spans their gaps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture import parse
from tests.judges.conftest import Ask, Run
from tests.model_server.script import Place, Prompt, Turn, calls, submits, turn

MEMBER = """
    //- pay/{file}.py
    from pay.base import Gateway


    class {name}(Gateway):
        def charge(self, order):
            amount = order.total
            self.ledger.append(amount)
            return amount

        def refund(self, order):
            self.ledger.remove(order.total)
            return order
"""
PAY = """
    //- pay/base.py
    class Gateway:
        def charge(self, order):
            raise NotImplementedError

        def refund(self, order):
            raise NotImplementedError
    //- pay/checkout.py
    from pay.card import CardGateway


    def checkout(order):
        return settle(order, CardGateway())


    def settle(order, gateway: CardGateway):
        return gateway.charge(order)
""" + "".join(
    MEMBER.format(file=name.lower(), name=f"{name}Gateway")
    for name in ("Card", "Cash", "Coin", "Gift")
)
QUESTION = (
    "How does checkout settle and charge: CardGateway, CashGateway, CoinGateway, GiftGateway?"
)


@pytest.fixture
def gateway_shop(tmp_path: Path) -> Path:
    return parse(PAY).write(tmp_path / "pay")


def skeletons(prompt: Prompt) -> list[Place]:
    return [place for place in prompt.places() if "only signatures are shown" in place.name]


def submit_quoting(quote: str) -> object:
    """A report that quotes a skeleton in addition to a good step."""

    def hand_in(prompt: Prompt) -> Turn:
        first = prompt.step("pay/checkout.py", "settle", "return gateway.charge(order)")
        step = {"role": "other", "fact": "It does so too.", "quote": quote}
        others = [{"candidateId": place.id, **step} for place in skeletons(prompt)[:1]]
        return turn(submits([first, *others]))

    return hand_in


async def explore_quoting(ask: Ask, folder: Path, quote: str, **changed: object) -> Run:
    return await ask([], then=submit_quoting(quote), query=QUESTION, folder=folder, **changed)


@pytest.mark.parametrize(
    "quote",
    [
        "def charge(self, order):\n    def refund(self, order):",
        "def charge(self, order): def refund(self, order):",
    ],
    ids=["two lines", "one line"],
)
async def test_quote_across_a_gap_is_dropped(ask: Ask, gateway_shop: Path, quote: str):
    run = await explore_quoting(ask, gateway_shop, quote)
    assert [link.path for link in run.report.links] == ["pay/checkout.py"]
    assert "fact_unverified" in {each.why for each in run.report.dropped}


async def test_a_signature_can_be_quoted(ask: Ask, gateway_shop: Path):
    run = await explore_quoting(ask, gateway_shop, "def refund(self, order):")
    _, link = run.report.links
    assert link.quote == "def refund(self, order):"
    assert link.path in ("pay/cash.py", "pay/coin.py", "pay/gift.py")


async def test_members_outside_the_flow_are_shown_as_signatures(ask: Ask, gateway_shop: Path):
    run = await explore_quoting(ask, gateway_shop, "nothing()")
    found = skeletons(Prompt(run.requests[0]))
    assert {place.path for place in found} == {"pay/cash.py", "pay/coin.py", "pay/gift.py"}
    for place in found:
        assert not any("amount" in line for line in place.lines.values())
    whole = await explore_quoting(ask, gateway_shop, "nothing()", adaptive=False)
    assert skeletons(Prompt(whole.requests[0])) == []


async def test_reading_a_skeleton_returns_the_body(ask: Ask, gateway_shop: Path):
    def read(prompt: Prompt) -> Turn:
        return turn(calls("read_file", path=skeletons(prompt)[0].id))

    submit = submit_quoting("def refund(self, order):")
    run = await ask([read], then=submit, query=QUESTION, folder=gateway_shop)
    (result,) = [
        b for b in run.requests[1]["messages"][-1]["content"] if b["type"] == "tool_result"
    ]
    assert "self.ledger.append(amount)" in result["content"][0]["text"]
