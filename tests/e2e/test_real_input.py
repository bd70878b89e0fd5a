"""Newcomers' questions about real repositories: everything in the answers occurs in the files.

The checks read bytes and split lines on their own, without the workspace, the index or a renderer.
Correct files are counted as a share, not required one by one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.commands import environment
from tests.e2e.sources import SOURCES, tree

pytestmark = pytest.mark.slow

RELATIONS = {
    "calls",
    "feeds",
    "references",
    "imports",
    "extends",
    "implements",
    "overrides",
    "contains",
}
WITNESSES = re.compile(r"graph:(scope|import|type|name)|jedi|editor|[\w.+-]+")
ENTRY = re.compile(r"^(?P<number>\d+)\. (?P<place>\S.*?):(?P<start>\d+)-(?P<end>\d+) \(")
SHORT_ENTRY = re.compile(r"^(?P<number>\d+)\. \[(?P<same>\d+)\] (?P<start>\d+)-(?P<end>\d+) \(")
QUOTE = re.compile(r"^   > (?P<text>.*)$")
REPORT_CHARS = 2_500


@dataclass(frozen=True, slots=True)
class Question:
    source: str
    query: str
    intent: str
    files: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.source}: {self.query}"


def load() -> list[Question]:
    text = Path(__file__).with_name("questions.toml").read_text("utf-8")
    return [Question(**entry | {"files": tuple(entry["files"])}) for entry in _entries(text)]


def _entries(text: str) -> list[dict[str, Any]]:
    return tomllib.loads(text)["question"]


QUESTIONS = load()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the trees. Set SIGHTLINE_E2E_SOURCES to keep them between runs."""
    kept = os.environ.get("SIGHTLINE_E2E_SOURCES")
    return Path(kept) if kept else tmp_path_factory.mktemp("sources")


def sightline(home: Path, *arguments: str) -> str:
    """Run a command that must succeed and return its standard output."""
    done = subprocess.run(
        [sys.executable, "-m", "lsp_server", *arguments],
        env=environment(home),
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done.stdout.decode("utf-8")


@cache
def ask(home: Path, question: Question, folder: Path) -> tuple[dict[str, Any], str]:
    """The report as JSON and as the text that an agent reads."""
    arguments = ("explore", question.query, "--intent", question.intent, "-w", str(folder))
    return json.loads(sightline(home, *arguments, "--format", "json")), sightline(home, *arguments)


# reading the files independently


def lines_of(folder: Path, path: str) -> list[str]:
    """A file's lines. Checks that the path stays inside the folder."""
    assert ".." not in path.split("/")
    assert not path.startswith("/")
    text = (folder / path).read_bytes().decode("utf-8", errors="replace").removeprefix("\ufeff")
    return re.split(r"\r\n|\r|\n", text)


def check_range(folder: Path, path: str, lines: Mapping[str, int] | None) -> None:
    if lines is not None:
        assert 1 <= lines["start"] <= lines["end"] <= len(lines_of(folder, path))


def check_report(report: dict[str, Any], folder: Path) -> None:
    """Check that ranges lie in their files, quotes at their lines, and hops' sites in theirs."""
    for place in (*report["primary"], *report["readTargets"]):
        check_range(folder, place["path"], place["range"])
    ids = {link["id"] for link in report["links"]}
    for link in report["links"]:
        lines = lines_of(folder, link["path"])
        check_range(folder, link["path"], link["range"])
        start, end = link["quoteRange"]["start"], link["quoteRange"]["end"]
        assert link["range"]["start"] <= start <= end <= link["range"]["end"]
        assert link["quote"].split() == " ".join(lines[start - 1 : end]).split()
        assert re.search(r"\w", link["quote"])
        if hop := link["hop"]:
            check_hop(hop, ids, folder)
    assert report["links"] == [] or report["links"][-1]["hop"] is None


def check_hop(hop: dict[str, Any], ids: set[str], folder: Path) -> None:
    assert hop["relation"] in RELATIONS
    assert WITNESSES.fullmatch(hop["witness"])
    assert {hop["from"], hop["to"]} <= ids
    if site := hop["site"]:
        line = lines_of(folder, site["path"])[site["line"] - 1]
        assert line.strip()


def check_text(text: str, folder: Path) -> list[str]:
    """Check that the text keeps its budget, its places and quotes match the files, and each path
    occurs once above the JSON block. Returns the path of each link shown."""
    assert len(text) <= REPORT_CHARS
    shown: dict[int, str] = {}
    quoted = None
    for line in text.splitlines():
        if entry := ENTRY.match(line) or SHORT_ENTRY.match(line):
            named = entry.groupdict()
            path = named.get("place") or shown[int(named["same"])]
            shown[int(named["number"])] = path
            check_range(folder, path, {"start": int(named["start"]), "end": int(named["end"])})
            quoted = lines_of(folder, path)[int(named["start"]) - 1 : int(named["end"])]
        elif (quote := QUOTE.match(line)) and quoted is not None:
            within = " ".join(" ".join(quoted).split())
            assert " ".join(quote["text"].split()) in within
    above, _, _ = text.partition("```json")
    assert all(above.count(f"{path}:") <= 1 for path in shown.values())
    return [*shown.values()]


# the tests


@pytest.mark.parametrize("name", SOURCES)
def test_first_question_is_answered_without_an_index(name: str, trees: Path, tmp_path: Path):
    """In a repository never seen before, the answer covers part of it and says so."""
    folder = tree(name, trees)
    question = next(each for each in QUESTIONS if each.source == name)
    report, text = ask(tmp_path, question, folder)
    check_report(report, folder)
    check_text(text, folder)  # from a later run, by which time more is indexed
    assert report["coverage"]["total"] >= report["coverage"]["indexed"] > 0


@pytest.fixture(scope="module")
def indexed_trees(trees: Path, home: Path) -> dict[str, Path]:
    folders = {name: tree(name, trees) for name in SOURCES}
    for folder in folders.values():
        sightline(home, "index", "-w", str(folder))
    return folders


def test_source_trees_have_the_expected_size(indexed_trees: dict[str, Path]):
    for name, least in {"django": 2000, "flask": 50, "viem": 300, "docker": 300}.items():
        assert len([*indexed_trees[name].rglob(f"*{SOURCES[name].suffix}")]) > least, name


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_answer_matches_the_files(question: Question, indexed_trees: dict[str, Path], home: Path):
    folder = indexed_trees[question.source]
    report, text = ask(home, question, folder)
    check_report(report, folder)
    shown = check_text(text, folder)
    linked = [link["path"] for link in report["links"]]
    assert shown == linked or (len(shown) < len(linked) and "Omitted for length" in text)
    assert report["primary"]


def test_most_answers_name_the_right_file(indexed_trees: dict[str, Path], home: Path):
    """At least six in ten answers name one of the files that a person would name."""
    missed: dict[str, list[str]] = {}
    for question in QUESTIONS:
        folder = indexed_trees[question.source]
        assert any((folder / path).is_file() for path in question.files), question
        report, _ = ask(home, question, folder)
        named = [
            place["path"]
            for place in (*report["links"], *report["primary"], *report["readTargets"])
        ]
        if not set(question.files) & set(named):
            missed[str(question)] = named
    assert len(missed) <= 0.4 * len(QUESTIONS), missed
