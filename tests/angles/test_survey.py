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


def load_exploration(summary: SurveySummary, angle: str) -> dict[str, Any]:
    (file,) = [each.file for each in summary.angles if each.angle == angle]
    assert file is not None
    return json.loads(Path(file).read_text(encoding="utf-8"))


def test_every_angle_has_focus_and_question():
    assert set(angles()) == DESIGNED
    for name, spec in angles().items():
        assert spec.name == name
        assert spec.focus
        assert spec.question


async def test_survey_covers_all_angles_and_writes_a_valid_session(
    explorer: Explorer, building: Path, tmp_path: Path
):
    summary = await Surveyor(explorer, tmp_path / "session").survey()
    assert {each.angle for each in summary.angles} == DESIGNED
    assert summary.notes == ()
    manifest = check_session(tmp_path / "session", building)
    assert [each["path"] for each in manifest["files"]][:5] == [
        each.path for each in summary.top_files
    ]
    assert not (building / "explorations").exists()


async def test_survey_beside_another_writer_is_marked_incomplete(
    explorer: Explorer, tmp_path: Path
):
    lease = Lease.acquire(explorer.index.location)
    assert lease is not None
    with lease:
        incomplete = await Surveyor(explorer, tmp_path / "s").survey(names=["general"])
    assert any("still being built" in note for note in incomplete.notes)
    complete = await Surveyor(explorer, tmp_path / "s").survey(names=["general"])
    assert not any("still being built" in note for note in complete.notes)
    assert complete.files > 0


async def test_survey_finds_families_tables_cycles_and_dependencies(
    explorer: Explorer, building: Path, tmp_path: Path
):
    summary = await Surveyor(explorer, tmp_path / "s").survey()
    files_of_pattern = {
        pattern["name"]: pattern["files"]
        for angle in DESIGNED
        for pattern in load_exploration(summary, angle)["patterns"]
    }
    rooms = {"building/attic.py", "building/cellar.py", "building/kitchen.py"}
    assert set(files_of_pattern["family of Room"]) == rooms | {"building/base.py"}
    assert files_of_pattern["table ROOMS"] == ["building/doors.py"]
    assert set(files_of_pattern["import cycle of 2 files"]) == {
        "building/left.py",
        "building/right.py",
    }
    assert "building/doors.py" not in files_of_pattern.get("no test imports building/doors.py", [])
    assert "no test imports building/base.py" in files_of_pattern

    dependencies = {
        (each["from"], each["to"], each["type"])
        for angle in DESIGNED
        for each in load_exploration(summary, angle)["dependencies"]
    }
    assert ("building/doors.py", "building/kitchen.py", "import") in dependencies
    named = load_exploration(summary, "integration-points")["patterns"]
    texts = {each["name"].partition(": ")[2] for each in named}
    assert {"building/notes/attic.txt", "building.kitchen.Kitchen"} <= texts

    references = {
        each["name"]: each for each in load_exploration(summary, "dependencies")["external_refs"]
    }
    assert references["pillars"]["version"] == ">=2"
    assert "building/kitchen.py:3" in references["pillars"]["usage"]
    assert "building/kitchen.py:2" in references["PyMasonry"]["usage"]
    assert "no import" in references["never-used"]["usage"]

    roles = {
        each["path"]: each["role"]
        for each in load_exploration(summary, "testing")["relevant_files"]
    }
    assert roles["tests/test_doors.py"] == "test_target"
    security = load_exploration(summary, "security")["relevant_files"]
    assert security[0]["path"] == "building/cellar.py"


async def test_credentials_are_not_stored_in_the_session(tmp_path: Path):
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
    session_text = "".join(file.read_text() for file in (tmp_path / "s").rglob("*.json"))
    assert "told" in session_text
    assert key not in session_text
    assert token not in session_text


async def test_too_many_keywords_are_refused(explorer: Explorer, tmp_path: Path):
    with pytest.raises(ExploreError, match=r"There are 4,000 keywords; at most 100"):
        await Surveyor(explorer, tmp_path / "s").survey(Ask(keywords=("door",) * 4000))


async def test_topic_of_the_survey_comes_first(explorer: Explorer, building: Path, tmp_path: Path):
    surveyor = Surveyor(explorer, tmp_path / "s")
    summary = await surveyor.survey(Ask("open_door"), ["general", "testing"])
    first = load_exploration(summary, "general")["relevant_files"][0]
    assert (first["path"], first["role"]) == ("building/doors.py", "modify_target")
    assert "open_door" in first["key_symbols"]
    check_session(tmp_path / "s", building)


