"""Chooses the units to look at closely among those that the searches found.

The first stage of a cascade (Wang, Lin and Metzler, "A Cascade Ranking Model for Efficient Ranked
Retrieval", SIGIR 2011): reading a unit's lines costs far more than looking up its words, which are
in the postings. The word scores are added up, each divided by its maximum (CombSUM; Fox and Shaw,
"Combination of Multiple Searches", TREC-2, 1994). The best sum in the unit's file counts as much as
its own. No weight is fitted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer_core.channels.features.mentions import FRAME_LINE
from explorer_core.channels.features.quotations import QUOTED
from explorer_core.index.search.collection import Floats

SIZE = 200
"""Maximum number of units that are looked at closely."""
DATA = 4
"""At most one in this many units may be data where programs match too: translation files say the
same thing once per language."""
_SCORES = ("text.all", "text.title", "text.feedback", "covered.all")


def shortlist(
    paths: Sequence[str],
    features: Sequence[Mapping[str, float]],
    data: NDArray[np.bool_],
    size: int = SIZE,
) -> list[int]:
    """The positions of the ``size`` most promising units, in ascending order.

    Units with a line that the question points at or quotes come first, then those whose words
    promise most. Other units of ``data`` get at most ``size // DATA`` places, unless there are not
    enough programs to fill the rest."""
    if len(paths) <= size:
        return list(range(len(paths)))
    number: dict[str, int] = {}
    files = np.array([number.setdefault(path, len(number)) for path in paths])
    worth = sum((_shares(features, score) for score in _SCORES), np.zeros(len(paths)))
    of_files = np.zeros(len(number))
    np.maximum.at(of_files, files, worth)
    pointed_at = np.array(
        [row.get("frame", 0.0) >= FRAME_LINE or QUOTED in row for row in features]
    )
    order = np.lexsort((-np.round(worth + of_files[files], 9), ~pointed_at))
    is_data = (data & ~pointed_at)[order]
    waits = is_data & (np.cumsum(is_data) > size // DATA)
    order = np.concatenate([order[~waits], order[waits]])
    return np.sort(order[:size]).tolist()


def _shares(features: Sequence[Mapping[str, float]], score: str) -> Floats:
    column = np.array([row.get(score, 0.0) for row in features])
    return column / max(column.max(), 1e-9)
