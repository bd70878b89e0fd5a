"""How sure the offline judge may be of its answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer_core.channels.query import understand
from explorer_core.contracts import Confidence, FlowChoice
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.exhibit import Exhibits

_SURE, _MOST_LIKELY, _PER_SHARE = 3.6, 0.92, 5.0
"""High confidence asks so much of the log odds of the best file, no likelier than this since it may
be the only one, and so many times the share of the question that the answer has. Set on questions
that no weight was fitted on (docs/retrieval.md)."""
_THIN = 0.83
"""Coverage plus half the probability below which confidence is low, unless two words of the
question stand side by side: they are elsewhere, or nowhere. ``tests.bench.retrieval`` shows how far
these can be believed."""


def confidence_in(
    case: JudgeCase, exhibits: Exhibits, flow: Sequence[FlowChoice], *, proven: bool
) -> Confidence:
    """How far a flow can be believed; high only where it is ``proven``, all of it definitions that
    are still there."""
    ranking = case.ranking
    thin = ranking.covered + ranking.certainty / 2 < _THIN
    if not flow or (thin and not ranking.side_by_side):
        return "low"
    likely = min(ranking.certainty, _MOST_LIKELY)
    # What a flow has may stand in many places, what its best place has is said together.
    share = (ranking.held + _told(case, exhibits, flow)) / 2
    sure = math.log(likely / (1 - likely)) + _PER_SHARE * share >= _SURE
    return "high" if proven and sure else "medium"


def _told(case: JudgeCase, exhibits: Exhibits, flow: Sequence[FlowChoice]) -> float:
    """The share of the title's information content that is in the places of a flow."""
    title = set(text.analyse(understand(case.request.query).title))
    asked = {term: weight for term, weight in exhibits.weights.items() if term in title}
    found: set[str] = set()
    for choice in flow:
        if (shown := case.registry.get(choice.candidate_id)) is not None:
            found.update(text.analyse(shown.path))
            for segment in shown.segments:
                found.update(text.analyse("\n".join(segment.lines)))
    told = sum(weight for term, weight in asked.items() if term in found)
    return told / (sum(asked.values()) or 1.0)
