"""Words to ask again with.

Who asks seldom knows what the code calls a thing, and knows it when they see it: picking words for
a further question from those that the first one brought is interactive query expansion (Harman,
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
"""Added to a place's rank, from 0, of which its words get the reciprocal: the seventh place counts
half as much as the first. `docs/retrieval.md` says what these three were set by."""
_POOL = 24
"""The scarcest, of which it is looked up how much is named after them."""
_LENGTHS = range(3, 25)
"""Characters of a word that anybody can read."""
_RUN = re.compile(r"\w+")


def suggested_keywords(ranking: Ranking, terms: TermStatistics, asked: str) -> tuple[str, ...]:
    """The words in the names of the best places, of their types and files, that tell most of those
    that the text ``asked`` has in no form; lower case, most telling first, each in its commonest
    form. A name counts once, for the best place that has it, and a word by the square of its
    salience."""
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
    """The words of a name, each with its index term before it. A file may be called anything: what
    is no letter or digit of any script is in no word."""
    parts = {part for run in _RUN.findall(name) for part in identifier_parts(run)}
    fitting = (part for part in parts if len(part) in _LENGTHS)
    return {(found[0], part) for part in fitting if len(found := text.terms_of(part)) == 1}
