"""What each group of features contributes to the ranking.

    python -m tests.bench.ablation --cache CACHE

Reads the cases that ``tests.bench.fit`` collected in CACHE. Leaves out each group in turn, fits the
weights again, and scores every task with weights fitted on the other folds.
"""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable
from pathlib import Path

from tests.bench.fit import RIDGE, Case, by_split, feature_names
from tests.bench.listwise import KINDS

FIGURES = ("hit@1", "R@5", "MRR", "acc@5", "FR@10", "LR@300")


def _starts_with(*prefixes: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(prefixes)


GROUPS: dict[str, Callable[[str], bool]] = {
    "nothing": lambda _: False,
    "BM25F of definitions": _starts_with("text.", "file.text."),
    "each field for itself": _starts_with("all.", "title."),
    "the share of the question that is covered": _starts_with("covered.", "file.covered."),
    "query likelihood": _starts_with("likely."),
    "pseudo-relevance feedback": _starts_with("text.feedback"),
    "words side by side": _starts_with("phrase."),
    "the share of the file's language": _starts_with("path.language"),
    "neighbours in the graph": _starts_with("graph."),
    "names, paths and frames in the question": _starts_with(
        "named.", "path.named", "path.stem", "frame"
    ),
    "size, depth and piece": _starts_with(
        "size.", "file.units", "path.depth", "piece.", "lacks.", "is.rest"
    ),
    "kind of definition": _starts_with(
        "is.callable", "is.definition", "is.type", "is.nested", "is.code", "is.exported"
    ),
    "kind of file": KINDS.__contains__,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="that of tests.bench.fit")
    args = parser.parse_args()
    cases: list[Case] = pickle.loads((args.cache / "cases.pickle").read_bytes())
    print("| without | split |", *[f"{figure} |" for figure in FIGURES])
    for title, is_left_out in GROUPS.items():
        names = [name for name in feature_names(cases) if not is_left_out(name)]
        for split, figures in by_split(cases, names, ridge=RIDGE).items():
            print(
                f"| {title} | {split} |",
                *[f"{figures[figure]:.1f} |" for figure in FIGURES],
                flush=True,
            )


if __name__ == "__main__":
    main()
