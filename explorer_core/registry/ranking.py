"""Structural ranking: a linear model over features, every one of which is kept and can be shown.

Features that have no natural scale are divided by their largest value among the candidates of the
question, so that one set of weights serves repositories and questions of all sizes. The weights
(``ranking.toml``) are fitted by ``python -m tests.bench.fit`` and know structure only.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from explorer_core.contracts import Candidate, Traits
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS

_UNSCALED = ("covered.", "path.", "frame", "named.pair", "named.container", "is.", "piece.")
"""Prefixes of features that are comparable between questions as they are."""

_DIGITS = 9

_SECOND, _THIRD = 0.5, 0.25
"""What the second and third best unit of a file add to it."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates best first, each with its score and features.

    ``certainty`` is the probability that the best file is right, by the softmax the weights were
    fitted with. ``covered`` is the share of the question's information content, or its
    title's, that the best file contains.
    """

    candidates: tuple[Candidate, ...]
    certainty: float = 0.0
    covered: float = 0.0

    def files(self) -> list[str]:
        """Paths by their best candidate."""
        return list(dict.fromkeys(candidate.path for candidate in self.candidates))


@cache
def fitted_weights() -> Mapping[str, float]:
    """The weights that ship with Sightline."""
    text = files("explorer_core.registry").joinpath("ranking.toml").read_text(encoding="utf-8")
    return {name: float(weight) for name, weight in tomllib.loads(text)["weights"].items()}


def rank(
    candidates: Sequence[Candidate],
    weights: Mapping[str, float] | None = None,
    *,
    asked_for: Collection[str] = (),
) -> Ranking:
    """Order candidates by the weighted sum of their features; ties by path and line.

    Files of a kind that the question asks for (`traits.kinds_named`) rank like any other.
    """
    weights = fitted_weights() if weights is None else weights
    features = feature_table(candidates, asked_for)
    ranked = [
        Candidate.of_valid(**{**candidate.__dict__, "features": row, "score": score})
        for candidate, row, score in zip(
            candidates, features.rows(), features.scores(weights), strict=True
        )
    ]
    ranked.sort(key=lambda each: (-each.score, each.path, each.range.start if each.range else 0))
    return Ranking(tuple(ranked), _certainty(ranked), features.covered())


def _certainty(ranked: Sequence[Candidate]) -> float:
    """The softmax share of the best file."""
    if not ranked:
        return 0.0
    of_file: dict[str, float] = {}
    for candidate in ranked:
        odds = math.exp(candidate.score - ranked[0].score)
        of_file[candidate.path] = of_file.get(candidate.path, 0.0) + odds
    return max(of_file.values()) / sum(of_file.values())


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """``values`` has a row per candidate and a column per name; a feature one lacks is 0."""

    names: tuple[str, ...]
    values: NDArray[np.float64]

    def rows(self) -> list[dict[str, float]]:
        """The features of each candidate by name."""
        return [dict(zip(self.names, row, strict=True)) for row in self.values.tolist()]

    def scores(self, weights: Mapping[str, float]) -> list[float]:
        """The weighted sums. Rounded: in which order a processor adds is its own affair."""
        summed = self.values @ np.array([weights.get(name, 0.0) for name in self.names])
        return np.round(summed, _DIGITS).tolist()

    def covered(self) -> float:
        """Of the whole question or of its title alone, which a pasted log must not drown."""
        views = ("file.covered.all", "file.covered.title")
        columns = [self.names.index(view) for view in views if view in self.names]
        return float(self.values[:, columns].max(initial=0.0))


def feature_table(candidates: Sequence[Candidate], asked_for: Collection[str] = ()) -> FeatureTable:
    """The features of the candidates, in their order, scaled as the weights expect them."""
    rows = [
        {**candidate.features, **_shape(candidate), **_marks(candidate.traits, asked_for)}
        for candidate in candidates
    ]
    _add_file_features(candidates, rows)
    alike: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(rows):
        alike.setdefault(tuple(row), []).append(at)
    names = tuple(dict.fromkeys(chain.from_iterable(alike)))
    column = {name: at for at, name in enumerate(names)}
    values = np.zeros((len(rows), len(names)))
    for shape, members in alike.items():
        found = [list(rows[at].values()) for at in members]
        values[np.ix_(members, [column[name] for name in shape])] = found
    scaled = [not name.startswith(_UNSCALED) and "covered" not in name for name in names]
    largest = np.where(scaled, values.max(axis=0, initial=0.0), 1.0)
    return FeatureTable(names, values / np.where(largest > 0, largest, 1.0))


def _shape(candidate: Candidate) -> dict[str, float]:
    nested = len(candidate.symbols) and candidate.symbols[0].qualified_name.count(".")
    return {
        "is.definition": float(bool(candidate.symbols)),
        "is.callable": float(bool(candidate.symbols) and candidate.symbols[0].kind in CALLABLES),
        "is.type": float(bool(candidate.symbols) and candidate.symbols[0].kind in MEMBER_HOLDERS),
        "size.lines": math.log1p(len(candidate.range)) if candidate.range else 0.0,
        "path.depth": candidate.path.count("/") / 5,
        "is.nested": float(nested > 0),
    }


def _marks(traits: Traits, asked_for: Collection[str]) -> dict[str, float]:
    held = (kind for kind, holds in traits.__dict__.items() if holds)
    return {f"is.{kind}": float(kind not in asked_for) for kind in held}


def _add_file_features(candidates: Sequence[Candidate], rows: Sequence[dict[str, float]]) -> None:
    """What the units of a file say together: best, second and third best, and their coverage."""
    by_file: dict[str, list[dict[str, float]]] = {}
    for candidate, row in zip(candidates, rows, strict=True):
        by_file.setdefault(candidate.path, []).append(row)
    for members in by_file.values():
        shared = {
            f"file.{name}": _discounted(member.get(name, 0.0) for member in members)
            for name in ("text.all", "text.title", "text.prose")
        }
        for name in ("covered.all", "covered.title"):
            shared[f"file.{name}"] = max(member.get(name, 0.0) for member in members)
        for member in members:
            member.update(shared)


def _discounted(values: Iterable[float]) -> float:
    best = sorted(values, reverse=True)[:3]
    return sum(value * share for value, share in zip(best, (1.0, _SECOND, _THIRD), strict=False))
