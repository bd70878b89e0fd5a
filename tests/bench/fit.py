"""Fit the weights of the structural ranking.

    python -m tests.bench.fit --trees TREES --cache CACHE TASKS... [--write]

The loss is that of ``tests.bench.listwise``, with a ridge penalty that prefers small weights. The
exception are the weights of kinds of files other than the code under discussion (tests, generated
ones, ...): they are drawn towards ranking last unless tasks show otherwise, since some kinds hardly
occur in the tasks. Scored by cross-validation over repositories, in `FOLDS` folds. The weights that
``--write`` writes are fitted on all tasks. Needs scipy (``pip install .[bench]``).
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer_core.contracts import Candidate, ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.registry.ranking import Grouped, Part, Weights, with_parts_in_turn
from explorer_core.workspace import Workspace
from tests.bench.corpus import Span, Task, load, split_of
from tests.bench.listwise import KINDS, Lesson, Lessons, Parameters
from tests.bench.scoring import Prediction, mean, score

UNIT_SHARE = 1.0
"""Weight of the right functions in the loss, relative to the right files."""

SPLIT_WEIGHTS = {"unseen": 0.2, "reported": 0.2}
"""Weights of tasks by split, where not 1. These splits are so large that, with these weights, they
count about as much in total as the others, which people wrote or which ask as people do."""

FOLDS = 8
RIDGE = 0.4
"""Factor of the ridge penalty."""

WEIGHTS = Path(__file__).parents[2] / "explorer_core" / "registry" / "ranking.toml"


@dataclass(slots=True)
class Case:
    """One task with the features of its candidates."""

    task: Task
    spans: list[Span]
    rows: list[dict[str, float]]
    parts: list[Part | None]

    def grouped(self, names: Sequence[str]) -> Grouped:
        values = np.array([[row.get(name, 0.0) for name in names] for row in self.rows])
        return Grouped.of(values, [span.path for span in self.spans])

    @property
    def weight(self) -> float:
        return SPLIT_WEIGHTS.get(split_of(self.task), 1.0)

    def lesson(self, names: Sequence[str]) -> Lesson:
        places = UNIT_SHARE * self.gold_places()
        return Lesson(self.grouped(names), self.gold_files(), places, self.weight)

    def gold_files(self) -> np.ndarray:
        """Each file's share of the loss, in order of appearance; all 0 if none is gold."""
        paths = dict.fromkeys(span.path for span in self.spans)
        return _shares([path in self.task.files for path in paths])

    def gold_places(self) -> np.ndarray:
        """Each place's share of the loss. Of the parts of a gold function, those with gold lines
        count, or all if none has any."""
        gold = self._overlapping(self.task.functions or self.task.spans)
        cited = self._overlapping(self.task.spans)
        places = list(zip(self.parts, gold, cited, strict=True))
        cited_definitions = {
            part.definition for part, is_gold, is_cited in places if part and is_gold and is_cited
        }
        return _shares(
            [
                is_gold and (is_cited or part is None or part.definition not in cited_definitions)
                for part, is_gold, is_cited in places
            ]
        )

    def _overlapping(self, targets: Collection[Span]) -> list[bool]:
        return [any(each.overlaps(span) for each in targets) for span in self.spans]


def _shares(gold: Sequence[bool]) -> np.ndarray:
    marks = np.array(gold, float)
    return marks / max(marks.sum(), 1.0)


async def collect(tasks: Iterable[tuple[Task, Path]], cache: Path) -> list[Case]:
    """Retrieve the candidates of every task, given with its work tree, as the explorer does."""
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
    """All features of any candidate, sorted."""
    return sorted({name for case in cases for row in case.rows for name in row} | KINDS)


def fitted(cases: Iterable[Case], names: Sequence[str], *, ridge: float) -> Parameters:
    """The weights that minimise the loss over ``cases``."""
    return Lessons.of([case.lesson(names) for case in cases]).fitted(names, ridge=ridge)


