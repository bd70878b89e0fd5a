"""Structural ranking: which file, and which place in it. Every feature is kept for display.

The probability of a place is that of its file times that of the place within the file. Each of the
two is a softmax over weighted sums of features. A file's features are the maxima over its places;
the log-sum-exp of its places' sums counts as well. Features without a natural scale are divided by
their largest value among the question's candidates, so that one set of weights serves repositories
and questions of all sizes. The weights (``ranking.toml``) are fitted by
``python -m tests.bench.fit`` and describe structure only.
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

from explorer_core.contracts import Candidate, SymbolInfo, Traits
from explorer_core.index.search.collection import Floats, Ints
from explorer_core.index.symbols import CALLABLES, CALLBACK, MEMBER_HOLDERS

_UNSCALED = ("covered.", "path.", "frame", "named.pair", "named.container", "is.", "piece.")
"""Prefixes of features that are comparable across questions without scaling."""

_DIGITS = 9
"""Decimal digits that scores are rounded to: floating-point addition order differs by processor."""

_LEAD = 0.5
"""Exponent applied to the within-file probability of a file's best place. That place represents
both itself and the file, so its score lies between the two."""

_APART = 30.0
"""Subtracted from the log-odds of a place of a kind apart, relative to the others of its file."""

_STEP = 1.0
"""Distance (in log-probability) of the best place of a kind apart below all other places."""

_REPEATED_PART = 0.5
"""Penalty (in log-probability) on a definition's part for each of its parts ranked before it."""

_VIEWS = ("covered.all", "covered.title")
"""Coverage of the whole question, and of its title alone, which a pasted log must not drown."""

_SECOND, _THIRD = 0.5, 0.25
"""Weights of the second and third best unit of a file in its discounted sum."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates, best first, each with its score and features.

    ``certainty`` is the probability of the most probable file, not counting files whose places are
    all of a kind apart, unless all are. ``covered`` is the share of the information content of the
    question (or of its title, whichever is larger) that the best file contains.
    """

    candidates: tuple[Candidate, ...]
    certainty: float = 0.0
    covered: float = 0.0

    @property
    def held(self) -> float:
        """Like ``covered``, for the best place alone."""
        return max(self._best.get(view, 0.0) for view in _VIEWS)

    @property
    def has_adjacent_words(self) -> bool:
        """Whether the best place has two words of the question next to each other, as the question
        does. Text about another subject may have each of them, but seldom adjacent."""
        return self._best.get("phrase.all", 0.0) > 0

    @property
    def _best(self) -> Mapping[str, float]:
        return self.candidates[0].features if self.candidates else {}


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of a place's features within its file, of a file's features, and of the log-sum-exp
    over the file's places (``together``)."""

    place: Mapping[str, float]
    file: Mapping[str, float]
    together: float


