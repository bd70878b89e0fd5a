"""The listwise loss of the structural ranking over many questions, and its minimisation.

After Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach", ICML 2007. The
loss is the negative log probability that the ranking gives to the gold files, plus that of the gold
places. Needs scipy (``pip install .[bench]``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize  # pyright: ignore[reportMissingImports]  an extra of its own

from explorer_core.contracts import Traits
from explorer_core.index.search.collection import Floats, Ints
from explorer_core.registry.ranking import Grouped

KINDS = {f"is.{kind}" for kind in Traits.model_fields}
_KIND_WEIGHT = -2.5
"""Prior weight of files of these kinds, which makes them a twelfth as probable."""


class Parameters(NamedTuple):
    """Weights, in the order of a list of feature names."""

    place: Floats
    file: Floats
    together: float


class Lesson(NamedTuple):
    """One question: its places, the weight of each file and place as gold, and the weight of the
    question itself."""

    grouped: Grouped
    gold_files: Floats
    gold_places: Floats
    weight: float


@dataclass(frozen=True)
class Lessons:
    """Several questions, with their files concatenated. ``question`` is the number of each file's
    question, ascending, and ``weight`` is that question's weight."""

    grouped: Grouped
    question: Ints
    gold_files: Floats
    gold_places: Floats
    weight: Floats

    @classmethod
    def of(cls, lessons: Sequence[Lesson]) -> Lessons:
        """Combine lessons. Raises ValueError if there are none."""
        counts = [len(each.grouped.files) for each in lessons]
        offsets = np.cumsum(counts) - counts
        numbers = [each.grouped.file + n for each, n in zip(lessons, offsets, strict=True)]
        question = np.repeat(np.arange(len(lessons)), counts)
        return cls(
            Grouped(
                np.concatenate([each.grouped.places for each in lessons]),
                np.concatenate([each.grouped.files for each in lessons]),
                np.concatenate(numbers),
            ),
            question,
            np.concatenate([each.gold_files for each in lessons]),
            np.concatenate([each.gold_places for each in lessons]),
            np.array([each.weight for each in lessons])[question],
        )

    def fitted(
        self, names: Sequence[str], *, ridge: float, start: Parameters | None = None
    ) -> Parameters:
        """The parameters that minimise, by L-BFGS, the loss plus ``ridge`` times the squared
        distance of the weights from their priors (0, or `_KIND_WEIGHT`)."""
        priors = np.array([_KIND_WEIGHT if name in KINDS else 0.0 for name in names])
        count, varying = len(names), self._varying_features

        def loss(point: Floats) -> tuple[float, Floats]:
            place, file = point[:count] * varying, point[count:-1]
            loss_value, gradient = self._loss_and_gradient(
                Parameters(place, file, float(point[-1]))
            )
            gradient += 2 * ridge * np.concatenate((place, file - priors, [0.0]))
            gradient[:count] *= varying
            return loss_value + ridge * float(
                place @ place + (file - priors) @ (file - priors)
            ), gradient

        initial = start or Parameters(np.zeros(count), priors, 1.0)
        point = minimize(
            loss,
            np.concatenate((initial.place, initial.file, [initial.together])),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 200},
        ).x
        return Parameters(point[:count] * varying, point[count:-1], float(point[-1]))

    def _loss_and_gradient(self, weights: Parameters) -> tuple[float, Floats]:
        """The loss and its gradient with respect to the weights. The probability of a place is that
        of its file times its own within the file."""
        grouped, file_of = self.grouped, self.grouped.file
        place_scores = grouped.places @ weights.place
        gathered_scores = grouped.gathered(place_scores)
        file_scores = grouped.files @ weights.file + weights.together * gathered_scores
        file_scores -= np.logaddexp.reduceat(file_scores, self._first_files)[self.question]
        place_log_probabilities = place_scores - gathered_scores[file_of]
        places = self.gold_places * self.weight[file_of]
        gold_in_files = np.bincount(file_of, places, len(file_scores))
        gold = self.gold_files * self.weight + gold_in_files
        file_residual = (
            np.add.reduceat(gold, self._first_files)[self.question] * np.exp(file_scores) - gold
        )
        place_residual = (
            np.exp(place_log_probabilities)
            * (gold_in_files + weights.together * file_residual)[file_of]
            - places
        )
        gradient = np.concatenate(
            (
                grouped.places.T @ place_residual,
                grouped.files.T @ file_residual,
                [file_residual @ gathered_scores],
            )
        )
        return -float(gold @ file_scores + places @ place_log_probabilities), gradient

    @cached_property
    def _first_files(self) -> Ints:
        """The index of the first file of each question."""
        return np.flatnonzero(np.diff(self.question, prepend=-1))

    @cached_property
    def _varying_features(self) -> Floats:
        """1 for features that differ among the places of some file, otherwise 0."""
        spread = (self.grouped.files[self.grouped.file] - self.grouped.places).max(
            axis=0, initial=0
        )
        return (spread > 0).astype(np.float64)
