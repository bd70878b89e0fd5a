"""Decides how sure the offline judge may be of its answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer_core.contracts import CandidateId, Confidence, FlowChoice
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.outcome.answered import Answered

_SURE, _MOST_LIKELY, _PER_SHARE = 3.3, 0.9, 5.0
"""Confidence is high if the log odds of the best file, plus ``_PER_SHARE`` times the share of the
question that the answer has, reach ``_SURE``. The probability is capped at ``_MOST_LIKELY``, since
the file may be the only one. Set by how many answers are then high, and how many of these are right
(docs/retrieval.md)."""
_THIN = 0.83
"""Confidence is low if coverage plus half the probability is below this: the question's words are
elsewhere, or nowhere. Exempt are questions of which two words stand side by side in the code, or
whose quoted text is shown. ``tests.bench.retrieval`` shows how far these levels can be believed."""

_DOUBTFUL = 1.5
"""An answer to a question without keywords is low if the sum that high confidence is decided by
lies below this. With keywords this does not hold: an agent's guesses never all occur, but they say
where to look."""

_LEAST_INFORMATIVE = 0.12
"""Some word of the question must be worth at least this share of what a word can be worth. Among
the questions that people asked and the plain ones, the least telling has 0.16."""


def confidence_in(
    case: JudgeCase, answered: Answered, flow: Sequence[FlowChoice], *, proven: bool
) -> Confidence:
    """Returns the confidence in a flow.

    It is high only if the flow is ``proven``: all definitions are still there and connected, and
    the best place is among them. It also needs every telling word of the question to occur
    somewhere, or else the question may be about what the repository does not have. A change is
    exempt, since it may add the thing that the word is for.
    """
    if not flow or answered.is_about_unfound or not _says_what_it_is_about(case, answered):
        return "low"
    places = [choice.candidate_id for choice in flow]
    printed = answered.has_quoted_title(places)
    if not printed and _is_thin(case):
        return "low"
    sure = _score(case, answered, places)
    if not printed and _is_doubtful(case, sure):
        return "low"
    known = case.request.intent == "edit" or not answered.unknown
    return "high" if proven and sure >= _SURE and known else "medium"


def _score(case: JudgeCase, answered: Answered, places: Sequence[CandidateId]) -> float:
    likely = min(case.ranking.certainty, _MOST_LIKELY)
    # Words of the flow may be scattered; words of its best place stand together.
    share = (case.ranking.held + answered.share(places)) / 2
    return math.log(likely / (1 - likely)) + _PER_SHARE * share


def _is_thin(case: JudgeCase) -> bool:
    ranking = case.ranking
    return ranking.covered + ranking.certainty / 2 < _THIN and not ranking.has_adjacent_words


def _is_doubtful(case: JudgeCase, sure: float) -> bool:
    return sure < _DOUBTFUL and not (case.request.keywords or _is_pointed(case))


def _is_pointed(case: JudgeCase) -> bool:
    return case.request.anchor is not None or case.earlier_place is not None


def _says_what_it_is_about(case: JudgeCase, answered: Answered) -> bool:
    """Whether the question says what it is about: it points somewhere, follows up another one, or
    some word of it is telling. "What is this for" has no such word, yet all its words occur side by
    side somewhere."""
    most = case.index.search().terms.greatest_rarity
    return _is_pointed(case) or answered.words.largest_weight >= _LEAST_INFORMATIVE * most
