"""The samples' questions: their expectations match the text, and the explorer meets them.

Nothing here uses the renderer: ranges and quotes are compared directly with the files.
"""

from __future__ import annotations

import shutil
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Report, Settings
from tests.samples.questions import SAMPLES, Definition, Question, lines_of, load, locate
from tests.workers import explorer_of
from explorer_core.workspace import Workspace

ANSWERABLE = load("question")
ABSENT = load("absent")
WORKSPACES = sorted({question.sample for question in ANSWERABLE})

each_question = pytest.mark.parametrize("question", ANSWERABLE, ids=str)


def test_there_are_enough_samples_and_questions():
    """Every workspace has 5-8 answerable and two unanswerable questions; no field is misspelt."""
    answerable = Counter(question.sample for question in ANSWERABLE)
    assert len(WORKSPACES) >= 4
    assert all(5 <= count <= 8 for count in answerable.values())
    assert Counter(question.sample for question in ABSENT) == dict.fromkeys(WORKSPACES, 2)
    for file in (SAMPLES / "questions").glob("*.toml"):
        assert (SAMPLES / file.stem).is_dir()
        for entry in tomllib.loads(file.read_text("utf-8"))["question"]:
            assert entry.keys() <= {"query", "intent", "files", "definitions", "order", "hard"}


@each_question
def test_expected_files_and_definitions_exist(question: Question):
    assert question.files
    for path in question.files:
        assert (question.workspace / path).is_file()
    for reference in question.definitions:
        definition = locate(question.workspace, reference)
        assert (
            definition.start <= definition.end <= len(lines_of(question.workspace, definition.path))
        )
    for pair in question.order:
        assert set(pair) <= set(question.definitions)


@pytest.mark.parametrize("question", ANSWERABLE + ABSENT, ids=str)
def test_no_file_repeats_a_question(question: Question):
    """The answer must come from the code: no file of the workspace repeats the question."""
    for file in question.workspace.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert question.query not in file.read_text("utf-8", errors="replace")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Copies outside this repository, so that its ignore rules and history have no effect."""
    base = tmp_path_factory.mktemp("samples")
    ignored = shutil.ignore_patterns("__pycache__", "target", "node_modules", ".pytest_cache")
    return {
        name: Path(shutil.copytree(SAMPLES / name, base / name, ignore=ignored))
        for name in WORKSPACES
    }


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


async def ask(question: Question, folder: Path, cache: str) -> Report:
    workspace = Workspace.open(folder, settings=Settings(cache_dir=cache))
    request = ExploreRequest(query=question.query, intent=question.intent, judge="offline")  # pyright: ignore[reportArgumentType]
    explorer = explorer_of(workspace)
    try:
        return await explorer.explore(request)
    finally:
        await explorer.close()


def check_against_the_files(report: Report, folder: Path) -> None:
    """Check that every range lies in its file and every quote is the text at its lines."""
    for link in report.links:
        lines = lines_of(folder, link.path)
        assert link.range.end <= len(lines)
        quoted = lines[link.quote_range.start - 1 : link.quote_range.end]
        assert " ".join(link.quote.split()) in " ".join(" ".join(quoted).split())
        if link.hop and link.hop.site:
            assert link.hop.site.line <= len(lines_of(folder, link.hop.site.path))
    for place in (*report.primary, *report.read_targets):
        lines = lines_of(folder, place.path)
        assert place.range is None or place.range.end <= len(lines)


def places(report: Report) -> list[tuple[str, int, int]]:
    """Every place that the report names, with its lines."""
    named = (*report.links, *report.primary, *report.read_targets)
    return [(p.path, p.range.start, p.range.end) for p in named if p.range]


def position(report: Report, definition: Definition) -> int | None:
    """The position in the flow of the first link at ``definition``."""
    for number, link in enumerate(report.links):
        if definition.overlaps(link.path, link.range.start, link.range.end):
            return number
    return None


def shortcomings(question: Question, report: Report, folder: Path) -> list[str]:
    """What is missing from the answer, one sentence each."""
    named = {place.path for place in (*report.primary, *report.links, *report.read_targets)}
    missing = [f"{path} is not named" for path in question.files if path not in named]
    for reference in question.definitions:
        definition = locate(folder, reference)
        if not any(definition.overlaps(*place) for place in places(report)):
            missing.append(f"{reference} is not shown")
    for first, then in question.order:
        before, after = (position(report, locate(folder, end)) for end in (first, then))
        if before is None or after is None or before >= after:
            missing.append(f"the flow does not lead from {first} to {then}")
    return missing


async def list_shortcomings(questions: Sequence[Question], folders: dict[str, Path], cache: str) -> str:
    """Check every report against the files, and list which questions lack what."""
    lacking: list[str] = []
    for question in questions:
        folder = folders[question.sample]
        report = await ask(question, folder, cache)
        check_against_the_files(report, folder)
        if missing := shortcomings(question, report, folder):
            lacking.append(f"{question}: {'; '.join(missing)}")
    return "\n".join(lacking)


@pytest.mark.parametrize(("hard", "share"), [(False, 0.75), (True, 0.25)])
async def test_most_answers_contain_what_is_expected(
    hard: bool, share: float, folders: dict[str, Path], cache: str
):
    """Most ordinary questions are answered, and some whose words do not occur at the answer."""
    questions = [question for question in ANSWERABLE if question.hard == hard]
    lacking = await list_shortcomings(questions, folders, cache)
    assert len(lacking.splitlines()) <= (1 - share) * len(questions), lacking


async def test_questions_about_absent_things_get_low_confidence(folders: dict[str, Path], cache: str):
    """Three in four questions about things a sample lacks get low confidence or no answer."""
    claimed: list[str] = []
    for question in ABSENT:
        folder = folders[question.sample]
        report = await ask(question, folder, cache)
        check_against_the_files(report, folder)
        if report.confidence != "low" and report.action != "skip_explore_result":
            claimed.append(str(question))
    assert len(claimed) <= len(ABSENT) / 4, claimed
