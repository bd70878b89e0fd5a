"""The listwise loss of the structural ranking, over many questions at once, and what minimises it.

Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach", ICML 2007: minus the
logarithm of the probability that the ranking gives to the gold files, plus the same for the gold
places. Needs scipy (``pip install .[bench]``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from explorer_core.contracts import Traits
from explorer_core.registry.ranking import Grouped

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KINDS = {f"is.{kind}" for kind in Traits.model_fields}
_KIND_WEIGHT = -2.5
"""What files of these kinds weigh until tasks say otherwise: a twelfth as probable."""


class Parameters(NamedTuple):
    """Weights in the order of some names."""

    place: Floats
    file: Floats
    together: float


class Lesson(NamedTuple):
    """One question: its places, how much each gold file and each gold place counts, and how much
    the question itself does."""

    grouped: Grouped
    gold_files: Floats
    gold_places: Floats
    weight: float


@dataclass(frozen=True)
class Lessons:
    """Questions side by side. Places are in the order of their files, files in that of their
    questions; ``file`` and ``question`` say whose each is, ``weight`` is that of the question."""

    places: NDArray[np.float32]
    files: NDArray[np.float32]
    file: Ints
    question: Ints
    gold_files: Floats
    gold_places: Floats
    weight: Floats

    @classmethod
    def of(cls, lessons: Sequence[Lesson]) -> Lessons:
        """Raises ValueError when there are none."""
        counts = [len(each.grouped.files) for each in lessons]
        orders = [np.argsort(each.grouped.file, kind="stable") for each in lessons]
        ahead = np.cumsum(counts) - counts
        both = list(zip(lessons, orders, strict=True))
        return cls(
            np.concatenate([one.grouped.places[order] for one, order in both], dtype=np.float32),
            np.concatenate([one.grouped.files for one in lessons], dtype=np.float32),
            np.concatenate(
                [one.grouped.file[order] + n for (one, order), n in zip(both, ahead, strict=True)]
            ),
            np.repeat(np.arange(len(lessons)), counts),
            np.concatenate([one.gold_files for one in lessons]),
            np.concatenate([one.gold_places[order] for one, order in both]),
            np.array([one.weight for one in lessons]),
        )

    def fitted(
        self, names: Sequence[str], *, ridge: float, start: Parameters | None = None
    ) -> Parameters:
        """The parameters that minimise the loss and ``ridge`` times what they differ from none (or
        from `_KIND_WEIGHT`) squared, by L-BFGS."""
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
        """The loss and its gradient by the weights. The probability of a place is that of its file
        times its own within the file."""
        of_files, within, gathered = self._probabilities(weights)
        by_file = self.weight[self.question]
        in_files = np.add.reduceat(self.gold_places, self._heads) * by_file
        wanted = self.gold_files * by_file + in_files
        total = np.add.reduceat(wanted, self._questions)[self.question]
        missed = total * np.exp(of_files) - wanted
        places = self.gold_places * by_file[self.file]
        by_place = np.exp(within) * (in_files + weights.together * missed)[self.file] - places
        slope = np.concatenate(
            (
                self.places.T @ by_place.astype(np.float32),
                self.files.T @ missed.astype(np.float32),
                [missed @ gathered],
            )
        )
        return -float(wanted @ of_files + places @ within), slope.astype(np.float64)

    def _probabilities(self, weights: Parameters) -> tuple[Floats, Floats, Floats]:
        """`Grouped.probabilities` of every question, and what the places of each file gather."""
        sums = (self.places @ weights.place.astype(np.float32)).astype(np.float64)
        gathered = _logsumexp(sums, self._heads, self.file)
        of_files = (self.files @ weights.file.astype(np.float32)).astype(np.float64)
        of_files += weights.together * gathered
        of_files -= _logsumexp(of_files, self._questions, self.question)[self.question]
        return of_files, sums - gathered[self.file], gathered

    @cached_property
    def _heads(self) -> Ints:
        """The first place of each file."""
        return np.flatnonzero(np.diff(self.file, prepend=-1))

    @cached_property
    def _questions(self) -> Ints:
        """The first file of each question."""
        return np.flatnonzero(np.diff(self.question, prepend=-1))

    @cached_property
    def _varying(self) -> Floats:
        """1 for features in which the places of some file differ, else 0."""
        apart = (self.files[self.file] - self.places).max(axis=0, initial=0.0)
        return (apart > 0).astype(np.float64)


def _logsumexp(values: Floats, heads: Ints, group: Ints) -> Floats:
    """Of each group, the logarithm of the sum of the exponentials of its values."""
    top = np.maximum.reduceat(values, heads)
    return np.log(np.add.reduceat(np.exp(values - top[group]), heads)) + top
