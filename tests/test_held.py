"""Held values: their total stays within the bound, and each is computed once while held."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.held import Held, memoised


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(0, 20))
def test_the_least_recently_used_goes(asked: list[int], most: int) -> None:
    made: list[int] = []

    def make(key: int) -> int:
        made.append(key)
        return key

    held: Held[int, int] = Held(most, lambda value: value)
    model: list[int] = []
    for key in asked:
        known = key in model
        before = len(made)
        assert held.get(key, make) == key
        assert (len(made) == before) is known
        model = [*(other for other in model if other != key), key]
        while sum(model) > most and len(model) > 1:
            del model[0]


@pytest.mark.parametrize(
    ("put", "dropped", "kept"),
    [
        ({"a": 3, "b": 3}, (), {"a": 3, "b": 3}),
        ({"a": 3, "b": 3, "c": 4}, (), {"a": 3, "b": 3, "c": 4}),
        ({"a": 3, "b": 3, "c": 5}, (), {"b": 3, "c": 5}),
        ({"a": 3, "b": 3, "c": 5}, ("b",), {"c": 5}),
        ({"a": 3, "b": 30}, (), {"b": 30}),
    ],
)
def test_what_is_put_takes_the_room_of_the_oldest(
    put: dict[str, int], dropped: tuple[str, ...], kept: dict[str, int]
) -> None:
    held: Held[str, int] = Held(10, lambda value: value)
    for key, value in put.items():
        held.put(key, 1)
        held.put(key, value)  # its cost is the value itself
    for key in dropped:
        held.drop(key)
    assert {key: held.find(key) for key in put} == {key: kept.get(key) for key in put}
    assert held.is_full is (sum(kept.values()) >= held.most)


class _Doubling:
    def __init__(self) -> None:
        self.asked: list[tuple[int, str]] = []

    @memoised
    def twice(self, number: int, text: str) -> tuple[int, str]:
        self.asked.append((number, text))
        if number < 0:
            raise ValueError(number)
        return 2 * number, 2 * text


def test_an_object_keeps_its_answers_by_their_arguments() -> None:
    one, other = _Doubling(), _Doubling()
    for each in (one, one, other):
        assert each.twice(2, "a") == (4, "aa")
        assert each.twice(2, "b") == (4, "bb")
    assert one.asked == other.asked == [(2, "a"), (2, "b")]
    for _ in range(2):  # an exception is not held
        with pytest.raises(ValueError, match="-1"):
            one.twice(-1, "a")
    assert one.asked[2:] == [(-1, "a")] * 2
