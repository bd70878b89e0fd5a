"""Fit the weights of the structural ranking.

    python -m tests.bench.fit --trees TREES --cache CACHE TASKS... [--write]
        [--history HISTORY_TASKS --mirrors MIRRORS]

The loss is that of ``tests.bench.listwise``. Small weights are preferred, except that files of
another kind than the code under discussion (tests, generated ones, ...) are taken to come last
until tasks say otherwise: some kinds hardly occur among them. It is scored by cross-validation over
repositories; the weights written are those of all tasks. Tasks made from history
(``tests.bench.history``) train beside the others, at `HISTORY_SHARE` of their weight, and are never
scored: a repository's own history is left out with it. Needs scipy (``pip install .[bench]``).
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from explorer_core.contracts import Candidate, ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.registry.ranking import Grouped, Part, Weights, with_parts_in_turn
from explorer_core.workspace import Workspace
from tests.bench.corpus import Span, Task, load, split_of
from tests.bench.history import HISTORY, Repository, checked_out
from tests.bench.listwise import KINDS, Lesson, Lessons, Parameters
from tests.bench.scoring import Prediction, mean, score

UNIT_SHARE = 1.0
"""How much naming the right functions counts against naming the right files."""

HISTORY_SHARE = 0.3
"""How much a task made from history counts against one that people wrote."""

RIDGE = 0.4
"""How much small weights are preferred."""

WEIGHTS = Path(__file__).parents[2] / "explorer_core" / "registry" / "ranking.toml"


@dataclass(slots=True)
class Case:
    """One task's candidates as numbers."""

    task: Task
    spans: list[Span]
    rows: list[dict[str, float]]
    parts: list[Part | None]

    def grouped(self, names: Sequence[str]) -> Grouped:
        values = np.array([[row.get(name, 0.0) for name in names] for row in self.rows])
        return Grouped.of(values, [span.path for span in self.spans])

    @property
    def weight(self) -> float:
        return HISTORY_SHARE if self.task.source == HISTORY else 1.0

    def lesson(self, names: Sequence[str]) -> Lesson:
        places = UNIT_SHARE * self.gold_places()
        return Lesson(self.grouped(names), self.gold_files(), places, self.weight)

    def gold_files(self) -> np.ndarray:
        """Shares of the loss, by file in order of appearance; all 0 without a gold one."""
        paths = dict.fromkeys(span.path for span in self.spans)
        return _shares([path in self.task.files for path in paths])

    def gold_places(self) -> np.ndarray:
        """Shares of the loss, by place. Of the parts of a gold function, those with gold lines."""
        gold = self._overlapping(self.task.functions or self.task.spans)
        cited = self._overlapping(self.task.spans)
        places = list(zip(self.parts, gold, cited, strict=True))
        told = {part.definition for part, is_gold, has in places if part and is_gold and has}
        return _shares(
            [
                is_gold and (has or part is None or part.definition not in told)
                for part, is_gold, has in places
            ]
        )

    def _overlapping(self, wanted: Collection[Span]) -> list[bool]:
        return [any(each.overlaps(span) for each in wanted) for span in self.spans]


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
    return Case(task, spans, [each.features for each in ranged], list(map(Part.of, ranged)))


def feature_names(cases: Iterable[Case]) -> list[str]:
    """The features that some candidate has, sorted."""
    return sorted({name for case in cases for row in case.rows for name in row} | KINDS)


def fitted(cases: Iterable[Case], names: Sequence[str], *, ridge: float) -> Parameters:
    """The weights that minimise the loss over ``cases``."""
    return Lessons.of([case.lesson(names) for case in cases]).fitted(names, ridge=ridge)


def cross_validated(
    cases: Sequence[Case], names: Sequence[str], *, ridge: float
) -> list[dict[str, float]]:
    """Each task that people wrote, scored with weights fitted on the other repositories."""
    lessons = [case.lesson(names) for case in cases]
    both = list(zip(cases, lessons, strict=True))
    near = Lessons.of(lessons).fitted(names, ridge=ridge)
    by_repo: dict[str, Parameters] = {}
    rows: list[dict[str, float]] = []
    for case, lesson in both:
        repo = case.task.repo
        if case.task.source == HISTORY:
            continue
        if repo not in by_repo:
            others = Lessons.of([taught for each, taught in both if each.task.repo != repo])
            by_repo[repo] = others.fitted(names, ridge=ridge, start=near)
        rows.append(score(case.task, predicted(case, lesson.grouped, by_repo[repo])))
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


def predicted(case: Case, grouped: Grouped, weights: Parameters) -> Prediction:
    """The prediction that these weights make."""
    scores = grouped.scores(*grouped.probabilities(weights.place, weights.file, weights.together))
    scores = with_parts_in_turn(scores, case.parts)
    order = np.argsort(-scores, kind="stable")
    return Prediction(tuple(case.spans[at] for at in order))


def named(weights: Parameters, names: Sequence[str]) -> Weights:
    """The weights by the names of their features."""
    place, file = (
        dict(zip(names, values.tolist(), strict=True)) for values in (weights.place, weights.file)
    )
    return Weights(place, file, weights.together)


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
        write(named(fitted(cases, names, ridge=args.ridge), names))


if __name__ == "__main__":
    main()
