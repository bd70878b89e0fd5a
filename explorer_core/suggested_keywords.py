"""Suggests keywords with which to repeat a question.

People seldom know what the code calls a thing, but recognise the name when they see it. Offering
words from the first results for a further question is interactive query expansion (Harman,
"Towards interactive query expansion", SIGIR 1988).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import nlargest
from pathlib import PurePosixPath

from explorer_core.contracts import Candidate
from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.search.term_statistics import TermStatistics
from explorer_core.index.terms import text
from explorer_core.registry.ranking import Ranking

_MAX_PLACES = 40
_MAX_WORDS = 16
_RANK_OFFSET = 6
"""A place at rank r (from 0) gives its words 1 / (_RANK_OFFSET + r): the seventh counts half as
much as the first. `docs/retrieval.md` says how these three constants were chosen."""
_POOL_SIZE = 24
"""Number of candidate words by scarcity whose salience, which costs more, is computed."""
_LENGTHS = range(3, 25)
"""Lengths, in characters, of words worth suggesting."""
_WORD_CHARACTERS = re.compile(r"\w+")


def suggested_keywords(ranking: Ranking, terms: TermStatistics, question: str) -> tuple[str, ...]:
    """The most telling words in the names of the best places, their types and files.

    Lower case, the most telling first, each in its most frequent form. Words that ``question``
    contains in any form are left out. A name counts once, for the best place that has it; a word is
    weighted by the square of its salience."""
    question_terms = text.count(question)
    weights: defaultdict[str, float] = defaultdict(float)
    forms: dict[str, Counter[str]] = {}
    seen: set[str] = set()
    for rank, place in enumerate(ranking.candidates[:_MAX_PLACES]):
        for name in {*_names(place)} - seen:
            seen.add(name)
            for term, word in _words(name):
                if term not in question_terms:
                    weights[term] += 1 / (_RANK_OFFSET + rank)
                    forms.setdefault(term, Counter())[word] += 1
    scarce = nlargest(
        _POOL_SIZE, weights, key=lambda term: (weights[term] * terms.scarcity(term) ** 2, term)
    )
    best = nlargest(
        _MAX_WORDS, scarce, key=lambda term: (weights[term] * terms.salience(term) ** 2, term)
    )
    return tuple(_most_frequent(forms[term]) for term in best)


def _names(place: Candidate) -> Iterator[str]:
    yield PurePosixPath(place.path).stem
    if place.symbols:
        yield place.symbols[0].qualified_name


def _most_frequent(forms: Counter[str]) -> str:
    return max(forms, key=lambda form: (forms[form], form))


def _words(name: str) -> set[tuple[str, str]]:
    """The words of a name, as pairs (index term, word). File names may contain anything; only
    letters and digits (of any script) form words."""
    parts = {part for run in _WORD_CHARACTERS.findall(name) for part in identifier_parts(run)}
    suitable = (part for part in parts if len(part) in _LENGTHS)
    return {(terms[0], part) for part in suitable if len(terms := text.terms_of(part)) == 1}
