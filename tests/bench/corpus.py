"""Benchmark tasks and the work trees they are about.

A task is one JSON object per line: id, repo, commit, language, query, intent, gold_files,
gold_functions, gold_spans, source. Its work tree is ``TREES/owner+name/commit12``; a task without a
commit is about a folder of this repository.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from explorer_core.contracts import Intent

REPOSITORY = Path(__file__).parents[2]
TASKS = Path(__file__).parent / "tasks"


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file, 1-based and inclusive."""

    path: str
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start + 1

    def overlaps(self, other: Span) -> bool:
        return self.path == other.path and self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class Task:
    """A question with its gold files, functions and spans."""

    id: str
    repo: str
    commit: str
    language: str
    query: str
    intent: Intent
    source: str
    files: frozenset[str]
    functions: tuple[Span, ...]
    spans: tuple[Span, ...]
    keywords: tuple[str, ...] = ()
    """Words and names that an agent expected in the code, guessed without looking."""

    def tree(self, trees: Path) -> Path:
        """The work tree, below ``trees``; without a commit, a folder of this repository."""
        if not self.commit:
            return REPOSITORY / self.repo
        return trees / self.repo.replace("/", "+", 1) / self.commit[:12]


SPLITS = ("development", "plain", "unseen", "reported", "large", "applications")


def split_of(task: Task) -> str:
    """One of `SPLITS`, as named by the task's source; ``plain`` for ``newcomer``, and
    ``development`` for any other source."""
    source = "plain" if task.source == "newcomer" else task.source
    return source if source in SPLITS else "development"


def load(paths: Iterable[Path]) -> list[Task]:
    """The tasks in several files, in order."""
    return [
        _task(json.loads(line))
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def with_keywords(tasks: Iterable[Task], guesses: Path) -> list[Task]:
    """The tasks for which ``guesses`` has keywords, with these set. That file has one JSON object
    per line: id and keywords."""
    lines = guesses.read_text(encoding="utf-8").splitlines()
    guessed = {raw["id"]: tuple(raw["keywords"]) for raw in map(json.loads, filter(None, lines))}
    return [replace(task, keywords=guessed[task.id]) for task in tasks if task.id in guessed]


def _task(raw: dict[str, object]) -> Task:
    def spans(key: str) -> tuple[Span, ...]:
        entries = raw.get(key) or []
        assert isinstance(entries, list)
        return tuple(Span(each["path"], each["start"], each["end"]) for each in entries)

    files = raw.get("gold_files") or []
    assert isinstance(files, list)
    return Task(
        id=str(raw["id"]),
        repo=str(raw["repo"]),
        commit=str(raw["commit"]),
        language=str(raw["language"]),
        query=str(raw["query"]),
        intent=raw["intent"],  # pyright: ignore[reportArgumentType]
        source=str(raw.get("source", "")),
        files=frozenset(files),
        functions=spans("gold_functions"),
        spans=spans("gold_spans"),
    )
