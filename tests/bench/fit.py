"""Fit the weights of the structural ranking.

    python -m tests.bench.fit --trees TREES --cache CACHE TASKS... [--write]
        [--history HISTORY_TASKS --mirrors MIRRORS]

The loss is listwise (Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach",
ICML 2007): minus the logarithm of the probability that the ranking gives to the gold files, plus
the same for the gold functions. Small weights are preferred, except that files of another kind than
the code under discussion (tests, generated ones, ...) are taken to come last until tasks say
otherwise: some kinds hardly occur among them. It is scored by cross-validation over repositories;
the weights written are those of all tasks. Tasks made from history (``tests.bench.history``) train
beside the others, at `HISTORY_SHARE` of their weight, and are never scored: a repository's own
history is left out with it. Needs scipy (``pip install .[bench]``).
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from explorer_core.contracts import Candidate, ExploreRequest, Settings, Traits
from explorer_core.explorer import Explorer
from explorer_core.registry.ranking import Grouped, Weights
from explorer_core.workspace import Workspace
from tests.bench.corpus import Span, Task, load, split_of
from tests.bench.history import HISTORY, Repository, checked_out
from tests.bench.scoring import Prediction, mean, score

UNIT_SHARE = 1.0
"""How much naming the right functions counts against naming the right files."""

HISTORY_SHARE = 0.3
"""How much a task made from history counts against one that people wrote."""

RIDGE = 0.4
"""How much small weights are preferred."""

KINDS = {f"is.{kind}" for kind in Traits.model_fields}
_KIND_WEIGHT = -2.5
"""What files of these kinds weigh until tasks say otherwise: a twelfth as probable."""

WEIGHTS = Path(__file__).parents[2] / "explorer_core" / "registry" / "ranking.toml"


@dataclass(slots=True)
class Case:
    """One task's candidates as numbers."""

    task: Task
    spans: list[Span]
    rows: list[dict[str, float]]

    def grouped(self, names: Sequence[str]) -> Grouped:
        values = np.array([[row.get(name, 0.0) for name in names] for row in self.rows])
        return Grouped.of(values, [span.path for span in self.spans])

    @property
    def weight(self) -> float:
        return HISTORY_SHARE if self.task.source == HISTORY else 1.0

    def gold_files(self) -> np.ndarray:
        """Shares of the loss, by file in order of appearance; all 0 without a gold one."""
        paths = dict.fromkeys(span.path for span in self.spans)
        return _shares([path in self.task.files for path in paths])

    def gold_places(self) -> np.ndarray:
        wanted = self.task.functions or self.task.spans
        return _shares([any(each.overlaps(span) for each in wanted) for span in self.spans])


def _shares(gold: Sequence[bool]) -> np.ndarray:
    marks = np.array(gold, float)
    return marks / max(marks.sum(), 1.0)


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


@dataclass(frozen=True, slots=True)
class Parameters:
    """Weights in the order of some names."""

    place: np.ndarray
    file: np.ndarray
    together: float

    def named(self, names: Sequence[str]) -> Weights:
        return Weights(
            dict(zip(names, self.place.tolist(), strict=True)),
            dict(zip(names, self.file.tolist(), strict=True)),
            self.together,
        )


def feature_names(cases: Iterable[Case]) -> list[str]:
    """The features that some candidate has, sorted."""
    return sorted({name for case in cases for row in case.rows for name in row} | KINDS)


def fitted(cases: Sequence[Case], names: Sequence[str], *, ridge: float) -> Parameters:
    """The weights that minimise the loss over ``cases``, by L-BFGS."""
    usable = [case for case in cases if case.gold_files().any()]
    prepared = [
        (case.weight, case.grouped(names), case.gold_files(), UNIT_SHARE * case.gold_places())
        for case in usable
    ]
    free = _varying([grouped for _, grouped, _, _ in prepared])
    first = np.array([_KIND_WEIGHT if name in KINDS else 0.0 for name in names])
    count = len(names)

    def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
        place, file, together = point[:count] * free, point[count:-1], float(point[-1])
        total = ridge * float(place @ place + (file - first) @ (file - first))
        slope = 2 * ridge * np.concatenate((place, file - first, [0.0]))
        for share, grouped, files, places in prepared:
            lost, pull = _lost(grouped, (place, file, together), files, places)
            total += share * lost
            slope += share * pull
        slope[:count] *= free
        return total, slope

    start = np.concatenate((np.zeros(count), first, [1.0]))
    point = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return Parameters(point[:count] * free, point[count:-1], float(point[-1]))


