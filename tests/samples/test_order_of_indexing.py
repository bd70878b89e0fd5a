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
_VARYING_FIELDS = {"id", "created_at", "elapsed_ms"}


@pytest.mark.slow
@pytest.mark.parametrize("sample", sorted({each.sample for each in QUESTIONS}))
async def test_answers_do_not_depend_on_the_order_of_indexing(tmp_path: Path, sample: str):
    ignored = shutil.ignore_patterns("__pycache__", "target", "node_modules", ".pytest_cache")
    folder = Path(shutil.copytree(SAMPLES / sample, tmp_path / sample, ignore=ignored))
    answers: list[list[dict[str, object]]] = []
    for parts in (1, _PARTS):
        settings = Settings(cache_dir=str(tmp_path / f"cache-{parts}"))
        explorer = explorer_of(Workspace.open(folder, settings=settings))
        try:
            paths = [entry.path for entry in explorer.index.workspace.files()]
            random.Random(parts).shuffle(paths)
            for at in range(parts):
                explorer.index.sync_now(SyncTask(paths[at::parts]))
            answers.append([])
            for each in QUESTIONS:
                if each.sample == sample:
                    request = ExploreRequest(query=each.query, intent=cast("Intent", each.intent))
                    report = await explorer.explore(request, explain_ranking=True)
                    answers[-1].append(report.model_dump(exclude=_VARYING_FIELDS))
        finally:
            await explorer.close()
    assert answers[0] == answers[1]
    assert all(report["links"] for report in answers[0])
