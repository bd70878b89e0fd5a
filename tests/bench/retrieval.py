"""Does the answer name the right places? ``python -m tests.bench.retrieval --trees TREES TASKS...``

Asks an `Explorer` with the offline judge and a warm index about every task. Scores the places that
the report names (primary places, then ranked candidates), and as a baseline plain BM25 over the
same units without tests. Also reports the length of reports, the gold share of the lines they point
at, the time for a question, and how reliable each level of confidence is.

``--absent`` takes questions about things that a repository does not contain; they must end in skip
or low. ``--keywords`` takes keywords guessed by an agent (``tests/bench/tasks/keywords.jsonl``) and
asks only the tasks that have some, first without and then with them.

``--cases`` takes the cases collected by ``tests.bench.fit``. Every task is then asked with weights
that were fitted on the repositories of other folds, which needs scipy (``pip install .[bench]``).
Otherwise the shipped weights are used, which were fitted on all tasks.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import pickle
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args
from unittest import mock

from explorer_core.contracts import Confidence, ExploreRequest, Report, Settings
from explorer_core.explorer import Explorer
from explorer_core.index.search.bm25f import Searcher, Weighting
from explorer_core.index.terms import text
from explorer_core.registry import ranking
from explorer_core.registry.ranking import Weights
from explorer_core.registry.traits import traits_of
from explorer_core.report import render_text
from explorer_core.workspace import Workspace
from lsp_server import garbage
from tests.bench.corpus import SPLITS, Span, Task, load, split_of, with_keywords
from tests.bench.scoring import MEASURES, Prediction, interval, mean, score

_FLAT_WEIGHTING = Weighting(naming=0.0, weights=(1.0,) * 7, b=(0.75,) * 7)
_FILE_SHARES = (1.0, 0.5, 0.25)
_WARM_UP = ExploreRequest(query="How does it start, and where are its settings?", intent="explain")
"""Asked first, before anything is timed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one task. ``seconds`` is the time of the question in a process with a complete
    index that has answered another question before; ``repeat_seconds`` is that of asking it
    again."""

    task: Task
    report: Report
    baseline: Prediction
    seconds: float
    repeat_seconds: float

    @property
    def prediction(self) -> Prediction:
        places = [*self.report.primary, *(self.report.candidates or ())]
        spans = [Span(each.path, each.range.start, each.range.end) for each in places if each.range]
        return Prediction(tuple(dict.fromkeys(spans)))

    @property
    def pointed_at(self) -> set[tuple[str, int]]:
        places = [*self.report.primary, *self.report.links, *self.report.read_targets]
        return {
            (each.path, line)
            for each in places
            if each.range
            for line in range(each.range.start, each.range.end + 1)
        }


WeightsOf = Callable[[str], Weights | None]
"""Returns the weights to use for a repository; None for the shipped ones."""


async def ask(tasks: Sequence[Task], trees: Path, cache: Path, weights: WeightsOf) -> list[Answer]:
    """The answers in the order of ``tasks``; each question is asked twice, after another one."""
    answers: list[Answer] = []
    garbage.take_over()
    for task in tasks:
        folder = task.tree(trees)
        workspace = Workspace.open(folder, settings=Settings(cache_dir=str(cache)))
        explorer = Explorer(workspace)
        explorer.watch()  # as the server does, which is notified of changes
        request = ExploreRequest(query=task.query, intent=task.intent, keywords=task.keywords)
        repo_weights = weights(task.repo) or ranking.fitted_weights()
        try:
            with mock.patch.object(
                ranking, "fitted_weights", lambda repo_weights=repo_weights: repo_weights
            ):
                await explorer.settle()
                await explorer.explore(_WARM_UP)
                report, first_seconds = await _timed(explorer, request)
                _, repeat_seconds = await _timed(explorer, request)
            answers.append(
                Answer(
                    task, report, plain_bm25(explorer, task.query), first_seconds, repeat_seconds
                )
            )
        finally:
            await explorer.close()
    return answers


async def _timed(explorer: Explorer, request: ExploreRequest) -> tuple[Report, float]:
    """The answer, and the seconds it took."""
    await explorer.settle()
    gc.collect()
    gc.freeze()  # the server collects garbage between questions, not during one
    started = time.perf_counter()
    report = await explorer.explore(request, explain_ranking=True)
    return report, time.perf_counter() - started


def plain_bm25(explorer: Explorer, query: str) -> Prediction:
    """BM25 over units, with equal fields and without tests. A file's score is the weighted sum of
    its best three units (`_FILE_SHARES`)."""
    search = Searcher(explorer.index.view, _FLAT_WEIGHTING).now()
    hits = search.units(text.count(query), limit=200, allowed=lambda path: not traits_of(path).test)
    by_file: dict[str, list[float]] = {}
    for hit in hits:
        by_file.setdefault(hit.path, []).append(hit.score)
    file_scores = {
        path: sum(s * share for s, share in zip(scores, _FILE_SHARES, strict=False))
        for path, scores in by_file.items()
    }
    files = sorted(file_scores, key=lambda path: (-file_scores[path], path))
    return Prediction(tuple(Span(h.path, h.start, h.end) for h in hits), tuple(files))


def table(answers: Sequence[Answer]) -> list[str]:
    """Rows of a Markdown table: Sightline and the baseline for each split and language."""
    lines = [f"| split | n | method | {' | '.join(MEASURES)} |", "|" + "---|" * (len(MEASURES) + 3)]
    splits: list[tuple[str, Callable[[Task], bool]]] = [
        (split, lambda task, split=split: split_of(task) == split) for split in SPLITS
    ]
    splits += [
        (language, lambda task, language=language: task.language == language)
        for language in sorted({answer.task.language for answer in answers})
    ]
    for name, is_in_group in splits:
        group = [answer for answer in answers if is_in_group(answer.task)]
        for method, predicted in (
            ("Sightline", [answer.prediction for answer in group]),
            ("BM25", [answer.baseline for answer in group]),
        ):
            if group:
                rows = [score(a.task, p) for a, p in zip(group, predicted, strict=True)]
                means = mean(rows)
                figures = " | ".join(f"{means[m]:.1f}" if m in means else "" for m in MEASURES)
                lines.append(f"| {name} | {len(group)} | {method} | {figures} |")
    return lines


def differences(answers: Sequence[Answer]) -> list[str]:
    """Mean paired differences from the baseline, with 95 % intervals."""
    lines: list[str] = []
    for measure in ("R@5", "MRR", "FR@10"):
        pairs = [(score(a.task, a.prediction), score(a.task, a.baseline)) for a in answers]
        gains = [
            own_scores[measure] - baseline_scores[measure]
            for own_scores, baseline_scores in pairs
            if measure in own_scores
        ]
        if gains:
            low, high = interval(gains)
            average = 100 * statistics.fmean(gains)
            lines.append(f"{measure}: {average:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]")
    return lines


def answer_figures(answers: Sequence[Answer]) -> list[str]:
    """Figures on the answers: length, gold share, flows, time, confidence."""
    limit = Settings().report_chars
    chars = [len(render_text(answer.report, limit)) for answer in answers]
    shares = [_gold_share(answer) for answer in answers]
    return [
        f"characters of a report, median: {statistics.median(chars):.0f}, most: {max(chars)}",
        f"gold share of the lines pointed at, mean: {100 * statistics.fmean(shares):.1f} %",
        _flows(answers),
        _times_line("warm question", [answer.seconds for answer in answers]),
        _times_line("warm question asked again", [answer.repeat_seconds for answer in answers]),
        *(
            _confidence_line(group, split, level)
            for split in SPLITS
            if (group := [answer for answer in answers if split_of(answer.task) == split])
            for level in get_args(Confidence)
        ),
    ]


def _times_line(what: str, seconds: Sequence[float]) -> str:
    p95 = sorted(seconds)[int(0.95 * (len(seconds) - 1))]
    median = statistics.median(seconds)
    return f"seconds of a {what}, median: {median:.3f}, 95th percentile: {p95:.3f}"


def _flows(answers: Sequence[Answer]) -> str:
    """How many flows include a gold function, how many steps lie in one, and how many gold
    functions are on the flow of their task."""
    with_functions = [answer for answer in answers if answer.task.functions]
    steps = [_gold_steps(answer) for answer in with_functions]
    flows_with_gold, gold_steps = sum(map(any, steps)), sum(sum(map(bool, each)) for each in steps)
    reached = sum(len(set().union(*each)) for each in steps)
    functions = sum(len(answer.task.functions) for answer in with_functions)
    return (
        f"flows with a gold function: {flows_with_gold} of {len(with_functions)}; steps in one:"
        f" {gold_steps} of {sum(map(len, steps))}; gold functions on a flow:"
        f" {reached} of {functions}"
    )


def _gold_steps(answer: Answer) -> list[set[Span]]:
    """For each step of the flow, the gold functions that it overlaps."""
    steps = [Span(s.path, s.range.start, s.range.end) for s in answer.report.links]
    return [set(filter(step.overlaps, answer.task.functions)) for step in steps]


def _confidence_line(group: Sequence[Answer], split: str, level: Confidence) -> str:
    """How reliable a level of confidence is, among the answers of a split."""
    at_level = [answer for answer in group if answer.report.confidence == level]
    right = [a for a in at_level if a.task.files & set(a.prediction.ranked_files()[:2])]
    with_functions = [answer for answer in at_level if answer.task.functions]
    with_gold_step = [answer for answer in with_functions if any(_gold_steps(answer))]
    return (
        f"{split}: {len(at_level)} of {len(group)} answered {level}, gold first or second in "
        f"{len(right)}, a gold function on the flow in"
        f" {len(with_gold_step)} of {len(with_functions)}"
    )


def _gold_share(answer: Answer) -> float:
    gold = {
        (span.path, line) for span in answer.task.spans for line in range(span.start, span.end + 1)
    }
    lines = answer.pointed_at
    return len(gold & lines) / len(lines) if lines else 0.0


def main() -> None:
    """Print the figures; ``--predictions FILE`` also writes one JSON line per task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", type=Path)
    parser.add_argument("--absent", type=Path)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--predictions", type=Path)
    parser.add_argument("--keywords", type=Path, help="ids with what is guessed that the code says")
    parser.add_argument("--cases", type=Path, help="those of tests.bench.fit")
    args = parser.parse_args()
    weights = _of_other_folds(args.cases) if args.cases else lambda repository: None
    if args.tasks:
        runs = [load(args.tasks)]
        if args.keywords:
            tasks_with_keywords = with_keywords(runs[0], args.keywords)
            runs = [
                [replace(task, keywords=()) for task in tasks_with_keywords],
                tasks_with_keywords,
            ]
        for tasks in runs:
            answers = asyncio.run(ask(tasks, args.trees, args.cache, weights))
            print(
                "\n".join(
                    [*table(answers), "", *differences(answers), "", *answer_figures(answers)]
                )
            )
            if args.predictions:  # the second run, if any, overwrites the first
                args.predictions.write_text("".join(map(_line, answers)), encoding="utf-8")
    if args.absent:
        absent = [task for task in load([args.absent]) if task.tree(args.trees).is_dir()]
        answers_to_absent = asyncio.run(ask(absent, args.trees, args.cache, weights))
        reports = [answer.report for answer in answers_to_absent]
        declined = [r for r in reports if "skip" in r.action or r.confidence == "low"]
        print(f"absent things: {len(declined)} of {len(reports)} end in skip or low")


def _of_other_folds(case_file: Path) -> WeightsOf:
    from tests.bench.fit import RIDGE, Folded, feature_names

    cases = pickle.loads(case_file.read_bytes())
    return Folded.fitted(cases, feature_names(cases), ridge=RIDGE).named


def _line(answer: Answer) -> str:
    prediction = answer.prediction
    spans = [{"path": s.path, "start": s.start, "end": s.end} for s in prediction.spans]
    return (
        json.dumps({"id": answer.task.id, "files": prediction.ranked_files(), "spans": spans})
        + "\n"
    )


if __name__ == "__main__":
    main()
