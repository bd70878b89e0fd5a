"""Cancelling an exploration ends the request at once and leaves nothing behind."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.judges.conftest import Ask
from tests.model_server.script import Turn, calls, says, slowly, turn
from tests.model_server.server import ModelServer

WORDS = slowly(turn(says("word " * 500)), 0.1)


async def cancel_while_asking(
    ask: Ask, server: ModelServer, act: Turn, judge: str, wait: float
) -> float:
    """Cancel ``wait`` seconds after the first request has arrived; return how long that took."""
    exploring = asyncio.create_task(ask([], then=act, judge=judge))
    await asyncio.to_thread(server.first_request.wait, 10)
    await asyncio.sleep(wait)
    started = time.monotonic()
    exploring.cancel()
    with pytest.raises(asyncio.CancelledError):
        await exploring
    return time.monotonic() - started


@pytest.mark.parametrize("judge", ["conversation", "packet"])
@pytest.mark.parametrize("wait", [0.0, 0.15])
async def test_cancelling_leaves_no_task(ask: Ask, server: ModelServer, judge: str, wait: float):
    before = asyncio.all_tasks()
    server.plays([])
    await cancel_while_asking(ask, server, WORDS, judge, wait)
    assert asyncio.all_tasks() <= before
    heard = len(server.requests)
    await asyncio.sleep(0.4)
    assert len(server.requests) == heard
    assert server.left_early == 1  # the server noticed that the client is gone


async def test_cancelling_while_tools_run_leaves_no_task(ask: Ask, server: ModelServer):
    before = asyncio.all_tasks()
    server.plays([])
    looks = turn(*(calls("explore_code", query=f"order {n}") for n in range(6)))
    await cancel_while_asking(ask, server, looks, "conversation", 0.03)
    assert asyncio.all_tasks() <= before


async def test_explorer_answers_after_a_cancelled_question(ask: Ask, server: ModelServer):
    server.plays([])
    await cancel_while_asking(ask, server, WORDS, "conversation", 0.05)
    run = await ask([], judge="offline")
    assert run.report.links
