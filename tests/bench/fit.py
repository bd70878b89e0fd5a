"""Fit the weights of the structural ranking.

    python -m tests.bench.fit --trees TREES --cache CACHE TASKS... [--write]
        [--history HISTORY_TASKS --mirrors MIRRORS]

The loss is listwise: minus the log of the probability that the softmax over candidates gives to the
gold files (a file's probability is the sum of its candidates'), plus the same for the gold
functions. It is scored by cross-validation over repositories; the weights written are those of all
tasks. Tasks made from history (``tests.bench.history``) train beside the others, at `HISTORY_SHARE`
of their weight, and are never scored: a repository's own history is left out with it. Needs scipy
(``pip install .[bench]``).
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from explorer_core.contracts import Candidate, ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.bench.corpus import Span, Task, load
from tests.bench.history import HISTORY, Repository, checked_out
from tests.bench.scoring import Prediction, mean, score

UNIT_SHARE = 1.0
"""How much naming the right functions counts against naming the right files."""

HISTORY_SHARE = 0.3
"""How much a task made from history counts against one that people wrote."""

WEIGHTS = Path(__file__).parents[2] / "explorer_core" / "registry" / "ranking.toml"


@dataclass(slots=True)
class Case:
    """One task's candidates as numbers. ``file`` numbers the files, ``gold`` marks the units."""

    task: Task
    spans: list[Span]
    rows: list[dict[str, float]]

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        return np.array([[row.get(name, 0.0) for name in names] for row in self.rows])

    @property
    def weight(self) -> float:
        return HISTORY_SHARE if self.task.source == HISTORY else 1.0

    def files(self) -> tuple[np.ndarray, np.ndarray]:
        numbers: dict[str, int] = {}
        file = np.array([numbers.setdefault(span.path, len(numbers)) for span in self.spans])
        gold = np.array([float(path in self.task.files) for path in numbers])
        return file, gold

    def gold_units(self) -> np.ndarray:
        wanted = self.task.functions or self.task.spans
        return np.array([float(any(each.overlaps(span) for each in wanted)) for span in self.spans])


async def collect(tasks: Iterable[tuple[Task, Path]], cache: Path) -> list[Case]:
    """Retrieve and assemble every task, given with its work tree, as the explorer does."""
    return [await _collected(task, tree, cache) for task, tree in tasks]


async def _collected(task: Task, tree: Path, cache: Path) -> Case:
    workspace = Workspace.open(tree, settings=Settings(cache_dir=str(cache)))
    explorer = Explorer(workspace)
    try:
        request = ExploreRequest(query=task.query, intent=task.intent)
        await explorer.index.sync()
        candidates = (await explorer.gather(request)).candidates
    finally:
        await explorer.close()
    print(f"{task.id}: {len(candidates)} candidates", flush=True)
    return _case(task, candidates)


def _case(task: Task, candidates: Sequence[Candidate]) -> Case:
    ranged = [each for each in candidates if each.range]
    spans = [Span(each.path, each.range.start, each.range.end) for each in ranged if each.range]
    return Case(task, spans, [each.features for each in ranged])


def fitted(cases: Sequence[Case], names: Sequence[str], *, ridge: float) -> np.ndarray:
    """The weights that minimise the loss over ``cases``, by L-BFGS."""
    prepared = [
        (case.weight, case.matrix(names), *case.files(), case.gold_units()) for case in cases
    ]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = ridge * float(weights @ weights), 2 * ridge * weights
        for share, matrix, file, gold, units in prepared:
            if not gold.any():
                continue
            scores = matrix @ weights
            odds = np.exp(scores - scores.max())
            shares = odds / odds.sum()
            of_file = np.bincount(file, shares, len(gold))
            wanted = gold / gold.sum()
            total -= share * float(wanted @ np.log(of_file + 1e-12))
            pull = shares - wanted[file] * shares / (of_file[file] + 1e-12)
            if units.any():
                target = units / units.sum()
                total -= share * UNIT_SHARE * float(target @ np.log(shares + 1e-12))
                pull = pull + UNIT_SHARE * (shares - target)
            slope = slope + share * (matrix.T @ pull)
        return total, slope

    return minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x


def cross_validated(
    cases: Sequence[Case], names: Sequence[str], *, ridge: float
) -> list[dict[str, float]]:
    """Each task that people wrote, scored with weights fitted on the other repositories."""
    rows: list[dict[str, float]] = []
    by_repo: dict[str, np.ndarray] = {}
    for case in cases:
        if case.task.source == HISTORY:
            continue
        if case.task.repo not in by_repo:
            others = [each for each in cases if each.task.repo != case.task.repo]
            by_repo[case.task.repo] = fitted(others, names, ridge=ridge)
        rows.append(score(case.task, ranked(case, case.matrix(names) @ by_repo[case.task.repo])))
    return rows


def ranked(case: Case, scores: np.ndarray) -> Prediction:
    """The prediction that these scores make."""
    order = np.argsort(-scores, kind="stable")
    return Prediction(tuple(case.spans[at] for at in order))


def write(weights: Mapping[str, float]) -> None:
    """Write the weights, largest first."""
    lines = [
        f'"{name}" = {value:.3f}'
        for name, value in sorted(weights.items(), key=lambda item: -abs(item[1]))
    ]
    head = (
        "# Weights of the structural ranking, fitted by `python -m tests.bench.fit`.\n[weights]\n"
    )
    WEIGHTS.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def _from_history(args: argparse.Namespace) -> Iterator[tuple[Task, Path]]:
    """Every task from history with its work tree, which is there until the next is asked for."""
    for task in load([args.history]) if args.history else ():
        mirror = Repository(args.mirrors / task.repo.replace("/", "+", 1))
        yield task, checked_out(mirror, task.commit, args.cache)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="+", type=Path)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument(
        "--cache", type=Path, required=True, help="where indexes and cases are kept"
    )
    parser.add_argument("--history", type=Path, help="tasks made by tests.bench.history")
    parser.add_argument("--mirrors", type=Path, help="the git directories they are from")
    parser.add_argument("--ridge", type=float, default=0.3)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    kept = args.cache / "cases.pickle"
    if kept.exists():
        cases: list[Case] = pickle.loads(kept.read_bytes())
    else:
        tasks = [(task, task.tree(args.trees)) for task in load(args.tasks)]
        cases = asyncio.run(collect(chain(tasks, _from_history(args)), args.cache))
        kept.write_bytes(pickle.dumps(cases))
    names = sorted({name for case in cases for row in case.rows for name in row})
    print(mean(cross_validated(cases, names, ridge=args.ridge)))
    if args.write:
        write(dict(zip(names, fitted(cases, names, ridge=args.ridge).tolist(), strict=True)))


if __name__ == "__main__":
    main()
