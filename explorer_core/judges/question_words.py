"""The words of a question: their salience, their occurrence in code, and the message they form."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.channels.features.quotations import wording_of
from explorer_core.channels.features.relevance import asking_terms
from explorer_core.channels.question.query import Query, understand
from explorer_core.channels.question.wording import TextMatch, Wording
from explorer_core.contracts import Candidate
from explorer_core.index.languages import language_of, spec
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.registry.traits import is_aside

_LEAST_LAST_MESSAGE = 0.5
"""Minimum worth of the question's last message, relative to the largest of all its messages."""
_CLAUSE = re.compile(r"[,;:.(]\s")
"""The boundary between two clauses of a question."""
_MOST_WORDS_BEHIND = 2
"""Maximum distance of a name after the word for its kind: "the command for adding"."""
_MOST_WORDS, _LEAST_TELLING = 4, 0.25
"""Maximum number of question words given for a place, and the minimum salience of each relative to
the first."""


@dataclass(frozen=True)
class QuestionWords:
    """The words of one case's question."""

    case: JudgeCase

    @property
    def query(self) -> Query:
        """The parsed question."""
        return understand(self.case.question)

    @cached_property
    def weights(self) -> dict[str, float]:
        """The salience in this repository of each term of the question, without terms that only do
        the asking."""
        search = self.case.index.search()
        asking = asking_terms(self.query)
        terms = dict.fromkeys(text.analyse(self.case.question))
        return {term: search.terms.salience(term) for term in terms if term not in asking}

    @cached_property
    def largest_weight(self) -> float:
        """The largest salience of a term of the question that occurs in the repository at all."""
        spread = self.case.index.search().terms.spread
        weights = (weight for term, weight in self.weights.items() if any(spread(term)))
        return max(weights, default=0.0)

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """The terms of the title; text below it may be a guess, or name an example."""
        return frozenset(text.analyse(self.query.title))

    @cached_property
    def title_words(self) -> list[str]:
        """The words of the title in order."""
        return text.words_in(self.query.title)

    @cached_property
    def title_weights(self) -> dict[str, float]:
        """The `weights` of the terms in the title."""
        return {term: weight for term, weight in self.weights.items() if term in self.title_terms}

    @property
    def identifiers(self) -> list[str]:
        """The names in the question that are written as in code."""
        return [each.text for each in self.query.identifiers]

    @property
    def names(self) -> list[str]:
        """The `identifiers` and the keywords: a keyword may be a name, whatever it looks like."""
        return list(dict.fromkeys((*self.identifiers, *self.case.request.keywords)))

    @cached_property
    def clauses(self) -> list[set[str]]:
        """The sets of terms of the title's clauses."""
        return [set(text.analyse(each)) for each in _CLAUSE.split(self.query.title)]

    def are_adjacent(self, words: Collection[str]) -> bool:
        """Whether these words are adjacent in the title, in any order."""
        title, size = self.title_words, len(words)
        runs = (set(title[at : at + size]) for at in range(len(title) - size + 1))
        return bool(words) and any(run == set(words) for run in runs)

    def are_adjacent_in_order(self, words: Sequence[str]) -> bool:
        """Whether these words are adjacent in the title, in the order given."""
        title, size = self.title_words, len(words)
        return any(title[at : at + size] == words for at in range(len(title) - size + 1))

    def are_near(self, words: Collection[str], others: Collection[str], most: int) -> bool:
        """Whether, in the title, one of ``words`` is at most ``most`` words from one of
        ``others``."""
        here, there = self._places(words), self._places(others)
        return any(abs(at - near) <= most for at in here for near in there)

    def first_position(self, words: Collection[str]) -> int:
        """The index in the title of the first of these words; its length if none occurs."""
        return min(self._places(words), default=len(self.title_words))

    def may_name_one(self, words: Collection[str], kinds: Collection[str]) -> bool:
        """Whether these words of the title may name one thing of a kind: they weigh more than the
        word for the kind, stand directly before it, or follow it closely. A request starts with
        what is to be done, which may also be the name of something: "add a new command"."""
        if self.worth(words) > self.worth(kinds):
            return True
        here, there = self._places(words), self._places(kinds)
        return any(-1 <= at - kind <= _MOST_WORDS_BEHIND for at in here for kind in there)

    def _places(self, words: Collection[str]) -> list[int]:
        """The indices in the title of these words."""
        return [at for at, word in enumerate(self.title_words) if word in words]

    def main_clauses(self, words: Collection[str]) -> list[set[str]]:
        """The clauses of the title that contain most of these words; others mention examples."""
        most = max((len(clause.intersection(words)) for clause in self.clauses), default=0)
        return [each for each in self.clauses if len(each.intersection(words)) == most]

    def worth(self, terms: Iterable[str]) -> float:
        """The total weight of the distinct question terms among these, in any order."""
        return math.fsum(self.weights[term] for term in self.weights.keys() & set(terms))

    def worth_in_title(self, words: Iterable[str]) -> float:
        """`worth` of those of these words that occur in the title."""
        return self.worth(self.title_terms.intersection(words))

    @cached_property
    def wording(self) -> Wording:
        return wording_of(self.query, self.case.index)

    def telling_words(self, terms: Sequence[str]) -> list[str]:
        """The most telling words for these terms (or texts) of the question, as it spells them.
        Left out are words that tell next to nothing compared with the first, and parts of names."""
        # A name that is a term itself is not split: its parts may occur elsewhere.
        parts = ([each] if each in self.weights else text.analyse(each) for each in terms)
        words = self._by_worth(list(chain.from_iterable(parts)))
        bar = _LEAST_TELLING * self._telling_weights[words[0]] if words else 0.0
        words = [term for term in words if self._telling_weights[term] >= bar]
        in_names = {
            part for term in words for part in text.parts_of(self._words[term]) if part != term
        }
        return list(dict.fromkeys(self._words[term] for term in words if term not in in_names))[
            :_MOST_WORDS
        ]

    def telling_words_on(self, line: str) -> list[str]:
        """`telling_words` of a line; empty if its best term tells next to nothing compared with the
        best of the question."""
        found = self._by_worth(text.analyse(line))
        most = _LEAST_TELLING * max(self._telling_weights.values(), default=0.0)
        return (
            self.telling_words(found) if found and self._telling_weights[found[0]] >= most else []
        )

    def _by_worth(self, terms: Sequence[str]) -> list[str]:
        """The question's terms among these, the most telling first."""
        matched = self._telling_weights.keys() & set(terms)
        return sorted(matched, key=lambda term: (-self._telling_weights[term], term))

    @cached_property
    def _telling_weights(self) -> dict[str, float]:
        """How telling each term of the question is to a reader. Nothing is named after words that
        merely make a sentence grammatical."""
        share = self.case.index.search().terms.code_naming_share
        return {term: weight * share(term) for term, weight in self.weights.items()}

    @cached_property
    def message_places(self) -> list[tuple[Candidate, int, TextMatch]]:
        """The candidates and lines that print the question's message best, with the match on each.

        Data counts only if no program matches. Tests and the like, which contain messages as
        printed, count only if nothing else does. A wrapping message precedes the one it wraps, so
        the last part of the question with enough weight is the original cause."""
        messages = list(self._messages_with_rank())
        largest_worth = max((match.worth for _, _, _, match in messages), default=0.0)
        heavy = [each for each in messages if each[-1].worth >= _LEAST_LAST_MESSAGE * largest_worth]
        ranks = [
            (*place, round(match.worth, 9), not self.is_text(candidate.path))
            for place, candidate, _, match in heavy
        ]
        best = max(ranks, default=None)
        return [each[1:] for each, rank in zip(heavy, ranks, strict=True) if rank == best]

    def _messages_with_rank(self) -> Iterator[tuple[tuple[bool, int], Candidate, int, TextMatch]]:
        """The messages in the candidates, each with its line and a sort key for its position in the
        question, where positions at which a message can begin rank higher."""
        aside = is_aside(self.case.ranking.candidates[0].traits)
        for candidate in self.case.ranking.candidates:
            if is_aside(candidate.traits) and not aside:
                continue
            data = self.is_text(candidate.path)
            for segment in candidate.segments:
                for at, match in self.wording.messages(segment.lines, data=data):
                    if match.message is not None:
                        place = (
                            match.message.begins_message,
                            match.message.begin if match.message.begins_message else 0,
                        )
                        yield place, candidate, segment.start + at, match

    def is_text(self, path: str) -> bool:
        """Whether a file contains text without quotation marks: data, prose, or a language that
        writes prose so."""
        language = language_of(path)
        bare = language is not None and spec(language).bare_text
        return bare or self.case.index.search().collection.is_data(path)

    @cached_property
    def _words(self) -> dict[str, str]:
        return text.as_written(self.case.question)
