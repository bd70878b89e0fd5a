"""A conversation that goes well: one report, from what was seen, through the real SDK."""

from __future__ import annotations

from tests.judges.conftest import Ask
from tests.model_server.script import Seen, Turn, calls, says, submits, thinks, turn


def checkout_flow(seen: Seen) -> Turn:
    """The report a good model would hand in."""
    return turn(
        submits(
            [
                seen.step(
                    "shop/web.py", "checkout", "return place_order(request.basket, request.user)"
                ),
                seen.step("shop/orders.py", "place_order", "number = OrderStore().save(order)"),
                seen.step("shop/store.py", "OrderStore", "self.orders.append(order)"),
            ]
        )
    )


async def test_one_conversation_one_report(ask: Ask):
    run = await ask([checkout_flow])
    assert [link.path for link in run.report.links] == [
        "shop/web.py",
        "shop/orders.py",
        "shop/store.py",
    ]
    assert (run.report.judge, run.report.stop_reason) == ("conversation", "completed")
    assert run.report.dropped == ()
    assert run.report.confidence == "high"
    assert [link.hop and link.hop.relation for link in run.report.links] == ["calls", "calls", None]
    assert len(run.requests) == 1
