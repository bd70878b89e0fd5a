"""Definitions from jedi, which runs in its own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from explorer_core.channels import jedi as jedi_channel
from explorer_core.channels.compiler import CompilerError, CompilerPlace
from explorer_core.channels.jedi import Jedi
from explorer_core.workspace import Workspace
from tests.fixture import Fixture, parse
from tests.waiting import until

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
//- src/pydantic/__init__.py
def only(): ...
//- src/main.py
import pydantic
pydantic.<|>only()
"""


def positions_and_names(places: list[CompilerPlace]) -> list[tuple[str, int, str | None]]:
    assert all(place.range and place.range.start == place.range.end for place in places)
    return [(place.path, place.range.start, place.name) for place in places if place.range]


@pytest.fixture(scope="module")
def fixture() -> Fixture:
    return parse(FIXTURE)


@pytest.fixture
def workspace(fixture: Fixture, tmp_path: Path) -> Workspace:
    return Workspace.open(fixture.write(tmp_path / "code"))


@pytest_asyncio.fixture
async def jedi(workspace: Workspace) -> AsyncIterator[Jedi]:
    jedi = Jedi(workspace, time_s=60)
    yield jedi
    await jedi.close()


async def test_definitions_within_the_workspace_are_found(jedi: Jedi, fixture: Fixture) -> None:
    method, constant, outside, nothing, ignored, installed = fixture.cursors
    assert positions_and_names(await jedi.definition(*method)) == [("shop/cart.py", 2, "add")]
    assert positions_and_names(await jedi.definition(*constant)) == [("shop/cart.py", 5, "LIMIT")]
    assert positions_and_names(await jedi.definition(*ignored)) == [("generated.py", 1, "made")]
    for place in (outside, nothing):
        assert positions_and_names(await jedi.definition(*place)) == []
    # A package of the environment that runs this program is not mistaken for the workspace's own.
    assert positions_and_names(await jedi.definition(*installed)) == [
        ("src/pydantic/__init__.py", 1, "only")
    ]


async def test_unsaved_text_is_used(jedi: Jedi, workspace: Workspace) -> None:
    workspace.overlays.set("app.py", "\nfrom shop.cart import LIMIT\nLIMIT\n")
    assert positions_and_names(await jedi.definition("app.py", 3, 0)) == [
        ("shop/cart.py", 5, "LIMIT")
    ]


async def test_parser_cache_is_not_written(
    jedi: Jedi, fixture: Fixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(folder, str(tmp_path / "home"))
    assert await jedi.definition(*fixture.cursors[0])
    assert not (tmp_path / "home").exists()


async def test_code_of_the_workspace_is_not_executed(tmp_path: Path) -> None:
    source = "//- gi.py\nopen('ran', 'w')\ndef f(): ...\n//- a.py\nimport gi\ngi.f()\n"
    jedi = Jedi(Workspace.open(parse(source).write(tmp_path)), time_s=60)
    try:
        assert positions_and_names(await jedi.definition("a.py", 2, 3))
    finally:
        await jedi.close()
    assert not await asyncio.to_thread(lambda: [*tmp_path.rglob("ran"), *Path().glob("ran")])


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [("none.py", 1, 0), ("app.py", 99, 0), ("app.py", 1, 99), ("../x.py", 1, 0)],
)
async def test_missing_places_have_no_definition_and_start_no_worker(
    jedi: Jedi, path: str, line: int, column: int
) -> None:
    assert await jedi.definition(path, line, column) == []
    assert jedi._process is None


@pytest.mark.parametrize(
    ("path", "covered"), [("a.py", True), ("a/b.pyi", True), ("a.js", False), ("py", False)]
)
def test_only_python_files_are_covered(workspace: Workspace, path: str, covered: bool) -> None:
    assert Jedi(workspace).covers(path) == covered


@pytest.fixture
def stuck_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "stuck.py"
    script.write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(jedi_channel, "_WORKER", script)


async def test_unresponsive_worker_is_replaced(
    jedi: Jedi, fixture: Fixture, stuck_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jedi, "_time_s", 0.3)
    with pytest.raises(CompilerError, match=r"did not answer within 0\.3 s"):
        await jedi.definition(*fixture.cursors[0])
    monkeypatch.undo()
    assert positions_and_names(await jedi.definition(*fixture.cursors[0]))


async def test_dying_worker_raises_compiler_error(
    jedi: Jedi, fixture: Fixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dies.py").write_text("raise SystemExit(3)\n")
    monkeypatch.setattr(jedi_channel, "_WORKER", tmp_path / "dies.py")
    with pytest.raises(CompilerError, match="could not be asked"):
        await jedi.definition(*fixture.cursors[0])


async def test_closed_channel_starts_no_worker(jedi: Jedi, fixture: Fixture) -> None:
    await jedi.close()
    with pytest.raises(CompilerError, match="it was closed"):
        await jedi.definition(*fixture.cursors[0])
    assert jedi._process is None


async def test_closing_ends_a_busy_worker(jedi: Jedi, fixture: Fixture, stuck_worker: None) -> None:
    requests = [asyncio.create_task(jedi.definition(*fixture.cursors[0])) for _ in range(3)]
    process = await process_of(jedi)
    await jedi.close()
    results = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(each) for each in results] == [CompilerError] * 3
    assert process.returncode is not None
    assert jedi._process is None


async def process_of(jedi: Jedi) -> asyncio.subprocess.Process:
    return await until(lambda: jedi._process)


async def test_cancelling_ends_the_worker(jedi: Jedi, fixture: Fixture, stuck_worker: None) -> None:
    task = asyncio.create_task(jedi.definition(*fixture.cursors[0]))
    process = await process_of(jedi)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert process.returncode is not None
