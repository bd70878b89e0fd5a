"""Fit the weights of the structural ranking: ``python -m tests.bench.fit --trees TREES TASKS...``

The loss is listwise: minus the log of the probability that the softmax over candidates gives to the
gold files (a file's probability is the sum of its candidates'), plus the same for the gold
functions. It is scored by cross-validation over repositories; the weights written are those of all
tasks. Needs scipy (``pip install .[bench]``).
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from explorer_core.channels.index import search_index
from explorer_core.channels.query import understand
from explorer_core.contracts import Candidate, Settings
from explorer_core.explorer import Explorer
from explorer_core.registry.ranking import feature_table
from explorer_core.workspace import Workspace
from tests.bench.corpus import Span, Task, load
from tests.bench.scoring import Prediction, mean, score

WEIGHTS = Path(__file__).parents[2] / "explorer_core" / "registry" / "ranking.toml"


@dataclass(slots=True)
class Case:
    """One task's candidates as numbers. ``file`` numbers the files, ``gold`` marks the units."""

    task: Task
    spans: list[Span]
    rows: list[dict[str, float]]

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        return np.array([[row.get(name, 0.0) for name in names] for row in self.rows])

    def files(self) -> tuple[np.ndarray, np.ndarray]:
        numbers: dict[str, int] = {}
        file = np.array([numbers.setdefault(span.path, len(numbers)) for span in self.spans])
        gold = np.array([float(path in self.task.files) for path in numbers])
        return file, gold

    def gold_units(self) -> np.ndarray:
        wanted = self.task.functions or self.task.spans
        return np.array(
            [float(any(each.overlaps(span) for each in wanted)) for span in self.spans]
        )


async def collect(tasks: Sequence[Task], trees: Path, cache: Path) -> list[Case]:
    """Retrieve and assemble every task as the explorer does."""
    cases: list[Case] = []
    for task in tasks:
        workspace = Workspace.open(task.tree(trees), settings=Settings(cache_dir=str(cache)))
        explorer = Explorer(workspace)
        try:
            candidates = await explorer.candidates(task.query)
        finally:
            await explorer.close()
        cases.append(_case(task, candidates))
        print(f"{task.id}: {len(candidates)} candidates", flush=True)
    return cases


def _case(task: Task, candidates: Sequence[Candidate]) -> Case:
    rows = feature_table(candidates)
    ranged = [(each, row) for each, row in zip(candidates, rows, strict=True) if each.range]
    spans = [Span(each.path, each.range.start, each.range.end) for each, _ in ranged if each.range]
    return Case(task, spans, [row for _, row in ranged])
