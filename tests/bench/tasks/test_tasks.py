"""The tasks are well formed, and their ranges fit the code if a copy of it is available."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

HERE = Path(__file__).parent
SAMPLES = Path(__file__).parents[3] / "samples"
INTENTS = {"explain", "locate", "edit", "debug"}
FIELDS = {
    "id", "repo", "commit", "language", "query", "intent", "gold_files", "gold_functions",
    "gold_spans", "source",
}  # fmt: skip
OPTIONAL_FIELDS = {"leak", "n_files", "n_src"}
Task = dict[str, Any]


def load(name: str) -> list[Task]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


PLAIN = load("plain.jsonl")
ABSENT = load("absent.jsonl")
NEWCOMER = load("newcomer.jsonl")
UNSEEN = load("unseen.jsonl")
REPORTED = load("reported.jsonl")
LARGE = load("large.jsonl")
APPLICATIONS = load("applications.jsonl")
QUESTIONS = PLAIN + NEWCOMER + UNSEEN + LARGE + APPLICATIONS
HAS_SOURCES = any(
    f"SIGHTLINE_BENCH_{place}" in os.environ for place in ("TREES", "MIRRORS", "SDISTS")
)
KEYWORDS = load("keywords.jsonl")
PICKED = load("picked.jsonl")
each_question = pytest.mark.parametrize("task", QUESTIONS, ids=lambda task: task["id"])
each_task = pytest.mark.parametrize("task", QUESTIONS + REPORTED, ids=lambda task: task["id"])


def test_plain_split_covers_languages_repositories_and_intents():
    assert len(PLAIN) >= 60
    assert len(ABSENT) >= 20
    assert len({task["language"] for task in PLAIN}) >= 11
    assert len({task["repo"] for task in PLAIN}) >= 24
    assert {task["intent"] for task in PLAIN} == INTENTS
    assert max(Counter(task["repo"] for task in PLAIN).values()) <= 10


def test_unseen_tasks_are_about_other_repositories():
    fitted_repositories = {task["repo"] for task in PLAIN + NEWCOMER}
    assert fitted_repositories.isdisjoint(task["repo"] for task in UNSEEN + REPORTED)
    assert {task["source"] for task in UNSEEN} == {"unseen"}
    assert {task["source"] for task in REPORTED} == {"reported"}


def test_large_and_application_tasks_are_about_repositories_not_fitted_on():
    fitted_on = {task["repo"] for task in PLAIN + NEWCOMER + UNSEEN + REPORTED}
    assert fitted_on.isdisjoint(task["repo"] for task in LARGE + APPLICATIONS)
    assert {task["repo"] for task in LARGE}.isdisjoint(task["repo"] for task in APPLICATIONS)
    assert {task["source"] for task in LARGE} == {"large"}
    assert {task["source"] for task in APPLICATIONS} == {"applications"}


def test_task_ids_and_questions_are_unique():
    tasks = PLAIN + ABSENT + NEWCOMER + UNSEEN + REPORTED + LARGE + APPLICATIONS
    assert len({task["id"] for task in tasks}) == len(tasks)
    assert len({(task["repo"], task["query"]) for task in tasks}) == len(tasks)


@each_task
def test_task_has_the_fields_of_the_benchmark(task: Task):
    assert set(task) - OPTIONAL_FIELDS == FIELDS
    commit = r"[\d.]+" if task["repo"].startswith("pypi/") else r"[0-9a-f]{40}"
    assert re.fullmatch(commit, task["commit"])
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", task["repo"])
    assert task["intent"] in INTENTS
    assert 1 <= len(task["gold_files"]) <= 4
    assert {function["path"] for function in task["gold_functions"]} <= set(task["gold_files"])
    for path in task["gold_files"]:
        assert not PurePosixPath(path).is_absolute()
        assert ".." not in PurePosixPath(path).parts
    for function in task["gold_functions"]:
        assert function["id"] == f"{function['path']}::{function['name']}"
    for place in task["gold_functions"] + task["gold_spans"]:
        assert 1 <= place["start"] <= place["end"]


@each_question
def test_question_is_short_and_its_gold_spans_are_functions(task: Task):
    assert task["query"].endswith("?")
    assert len(task["query"]) <= 120
    assert task.get("leak", "none") in {"none", "stem", "symbol"}
    assert {function["path"] for function in task["gold_functions"]} == set(task["gold_files"])
    ranges = [(f["path"], f["start"], f["end"]) for f in task["gold_functions"]]
    assert [(s["path"], s["start"], s["end"]) for s in task["gold_spans"]] == ranges


@pytest.mark.parametrize("task", ABSENT, ids=lambda task: task["id"])
def test_absent_task_has_no_gold(task: Task):
    assert set(task) == {"id", "repo", "commit", "language", "query", "intent", "source"}
    assert task["intent"] in INTENTS
    if task["repo"].startswith("samples/"):
        assert (SAMPLES.parent / task["repo"]).is_dir()
    else:
        assert re.fullmatch(r"[0-9a-f]{40}", task["commit"])


def source_lines(task: Task, path: str) -> list[str]:
    """The file's lines at the task's commit; skips the test if no copy is available."""
    folder = task["repo"].replace("/", "+")
    if (sdists := os.environ.get("SIGHTLINE_BENCH_SDISTS")) and folder.startswith("pypi+"):
        unpacked = Path(sdists) / f"{folder.removeprefix('pypi+')}-{task['commit']}"
        return (unpacked / path).read_text("utf-8", errors="replace").split("\n")
    if trees := os.environ.get("SIGHTLINE_BENCH_TREES"):
        file = Path(trees) / folder / task["commit"][:12] / path
        if file.is_file():
            return file.read_text("utf-8", errors="replace").split("\n")
    if mirrors := os.environ.get("SIGHTLINE_BENCH_MIRRORS"):
        git = ["git", "-C", str(Path(mirrors) / folder / "repo"), "show"]
        shown = subprocess.run([*git, f"{task['commit']}:{path}"], capture_output=True, check=False)
        if shown.returncode == 0:
            return shown.stdout.decode("utf-8", errors="replace").split("\n")
    pytest.skip("no copy of the repository at hand")


@pytest.mark.parametrize("task", QUESTIONS if HAS_SOURCES else [], ids=lambda task: task["id"])
def test_gold_ranges_are_those_of_the_functions(task: Task):
    """The name is at the head of the range, and the range starts and ends on code."""
    for function in task["gold_functions"]:
        lines = source_lines(task, function["path"])
        assert function["end"] <= len(lines)
        name = function["name"].rsplit(".", 1)[-1]
        head = "\n".join(lines[function["start"] - 1 : function["start"] + 9])
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", head), function["id"]
        assert lines[function["start"] - 1].strip()
        assert lines[function["end"] - 1].strip()


def test_keywords_belong_to_unseen_and_application_tasks() -> None:
    ids = [each["id"] for each in KEYWORDS]
    assert len(set(ids)) == len(ids)
    assert {*ids} <= {task["id"] for task in UNSEEN + APPLICATIONS}
    assert all(4 <= len(each["keywords"]) <= 8 for each in KEYWORDS)


def test_picked_keywords_belong_to_first_hundred_applications() -> None:
    assert [each["id"] for each in PICKED] == [task["id"] for task in APPLICATIONS[:100]]
    assert all(len(each["keywords"]) <= 3 for each in PICKED)
    assert all(word.islower() for each in PICKED for word in each["keywords"])
