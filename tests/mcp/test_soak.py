"""Many calls by clients that connect, cancel and disconnect: nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import mcp_types
import pytest
from mcp import Client

from tests.commands import environment
from tests.mcp.conftest import OpenClient, command, listening
from tests.shop import QUESTION

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]
CALLS = 200
CLIENTS = 4


async def make_calls(client: Client, count: int, chance: random.Random) -> int:
    """Make calls one after the other, cancelling every third at a random moment."""
    answered = 0
    for number in range(count):
        arguments = {"query": f"{QUESTION} {chance.choice('abcd')}"}
        asking = asyncio.create_task(client.call_tool("explore_code", arguments))
        if number % 3 == 0:
            await asyncio.sleep(chance.uniform(0, 0.05))
            asking.cancel()
        try:
            result = await asking
        except asyncio.CancelledError:
            continue
        assert isinstance(result, mcp_types.CallToolResult)
        assert not result.is_error
        answered += 1
    return answered


def resource_usage(pid: int) -> tuple[int, int, int]:
    """The open files, threads and resident kilobytes of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return (
        len(list(Path(f"/proc/{pid}/fd").iterdir())),
        int(fields["Threads"]),
        int(fields["VmRSS"].split()[0]),
    )


def children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


async def check_no_leak(pid: int, make_rounds: Callable[[int], Awaitable[int]]) -> None:
    """Check that after many calls a process uses hardly more than after some."""
    await make_rounds(40)
    await asyncio.sleep(1)
    files, threads, memory = resource_usage(pid)
    assert await make_rounds(CALLS) >= CALLS // 2
    await asyncio.sleep(1)
    now = resource_usage(pid)
    assert now[0] <= files + 4
    assert now[1] <= threads + 2
    assert now[2] <= memory + 30_000


async def test_http_leaks_nothing(shop: Path, tmp_path: Path):
    chance = random.Random(3)
    server_command = command("--workspace", str(shop))
    async with listening(server_command, environment(tmp_path)) as url:
        (pid,) = [pid for pid in children(os.getpid()) if b"--http" in cmdline(pid)]

        async def make_rounds(calls: int) -> int:
            async def call_as_one_client() -> int:
                async with Client(url) as client:
                    return await make_calls(client, calls // CLIENTS, chance)

            return sum(await asyncio.gather(*(call_as_one_client() for _ in range(CLIENTS))))

        await check_no_leak(pid, make_rounds)


@pytest.mark.parametrize("open_client", ["stdio"], indirect=True)
async def test_stdio_leaks_nothing(open_client: OpenClient):
    chance = random.Random(4)
    before = set(children(os.getpid()))
    async with open_client() as client:
        (pid,) = [pid for pid in children(os.getpid()) if pid not in before]

        async def make_rounds(calls: int) -> int:
            batches = (make_calls(client, calls // CLIENTS, chance) for _ in range(CLIENTS))
            return sum(await asyncio.gather(*batches))

        await check_no_leak(pid, make_rounds)
    assert pid not in children(os.getpid())


def cmdline(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
