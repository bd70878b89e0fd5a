"""A first look started in advance serves the question it was started for, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.channels.question.query import understand
from explorer_core.channels.readiness.first_look import FirstLook, first_look
from explorer_core.contracts import ExploreRequest, Report, Settings
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import explorer_of

FILES = """
    //- lamps.py
    def light_the_lamp(): pass
    //- doors.py
    def open_the_door(): pass
    //- far/doors.py
    def close_the_door(): pass
"""
LAMP = "Who lights the lamp?"
DOOR = "Who opens the door?"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr("explorer_core.channels.readiness.first_look.SMALL", 0)
    folder = parse(FILES).write(tmp_path / "work")
    return Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache")))


@pytest.mark.parametrize(
    ("question", "scope", "best"),
    [
        (LAMP, (), "lamps.py"),
        (DOOR, (), "doors.py"),
        (DOOR, ("far/**",), "far/doors.py"),
    ],
)
async def test_first_look_serves_only_its_own_question(
    workspace: Workspace, question: str, scope: tuple[str, ...], best: str
) -> None:
    query = understand(question)
    look = (await first_look(workspace)).started(understand(LAMP), (), aside_from)
    fresh = await first_look(workspace)
    found = await look.files_that_matter(query, scope, aside_from)
    assert found == await fresh.files_that_matter(query, scope, aside_from)
    assert found[0] == best


@pytest.mark.parametrize("question", [LAMP, DOOR])
async def test_answer_is_the_same_without_a_first_look(
    workspace: Workspace, tmp_path: Path, question: str
) -> None:
    async def answer(cache: str, look: FirstLook | None) -> Report:
        settings = Settings(cache_dir=str(tmp_path / cache))
        opened = Workspace.open(workspace.roots[0].path, settings=settings)
        explorer = explorer_of(opened, first_look=look)
        try:
            return await explorer.explore(ExploreRequest(query=question))
        finally:
            await explorer.close()

    look = (await first_look(workspace)).started(understand(LAMP), (), aside_from)
    with_look, without_look = await answer("ahead", look), await answer("afresh", None)
    assert with_look.links
    assert (with_look.links, with_look.primary) == (without_look.links, without_look.primary)
