"""How much of the question the shown places have, and which sentences say what they lack."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.channels.features.quotations import QUOTED
from explorer_core.channels.question.query import Query, Quoted
from explorer_core.contracts import Candidate, CandidateId
from explorer_core.index.terms import text
from explorer_core.judges import statements
from explorer_core.judges.question_words import QuestionWords

_BETWEEN_PARTS = re.compile(r"\.|::|->|\?\.|#")
_LEAST_ABOUT = 0.5
"""The share of the title's information content that a text must have for the question to be about
it."""
_LEAST_MISSING = 0.12
"""A word is reported as missing only if its share of the title's information content, times
`TermStatistics.code_naming_share`, is at least this. Most words that no place has merely make up
the sentence, and nothing is named after them."""


@dataclass(frozen=True)
class Answered:
    """Compares the question of one case with the places that are shown."""

    words: QuestionWords

    def share(self, places: Iterable[CandidateId]) -> float:
        """Returns the share of the title's information content that occurs in some places."""
        found = self._terms_of(places)
        return sum(weight for term, weight in self._title_shares.items() if term in found)

    def has_quotations(self, places: Iterable[CandidateId]) -> bool:
        """Whether some places have everything that the question quotes."""
        return not self._quotations_lacking(
            self.words.wording.quotations, self._candidates_shown(places)
        )

    def has_quoted_title(self, places: Iterable[CandidateId]) -> bool:
        """Whether some places have text that the title quotes, or the title itself."""
        end = _end_of_title(self.words.query)
        quotations = [each for each in self.words.wording.texts_to_find if each.position < end]
        return len(self._quotations_lacking(quotations, self._candidates_shown(places))) < len(
            quotations
        )

    @cached_property
    def unfound(self) -> list[Quoted]:
        """The quotations of the question that were searched for and found nowhere."""
        quotations = self.words.wording.quotations
        candidates = self.words.case.ranking.candidates if quotations else ()
        found = [
            each for each in candidates if QUOTED in each.features or "grep" in each.provenance
        ]
        # Candidates found word for word most likely have the text, which saves reading the others.
        found.sort(key=lambda each: QUOTED not in each.features)
        return self._quotations_lacking(quotations, found)

    @property
    def is_about_unfound(self) -> bool:
        """Whether the question is about text that was found nowhere."""
        return any(map(self._is_about, self.unfound))

    def _is_about(self, quotation: Quoted) -> bool:
        terms = set(text.analyse(quotation.text))
        share = sum(
            share_of_term for term, share_of_term in self._title_shares.items() if term in terms
        )
        return share >= _LEAST_ABOUT

    def _quotations_lacking(
        self, quotations: Sequence[Quoted], shown: Iterable[Candidate]
    ) -> list[Quoted]:
        """Returns the quotations that none of the places has."""
        texts = (segment.lines for each in shown for segment in each.segments)
        return self.words.wording.unmatched(quotations, texts)

    @cached_property
    def undefined(self) -> list[str]:
        """The names in the title that occur nowhere in the code.

        A member (``Cart.total``) counts only if its owner is defined. A plain name counts only if
        no name of the title occurs anywhere: if some do, it may be the name of something new.
        """
        names = [_BETWEEN_PARTS.split(each) for each in _names(self.words.query)]
        names = [parts for parts in names if len(parts) > 1 or _is_compound(parts[-1])]
        unknown = [parts for parts in names if not self._occurs(parts[-1])]
        if len(unknown) < len(names):
            unknown = [parts for parts in unknown if len(parts) > 1]
        find = self.words.case.graph.find
        return [parts[-1] for parts in unknown if len(parts) == 1 or any(map(find, parts[:-1]))]

    def _occurs(self, name: str) -> bool:
        return any(self.words.case.index.search().terms.spread(text.whole(name)))

    def missing(self, places: Iterable[CandidateId]) -> tuple[str, ...]:
        """Returns sentences about what the question has and the places lack: quotations, names that
        occur nowhere, and telling words, first those that occur nowhere at all. Names and words are
        left out while files are still to be indexed, since these may have them."""
        places = list(places)
        found = self._terms_of(places) | self._terms_of_names(places)
        found.update(text.whole(name) for name in self.undefined)
        nowhere = [term for term in self.unknown if term not in found]
        elsewhere = [term for term in self._reportable_words if term not in {*found, *self.unknown}]
        shown = self._candidates_shown(places)
        lacking = self._quotations_lacking(self.words.wording.quotations, shown)
        # What a request for a change quotes may be what it is to add, if it says more than that.
        is_to_be_added = self.words.case.request.intent == "edit" and not self.is_about_unfound
        unfound = (each.text for each in lacking if each in self.unfound and not is_to_be_added)
        unshown = (each.text for each in lacking if each not in self.unfound)
        notes = [
            (statements.UNFOUND, _in_quotation_marks(unfound)),
            (statements.UNSHOWN, _in_quotation_marks(unshown)),
        ]
        if self._is_fully_indexed:
            notes += [
                (statements.UNDEFINED, statements.join_words(self.undefined)),
                (statements.UNKNOWN, statements.join_words(self.words.telling_words(nowhere))),
                (statements.MISSING, statements.join_words(self.words.telling_words(elsewhere))),
            ]
        return tuple(sentence.format(words) for sentence, words in notes if words)

    @cached_property
    def unknown(self) -> list[str]:
        """The telling words of the title that occur nowhere in the index. Empty while files are
        still to be indexed."""
        spread = self.words.case.index.search().terms.spread
        return [
            term
            for term in self._reportable_words
            if not any(spread(term)) and self._is_fully_indexed
        ]

    @cached_property
    def _reportable_words(self) -> list[str]:
        """The words of the title that matter enough to be reported as missing."""
        naming = self.words.case.index.search().terms.code_naming_share
        shares = self._title_shares.items()
        return [term for term, share in shares if share * naming(term) >= _LEAST_MISSING]

    @cached_property
    def _is_fully_indexed(self) -> bool:
        coverage = self.words.case.index.contents.coverage()
        return coverage.indexed == coverage.total

    @cached_property
    def _title_shares(self) -> dict[str, float]:
        """The terms of the title, each with its share of the title's information content."""
        weights = self.words.title_weights
        total = sum(weights.values()) or 1.0
        return {term: weight / total for term, weight in weights.items()}

    def _terms_of(self, places: Iterable[CandidateId]) -> set[str]:
        found: set[str] = set()
        for shown in self._candidates_shown(places):
            found.update(text.analyse(shown.path))
            for segment in shown.segments:
                found.update(text.analyse("\n".join(segment.lines)))
        return found

    def _terms_of_names(self, places: Iterable[CandidateId]) -> set[str]:
        """Returns the terms in the qualified names of the definitions in some places. The types in
        these names may be defined elsewhere."""
        symbols = chain.from_iterable(shown.symbols for shown in self._candidates_shown(places))
        return set(chain.from_iterable(text.analyse(each.qualified_name) for each in symbols))

    def _candidates_shown(self, places: Iterable[CandidateId]) -> list[Candidate]:
        found = map(self.words.case.registry.get, places)
        return [shown for shown in found if shown is not None]


def _names(query: Query) -> Iterator[str]:
    """Yields the names in a question's title that are written as in code."""
    end = _end_of_title(query)
    for each in query.identifiers:
        if each.position < end and not each.in_code and not each.text.startswith("-"):
            yield each.text


def _in_quotation_marks(texts: Iterable[str]) -> str:
    return ", ".join(f'"{each}"' for each in texts)


def _end_of_title(query: Query) -> int:
    return query.text.find(query.title) + len(query.title)


def _is_compound(name: str) -> bool:
    """Whether a name consists of several words, as no plain word does."""
    return sum(map(str.isalpha, text.words_in(name))) > 1
