"""A thread-safe cache of bounded cost that drops what was least recently used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """An LRU cache bounded by total cost: the sum of ``cost`` over its values stays within
    ``capacity``, but the last value is always kept. Thread-safe; two threads may compute the same
    value concurrently."""

    def __init__(self, capacity: int, cost: Callable[[V], int]) -> None:
        self.capacity = capacity
        self._cost = cost
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()
        self._total_cost = 0

    @property
    def is_full(self) -> bool:
        """Whether nothing more fits without dropping something."""
        return self._total_cost >= self.capacity

    def find(self, key: K) -> V | None:
        """The value of ``key`` if it is cached, else None."""
        value = self._values.get(key)
        if value is not None:  # without the lock, which would cost more than all the rest
            try:
                self._values.move_to_end(key)
            except KeyError:  # another thread has just dropped it
                return value
        return value

    def put(self, key: K, value: V) -> None:
        """Cache a value, replacing any previous one of ``key``."""
        with self._lock:
            self._drop(key)
            self._values[key] = value
            self._total_cost += self._cost(value)
            while self._total_cost > self.capacity and len(self._values) > 1:
                self._total_cost -= self._cost(self._values.popitem(last=False)[1])

    def get(self, key: K, compute: Callable[[K], V]) -> V:
        """The value of ``key``, computed by ``compute`` if it is not cached."""
        value = self.find(key)
        if value is None:
            value = compute(key)
            self.put(key, value)
        return value

    def drop(self, key: K) -> None:
        """Remove ``key`` from the cache."""
        with self._lock:
            self._drop(key)

    def _drop(self, key: K) -> None:
        old = self._values.pop(key, None)
        if old is not None:
            self._total_cost -= self._cost(old)
