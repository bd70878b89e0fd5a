"""How sure the offline judge may be of its answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer_core.contracts import CandidateId, Confidence, FlowChoice
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.outcome.answered import Answered

_SURE, _MOST_LIKELY, _PER_SHARE = 3.3, 0.9, 5.0
"""High confidence asks so much of the log odds of the best file, no likelier than this since it may
be the only one, and so many times the share of the question that the answer has. Set by how many
answers are high then, and how many of these are right (docs/retrieval.md)."""
_THIN = 0.83
"""Coverage plus half the probability below which confidence is low, unless two words of the
question stand side by side, or what it quotes is there: they are elsewhere, or nowhere.
``tests.bench.retrieval`` shows how far these can be believed."""

_DOUBTFUL = 1.5
"""What high confidence asks for is summed up alike; below this much of it an answer to a question
that was asked without keywords is low. The words of an agent's guesses are never all there, and say
where to look all the same."""

_LEAST_TOLD = 0.12
"""Share of what a word can tell at most that some word of the question must tell. Of the questions
that people asked, and the plain ones, the one whose words tell least has 0.16."""


def confidence_in(
    case: JudgeCase, answered: Answered, flow: Sequence[FlowChoice], *, proven: bool
) -> Confidence:
    """How far a flow can be believed; high only where it is ``proven``: all of it definitions that
    are still there and hang together, the best place among them; and where no telling word of the
    question stands nowhere, as one does that is for what the repository does not contain. A change
    may bring what the word is for."""
    if not flow or answered.is_about_unfound or not _is_told(case, answered):
        return "low"
    places = [choice.candidate_id for choice in flow]
    printed = answered.prints(places)
    if not printed and _is_thin(case):
        return "low"
    sure = _sureness(case, answered, places)
    if not printed and _is_doubtful(case, sure):
        return "low"
    known = case.request.intent == "edit" or not answered.unknown
    return "high" if proven and sure >= _SURE and known else "medium"


def _sureness(case: JudgeCase, answered: Answered, places: Sequence[CandidateId]) -> float:
    likely = min(case.ranking.certainty, _MOST_LIKELY)
    # What a flow has may stand in many places, what its best place has is said together.
    share = (case.ranking.held + answered.share(places)) / 2
    return math.log(likely / (1 - likely)) + _PER_SHARE * share


def _is_thin(case: JudgeCase) -> bool:
    ranking = case.ranking
    return ranking.covered + ranking.certainty / 2 < _THIN and not ranking.side_by_side


def _is_doubtful(case: JudgeCase, sure: float) -> bool:
    return sure < _DOUBTFUL and not (case.request.keywords or _is_pointed(case))


def _is_pointed(case: JudgeCase) -> bool:
    return case.request.anchor is not None or case.followed is not None


def _is_told(case: JudgeCase, answered: Answered) -> bool:
    """Whether it is said what the question is about: it points somewhere, follows up another, or
    some word of it tells something. Of "what is this for" none does, but somewhere they stand all
    side by side."""
    most = case.index.search().terms.greatest_rarity
    return _is_pointed(case) or answered.words.most >= _LEAST_TOLD * most
