"""Workspaces of agents: opened concurrently, and closed whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from lsp_server.mcp import workspaces
from lsp_server.mcp.workspaces import Unanswerable, Workspaces

HANG_LIMIT_S = 30
"""The time after which a test that would hang fails."""


class FakeWorkspace:
    """A fake workspace, known by its folder's name, that records whether it is open."""

    open: list[str]

    def __init__(self, name: str) -> None:
        self.name = name
        self.may_close = asyncio.Event()
        self.may_close.set()
        self.fault: Exception | None = None
        FakeWorkspace.open.append(name)

    async def close(self) -> None:
        await self.may_close.wait()
        FakeWorkspace.open.remove(self.name)
        if self.fault is not None:
            raise self.fault


class FakeWorkspaces(Workspaces):
    """Workspaces whose folders are opened by ``opening``, in a thread like real ones."""

    def __init__(self, opening: Any = None) -> None:
        super().__init__((), {})
        self._opening = opening
        FakeWorkspace.open = []

    def _open(self, key: tuple[str, ...]) -> Any:
        name = Path(key[0]).name
        if self._opening is not None:
            self._opening(name)
        return FakeWorkspace(name)

    async def ask(self, name: str) -> Any:
        async with self.using([Path(f"/nowhere/{name}")]) as opened:
            return opened


async def test_slow_folder_delays_only_its_own_callers():
    has_begun, may_open = threading.Event(), threading.Event()

    def opening(name: str) -> None:
        if name == "slow":
            has_begun.set()
            may_open.wait(HANG_LIMIT_S)

    fakes = FakeWorkspaces(opening)
    waiting = [asyncio.create_task(fakes.ask("slow")) for _ in range(2)]
    await asyncio.to_thread(has_begun.wait, HANG_LIMIT_S)
    quick = asyncio.create_task(fakes.ask("quick"))
    finished, _ = await asyncio.wait((quick, *waiting), return_when="FIRST_COMPLETED")
    assert finished == {quick}
    waiting[0].cancel()
    may_open.set()
    assert (await waiting[1]).name == "slow"
    assert sorted(FakeWorkspace.open) == ["quick", "slow"]
    await fakes.close()
    assert FakeWorkspace.open == []


async def test_failed_opening_is_retried():
    attempts: list[str] = []

    def opening(name: str) -> None:
        attempts.append(name)
        if len(attempts) == 1:
            raise Unanswerable("There is no such folder.")

    fakes = FakeWorkspaces(opening)
    with pytest.raises(Unanswerable, match="no such folder"):
        await fakes.ask("late")
    assert (await fakes.ask("late")).name == "late"
    assert len(attempts) == 2


async def test_evicted_workspaces_close_even_if_the_call_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(workspaces, "_MAX_IDLE", 2)
    fakes = FakeWorkspaces()
    first, second = await fakes.ask("first"), await fakes.ask("second")
    await fakes.ask("third")
    first.may_close.clear()
    second.fault = OSError("it stays")
    monkeypatch.setattr(workspaces, "_MAX_IDLE", 1)
    calling = asyncio.create_task(fakes.ask("fourth"))
    for _ in range(20):
        await asyncio.sleep(0)
    calling.cancel()
    await asyncio.wait((calling,))
    first.may_close.set()
    async with asyncio.timeout(HANG_LIMIT_S):
        await fakes.close()
    assert FakeWorkspace.open == []


async def test_workspace_in_use_is_evicted_only_after_use(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(workspaces, "_MAX_IDLE", 1)
    fakes = FakeWorkspaces()
    async with fakes.using([Path("/nowhere/used")]):
        for name in ("a", "b", "c"):
            await fakes.ask(name)
        assert "used" in FakeWorkspace.open
    for name in ("a", "b"):
        await fakes.ask(name)
    for _ in range(20):
        await asyncio.sleep(0)
    assert "used" not in FakeWorkspace.open
    assert len(FakeWorkspace.open) <= 2
    await fakes.close()
    assert FakeWorkspace.open == []
