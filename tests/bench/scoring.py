"""Retrieval measures over ranked files and ranked spans.

- R@k: mean share of the gold files that are among the first k.
- MRR: mean reciprocal rank of the first gold file.
- acc@k: share of tasks with every gold file among the first k.
- FR@k: share of the gold functions hit by one of the first k spans, which must be in the same file,
  overlap, and be no longer than three times the function or 150 lines.
- LR@B: share of the gold lines among the first B lines read.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.corpus import Span, Task

MEASURES = ("R@1", "R@3", "R@5", "R@10", "hit@1", "hit@5", "MRR", "acc@5", "FR@10", "LR@300")
_MAX_FUNCTION_LINES = 150


@dataclass(frozen=True, slots=True)
class Prediction:
    """Ranked spans. Files are ranked as given in ``files``, then by their first span."""

    spans: tuple[Span, ...]
    files: tuple[str, ...] = ()

    def ranked_files(self) -> list[str]:
        return list(dict.fromkeys((*self.files, *(span.path for span in self.spans))))


def score(task: Task, prediction: Prediction) -> dict[str, float]:
    """All measures of one task; FR and LR only if it has gold functions and lines."""
    files = prediction.ranked_files()
    scores = {f"R@{k}": len(task.files & set(files[:k])) / len(task.files) for k in (1, 3, 5, 10)}
    scores |= {f"hit@{k}": float(bool(task.files & set(files[:k]))) for k in (1, 5)}
    first = next((rank for rank, path in enumerate(files, 1) if path in task.files), None)
    scores["MRR"] = 1 / first if first else 0.0
    scores["acc@5"] = float(task.files <= set(files[:5]))
    if task.functions:
        hit = sum(_is_hit(function, prediction.spans[:10]) for function in task.functions)
        scores["FR@10"] = hit / len(task.functions)
    if task.spans:
        scores["LR@300"] = _lines_read(task, prediction.spans, 300)
    return scores


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of every measure over the tasks that have it, in percent."""
    means: dict[str, float] = {}
    for measure in MEASURES:
        values = [row[measure] for row in rows if measure in row]
        if values:
            means[measure] = 100 * sum(values) / len(values)
    return means


def interval(values: Sequence[float], *, rounds: int = 2000) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean (percentile method, fixed seed)."""
    rng = random.Random(7)
    count = len(values)
    means = sorted(
        sum(values[rng.randrange(count)] for _ in range(count)) / count for _ in range(rounds)
    )
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]


def _is_hit(function: Span, spans: Sequence[Span]) -> bool:
    max_lines = max(3 * len(function), _MAX_FUNCTION_LINES)
    return any(span.overlaps(function) and len(span) <= max_lines for span in spans)


def _lines_read(task: Task, spans: Sequence[Span], budget: int) -> float:
    gold = {(span.path, line) for span in task.spans for line in range(span.start, span.end + 1)}
    read_lines: set[tuple[str, int]] = set()
    for span in spans:
        for line in range(span.start, span.end + 1):
            if len(read_lines) >= budget:
                return len(gold & read_lines) / len(gold)
            read_lines.add((span.path, line))
    return len(gold & read_lines) / len(gold)
