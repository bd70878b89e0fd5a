"""Training tasks from the history of repositories.

    python -m tests.bench.history MIRROR... --out TASKS.jsonl [--each 25]

What a commit says is the question; the code files, functions and lines that it changed, as they
were before it, are the gold. Such pairs are plentiful where tasks with answers found by reading are
few (Ye, Bunescu and Liu, "Learning to Rank Relevant Files for Bug Reports using Domain Knowledge",
FSE 2014). They train the ranking and never count as results.

Chosen are commits with one parent and a title of five words or more that change one to four code
files that exist already, no more than 120 lines of them, and little besides. Half of those taken
have the longest messages, the others are drawn at random.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer_core.contracts import LineRange
from explorer_core.index.extraction.extract import extract
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS
from explorer_core.registry.traits import traits_of

HISTORY = "history"
"""The source of these tasks."""
SCANNED = 1500
"""Latest commits that are looked at."""
_FILES, _ALL_FILES, _LINES = 4, 8, 120
_WORDS, _CHARS = 5, 4000
_TRAILER = re.compile(r"^[A-Z][\w-]+(?: [\w-]+)?: .*<.*@.*>\s*$|^\(cherry picked.*$", re.MULTILINE)
_NUMBER = re.compile(r"\s*\(?(?:[\w./-]*#|gh-)\d+\)?")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ")


class UnusableError(Exception):
    """A commit that makes no task."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A git directory named ``owner+name``."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name.replace("+", "/", 1)

    def git(self, *arguments: str) -> str:
        git_dir = self.path / "repo" if (self.path / "repo").is_dir() else self.path
        done = subprocess.run(
            ["git", "-C", str(git_dir), *arguments], capture_output=True, check=True
        )
        return done.stdout.decode("utf-8", errors="replace")


@dataclass(slots=True)
class _Change:
    """The lines of one file that a commit replaced; an insertion counts for the line before."""

    path: str
    spans: list[LineRange] = field(default_factory=list[LineRange])


def checked_out(repository: Repository, commit: str, folder: Path) -> Path:
    """A work tree at ``commit``, the same folder for every commit: its index follows the changes
    from one to the next."""
    tree = folder / repository.path.name
    if not tree.is_dir():
        repository.git("clone", "--quiet", "--shared", "--no-checkout", ".", str(tree.resolve()))
    # Fails for a blob that the mirror lacks, once everything else is written.
    subprocess.run(["git", "-C", str(tree), "checkout", "--quiet", "--force", commit], check=False)
    if Repository(tree).git("rev-parse", "HEAD").strip() != commit:
        raise RuntimeError(f"{tree} cannot be brought to {commit}")
    return tree


def tasks_of(repository: Repository, each: int) -> list[dict[str, Any]]:
    """At most ``each`` tasks, oldest first."""
    found: list[tuple[int, str, str]] = []
    log = repository.git(
        "log", "--max-parents=1", f"-n{SCANNED}", "--format=%x00%H %P%x01%B", "HEAD"
    )
    for at, entry in enumerate(log.split("\0")[1:]):
        head, _, message = entry.partition("\1")
        ids = head.split()
        question = asked(message)
        if len(ids) == 2 and question:
            found.append((at, head, question))
    longest = sorted(found, key=lambda one: -len(one[2]))
    others = random.Random(repository.name).sample(found, len(found))
    taken: dict[int, dict[str, Any]] = {}
    for order, share in ((longest, each // 2), (others, each)):
        for at, head, question in order:
            if len(taken) >= share:
                break
            commit, parent = head.split()
            if at not in taken and (task := _task(repository, commit, parent, question)):
                taken[at] = task
    return [taken[at] for at in sorted(taken, reverse=True)]


def asked(message: str) -> str:
    """The message as a question; empty if it says too little."""
    text = _NUMBER.sub("", _TRAILER.sub("", message)).strip()
    title = text.split("\n", 1)[0]
    return text[:_CHARS] if len(title.split()) >= _WORDS else ""


def _task(repository: Repository, commit: str, parent: str, question: str) -> dict[str, Any] | None:
    try:
        changes = list(_changes(repository, commit, parent))
        functions = [place for each in changes for place in _functions(repository, parent, each)]
    except (UnusableError, subprocess.CalledProcessError):
        return None
    if not changes or not functions:
        return None
    return {
        "id": f"h-{repository.name}-{commit[:12]}",
        "repo": repository.name,
        "commit": parent,
        "language": "",
        "query": question,
        "intent": "edit",
        "gold_files": [each.path for each in changes],
        "gold_functions": functions,
        "gold_spans": [
            {"path": each.path, "start": span.start, "end": span.end}
            for each in changes
            for span in each.spans
        ],
        "source": HISTORY,
    }


def _changes(repository: Repository, commit: str, parent: str) -> Iterator[_Change]:
    """The code files a commit changed. Raises UnusableError if that is too much, or new code."""
    names = repository.git("diff", "--name-status", "--no-renames", parent, commit)
    statuses = [line.split("\t", 1) for line in names.splitlines()]
    code = [(status, path) for status, path in statuses if _is_code(path)]
    if not 1 <= len(code) <= _FILES or len(statuses) > _ALL_FILES:
        raise UnusableError
    if any(status != "M" for status, _ in code):
        raise UnusableError
    lines = 0
    for _, path in code:
        diff = repository.git("diff", "-U0", "--no-renames", parent, commit, "--", path)
        change = _Change(path)
        for hunk in filter(None, map(_HUNK.match, diff.splitlines())):
            start, count = int(hunk[1]), int(hunk[2] or 1)
            change.spans.append(
                LineRange(start=max(1, start), end=max(1, start + max(count, 1) - 1))
            )
            lines += count
        if not change.spans or lines > _LINES:
            raise UnusableError
        yield change


def _is_code(path: str) -> bool:
    traits = traits_of(path)
    if traits.test or traits.support or traits.documentation or traits.example:
        return False
    facts = extract(path, "")
    return facts is not None and not traits.generated and not traits.vendored


def _functions(repository: Repository, parent: str, change: _Change) -> Iterator[dict[str, Any]]:
    """The innermost functions around the changed lines."""
    facts = extract(change.path, repository.git("show", f"{parent}:{change.path}"))
    if facts is None or not any(
        each.kind in CALLABLES | MEMBER_HOLDERS for each in facts.definitions
    ):
        raise UnusableError
    seen: set[tuple[int, int]] = set()
    for span in change.spans:
        around = [
            each
            for each in facts.definitions
            if each.kind in CALLABLES and each.start <= span.start <= each.end
        ]
        if around:
            best = min(around, key=lambda each: each.end - each.start)
            if (best.start, best.end) not in seen:
                seen.add((best.start, best.end))
                yield {
                    "path": change.path,
                    "name": best.name,
                    "start": best.start,
                    "end": best.end,
                }


def main() -> None:
    """Write one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=25)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as out:
        for path in options.mirrors:
            tasks = tasks_of(Repository(path), options.each)
            print(f"{path.name}: {len(tasks)} tasks", flush=True)
            out.writelines(json.dumps(task) + "\n" for task in tasks)


if __name__ == "__main__":
    main()
