"""When garbage is collected: never while a client might notice, but eventually all the same."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lsp_server import garbage


@pytest.mark.parametrize(
    ("bodies", "immediate_collections"),
    [
        pytest.param([1.0], 0, id="a question"),
        pytest.param([45.0], 0, id="a long survey"),
        pytest.param([0.5, 45.0], 0, id="a long survey after a question"),
        pytest.param([0.5] * 100, 1, id="one question after another"),
    ],
)
async def test_garbage_is_collected_at_once_only_when_overdue(
    monkeypatch: pytest.MonkeyPatch, bodies: list[float], immediate_collections: int
):
    now, collections = 1000.0, 0

    def collect() -> None:
        nonlocal collections
        collections += 1
        state.waiting_since = None

    state = garbage._Collector()
    monkeypatch.setattr(garbage, "_state", state)
    monkeypatch.setattr(garbage, "_collect", collect)
    monkeypatch.setattr(garbage, "time", SimpleNamespace(monotonic=lambda: now))
    for seconds in bodies:
        with garbage.collecting_afterwards():
            now += seconds
    assert collections == immediate_collections
    assert state.timer is not None
    state.timer.cancel()
