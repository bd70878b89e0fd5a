"""Print the exact evidence for some questions: ``python -m tests.cache.evidence FOLDER ORDER``.

Files are indexed one by one in a random order seeded by ORDER, some of them after a version with
another text. The questions are asked in random order too.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from pathlib import Path

from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace

QUESTIONS = (
    "How is an order placed when the checkout is submitted?",
    "Where are prices rounded?",
    "Who sends mail, and what is in it?",
    "class Cart: add an item to the cart",
)


async def gather_evidence(folder: Path, order: int) -> dict[str, list[str]]:
    chance = random.Random(order)
    with tempfile.TemporaryDirectory() as cache:
        settings = Settings(cache_dir=cache, index_workers=1)
        explorer = Explorer(Workspace.open(folder, settings=settings))
        paths = [entry.path for entry in explorer.workspace.files()]
        chance.shuffle(paths)
        for path in paths:
            if chance.random() < 0.3:
                explorer.workspace.overlays.set(path, "def other():\n    pass\n")
                await explorer.index.sync(paths=[path])
                explorer.workspace.overlays.discard(path)
            await explorer.index.sync(paths=[path])
        shuffled_questions = [*QUESTIONS]
        chance.shuffle(shuffled_questions)
        candidates_of: dict[str, list[str]] = {}
        for query in shuffled_questions:
            ranking = await explorer.gather(ExploreRequest(query=query))
            candidates_of[query] = [repr(each) for each in ranking.candidates]
        await explorer.close()
        return candidates_of


if __name__ == "__main__":
    gathered = asyncio.run(gather_evidence(Path(sys.argv[1]), int(sys.argv[2])))
    sys.stdout.write(json.dumps(gathered, sort_keys=True))
