"""How informative a term is, in small and in large collections."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from explorer_core.index.search.collection import Collection, Ints, Matches
from explorer_core.index.search.term_statistics import TermStatistics
from explorer_core.index.terms.units import BODY, DOC, FIELD_SHIFT, NAME, UNIT_SHIFT

LARGE = 500
_NONE: Ints = np.empty(0, np.int64)


@dataclass(frozen=True)
class OneFile:
    """As much of a collection as statistics need: one file of so many units, the first ``having``
    of which have every term once, in one field."""

    units: int
    having: int
    field: int = BODY

    @property
    def paths(self) -> list[str]:
        return ["all.py"]

    @property
    def file(self) -> Ints:
        return np.zeros(self.units, np.int64)

    def frequency(self, term: str) -> int:
        return self.having

    def matches(self, term: str) -> Matches:
        units: Ints = np.arange(self.having) << UNIT_SHIFT
        return Matches(units | self.field << FIELD_SHIFT | 1, _NONE, _NONE)


def statistics(units: int, having: int = 0, field: int = BODY) -> TermStatistics:
    return TermStatistics(cast("Collection", OneFile(units, having, field)), naming=0.5)


words = st.text("aeiourst", min_size=2, max_size=16)
names = st.sampled_from(["archive_order", "_id", "sha256", "404", "検索"])
terms = words | names
sizes = st.integers(1, 3 * LARGE)
fields = st.sampled_from([NAME, DOC, BODY])


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int]:
    """A number of units, and how many of these have a term."""
    units = draw(sizes)
    return units, draw(st.integers(0, units))


@given(counts(), terms)
@example((LARGE, 0), "the")
@example((LARGE, LARGE), "the")
def test_large_collection_is_not_filled_up(count: tuple[int, int], term: str) -> None:
    units, having = count
    assume(units >= LARGE)
    found = statistics(units, having)
    idf = math.log(1 + (units - having + 0.5) / (having + 0.5))
    assert found.rarity(term) == found.scarcity(term) == pytest.approx(idf)
    assert found.salience_in_code(term) == found.salience(term)


@given(sizes, words, words)
@example(3, "the", "airship")
def test_longer_word_that_occurs_nowhere_is_at_least_as_rare(
    units: int, word: str, other: str
) -> None:
    shorter, longer = sorted((word, other), key=len)
    found = statistics(units)
    assert found.rarity(shorter) <= found.rarity(longer) <= found.greatest_rarity
    assert (found.rarity(shorter) == found.greatest_rarity) == (units >= LARGE)


@given(sizes, names)
def test_name_that_occurs_nowhere_is_as_rare_as_can_be(units: int, name: str) -> None:
    found = statistics(units)
    assert found.rarity(name) == found.scarcity(name) == found.greatest_rarity


@given(counts(), terms)
def test_rarity_falls_the_more_units_have_a_term(count: tuple[int, int], term: str) -> None:
    units, having = count
    assume(having < units)
    fewer, more = statistics(units, having), statistics(units, having + 1)
    assert fewer.rarity(term) > more.rarity(term)
    assert fewer.scarcity(term) > more.scarcity(term)


@given(counts(), terms, fields)
def test_salience_is_between_none_and_rarity(count: tuple[int, int], term: str, field: int) -> None:
    found = statistics(*count, field)
    assert 0 <= found.salience(term) <= found.rarity(term)


@pytest.mark.parametrize("units", [3, 60, LARGE])
def test_quoted_word_that_occurs_nowhere_is_as_rare_in_any_collection(units: int) -> None:
    nowhere, somewhere = statistics(units), statistics(units, 1)
    assert nowhere.salience_in_code("lost") == pytest.approx(statistics(LARGE).salience("lost"))
    assert somewhere.salience_in_code("lost") == somewhere.salience("lost")
