"""An answer does not depend on the order in which files were indexed."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import cast

import pytest

from explorer_core.contracts import ExploreRequest, Intent, Settings
from explorer_core.explorer import Explorer
from explorer_core.index.sync import SyncTask
from explorer_core.workspace import Workspace
from tests.samples.questions import SAMPLES, load
from tests.workers import explorer_of

QUESTIONS = load("question")
_PARTS = 4
_OF_ITS_OWN = {"id", "created_at", "elapsed_ms"}


@pytest.mark.slow
@pytest.mark.parametrize("sample", sorted({each.sample for each in QUESTIONS}))
async def test_answers_are_those_of_an_index_made_at_once(tmp_path: Path, sample: str):
    ignored = shutil.ignore_patterns("__pycache__", "target", "node_modules", ".pytest_cache")
    folder = Path(shutil.copytree(SAMPLES / sample, tmp_path / sample, ignore=ignored))
    told: list[list[dict[str, object]]] = []
    for parts in (1, _PARTS):
        settings = Settings(cache_dir=str(tmp_path / f"cache-{parts}"))
        explorer = explorer_of(Workspace.open(folder, settings=settings))
        try:
            paths = [entry.path for entry in explorer.index.workspace.files()]
            random.Random(parts).shuffle(paths)
            for at in range(parts):
                explorer.index.sync_now(SyncTask(paths[at::parts]))
            told.append([])
            for each in QUESTIONS:
                if each.sample == sample:
                    request = ExploreRequest(query=each.query, intent=cast("Intent", each.intent))
                    report = await explorer.explore(request, explain_ranking=True)
                    told[-1].append(report.model_dump(exclude=_OF_ITS_OWN))
        finally:
            await explorer.close()
    assert told[0] == told[1]
    assert all(report["links"] for report in told[0])