@dataclass(frozen=True, slots=True)
class Folded:
    """Weights of the features ``names`` for each repository, fitted on the other folds."""

    names: Sequence[str]
    fold: dict[str, int]
    weights: list[Parameters]

    @classmethod
    def fitted(
        cls,
        cases: Sequence[Case],
        names: Sequence[str],
        *,
        ridge: float,
        lessons: Sequence[Lesson] | None = None,
    ) -> Folded:
        lessons = lessons or [case.lesson(names) for case in cases]
        shared_fit = Lessons.of(lessons).fitted(names, ridge=ridge)
        fold = folds(case.task.repo for case in cases)
        weights: list[Parameters] = []
        for number in range(FOLDS):
            others = [
                lesson
                for case, lesson in zip(cases, lessons, strict=True)
                if fold[case.task.repo] != number
            ]
            weights.append(Lessons.of(others).fitted(names, ridge=ridge, start=shared_fit))
        return cls(names, fold, weights)

    def of(self, repository: str) -> Parameters | None:
        """The weights for a repository; None if there is no case about it."""
        number = self.fold.get(repository)
        return None if number is None else self.weights[number]

    def named(self, repository: str) -> Weights | None:
        """The weights of `of`, by feature name."""
        weights = self.of(repository)
        return weights and named(weights, self.names)


def cross_validated(
    cases: Sequence[Case], names: Sequence[str], *, ridge: float
) -> list[dict[str, float]]:
    """The scores of each task, with weights fitted on the repositories of the other folds."""
    lessons = [case.lesson(names) for case in cases]
    folded = Folded.fitted(cases, names, ridge=ridge, lessons=lessons)
    rows: list[dict[str, float]] = []
    for case, lesson in zip(cases, lessons, strict=True):
        weights = folded.of(case.task.repo)
        assert weights
        rows.append(score(case.task, predicted(case, lesson.grouped, weights)))
    return rows


def folds(repositories: Iterable[str]) -> dict[str, int]:
    """The fold of each repository: random, with a fixed seed."""
    shuffled = sorted(set(repositories))
    random.Random(3).shuffle(shuffled)
    return {repository: position % FOLDS for position, repository in enumerate(shuffled)}


def by_split(
    cases: Sequence[Case], names: Sequence[str], *, ridge: float
) -> dict[str, dict[str, float]]:
    """The means of `cross_validated` over each split."""
    rows: dict[str, list[dict[str, float]]] = {}
    for case, row in zip(cases, cross_validated(cases, names, ridge=ridge), strict=True):
        rows.setdefault(split_of(case.task), []).append(row)
    return {split: mean(rows[split]) for split in sorted(rows)}


def predicted(case: Case, grouped: Grouped, weights: Parameters) -> Prediction:
    """The prediction for a case with these weights."""
    scores = grouped.scores(*grouped.probabilities(weights.place, weights.file, weights.together))
    scores = with_parts_in_turn(scores, case.parts)
    order = np.argsort(-scores, kind="stable")
    return Prediction(tuple(case.spans[index] for index in order))


def named(weights: Parameters, names: Sequence[str]) -> Weights:
    """The weights by feature name."""
    place, file = (
        dict(zip(names, values.tolist(), strict=True)) for values in (weights.place, weights.file)
    )
    return Weights(place, file, weights.together)


def write(weights: Weights) -> None:
    """Write the weights to `WEIGHTS`, largest first."""
    lines = [
        "# Weights of the structural ranking, fitted by `python -m tests.bench.fit`.",
        f"together = {weights.together:.3f}",
    ]
    for table, values in (("place", weights.place), ("file", weights.file)):
        ordered = sorted(values.items(), key=lambda item: (-abs(item[1]), item[0]))
        lines += ["", f"[{table}]"]
        lines += [f'"{name}" = {value:.3f}' for name, value in ordered if round(value, 3)]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="+", type=Path)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument(
        "--cache", type=Path, required=True, help="where indexes and cases are kept"
    )
    parser.add_argument("--ridge", type=float, default=RIDGE)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    case_file = args.cache / "cases.pickle"
    if case_file.exists():
        cases: list[Case] = pickle.loads(case_file.read_bytes())
    else:
        tasks = [(task, task.tree(args.trees)) for task in load(args.tasks)]
        cases = asyncio.run(collect(tasks, args.cache))
        case_file.write_bytes(pickle.dumps(cases))
    names = feature_names(cases)
    for split, figures in by_split(cases, names, ridge=args.ridge).items():
        print(split, figures)
    if args.write:
        write(named(fitted(cases, names, ridge=args.ridge), names))


if __name__ == "__main__":
    # Pickled classes must belong to this module by name, not to `__main__`: other programs read
    # them.
    from tests.bench import fit

    fit.main()
