"""Workspaces of agents: opened concurrently, and closed whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from lsp_server.mcp import workspaces
from lsp_server.mcp.workspaces import Unanswerable, Workspaces

GUARD_S = 30
"""The time after which a test that would hang fails."""


class Fake:
    """A fake workspace, known by its folder's name, that records whether it is open."""

    open: list[str]

    def __init__(self, name: str) -> None:
        self.name = name
        self.may_close = asyncio.Event()
        self.may_close.set()
        self.fault: Exception | None = None
        Fake.open.append(name)

    async def close(self) -> None:
        await self.may_close.wait()
        Fake.open.remove(self.name)
        if self.fault is not None:
            raise self.fault


class Faked(Workspaces):
    """Workspaces whose folders are opened by ``opening``, in a thread like real ones."""

    def __init__(self, opening: Any = None) -> None:
        super().__init__((), {})
        self._opening = opening
        Fake.open = []

    def _open(self, key: tuple[str, ...]) -> Any:
        name = Path(key[0]).name
        if self._opening is not None:
            self._opening(name)
        return Fake(name)

    async def ask(self, name: str) -> Any:
        async with self.using([Path(f"/nowhere/{name}")]) as opened:
            return opened


async def test_a_slow_folder_holds_up_only_who_asks_about_it():
    begun, may_open = threading.Event(), threading.Event()

    def opening(name: str) -> None:
        if name == "slow":
            begun.set()
            may_open.wait(GUARD_S)

    faked = Faked(opening)
    waiting = [asyncio.create_task(faked.ask("slow")) for _ in range(2)]
    await asyncio.to_thread(begun.wait, GUARD_S)
    quick = asyncio.create_task(faked.ask("quick"))
    ended, _ = await asyncio.wait((quick, *waiting), return_when="FIRST_COMPLETED")
    assert ended == {quick}
    waiting[0].cancel()
    may_open.set()
    assert (await waiting[1]).name == "slow"
    assert sorted(Fake.open) == ["quick", "slow"]
    await faked.close()
    assert Fake.open == []


async def test_a_folder_that_cannot_be_opened_is_tried_again():
    tried: list[str] = []

    def opening(name: str) -> None:
        tried.append(name)
        if len(tried) == 1:
            raise Unanswerable("There is no such folder.")

    faked = Faked(opening)
    with pytest.raises(Unanswerable, match="no such folder"):
        await faked.ask("late")
    assert (await faked.ask("late")).name == "late"
    assert len(tried) == 2


async def test_what_makes_room_is_closed_though_the_call_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(workspaces, "_OPEN", 2)
    faked = Faked()
    first, second = await faked.ask("first"), await faked.ask("second")
    await faked.ask("third")
    first.may_close.clear()
    second.fault = OSError("it stays")
    monkeypatch.setattr(workspaces, "_OPEN", 1)
    calling = asyncio.create_task(faked.ask("fourth"))
    for _ in range(20):
        await asyncio.sleep(0)
    calling.cancel()
    await asyncio.wait((calling,))
    first.may_close.set()
    async with asyncio.timeout(GUARD_S):
        await faked.close()
    assert Fake.open == []


async def test_what_is_in_use_stays_open_and_makes_room_afterwards(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(workspaces, "_OPEN", 1)
    faked = Faked()
    async with faked.using([Path("/nowhere/used")]):
        for name in ("a", "b", "c"):
            await faked.ask(name)
        assert "used" in Fake.open
    for name in ("a", "b"):
        await faked.ask(name)
    for _ in range(20):
        await asyncio.sleep(0)
    assert "used" not in Fake.open
    assert len(Fake.open) <= 2
    await faked.close()
    assert Fake.open == []
