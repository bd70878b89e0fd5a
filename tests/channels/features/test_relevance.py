"""Relevance: how well units match a question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.channels.features.relevance import Relevance, views_of
from explorer_core.channels.question.query import understand
from explorer_core.index.search.collection import Occurrences
from explorer_core.index.terms.units import FIELDS

BODY = FIELDS.index("body")


def relevance_features(question: str, *units: tuple[dict[str, int], int]) -> list[dict[str, float]]:
    """The features of units, each given as the term counts of its body and its length in words."""
    views = views_of(understand(question))
    terms = sorted({term for view in views for term in view.terms})
    relevance = Relevance(
        views,
        dict.fromkeys(terms, 1.0),
        [10.0] * len(FIELDS),
        naming=lambda _: 0.5,
        background=lambda _: 0.01,
    )
    counts = np.zeros((len(units), len(relevance.terms), len(FIELDS)))
    lengths = np.zeros((len(units), len(FIELDS)))
    for row, (times, length) in enumerate(units):
        lengths[row, BODY] = length
        for at, term in enumerate(relevance.terms):
            counts[row, at, BODY] = times.get(term, 0)
    return relevance.of(Occurrences(relevance.terms, counts, lengths))


@pytest.mark.parametrize("feature", ["likely.all", "likely.fields", "text.all", "covered.all"])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(({"cach": 1, "expir": 1}, 9), ({"cach": 1}, 9), id="more of the words"),
        pytest.param(({"cach": 1}, 9), ({}, 9), id="any of the words"),
    ],
)
def test_unit_with_more_words_of_the_question_scores_higher(
    feature: str, better: tuple[dict[str, int], int], worse: tuple[dict[str, int], int]
) -> None:
    one, other = relevance_features("cache expires", better, worse)
    assert one[feature] > other[feature]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("A parcel is lost. Is it touched?", {"parcel", "is", "lost"}),
        ("A parcel is lost. Is it touched?\n\ntouched", {"parcel", "is", "lost", "touch"}),
    ],
)
def test_closing_question_about_the_statement_is_in_no_view(question: str, terms: set[str]) -> None:
    views = views_of(understand(question))
    assert {term for view in views for term in view.terms} == terms


def test_long_unit_lacking_a_word_scores_below_a_short_one() -> None:
    short, long = relevance_features("cache expires", ({"cach": 1}, 10), ({"cach": 1}, 200))
    assert short["likely.all"] > long["likely.all"]


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from(["cach", "expir"]), st.integers(1, 9)),
            st.integers(0, 500),
        ),
        max_size=5,
    ),
    st.sampled_from(["cache", "cache expires\n\nin `cache`", "unrelated"]),
)
def test_no_feature_is_negative(units: list[tuple[dict[str, int], int]], question: str) -> None:
    found = relevance_features(question, *units)
    assert len(found) == len(units)
    assert all(value >= 0 for row in found for value in row.values())
