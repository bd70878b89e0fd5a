"""What of a question the places of an answer have, and what is told of what they lack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from explorer_core.channels.query import understand
from explorer_core.contracts import CandidateId
from explorer_core.index.terms import text
from explorer_core.judges import statements
from explorer_core.judges.question_words import QuestionWords

_LEAST_LACKED = 0.12
"""Share of the title's information content times `Searcher.naming_share` that a word must have to
be told as missing: most words of a question that no place has are those that make a sentence of it,
and nothing is named after them."""


@dataclass(frozen=True)
class Answered:
    """The words of one case's question in the places that are shown."""

    words: QuestionWords

    def share(self, places: Iterable[CandidateId]) -> float:
        """The share of the title's information content that is in some places."""
        found = self._terms_of(places)
        return sum(weight for term, weight in self._asked.items() if term in found)

    def missing(self, places: Iterable[CandidateId]) -> tuple[str, ...]:
        """What is told of the telling words of the title that are in none of some places: first of
        those that stand nowhere else either."""
        found = self._terms_of(places)
        search = self.words.case.index.search()
        nowhere: list[str] = []
        elsewhere: list[str] = []
        for term, share in self._asked.items():
            if term not in found and share * search.naming_share(term) >= _LEAST_LACKED:
                (elsewhere if any(search.spread(term)) else nowhere).append(term)
        told = (
            (statements.of_unknown, self.words.telling_words(nowhere)),
            (statements.of_missing, self.words.telling_words(elsewhere)),
        )
        return tuple(sentence(words) for sentence, words in told if words)

    @cached_property
    def _asked(self) -> dict[str, float]:
        """The terms of the title, each with its share of the title's information content."""
        title = set(text.analyse(understand(self.words.case.request.query).title))
        asked = {term: told for term, told in self.words.weights.items() if term in title}
        total = sum(asked.values()) or 1.0
        return {term: told / total for term, told in asked.items()}

    def _terms_of(self, places: Iterable[CandidateId]) -> set[str]:
        found: set[str] = set()
        for place in places:
            if (shown := self.words.case.registry.get(place)) is not None:
                found.update(text.analyse(shown.path))
                for segment in shown.segments:
                    found.update(text.analyse("\n".join(segment.lines)))
        return found
