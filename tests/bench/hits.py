"""What a cache hit costs in addition to retrieval: ``python -m tests.bench.hits FOLDER``.

A scripted judge answers at once, so that a fresh answer and one from the cache differ only in
judging. Prints for each judge, in ms: retrieval and assembly, which both need; and what a hit adds,
which is finding, checking and validating the entry, and the emission check. The bar is 20 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from explorer_core import explorer as pipeline
from explorer_core.contracts import ExploreRequest, JudgeName, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.cache.scripted import CountingJudge

QUESTIONS = (
    "How does a queryset become SQL?",
    "How is a migration applied?",
    "How does the session middleware save a session?",
    "How are form fields validated?",
)
JUDGES: tuple[JudgeName, ...] = ("packet", "conversation")


async def measure_hits(
    explorer: Explorer, name: JudgeName, questions: Sequence[str], rounds: int
) -> None:
    judge = CountingJudge(name)
    with mock.patch.object(pipeline, "open_judge", return_value=judge):
        for question in questions:
            await explorer.explore(ExploreRequest(query=question, judge=name))
        calls_before, retrieval_ms, hit_ms = judge.calls, list[float](), list[float]()
        for question in [*questions] * rounds:
            report = await explorer.explore(ExploreRequest(query=question, judge=name))
            elapsed = report.elapsed_ms
            retrieval_ms.append(elapsed["retrieve"] + elapsed["assemble"])
            hit_ms.append(elapsed["cache"] + elapsed["validate"])
    if judge.calls != calls_before:
        raise SystemExit(f"{judge.calls - calls_before} questions were judged again: not a hit.")
    hit_ms.sort()
    print(
        f"{name:12}  retrieval {statistics.median(retrieval_ms):6.1f}  a hit adds"
        f" {statistics.median(hit_ms):5.1f} (p90 {hit_ms[int(len(hit_ms) * 0.9) - 1]:.1f}, most"
        f" {hit_ms[-1]:.1f}) over {len(hit_ms)} hits"
    )


async def measure(folder: Path, questions: Sequence[str], rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="sightline-hits-") as cache:
        settings = Settings(judge="packet", model="scripted", cache_dir=cache)
        explorer = Explorer(Workspace.open(folder, settings=settings))
        try:
            await explorer.index.sync()
            for name in JUDGES:
                await measure_hits(explorer, name, questions, rounds)
        finally:
            await explorer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--question", action="append", help="instead of four about Django")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    asyncio.run(measure(options.folder, options.question or QUESTIONS, options.rounds))


if __name__ == "__main__":
    main()
