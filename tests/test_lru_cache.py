"""The LRU cache: the total cost stays within the capacity; what is cached is not made again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.lru_cache import LruCache


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(0, 20))
def test_least_recently_used_entry_is_dropped(keys: list[int], capacity: int) -> None:
    made: list[int] = []

    def make(key: int) -> int:
        made.append(key)
        return key

    cached: LruCache[int, int] = LruCache(capacity, lambda value: value)
    model: list[int] = []
    for key in keys:
        expected_hit = key in model
        before = len(made)
        assert cached.get(key, make) == key
        assert (len(made) == before) is expected_hit
        model = [*(other for other in model if other != key), key]
        while sum(model) > capacity and len(model) > 1:
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
def test_put_drops_the_oldest_entries_for_room(
    put: dict[str, int], dropped: tuple[str, ...], kept: dict[str, int]
) -> None:
    cached: LruCache[str, int] = LruCache(10, lambda value: value)
    for key, value in put.items():
        cached.put(key, 1)
        cached.put(key, value)  # its cost is the value itself
    for key in dropped:
        cached.drop(key)
    assert {key: cached.find(key) for key in put} == {key: kept.get(key) for key in put}
    assert cached.is_full is (sum(kept.values()) >= cached.capacity)