def _lost(
    grouped: Grouped,
    weights: tuple[np.ndarray, np.ndarray, float],
    files: np.ndarray,
    places: np.ndarray,
) -> tuple[float, np.ndarray]:
    """The loss of one case and its gradient by the weights. The probability of a place is that of
    its file times its own within the file."""
    place, file, together = weights
    of_files, within = grouped.probabilities(place, file, together)
    in_files = np.bincount(grouped.file, places, len(files))
    wanted = files + in_files
    by_file = wanted.sum() * np.exp(of_files) - wanted
    by_place = np.exp(within) * (in_files + together * by_file)[grouped.file] - places
    pull = np.concatenate(
        (
            grouped.places.T @ by_place,
            grouped.files.T @ by_file,
            [by_file @ grouped.gathered(grouped.places @ place)],
        )
    )
    return -float(wanted @ of_files + places @ within), pull


def _varying(cases: Iterable[Grouped]) -> np.ndarray:
    """1 for features in which the places of some file differ, else 0."""
    differ = [
        (grouped.files[grouped.file] - grouped.places).max(axis=0, initial=0.0) for grouped in cases
    ]
    return (np.array(differ).max(axis=0) > 0).astype(float)


def cross_validated(
    cases: Sequence[Case], names: Sequence[str], *, ridge: float
) -> list[dict[str, float]]:
    """Each task that people wrote, scored with weights fitted on the other repositories."""
    rows: list[dict[str, float]] = []
    by_repo: dict[str, Parameters] = {}
    for case in cases:
        if case.task.source == HISTORY:
            continue
        if case.task.repo not in by_repo:
            others = [each for each in cases if each.task.repo != case.task.repo]
            by_repo[case.task.repo] = fitted(others, names, ridge=ridge)
        rows.append(score(case.task, predicted(case, names, by_repo[case.task.repo])))
    return rows


def by_split(
    cases: Sequence[Case], names: Sequence[str], *, ridge: float
) -> dict[str, dict[str, float]]:
    """The means of `cross_validated` over each split."""
    tasks = [case.task for case in cases if case.task.source != HISTORY]
    rows: dict[str, list[dict[str, float]]] = {}
    for task, row in zip(tasks, cross_validated(cases, names, ridge=ridge), strict=True):
        rows.setdefault(split_of(task), []).append(row)
    return {split: mean(rows[split]) for split in sorted(rows)}


def predicted(case: Case, names: Sequence[str], weights: Parameters) -> Prediction:
    """The prediction that these weights make."""
    grouped = case.grouped(names)
    scores = grouped.scores(*grouped.probabilities(weights.place, weights.file, weights.together))
    order = np.argsort(-scores, kind="stable")
    return Prediction(tuple(case.spans[at] for at in order))


def write(weights: Weights) -> None:
    """Write the weights, largest first."""
    lines = [
        "# Weights of the structural ranking, fitted by `python -m tests.bench.fit`.",
        f"together = {weights.together:.3f}",
    ]
    for table, values in (("place", weights.place), ("file", weights.file)):
        ordered = sorted(values.items(), key=lambda item: (-abs(item[1]), item[0]))
        lines += ["", f"[{table}]"]
        lines += [f'"{name}" = {value:.3f}' for name, value in ordered if round(value, 3)]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


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
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    kept = args.cache / "cases.pickle"
    if kept.exists():
        cases: list[Case] = pickle.loads(kept.read_bytes())
    else:
        tasks = [(task, task.tree(args.trees)) for task in load(args.tasks)]
        cases = asyncio.run(collect(chain(tasks, _from_history(args)), args.cache))
        kept.write_bytes(pickle.dumps(cases))
    names = feature_names(cases)
    for split, figures in by_split(cases, names, ridge=args.ridge).items():
        print(split, figures)
    if args.write:
        write(fitted(cases, names, ridge=args.ridge).named(names))


if __name__ == "__main__":
    main()
