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

_PLACES = 40
_WORDS = 16
_FIRST = 6
"""A place at rank r (from 0) gives its words 1 / (_FIRST + r): the seventh counts half as much as
the first. `docs/retrieval.md` says how these three constants were chosen."""
_POOL = 24
"""Number of candidate words by scarcity whose salience, which costs more, is computed."""
_LENGTHS = range(3, 25)
"""Lengths, in characters, of words worth suggesting."""
_RUN = re.compile(r"\w+")


def suggested_keywords(ranking: Ranking, terms: TermStatistics, asked: str) -> tuple[str, ...]:
    """The most telling words in the names of the best places, their types and files.

    Lower case, the most telling first, each in its most frequent form. Words that ``asked``
    contains in any form are left out. A name counts once, for the best place that has it; a word is
    weighted by the square of its salience."""
    known = text.count(asked)
    mass: defaultdict[str, float] = defaultdict(float)
    forms: dict[str, Counter[str]] = {}
    seen: set[str] = set()
    for rank, place in enumerate(ranking.candidates[:_PLACES]):
        for name in {*_names(place)} - seen:
            seen.add(name)
            for term, word in _words(name):
                if term not in known:
                    mass[term] += 1 / (_FIRST + rank)
                    forms.setdefault(term, Counter())[word] += 1
    scarce = nlargest(_POOL, mass, key=lambda term: (mass[term] * terms.scarcity(term) ** 2, term))
    best = nlargest(_WORDS, scarce, key=lambda term: (mass[term] * terms.salience(term) ** 2, term))
    return tuple(_commonest(forms[term]) for term in best)


def _names(place: Candidate) -> Iterator[str]:
    yield PurePosixPath(place.path).stem
    if place.symbols:
        yield place.symbols[0].qualified_name


def _commonest(forms: Counter[str]) -> str:
    return max(forms, key=lambda form: (forms[form], form))


def _words(name: str) -> set[tuple[str, str]]:
    """The words of a name, as pairs (index term, word). File names may contain anything; only
    letters and digits (of any script) form words."""
    parts = {part for run in _RUN.findall(name) for part in identifier_parts(run)}
    fitting = (part for part in parts if len(part) in _LENGTHS)
    return {(found[0], part) for part in fitting if len(found := text.terms_of(part)) == 1}
