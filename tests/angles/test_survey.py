"""Surveys: what they find, what they store, and what happens when something fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from explorer_core.angles import Ask, Surveyor, angles, census, looking, survey
from explorer_core.angles.session import Session
from explorer_core.contracts import Settings
from explorer_core.contracts.survey import SurveySummary
from explorer_core.explorer import ExploreError, Explorer
from explorer_core.index.storage.lease import Lease
from explorer_core.registry.ranking import Ranking
from explorer_core.workspace import Workspace
from tests.angles.checks import check_session
from tests.fixture import parse
from tests.workers import explorer_of

DESIGNED = {
    "architecture", "dependencies", "modularity", "integration-points", "security",
    "auth-patterns", "dataflow", "performance", "error-handling", "patterns", "testing", "general",
}  # fmt: skip


def load(summary: SurveySummary, angle: str) -> dict[str, Any]:
    (file,) = [each.file for each in summary.angles if each.angle == angle]
    assert file is not None
    return json.loads(Path(file).read_text(encoding="utf-8"))


def test_the_twelve_angles():
    assert set(angles()) == DESIGNED
    for name, spec in angles().items():
        assert spec.name == name
        assert spec.focus
        assert spec.question


async def test_all_angles(explorer: Explorer, building: Path, tmp_path: Path):
    summary = await Surveyor(explorer, tmp_path / "session").survey()
    assert {each.angle for each in summary.angles} == DESIGNED
    assert summary.notes == ()
    manifest = check_session(tmp_path / "session", building)
    assert [each["path"] for each in manifest["files"]][:5] == [
        each.path for each in summary.top_files
    ]
    assert not (building / "explorations").exists()


async def test_beside_another_writer_it_says_so(explorer: Explorer, tmp_path: Path):
    lease = Lease.acquire(explorer.index.location)
    assert lease is not None
    with lease:
        beside = await Surveyor(explorer, tmp_path / "s").survey(names=["general"])
    assert any("still being built" in note for note in beside.notes)
    alone = await Surveyor(explorer, tmp_path / "s").survey(names=["general"])
    assert not any("still being built" in note for note in alone.notes)
    assert alone.files > 0


async def test_what_the_structure_says(explorer: Explorer, building: Path, tmp_path: Path):
    summary = await Surveyor(explorer, tmp_path / "s").survey()
    found = {
        pattern["name"]: pattern["files"]
        for angle in DESIGNED
        for pattern in load(summary, angle)["patterns"]
    }
    rooms = {"building/attic.py", "building/cellar.py", "building/kitchen.py"}
    assert set(found["family of Room"]) == rooms | {"building/base.py"}
    assert found["table ROOMS"] == ["building/doors.py"]
    assert set(found["import cycle of 2 files"]) == {"building/left.py", "building/right.py"}
    assert "building/doors.py" not in found.get("no test imports building/doors.py", [])
    assert "no test imports building/base.py" in found

    dependencies = {
        (each["from"], each["to"], each["type"])
        for angle in DESIGNED
        for each in load(summary, angle)["dependencies"]
    }
    assert ("building/doors.py", "building/kitchen.py", "import") in dependencies
    named = load(summary, "integration-points")["patterns"]
    texts = {each["name"].partition(": ")[2] for each in named}
    assert {"building/notes/attic.txt", "building.kitchen.Kitchen"} <= texts

    references = {each["name"]: each for each in load(summary, "dependencies")["external_refs"]}
    assert references["pillars"]["version"] == ">=2"
    assert "building/kitchen.py:3" in references["pillars"]["usage"]
    assert "building/kitchen.py:2" in references["PyMasonry"]["usage"]
    assert "no import" in references["never-used"]["usage"]

    roles = {each["path"]: each["role"] for each in load(summary, "testing")["relevant_files"]}
    assert roles["tests/test_doors.py"] == "test_target"
    security = load(summary, "security")["relevant_files"]
    assert security[0]["path"] == "building/cellar.py"


async def test_credentials_are_not_kept(tmp_path: Path):
    key, token = "SG." + "aB3dE6gH" * 3 + "." + "wX0yZ1aC" * 3, "ghp_" + "a1B2" * 9
    folder = parse(f"""
        //- requirements.txt
        requests
        told @ git+https://bot:{token}@example.org/told.git
        //- package.json
        {{"dependencies": {{"held": "1"}}}}
        //- package-lock.json
        {{"dependencies": {{"held": {{"version": "git+https://{token}@example.org/held.git"}}}}}}
        //- a.py
        import requests, told
        KEY = "{key}"
        //- b.py
        import requests, told
        KEY = "{key}"
    """).write(tmp_path / "code")
    explorer = explorer_of(Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "c"))))
    try:
        surveyor = Surveyor(explorer, tmp_path / "s")
        await surveyor.survey(None, ["dependencies", "integration-points"])
    finally:
        await explorer.close()
    kept = "".join(file.read_text() for file in (tmp_path / "s").rglob("*.json"))
    assert "told" in kept
    assert key not in kept
    assert token not in kept


async def test_too_many_keywords(explorer: Explorer, tmp_path: Path):
    with pytest.raises(ExploreError, match=r"There are 4,000 keywords; at most 100"):
        await Surveyor(explorer, tmp_path / "s").survey(Ask(keywords=("door",) * 4000))


async def test_a_topic_leads(explorer: Explorer, building: Path, tmp_path: Path):
    surveyor = Surveyor(explorer, tmp_path / "s")
    summary = await surveyor.survey(Ask("open_door"), ["general", "testing"])
    first = load(summary, "general")["relevant_files"][0]
    assert (first["path"], first["role"]) == ("building/doors.py", "modify_target")
    assert "open_door" in first["key_symbols"]
    check_session(tmp_path / "s", building)


async def test_the_same_question_is_explored_once(
    explorer: Explorer, building: Path, tmp_path: Path
):
    surveyor = Surveyor(explorer, tmp_path / "s")
    names = ["general", "security"]

    async def cached(ask: Ask | None = None, **more: Any) -> list[bool]:
        return [each.cached for each in (await surveyor.survey(ask, names, **more)).angles]

    assert await cached() == [False, False]
    assert await cached() == [True, True]
    assert await cached(Ask(keywords=("door",))) == [False, False]
    assert await cached(Ask("rooms")) == [False, False]
    assert await cached() == [True, True]
    assert await cached(force=True) == [False, False]
    folder = tmp_path / "s" / "explorations"
    (folder / "explore-general.json").unlink()
    assert await cached() == [False, True]
    (folder / "explore-general.json").write_text("{}")
    assert await cached() == [False, True]
    (folder / "cache-index.json").write_text("{]")
    assert await cached() == [False, False]
    (building / "building/base.py").write_text("class Room: pass\n")
    assert await cached() == [False, False]
    assert await cached() == [True, True]


async def test_unknown_angles_are_named(explorer: Explorer):
    with pytest.raises(ExploreError, match=r"sideways.*security"):
        await Surveyor(explorer).survey(None, ["sideways"])


async def fails(*_: Any, **__: Any) -> Any:
    raise OSError("it is away")


@pytest.mark.parametrize(
    ("broken", "noted"),
    [
        (("gather",), "lacks the source index"),
        (("grep",), "lacks the source grep"),
        (("gather", "grep", "census"), "lacks the source"),
    ],
)
async def test_sources_that_fail_are_noted(
    explorer: Explorer, building: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    broken: tuple[str, ...], noted: str,
):  # fmt: skip
    if "gather" in broken:
        monkeypatch.setattr(explorer, "gather", fails)
    if "grep" in broken:
        monkeypatch.setattr(looking, "grep", fails)
    if "census" in broken:
        monkeypatch.setattr(explorer, "with_graph", fails)
        monkeypatch.setattr(type(explorer.index.view), "paths", lambda self: ())
    surveyor = Surveyor(explorer, tmp_path / "s")
    if "census" in broken:
        monkeypatch.setattr(survey, "tree_digest", lambda index: "")
        monkeypatch.setattr(Surveyor, "_state", lambda self: _none())
    monkeypatch.setattr(survey, "_SMALL", 0)
    summary = await surveyor.survey(None, ["security"])
    assert any(noted in note for note in summary.angles[0].notes)
    again = await surveyor.survey(None, ["security"])
    assert [each.cached for each in again.angles] == [False]
    check_session(tmp_path / "s", building)


async def test_a_fault_of_its_own_costs_one_source(
    explorer: Explorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The census, which all angles share, fails as well as a single angle."""

    async def broken(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(census, "declared_packages", broken)
    monkeypatch.setattr(looking, "grep", broken)
    monkeypatch.setattr(survey, "_SMALL", 0)
    summary = await Surveyor(explorer, tmp_path / "s").survey(None, ["security"])
    reason = "it failed because of an internal error (MemoryError)."
    assert summary.files > 0
    assert summary.notes == ()
    assert summary.angles[0].notes == (
        f"The survey lacks the source manifest: {reason}",
        f"security lacks the source grep: {reason}",
    )


async def test_an_angle_left_out_says_why(
    explorer: Explorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(Session, "keep", broken)
    summary = await Surveyor(explorer, tmp_path / "s").survey(None, ["security"])
    assert summary.notes == (
        "security is left out: it failed because of an internal error (MemoryError).",
    )


async def _none() -> str:
    return ""


async def test_nothing_found_is_explained(
    explorer: Explorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def nothing(_: Any) -> Ranking:
        return Ranking(())

    monkeypatch.setattr(explorer, "gather", nothing)
    ask = Ask("xyzzy", scope=("nowhere/**",))
    summary = await Surveyor(explorer, tmp_path / "s").survey(ask, ["general"])
    assert summary.files == 0
    assert any("found nothing" in note for note in summary.angles[0].notes)


@pytest.mark.parametrize(
    ("scope", "told", "patterns", "packages"),
    [
        ((), [], {"family of Room", "table ROOMS"}, {"pillars", "never-used"}),
        (("building/doors.py",), [], {"table ROOMS"}, set[str]()),
        (("pyproject.toml",), [], set[str](), {"pillars", "never-used"}),
        (("building/kitchen.py",), [], {"family of Room"}, {"pillars"}),
        (("nowhere/**",), ["No file matches the scope nowhere/**"], set[str](), set[str]()),
    ],
)
async def test_what_is_out_of_the_scope_is_left_out(
    explorer: Explorer,
    tmp_path: Path,
    scope: tuple[str, ...],
    told: list[str],
    patterns: set[str],
    packages: set[str],
):
    summary = await Surveyor(explorer, tmp_path / "s").survey(Ask(scope=scope))
    unmatched = [note for note in summary.notes if note.startswith("No file matches")]
    assert [note.partition(";")[0] for note in unmatched] == told
    found = [load(summary, each.angle) for each in summary.angles]
    named = {pattern["name"] for each in found for pattern in each["patterns"]}
    assert named & {"family of Room", "table ROOMS"} == patterns
    used = {package["name"] for each in found for package in each["external_refs"]}
    assert used & {"pillars", "never-used"} == packages


async def test_what_cannot_be_written_is_returned(explorer: Explorer, tmp_path: Path):
    (tmp_path / "s").write_text("a file where the folder should be")
    summary = await Surveyor(explorer, tmp_path / "s").survey(None, ["general"])
    assert summary.files > 0
    assert summary.manifest is None
    assert summary.angles[0].file is None
    assert any("written" in note for note in summary.notes)


async def test_time_that_runs_out_is_told(explorer: Explorer, tmp_path: Path):
    summary = await Surveyor(explorer, tmp_path / "s").survey(
        None, ["general", "testing"], budget_s=0.0
    )
    assert summary.angles == ()
    assert [note.partition(" ")[0] for note in summary.notes[:2]] == ["general", "testing"]
