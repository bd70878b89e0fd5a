"""How well one unit answers a question, as separate features.

A question has several views: its title (the first line), its prose, what it quotes in back-ticks,
and its code. Each is matched on its own, with BM25F's saturation (Robertson and Zaragoza 2009), and
so is each field, so that ranking can weigh, say, a title word in a definition's name differently
from a word of a pasted log in a string literal. All features are 0 or more, larger is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.channels.query import Query
from explorer_core.index import text
from explorer_core.index.search import UnitHit

_K1 = 1.2
_WEIGHTS = {
    "name": 3.0,
    "qualified": 1.5,
    "signature": 1.5,
    "doc": 1.0,
    "body": 1.0,
    "string": 1.0,
    "path": 1.5,
}
_B = {
    "name": 0.3,
    "qualified": 0.3,
    "signature": 0.3,
    "doc": 0.6,
    "body": 0.7,
    "string": 0.5,
    "path": 0.3,
}
"""BM25F's field weights and length normalisations; ranking weighs the fields anew."""

_NAMING = frozenset({"name", "qualified", "path"})

TITLE_FIELDS = ("name", "path", "body", "doc")


@dataclass(frozen=True, slots=True)
class View:
    """Terms of one part of the question with their weight there, 0 to 2."""

    name: str
    terms: Mapping[str, float]


def views_of(query: Query, keywords: Sequence[str] = ()) -> tuple[View, ...]:
    """The views of a question and further keywords; one without any term is left out."""
    parts = {
        "all": "\n".join((query.text, *keywords)),
        "title": query.title,
        "prose": _prose(query),
        "quoted": " ".join(quote.text for quote in query.quoted if quote.code),
        "code": "\n".join(block.text for block in query.code_blocks),
    }
    views = (View(name, _weighted(part)) for name, part in parts.items())
    return tuple(view for view in views if view.terms)


def _prose(query: Query) -> str:
    """The question without its code blocks and stack frames."""
    spans = [(block.position, block.position + len(block.text)) for block in query.code_blocks]
    spans += [frame.span for frame in query.frames]
    pieces: list[str] = []
    position = 0
    for start, end in sorted(spans):
        pieces.append(query.text[position : max(start, position)])
        position = max(end, position)
    return "".join((*pieces, query.text[position:]))


def _weighted(part: str) -> dict[str, float]:
    """Repetition counts, with diminishing returns: 1, 1.33, 1.5, ... up to 2."""
    return {term: 2 * times / (times + 1) for term, times in text.count(part).items()}


@dataclass(frozen=True)
class Relevance:
    """Computes the features of hits for one question over one collection.

    ``idf`` has the inverse document frequency of every term of the question that occurs at all;
    ``averages`` the mean terms per field.
    """

    views: tuple[View, ...]
    idf: Mapping[str, float]
    averages: Mapping[str, float]

    def of(self, hit: UnitHit) -> dict[str, float]:
        """The text features of one hit."""
        shares = {term: self._shares(hit, counts) for term, counts in hit.terms.items()}
        features: dict[str, float] = {}
        for view in self.views:
            matched = [(term, view.terms[term]) for term in shares if term in view.terms]
            features[f"text.{view.name}"] = sum(
                weight * self.idf.get(term, 0.0) * _saturated(sum(shares[term].values()))
                for term, weight in matched
            )
            features[f"covered.{view.name}"] = self._covered(view, (term for term, _ in matched))
            fields = self._by_field(view)
            for field in fields:
                features[f"{view.name}.{field}"] = sum(
                    weight * self.idf.get(term, 0.0) * _saturated(shares[term].get(field, 0.0))
                    for term, weight in matched
                )
        features["covered.names"] = self._named(hit)
        return features

    def _named(self, hit: UnitHit) -> float:
        """The share of the title's information content in the unit's names and path."""
        named = (term for term, fields in hit.terms.items() if not _NAMING.isdisjoint(fields))
        title = next((view for view in self.views if view.name == "title"), None)
        return self._covered(title, (t for t in named if t in title.terms)) if title else 0.0

    def share_of(self, terms: Iterable[str]) -> float:
        """The share of the whole question's information content that lies in ``terms``."""
        whole = next((view for view in self.views if view.name == "all"), None)
        return self._covered(whole, terms) if whole else 0.0

    def _by_field(self, view: View) -> Iterable[str]:
        if view.name == "all":
            return _WEIGHTS
        return TITLE_FIELDS if view.name == "title" else ()

    def _shares(self, hit: UnitHit, counts: Mapping[str, int]) -> dict[str, float]:
        """Weighted, length-normalised term frequency per field."""
        return {
            field: _WEIGHTS[field]
            * count
            / (1 - _B[field] + _B[field] * hit.lengths[field] / max(self.averages[field], 1e-9))
            for field, count in counts.items()
        }

    def _covered(self, view: View, matched: Iterable[str]) -> float:
        """The share of the view's information content that the unit contains."""
        return sum(self.idf.get(term, 0.0) for term in matched) / max(self._total[view.name], 1e-9)

    @cached_property
    def _total(self) -> dict[str, float]:
        return {
            view.name: sum(self.idf.get(term, 0.0) for term in view.terms) for view in self.views
        }


def inverse_frequency(units: int, containing: int) -> float:
    """BM25's inverse document frequency, never negative."""
    return math.log1p((max(units - containing, 0) + 0.5) / (containing + 0.5))


def _saturated(frequency: float) -> float:
    return frequency * (_K1 + 1) / (_K1 + frequency)
