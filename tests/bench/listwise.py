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
        ahead = np.cumsum(counts) - counts
        numbers = [one.grouped.file + n for one, n in zip(lessons, ahead, strict=True)]
        question = np.repeat(np.arange(len(lessons)), counts)
        return cls(
            Grouped(
                np.concatenate([one.grouped.places for one in lessons]),
                np.concatenate([one.grouped.files for one in lessons]),
                np.concatenate(numbers),
            ),
            question,
            np.concatenate([one.gold_files for one in lessons]),
            np.concatenate([one.gold_places for one in lessons]),
            np.array([one.weight for one in lessons])[question],
        )

    def fitted(
        self, names: Sequence[str], *, ridge: float, start: Parameters | None = None
    ) -> Parameters:
        """The parameters that minimise, by L-BFGS, the loss plus ``ridge`` times the squared
        distance of the weights from their priors (0, or `_KIND_WEIGHT`)."""
        first = np.array([_KIND_WEIGHT if name in KINDS else 0.0 for name in names])
        count, free = len(names), self._varying

        def loss(point: Floats) -> tuple[float, Floats]:
            place, file = point[:count] * free, point[count:-1]
            lost, slope = self._lost(Parameters(place, file, float(point[-1])))
            slope += 2 * ridge * np.concatenate((place, file - first, [0.0]))
            slope[:count] *= free
            return lost + ridge * float(place @ place + (file - first) @ (file - first)), slope

        begin = start or Parameters(np.zeros(count), first, 1.0)
        point = minimize(
            loss,
            np.concatenate((begin.place, begin.file, [begin.together])),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 200},
        ).x
        return Parameters(point[:count] * free, point[count:-1], float(point[-1]))

    def _lost(self, weights: Parameters) -> tuple[float, Floats]:
        """The loss and its gradient with respect to the weights. The probability of a place is that
        of its file times its own within the file."""
        grouped, of = self.grouped, self.grouped.file
        sums = grouped.places @ weights.place
        gathered = grouped.gathered(sums)
        of_files = grouped.files @ weights.file + weights.together * gathered
        of_files -= np.logaddexp.reduceat(of_files, self._heads)[self.question]
        within = sums - gathered[of]
        places = self.gold_places * self.weight[of]
        in_files = np.bincount(of, places, len(of_files))
        wanted = self.gold_files * self.weight + in_files
        missed = np.add.reduceat(wanted, self._heads)[self.question] * np.exp(of_files) - wanted
        by_place = np.exp(within) * (in_files + weights.together * missed)[of] - places
        slope = np.concatenate(
            (grouped.places.T @ by_place, grouped.files.T @ missed, [missed @ gathered])
        )
        return -float(wanted @ of_files + places @ within), slope

    @cached_property
    def _heads(self) -> Ints:
        """The index of the first file of each question."""
        return np.flatnonzero(np.diff(self.question, prepend=-1))

    @cached_property
    def _varying(self) -> Floats:
        """1 for features that differ among the places of some file, otherwise 0."""
        apart = (self.grouped.files[self.grouped.file] - self.grouped.places).max(axis=0, initial=0)
        return (apart > 0).astype(np.float64)
