"""How well one unit answers a question, as separate features.

A question has several views: all of it, its title (the first line), what it quotes in back-ticks,
and its code. Each view is matched separately, and so is each field, with BM25F's saturation
(Robertson and Zaragoza 2009). Ranking can then weigh, say, a title word in a definition's name
differently from a word of a pasted log in a string literal. The whole question is also matched by
query likelihood with a Dirichlet prior (Zhai and Lafferty, "A Study of Smoothing Methods for
Language Models Applied to Ad Hoc Information Retrieval", SIGIR 2001), which penalises missing
terms. The title is matched by its likelihood under a mixture of the fields (Ogilvie and Callan,
"Combining Document Representations for Known-Item Search", SIGIR 2003). All features are
non-negative; larger is better.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer_core.channels.question.query import Query
from explorer_core.index.search.collection import Floats, Occurrences
from explorer_core.index.terms import text
from explorer_core.index.terms.units import FIELDS, PATH

_K1 = 1.2
_WEIGHTS = np.array([3.0, 1.5, 1.5, 1.0, 1.0, 1.0, 1.5])
_B = np.array([0.3, 0.3, 0.3, 0.6, 0.7, 0.5, 0.3])
"""BM25F's field weights and length normalisations, by `FIELDS`; ranking reweighs the fields."""

_PRIOR = 60.0
"""Strength of the Dirichlet prior: pseudo-words with the repository's distribution, per unit."""
_FIELD_PRIORS = np.array([4.0, 6.0, 10.0, 25.0, 60.0, 15.0, 6.0])
_FIELD_SHARES = np.array([0.25, 0.08, 0.1, 0.2, 0.25, 0.05, 0.07])
"""The same per field of `FIELDS`, and each field's share in the mixture."""

_NAMING = [FIELDS.index(field) for field in ("name", "qualified", "path")]

_TITLE_FIELDS = ("name", "path", "body", "doc")
_FIELDS_OF_VIEW = {"all": FIELDS, "title": _TITLE_FIELDS}


@dataclass(frozen=True, slots=True)
class View:
    """The terms of one part of the question, with their weights in it, 0 to 2."""

    name: str
    terms: Mapping[str, float]


def views_of(query: Query) -> tuple[View, ...]:
    """The views of a question, without terms that only do the asking (`asking_terms`). Views
    without any term are left out."""
    asking = asking_terms(query)
    parts = {
        "all": query.text,
        "title": query.title,
        "quoted": " ".join(quote.text for quote in query.quoted if quote.code),
        "code": "\n".join(block.text for block in query.code_blocks),
    }
    views = (View(name, _weighted(part, asking)) for name, part in parts.items())
    return tuple(view for view in views if view.terms)


def asking_terms(query: Query) -> frozenset[str]:
    """The terms that occur only in the sentences asking about the question's statements."""
    asking = text.count(query.asking)
    whole = text.count(query.text) if asking else asking
    return frozenset(term for term, times in asking.items() if whole[term] == times)


def _weighted(part: str, excluded: Collection[str]) -> dict[str, float]:
    """Weights by number of occurrences, with diminishing returns: 1, 1.33, 1.5, ... up to 2."""
    counted = text.count(part).items()
    return {term: 2 * times / (times + 1) for term, times in counted if term not in excluded}


class Relevance:
    """Computes the features of many units for one question at once.

    ``salience`` maps each term of the question to its salience; `terms` lists these terms, the most
    salient first. ``naming`` (a weight) and ``background`` are as in `TermStatistics`. ``averages``
    are the mean numbers of words per field.
    """

    def __init__(
        self,
        views: tuple[View, ...],
        salience: Mapping[str, float],
        averages: Sequence[float],
        *,
        naming: Callable[[str], float],
        background: Callable[[str], float],
    ) -> None:
        self.views = views
        self.salience = salience
        self.terms = tuple(sorted(salience, key=lambda term: (-salience[term], term)))
        self._means = np.maximum(np.array(averages), 1e-9)
        worth = np.array([salience[term] for term in self.terms])
        self._weights = {
            view.name: worth * np.array([view.terms.get(term, 0.0) for term in self.terms])
            for view in views
        }
        self._information = {
            view.name: worth * np.array([term in view.terms for term in self.terms])
            for view in views
        }
        self._background = np.array([background(term) for term in self.terms])
        self._naming = np.array([naming(term) for term in self.terms])

    def of(self, occurrences: Occurrences) -> list[dict[str, float]]:
        """The text features of each unit, from how often each of `terms` occurs in it."""
        normal = 1 - _B + _B * occurrences.lengths[:, None, :] / self._means
        shares = _WEIGHTS * occurrences.counts / normal
        whole, by_field = _saturated(shares.sum(axis=2)), _saturated(shares)
        columns: dict[str, Floats] = {}
        for view in self.views:
            weights = self._weights[view.name]
            columns[f"text.{view.name}"] = whole @ weights
            columns[f"covered.{view.name}"] = self._covered(view.name, occurrences.present)
            for field in _FIELDS_OF_VIEW.get(view.name, ()):
                columns[f"{view.name}.{field}"] = by_field[:, :, FIELDS.index(field)] @ weights
        if "all" in self._information:
            asked = self._information["all"] > 0
            columns["likely.all"] = _above_least(self._likelihoods(occurrences) @ asked)
        if "title" in self._information:
            asked = self._information["title"] > 0
            columns["likely.fields"] = _above_least(
                self._mixed_likelihoods(occurrences) @ (asked * self._naming)
            )
            named = occurrences.counts[:, :, _NAMING].sum(axis=2)
            columns["covered.names"] = self._covered("title", np.asarray(named > 0))
        rows = zip(*(_rounded(column) for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def _likelihoods(self, occurrences: Occurrences) -> Floats:
        """Units x terms: the log of the ratio of a term's likelihood in a unit to that in the whole
        repository."""
        times = occurrences.counts.sum(axis=2)
        length = occurrences.lengths[:, :PATH].sum(axis=1)[:, None]
        return np.log((times / self._background + _PRIOR) / (length + _PRIOR))

    def _mixed_likelihoods(self, occurrences: Occurrences) -> Floats:
        """Like `_likelihoods`, with each unit as a mixture of its fields."""
        times = occurrences.counts / self._background[:, None]
        lengths = occurrences.lengths[:, None, :]
        return np.log((times + _FIELD_PRIORS) / (lengths + _FIELD_PRIORS) @ _FIELD_SHARES)

    def share(self, terms: Collection[str]) -> float:
        """The share of the whole question's information content that these of `terms` carry."""
        return float(self.covered(np.array([[term in terms for term in self.terms]]))[0])

    def covered(self, present: NDArray[np.bool_]) -> Floats:
        """The share of the whole question's information content in each row of ``present``."""
        if "all" not in self._information:
            return np.zeros(len(present))
        return self._covered("all", present)

    def _covered(self, view: str, present: NDArray[np.bool_]) -> Floats:
        information = self._information[view]
        return present @ information / max(float(information.sum()), 1e-9)


def _rounded(column: Floats) -> list[float]:
    """Rounded: the last digits depend on the processor's order of addition."""
    return np.round(column, 9).tolist()


def _above_least(column: Floats) -> Floats:
    return column - column.min(initial=np.inf)


def _saturated(frequency: Floats) -> Floats:
    return frequency * (_K1 + 1) / (_K1 + frequency)
