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


def chosen(units: list[Unit], size: int) -> list[int]:
    data = np.array([is_data(unit) for unit in units], np.bool_)
    return shortlist([path for path, _ in units], [scores for _, scores in units], data, size)


@given(UNITS, st.integers(1, 30))
def test_as_many_as_fit_are_chosen_each_once_in_order(units: list[Unit], size: int) -> None:
    found = chosen(units, size)
    assert found == sorted(set(found))
    assert len(found) == min(size, len(units))
    assert set(found) <= set(range(len(units)))


@given(UNITS, st.integers(1, 30))
def test_what_the_question_points_at_comes_first(units: list[Unit], size: int) -> None:
    found = chosen(units, size)
    pointed_at = sum(map(is_pointed_at, units))
    assert sum(is_pointed_at(units[at]) for at in found) == min(size, pointed_at)


@given(UNITS, st.integers(1, 30))
def test_data_leaves_room_for_programs(units: list[Unit], size: int) -> None:
    found = set(chosen(units, size))
    left_out = [unit for at, unit in enumerate(units) if at not in found]
    data = [at for at in found if is_data(units[at]) and not is_pointed_at(units[at])]
    assert len(data) <= size // DATA or all(map(is_data, left_out))


@given(UNITS, st.integers(1, 30))
def test_of_a_file_no_unit_is_left_out_for_one_that_says_less(units: list[Unit], size: int) -> None:
    found = set(chosen(units, size))
    for out in set(range(len(units))) - found:
        path, scores = units[out]
        for into in (at for at in found if units[at][0] == path and not is_pointed_at(units[at])):
            less = [units[into][1].get(score, 0.0) < scores.get(score, 0.0) for score in WORDS]
            more = [units[into][1].get(score, 0.0) > scores.get(score, 0.0) for score in WORDS]
            assert any(more) or not any(less)


def test_a_unit_of_the_better_file_comes_before_one_that_says_as_much_elsewhere() -> None:
    said = {"text.all": 1.0}
    units = [("a.py", said), ("b.py", said), ("b.py", {"text.all": 5.0})]
    assert chosen(units, 2) == [1, 2]
