"""Memoised methods: one result per object and arguments."""

from __future__ import annotations

import pytest

from explorer_core.memoised import memoised


class _Doubling:
    def __init__(self) -> None:
        self.asked: list[tuple[int, str]] = []

    @memoised
    def twice(self, number: int, text: str) -> tuple[int, str]:
        self.asked.append((number, text))
        if number < 0:
            raise ValueError(number)
        return 2 * number, 2 * text


def test_memoised_method_is_called_once_per_object_and_arguments() -> None:
    one, other = _Doubling(), _Doubling()
    for each in (one, one, other):
        assert each.twice(2, "a") == (4, "aa")
        assert each.twice(2, "b") == (4, "bb")
    assert one.asked == other.asked == [(2, "a"), (2, "b")]
    for _ in range(2):  # an exception is not held
        with pytest.raises(ValueError, match="-1"):
            one.twice(-1, "a")
    assert one.asked[2:] == [(-1, "a")] * 2