@cache
def fitted_weights() -> Weights:
    """The weights that ship with Sightline."""
    text = files("explorer_core.registry").joinpath("ranking.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    return Weights(read["place"], read["file"], read["together"])


def rank(candidates: Sequence[Candidate], *, asked_for: Collection[str] = ()) -> Ranking:
    """Order candidates by log-probability; ties by path and line.

    The parts of one definition are spread out (`with_parts_in_turn`). Places of a kind apart
    (tests, generated code, ...) come last, except for kinds that the question asks for
    (`traits.kinds_named`), which rank like any other.
    """
    if not candidates:
        return Ranking(())
    candidates = sorted(
        candidates, key=lambda each: (each.path, each.range.start if each.range else 0)
    )
    weights = fitted_weights()
    features = _feature_table(candidates, asked_for)
    grouped = Grouped.of(features.values, [candidate.path for candidate in candidates])
    apart = np.array([not _kinds(each.traits) <= set(asked_for) for each in candidates])
    of_files, within = grouped.probabilities(
        features.weight_vector(weights.place),
        features.weight_vector(weights.file),
        weights.together,
        apart,
    )
    scores = with_parts_in_turn(
        grouped.scores(of_files, within), [Part.of(candidate) for candidate in candidates]
    )
    scores = np.round(_put_last(scores, apart), _DIGITS)
    ranked = [
        Candidate.of_valid(**{**candidate.__dict__, "features": row, "score": score})
        for candidate, row, score in zip(candidates, features.rows(), scores.tolist(), strict=True)
    ]
    ranked.sort(key=lambda each: -each.score)
    in_question = grouped.file[~apart] if not apart.all() else grouped.file
    certainty = float(np.exp(of_files[in_question].max()))
    return Ranking(tuple(ranked), certainty, features.covered())


@dataclass(frozen=True, slots=True)
class Part:
    """The definition a place belongs to (path, qualified name, line), and the place's share of the
    evidence in it, at most 1."""

    definition: tuple[str, str, int]
    share: float

    @classmethod
    def of(cls, candidate: Candidate) -> Part | None:
        """None for a place outside any definition."""
        if not candidate.symbols:
            return None
        symbol = candidate.symbols[0]
        definition = candidate.path, symbol.qualified_name, symbol.line
        return cls(definition, candidate.features.get("piece.share", 0.0))


def with_parts_in_turn(scores: Floats, parts: Sequence[Part | None]) -> Floats:
    """Reassign the scores within each definition, so that its parts do not crowd the ranking.

    Its scores go to its parts in the order of their shares. Each part after the first then loses
    `_REPEATED_PART` more than the one before it: much of what it says has been said by then, as in
    maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998). The best score of each file
    stays."""
    places: dict[tuple[str, str, int], list[tuple[float, int]]] = {}
    for at, part in enumerate(parts):
        if part is not None:
            places.setdefault(part.definition, []).append((-part.share, at))
    weight_vector = scores.copy()
    for members in places.values():
        if len(members) > 1:
            by_share = [at for _, at in sorted(members)]
            best_first = np.sort(scores[by_share])[::-1]
            weight_vector[by_share] = best_first - _REPEATED_PART * np.arange(len(by_share))
    return weight_vector


def _put_last(scores: Floats, apart: NDArray[np.bool_]) -> Floats:
    """Lower the scores of places apart until the best of them is below all others."""
    if apart.all() or not apart.any():
        return scores
    ahead = scores[apart].max() - scores[~apart].min()
    return np.where(apart, scores - max(ahead + _STEP, 0.0), scores)


@dataclass(frozen=True, slots=True)
class Grouped:
    """Feature matrices (places x features, files x features), and the file number of each place."""

    places: Floats
    files: Floats
    file: Ints

    @classmethod
    def of(cls, values: Floats, paths: Sequence[str]) -> Grouped:
        """Pool by file: each feature of a file is the maximum over its places."""
        numbers: dict[str, int] = {}
        file = np.array([numbers.setdefault(path, len(numbers)) for path in paths], np.int64)
        pooled = np.full((len(numbers), values.shape[1]), -np.inf)
        np.maximum.at(pooled, file, values)
        return cls(values, pooled, file)

    def probabilities(
        self, place: Floats, file: Floats, together: float, apart: NDArray[np.bool_] | None = None
    ) -> tuple[Floats, Floats]:
        """The log-probability of each file, and of each place within its file. Places ``apart``
        count in favour of their file, but not against the other places in it."""
        sums = self.places @ place
        gathered = self.gathered(sums)
        of_files = self.files @ file + together * gathered
        of_files -= of_files.max() + np.log(np.exp(of_files - of_files.max()).sum())
        if apart is not None:
            sums = np.where(apart, sums - _APART, sums)
            gathered = self.gathered(sums)
        return of_files, sums - gathered[self.file]

    def gathered(self, sums: Floats) -> Floats:
        """The log-sum-exp of the places' sums, per file."""
        top = np.full(len(self.files), -np.inf)
        np.maximum.at(top, self.file, sums)
        odds = np.bincount(self.file, np.exp(sums - top[self.file]), len(self.files))
        return np.log(odds) + top

    def scores(self, of_files: Floats, within: Floats) -> Floats:
        """The log-probability of each place, with `_LEAD` applied to the best of each file."""
        best = np.full(len(self.files), -np.inf)
        np.maximum.at(best, self.file, within)
        return of_files[self.file] + np.where(within == best[self.file], _LEAD * within, within)


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """One row per candidate and one column per feature; missing features are 0."""

    names: tuple[str, ...]
    values: Floats

    def rows(self) -> list[dict[str, float]]:
        """The features of each candidate by name."""
        return [dict(zip(self.names, row, strict=True)) for row in self.values.tolist()]

    def weight_vector(self, weights: Mapping[str, float]) -> Floats:
        """The weights in column order; 0 for a feature without one."""
        return np.array([weights.get(name, 0.0) for name in self.names])

    def covered(self) -> float:
        """The largest coverage that the hits of one file reach together."""
        views = [f"file.{view}" for view in _VIEWS]
        columns = [self.names.index(view) for view in views if view in self.names]
        return float(self.values[:, columns].max(initial=0.0))


def _feature_table(candidates: Sequence[Candidate], asked_for: Collection[str]) -> FeatureTable:
    """The candidates' features, in their order, scaled as the weights expect."""
    rows = [{**candidate.features, **_shape(candidate)} for candidate in candidates]
    _add_file_features(candidates, rows, asked_for)
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
    """The features that follow from the place itself, whatever the question."""
    symbol = candidate.symbols[0] if candidate.symbols else None
    return {
        "is.definition": float(symbol is not None),
        "is.callable": float(symbol is not None and symbol.kind in CALLABLES),
        "is.type": float(symbol is not None and symbol.kind in MEMBER_HOLDERS),
        "size.lines": math.log1p(len(candidate.range)) if candidate.range else 0.0,
        "path.depth": candidate.path.count("/") / 5,
        "is.nested": float(symbol is not None and _is_nested(symbol)),
    }


def _is_nested(symbol: SymbolInfo) -> bool:
    # A nameless callback goes by the call it is passed to, whose dots are not nesting.
    return symbol.kind != CALLBACK and "." in symbol.qualified_name


def _kinds(traits: Traits) -> frozenset[str]:
    """The names of the traits that hold."""
    return frozenset(kind for kind, holds in traits.__dict__.items() if holds)


def _add_file_features(
    candidates: Sequence[Candidate], rows: Sequence[dict[str, float]], asked_for: Collection[str]
) -> None:
    """Add the features of a file to each of its candidates' rows: the discounted sum of its best
    three units, its coverage, and the kinds that all of its candidates share."""
    by_file: dict[str, list[dict[str, float]]] = {}
    kinds: dict[str, frozenset[str]] = {}
    for candidate, row in zip(candidates, rows, strict=True):
        by_file.setdefault(candidate.path, []).append(row)
        own = _kinds(candidate.traits)
        kinds[candidate.path] = kinds.get(candidate.path, own) & own
    for path, members in by_file.items():
        shared = {
            f"file.{name}": _discounted(member.get(name, 0.0) for member in members)
            for name in ("text.all", "text.title")
        }
        shared |= {f"is.{kind}": float(kind not in asked_for) for kind in sorted(kinds[path])}
        for name in _VIEWS:
            shared[f"file.{name}"] = max(member.get(name, 0.0) for member in members)
        for member in members:
            member.update(shared)


def _discounted(values: Iterable[float]) -> float:
    """The weighted sum of the three largest values."""
    best = sorted(values, reverse=True)[:3]
    return sum(value * share for value, share in zip(best, (1.0, _SECOND, _THIRD), strict=False))
