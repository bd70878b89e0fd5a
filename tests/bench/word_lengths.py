"""How common a question's words are by their length: the data for how small collections are filled
up (`explorer_core.index.search.term_statistics`).

    python -m tests.bench.word_lengths TASKS... --trees TREES --cache CACHE [--every N]

For each length, in letters of the stem: how many words of the tasks' first lines have it, the
geometric mean of the shares of units that contain these words (half a unit is added, since some
occur in none), and the share that a small collection is filled up with. Then the least-squares fit
of the logarithm of the mean. ``--every`` takes each N-th repository.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from pathlib import Path

import numpy as np

from explorer_core.contracts import Settings
from explorer_core.index.index import Index
from explorer_core.index.search.term_statistics import usual_share
from explorer_core.index.terms import text
from explorer_core.workspace import Workspace
from tests.bench.corpus import Task, load

_MIN_LENGTH, _MAX_LENGTH = 2, 12


def log_shares(tasks: list[Task], tree: Path, cache: str) -> dict[int, list[float]]:
    """The logarithm of the share of units that contain each word, by the word's length."""
    log_shares_by_length: defaultdict[int, list[float]] = defaultdict(list)
    with Index.open(Workspace.open(tree, settings=Settings(cache_dir=cache))) as index:
        index.sync_now()
        search = index.search()
        units = search.collection.units
        for task in tasks:
            for term in text.count(task.query.strip().partition("\n")[0]):
                if text.is_word(term):
                    _, unit_count = search.terms.spread(term)
                    log_shares_by_length[len(term)].append(
                        math.log((unit_count + 0.5) / (units + 1))
                    )
    return log_shares_by_length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", type=Path, nargs="+")
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    by_tree: defaultdict[Path, list[Task]] = defaultdict(list)
    for task in load(options.tasks):
        by_tree[task.tree(options.trees)].append(task)
    log_shares_by_length: defaultdict[int, list[float]] = defaultdict(list)
    trees = sorted(by_tree)[:: options.every]
    for tree in trees:
        for length, values in log_shares(by_tree[tree], tree, options.cache).items():
            log_shares_by_length[length] += values
    lengths = [
        length for length in sorted(log_shares_by_length) if _MIN_LENGTH <= length <= _MAX_LENGTH
    ]
    print(f"{len(trees)} trees\n")
    print("| letters | words | mean share | filled up with |\n|---|---|---|---|")
    for length in lengths:
        values = log_shares_by_length[length]
        mean, usual = math.exp(np.mean(values)), usual_share("x" * length)
        print(f"| {length} | {len(values)} | {mean:.4f} | {usual:.4f} |")
    x = [length - _MIN_LENGTH for length in lengths for _ in log_shares_by_length[length]]
    y = [value for length in lengths for value in log_shares_by_length[length]]
    slope, intercept = np.polyfit(x, y, 1)
    print(
        f"\nfit: {math.exp(intercept):.3f} of the units,"
        f" times {math.exp(slope):.3f} for each letter"
    )


if __name__ == "__main__":
    main()
