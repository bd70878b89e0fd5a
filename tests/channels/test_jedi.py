"""Definitions through jedi, asked in its own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from explorer_core.channels import jedi as jedi_channel
from explorer_core.channels.jedi import JediDefinitions
from explorer_core.contracts import ChannelResult, DefinitionFound
from explorer_core.workspace import Workspace
from tests.fixture import Fixture, parse

FIXTURE = """
//- shop/cart.py
class Cart:
<<add:    def add(self, item):
        self.items.append(item)>>

LIMIT = 3
//- shop/__init__.py
from shop.cart import Cart
//- app.py
import os
from shop import Cart
from shop.cart import LIMIT

cart = Cart()
cart.<|>add(1)
print(<|>LIMIT, os.<|>getcwd())
(<|>
//- .gitignore
generated.py
//- generated.py
def made(): ...
//- user.py
from generated import made
<|>made()
"""


def definitions(result: ChannelResult) -> list[tuple[str, int, str, str]]:
    assert result.diagnostics == ()
    found = [item for item in result.observations if isinstance(item, DefinitionFound)]
    assert all(item.symbol.line in item.range for item in found)
    return [(d.path, d.symbol.line, d.symbol.qualified_name, d.symbol.kind) for d in found]


@pytest.fixture(scope="module")
def fixture() -> Fixture:
    return parse(FIXTURE)


@pytest.fixture
def workspace(fixture: Fixture, tmp_path: Path) -> Workspace:
    return Workspace.open(fixture.write(tmp_path))


@pytest_asyncio.fixture
async def asked(workspace: Workspace) -> AsyncIterator[JediDefinitions]:
    channel = JediDefinitions(workspace)
    yield channel
    await channel.close()


async def test_definitions(asked: JediDefinitions, fixture: Fixture, workspace: Workspace) -> None:
    method, constant, outside, nothing, ignored = fixture.cursors
    result = await asked.definitions(*method, timeout_s=60)
    assert definitions(result) == [("shop/cart.py", 2, "Cart.add", "method")]
    (found,) = result.observations
    assert isinstance(found, DefinitionFound)
    add = fixture.ranges["add"]
    assert (found.range.start, found.range.end) == (add.start, add.end)
    assert found.segment == workspace.read("shop/cart.py").segment(add.start, add.end)
    assert definitions(await asked.definitions(*constant, timeout_s=60)) == [
        ("shop/cart.py", 5, "LIMIT", "variable")
    ]
    for place in (outside, nothing, ignored):
        assert definitions(await asked.definitions(*place, timeout_s=60)) == []


async def test_unsaved_text_is_what_jedi_sees(asked: JediDefinitions, workspace: Workspace) -> None:
    workspace.overlays.set("app.py", "\nfrom shop.cart import LIMIT\nLIMIT\n")
    result = await asked.definitions("app.py", 3, 0, timeout_s=60)
    assert definitions(result) == [("shop/cart.py", 5, "LIMIT", "variable")]


async def test_looking_at_code_does_not_run_it(tmp_path: Path) -> None:
    source = "//- gi.py\nopen('ran', 'w')\ndef f(): ...\n//- a.py\nimport gi\ngi.f()\n"
    channel = JediDefinitions(Workspace.open(parse(source).write(tmp_path)))
    try:
        assert definitions(await channel.definitions("a.py", 2, 3, timeout_s=60))
    finally:
        await channel.close()
    assert not await asyncio.to_thread(lambda: [*tmp_path.rglob("ran"), *Path().glob("ran")])


@pytest.mark.parametrize(
    ("path", "line", "column", "said"),
    [
        ("none.py", 1, 0, "no file"),
        ("app.py", 99, 0, "no line 99"),
        ("app.py", 1, 99, "column 99"),
        ("../x.py", 1, 0, "outside"),
    ],
)
async def test_places_that_do_not_exist(
    asked: JediDefinitions, path: str, line: int, column: int, said: str
) -> None:
    result = await asked.definitions(path, line, column)
    assert result.observations == ()
    assert said in result.diagnostics[0].message


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "stuck.py"
    script.write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(jedi_channel, "_WORKER", script)


async def test_a_silent_worker_is_replaced(
    asked: JediDefinitions, fixture: Fixture, stuck: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = await asked.definitions(*fixture.cursors[0], timeout_s=0.3)
    assert "did not answer within 0.3 s" in result.diagnostics[0].message
    monkeypatch.undo()
    assert definitions(await asked.definitions(*fixture.cursors[0], timeout_s=60))


async def test_a_worker_that_dies_is_a_diagnostic(
    asked: JediDefinitions, fixture: Fixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dies.py").write_text("raise SystemExit(3)\n")
    monkeypatch.setattr(jedi_channel, "_WORKER", tmp_path / "dies.py")
    result = await asked.definitions(*fixture.cursors[0], timeout_s=60)
    assert "could not be asked" in result.diagnostics[0].message


async def test_cancelling_ends_the_worker(
    asked: JediDefinitions, fixture: Fixture, stuck: None
) -> None:
    task = asyncio.create_task(asked.definitions(*fixture.cursors[0], timeout_s=60))
    for _ in range(500):
        if asked._process is not None:
            break
        await asyncio.sleep(0.01)
    process = asked._process
    assert process is not None
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert process.returncode is not None
