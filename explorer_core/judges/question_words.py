"""The words of a question: what each tells, what of them code has, and the message among them."""

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
from explorer_core.channels.question.wording import Said, Wording
from explorer_core.contracts import Candidate
from explorer_core.index.languages import language_of, spec
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.registry.traits import is_aside

_LEAST_TOLD_LAST = 0.5
"""Share of what the longest message of the question tells that its last must tell."""
_CLAUSE = re.compile(r"[,;:.(]\s")
"""Where one clause of a question ends and the next begins."""
_BEHIND = 2
"""How many words behind the word for a kind the name of one of it is: "the command for adding"."""
_WORDS, _LEAST_TOLD = 4, 0.25
"""How many words of the question are told of a place, at most, and how much of what the first says
each of them must say."""


@dataclass(frozen=True)
class QuestionWords:
    """The words of one case's question."""

    case: JudgeCase

    @property
    def query(self) -> Query:
        """The parts of the question."""
        return understand(self.case.question)

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much each term of the question tells in this repository, but for those that do no
        more than ask."""
        search = self.case.index.search()
        asking = asking_terms(self.query)
        terms = dict.fromkeys(text.analyse(self.case.question))
        return {term: search.terms.salience(term) for term in terms if term not in asking}

    @cached_property
    def most(self) -> float:
        """How much the term of the question tells that tells most, of those that stand anywhere."""
        spread = self.case.index.search().terms.spread
        told = (weight for term, weight in self.weights.items() if any(spread(term)))
        return max(told, default=0.0)

    @cached_property
    def titled(self) -> frozenset[str]:
        """The terms of the title; what stands below it may be a guess, or name an example."""
        return frozenset(text.analyse(self.query.title))

    @cached_property
    def title_words(self) -> list[str]:
        """The words of the title as they follow in it."""
        return text.words_in(self.query.title)

    @cached_property
    def title_weights(self) -> dict[str, float]:
        """Those of the `weights` that are of terms of the title."""
        return {term: told for term, told in self.weights.items() if term in self.titled}

    @property
    def identifiers(self) -> list[str]:
        """The names that the question has as code writes them."""
        return [each.text for each in self.query.identifiers]

    @property
    def names(self) -> list[str]:
        """The `identifiers` and the keywords: one of these may be a name, whatever it looks
        like."""
        return list(dict.fromkeys((*self.identifiers, *self.case.request.keywords)))

    @cached_property
    def clauses(self) -> list[set[str]]:
        """The terms of each clause of the title."""
        return [set(text.analyse(each)) for each in _CLAUSE.split(self.query.title)]

    def stand_together(self, words: Collection[str]) -> bool:
        """Whether some terms stand side by side in the title, in whatever order."""
        title, size = self.title_words, len(words)
        runs = (set(title[at : at + size]) for at in range(len(title) - size + 1))
        return bool(words) and any(run == set(words) for run in runs)

    def stand_in_order(self, words: Sequence[str]) -> bool:
        """Whether some words stand side by side in the title, in the order given."""
        title, size = self.title_words, len(words)
        return any(title[at : at + size] == words for at in range(len(title) - size + 1))

    def stand_near(self, words: Collection[str], others: Collection[str], most: int) -> bool:
        """Whether one of some words stands at most so many words from one of others in the
        title."""
        here, there = self._places(words), self._places(others)
        return any(abs(at - near) <= most for at in here for near in there)

    def first(self, words: Collection[str]) -> int:
        """Where in the title the first of some words stands; its length if none does."""
        return min(self._places(words), default=len(self.title_words))

    def name_one(self, words: Collection[str], kinds: Collection[str]) -> bool:
        """Whether some words of the title may be the name of one thing of a kind: they tell more
        than the word for the kind, or stand directly before it, or close behind. A request begins
        with what is to be done, and that may well be the name of one: "add a new command"."""
        if self.worth(words) > self.worth(kinds):
            return True
        here, there = self._places(words), self._places(kinds)
        return any(-1 <= at - kind <= _BEHIND for at in here for kind in there)

    def _places(self, words: Collection[str]) -> list[int]:
        """Where in the title some words stand."""
        return [at for at, word in enumerate(self.title_words) if word in words]

    def asking_for(self, words: Collection[str]) -> list[set[str]]:
        """The clauses of the title that have most of some words; what others name is an example."""
        most = max((len(clause.intersection(words)) for clause in self.clauses), default=0)
        return [each for each in self.clauses if len(each.intersection(words)) == most]

    def worth(self, terms: Iterable[str]) -> float:
        """How much some terms tell of the question together, in whatever order they are given."""
        return math.fsum(self.weights[term] for term in self.weights.keys() & set(terms))

    def worth_in_title(self, words: Iterable[str]) -> float:
        """`worth` of those of some words that stand in the title."""
        return self.worth(self.titled.intersection(words))

    @cached_property
    def wording(self) -> Wording:
        return wording_of(self.query, self.case.index)

    def telling_words(self, terms: Sequence[str]) -> list[str]:
        """Of some terms or texts of the question its most telling words, as the question writes
        them; without those that tell next to nothing beside the first, and the parts of names."""
        # Of a name that is a term itself, the parts may be elsewhere.
        parts = ([each] if each in self.weights else text.analyse(each) for each in terms)
        told = self._by_worth(list(chain.from_iterable(parts)))
        bar = _LEAST_TOLD * self._telling[told[0]] if told else 0.0
        told = [term for term in told if self._telling[term] >= bar]
        named = {part for term in told for part in text.parts_of(self._words[term]) if part != term}
        return list(dict.fromkeys(self._words[term] for term in told if term not in named))[:_WORDS]

    def telling_words_on(self, line: str) -> list[str]:
        """`telling_words` of a line; none where the best tells next to nothing beside the best of
        the question."""
        found = self._by_worth(text.analyse(line))
        most = _LEAST_TOLD * max(self._telling.values(), default=0.0)
        return self.telling_words(found) if found and self._telling[found[0]] >= most else []

    def _by_worth(self, terms: Sequence[str]) -> list[str]:
        """Those of the question among some terms, those that tell most first."""
        matched = self._telling.keys() & set(terms)
        return sorted(matched, key=lambda term: (-self._telling[term], term))

    @cached_property
    def _telling(self) -> dict[str, float]:
        """How much it tells a reader that a term of the question stands somewhere: nothing is
        named after words that only make a sentence of it."""
        share = self.case.index.search().terms.code_naming_share
        return {term: weight * share(term) for term, weight in self.weights.items()}

    @cached_property
    def printed_at(self) -> list[tuple[Candidate, int, Said]]:
        """The candidates and lines that print the question's message as well as any, best first,
        and what they have of it. Data counts only if no program has it, tests and the like, which
        have messages as they are printed, only if nothing else does. What wraps a message goes
        before it, so the last part that says enough is what began it all."""
        told = list(self._messages())
        most = max((said.worth for _, _, _, said in told), default=0.0)
        enough = [each for each in told if each[-1].worth >= _LEAST_TOLD_LAST * most]
        ranks = [
            (*place, round(said.worth, 9), not self.is_text(candidate.path))
            for place, candidate, _, said in enough
        ]
        best = max(ranks, default=None)
        return [each[1:] for each, rank in zip(enough, ranks, strict=True) if rank == best]

    def _messages(self) -> Iterator[tuple[tuple[bool, int], Candidate, int, Said]]:
        """The messages of the candidates with their place in the question, whether it is one where
        a message can begin ahead, and the line."""
        aside = is_aside(self.case.ranking.candidates[0].traits)
        for candidate in self.case.ranking.candidates:
            if is_aside(candidate.traits) and not aside:
                continue
            data = self.is_text(candidate.path)
            for segment in candidate.segments:
                for at, said in self.wording.messages(segment.lines, data=data):
                    if said.message is not None:
                        place = said.message.heads, said.message.begin if said.message.heads else 0
                        yield place, candidate, segment.start + at, said

    def is_text(self, path: str) -> bool:
        """Whether what a file says stands in it without marks around it: it is data or prose, or of
        a language that has its prose so."""
        language = language_of(path)
        bare = language is not None and spec(language).bare_text
        return bare or self.case.index.search().collection.is_data(path)

    @cached_property
    def _words(self) -> dict[str, str]:
        return text.as_written(self.case.question)
