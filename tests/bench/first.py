"""Whether a first answer, based on a partial index, names the right file.

    python -m tests.bench.first TREES [--questions FILE] [--tasks 20] [--at-least 400]

Each question is asked about a work tree that was never indexed, so that only the files that seem
relevant are indexed, and again when the whole tree is indexed. TREES contains the work trees as
``OWNER+NAME/COMMIT12``. Small ones, which are indexed completely before the first answer, are left
out (``--at-least`` files). The default questions are those of ``plain.jsonl``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.bench.corpus import TASKS, Task, load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--questions", type=Path, default=TASKS / "plain.jsonl")
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--at-least", type=int, default=400)
    options = parser.parse_args()
    tasks = [task for task in load([options.questions]) if task.tree(options.trees).is_dir()]
    sizes = {
        tree: len(Workspace.open(tree).files()) for tree in {t.tree(options.trees) for t in tasks}
    }
    tasks = [task for task in tasks if sizes[task.tree(options.trees)] > options.at_least]
    chosen = random.Random(3).sample(tasks, min(options.tasks, len(tasks)))
    asyncio.run(compare(chosen, options.trees))


async def compare(tasks: list[Task], trees: Path) -> None:
    hits = [0, 0]
    for task in tasks:
        with tempfile.TemporaryDirectory(prefix="sightline-first-") as cache:
            workspace = Workspace.open(task.tree(trees), settings=Settings(cache_dir=cache))
            explorer = Explorer(workspace)
            try:
                first = await names_gold(explorer, task)
                await explorer.settle()
                complete = await names_gold(explorer, task)
            finally:
                await explorer.close()
        hits[0] += first
        hits[1] += complete
        print(
            f"{task.id:12} first {'yes' if first else 'no':4} whole {'yes' if complete else 'no'}"
        )
    share = hits[0] / max(hits[1], 1)
    print(f"{hits[0]} first, {hits[1]} whole of {len(tasks)}: {share:.0%}")


async def names_gold(explorer: Explorer, task: Task) -> bool:
    """Whether any place in the report is in a gold file."""
    request = ExploreRequest(
        query=task.query, intent=task.intent, judge="offline", force_refresh=True
    )
    report = await explorer.explore(request)
    paths = {each.path for each in (*report.primary, *report.links, *report.read_targets)}
    return not paths.isdisjoint(task.files)


if __name__ == "__main__":
    main()