async def test_unchanged_angle_is_taken_from_the_session(
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


async def test_unknown_angles_are_refused_with_the_known_ones(explorer: Explorer):
    with pytest.raises(ExploreError, match=r"sideways.*security"):
        await Surveyor(explorer).survey(None, ["sideways"])


async def raise_os_error(*_: Any, **__: Any) -> Any:
    raise OSError("it is away")


@pytest.mark.parametrize(
    ("broken", "noted"),
    [
        (("gather",), "lacks the source index"),
        (("grep",), "lacks the source grep"),
        (("gather", "grep", "census"), "lacks the source"),
    ],
)
async def test_failing_sources_are_noted_and_not_cached(
    explorer: Explorer, building: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    broken: tuple[str, ...], noted: str,
):  # fmt: skip
    if "gather" in broken:
        monkeypatch.setattr(explorer, "gather", raise_os_error)
    if "grep" in broken:
        monkeypatch.setattr(looking, "grep", raise_os_error)
    if "census" in broken:
        monkeypatch.setattr(explorer, "with_graph", raise_os_error)
        monkeypatch.setattr(type(explorer.index.view), "paths", lambda self: ())
    surveyor = Surveyor(explorer, tmp_path / "s")
    if "census" in broken:
        monkeypatch.setattr(survey, "tree_digest", lambda index: "")
        monkeypatch.setattr(Surveyor, "_state", lambda self: no_state())
    monkeypatch.setattr(survey, "_SMALL_FILES", 0)
    summary = await surveyor.survey(None, ["security"])
    assert any(noted in note for note in summary.angles[0].notes)
    again = await surveyor.survey(None, ["security"])
    assert [each.cached for each in again.angles] == [False]
    check_session(tmp_path / "s", building)


async def test_internal_error_costs_only_its_source(
    explorer: Explorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The census, which all angles share, fails as well as a single angle."""

    async def broken(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(census, "declared_packages", broken)
    monkeypatch.setattr(looking, "grep", broken)
    monkeypatch.setattr(survey, "_SMALL_FILES", 0)
    summary = await Surveyor(explorer, tmp_path / "s").survey(None, ["security"])
    reason = "it failed because of an internal error (MemoryError)."
    assert summary.files > 0
    assert summary.notes == ()
    assert summary.angles[0].notes == (
        f"The survey lacks the source manifest: {reason}",
        f"security lacks the source grep: {reason}",
    )


async def test_failing_angle_is_left_out_with_a_note(
    explorer: Explorer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(Session, "keep", broken)
    summary = await Surveyor(explorer, tmp_path / "s").survey(None, ["security"])
    assert summary.notes == (
        "security is left out: it failed because of an internal error (MemoryError).",
    )


async def no_state() -> str:
    return ""


async def test_angle_without_results_has_a_note(
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
    ("scope", "unmatched_notes", "patterns", "packages"),
    [
        ((), [], {"family of Room", "table ROOMS"}, {"pillars", "never-used"}),
        (("building/doors.py",), [], {"table ROOMS"}, set[str]()),
        (("pyproject.toml",), [], set[str](), {"pillars", "never-used"}),
        (("building/kitchen.py",), [], {"family of Room"}, {"pillars"}),
        (("nowhere/**",), ["No file matches the scope nowhere/**"], set[str](), set[str]()),
    ],
)
async def test_findings_out_of_scope_are_left_out(
    explorer: Explorer,
    tmp_path: Path,
    scope: tuple[str, ...],
    unmatched_notes: list[str],
    patterns: set[str],
    packages: set[str],
):
    summary = await Surveyor(explorer, tmp_path / "s").survey(Ask(scope=scope))
    unmatched = [note for note in summary.notes if note.startswith("No file matches")]
    assert [note.partition(";")[0] for note in unmatched] == unmatched_notes
    found = [load_exploration(summary, each.angle) for each in summary.angles]
    named = {pattern["name"] for each in found for pattern in each["patterns"]}
    assert named & {"family of Room", "table ROOMS"} == patterns
    used = {package["name"] for each in found for package in each["external_refs"]}
    assert used & {"pillars", "never-used"} == packages


async def test_unwritable_session_still_returns_the_summary(explorer: Explorer, tmp_path: Path):
    (tmp_path / "s").write_text("a file where the folder should be")
    summary = await Surveyor(explorer, tmp_path / "s").survey(None, ["general"])
    assert summary.files > 0
    assert summary.manifest is None
    assert summary.angles[0].file is None
    assert any("written" in note for note in summary.notes)


async def test_angles_over_the_time_budget_are_noted(explorer: Explorer, tmp_path: Path):
    summary = await Surveyor(explorer, tmp_path / "s").survey(
        None, ["general", "testing"], budget_s=0.0
    )
    assert summary.angles == ()
    assert [note.partition(" ")[0] for note in summary.notes[:2]] == ["general", "testing"]
