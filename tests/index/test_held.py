"""What is held stays within its bound, and is worked out once while it does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.index.search.held import Held


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
