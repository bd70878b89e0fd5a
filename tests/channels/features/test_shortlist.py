"""Which units are shortlisted for a closer look."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.channels.features.shortlist import DATA, shortlist

Unit = tuple[str, dict[str, float]]

WORDS = ("text.all", "text.title", "text.feedback", "covered.all")
UNITS = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b.py", "c.py", "d.json"]),
        st.dictionaries(
            st.sampled_from([*WORDS, "frame"]), st.sampled_from([0.0, 0.25, 0.5, 1.0, 7.0])
        ),
    ),
    max_size=24,
)


def is_pointed_at(unit: Unit) -> bool:
    return unit[1].get("frame", 0.0) >= 1


def is_data(unit: Unit) -> bool:
    return unit[0].endswith(".json")


def shortlisted(units: list[Unit], size: int) -> list[int]:
    data = np.array([is_data(unit) for unit in units], np.bool_)
    return shortlist([path for path, _ in units], [scores for _, scores in units], data, size)


@given(UNITS, st.integers(1, 30))
def test_shortlist_is_full_ordered_and_without_duplicates(units: list[Unit], size: int) -> None:
    found = shortlisted(units, size)
    assert found == sorted(set(found))
    assert len(found) == min(size, len(units))
    assert set(found) <= set(range(len(units)))


@given(UNITS, st.integers(1, 30))
def test_units_the_question_points_at_are_always_shortlisted(units: list[Unit], size: int) -> None:
    found = shortlisted(units, size)
    pointed_at = sum(map(is_pointed_at, units))
    assert sum(is_pointed_at(units[at]) for at in found) == min(size, pointed_at)


@given(UNITS, st.integers(1, 30))
def test_data_takes_only_its_share_of_the_shortlist(units: list[Unit], size: int) -> None:
    found = set(shortlisted(units, size))
    left_out = [unit for at, unit in enumerate(units) if at not in found]
    data = [at for at in found if is_data(units[at]) and not is_pointed_at(units[at])]
    assert len(data) <= size // DATA or all(map(is_data, left_out))


@given(UNITS, st.integers(1, 30))
def test_no_unit_is_displaced_by_a_weaker_one_of_its_file(units: list[Unit], size: int) -> None:
    found = set(shortlisted(units, size))
    for omitted in set(range(len(units))) - found:
        path, scores = units[omitted]
        for chosen in (at for at in found if units[at][0] == path and not is_pointed_at(units[at])):
            less = [units[chosen][1].get(score, 0.0) < scores.get(score, 0.0) for score in WORDS]
            more = [units[chosen][1].get(score, 0.0) > scores.get(score, 0.0) for score in WORDS]
            assert any(more) or not any(less)


def test_equal_units_are_ordered_by_their_file() -> None:
    scores = {"text.all": 1.0}
    units = [("a.py", scores), ("b.py", scores), ("b.py", {"text.all": 5.0})]
    assert shortlisted(units, 2) == [1, 2]
