"""What was worked out once and may be wanted again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Held(Generic[K, V]):
    """Values by key, as many as fit into ``most``; those unused for longest go first. Methods may
    be called from any thread, of which two may work out the same value."""

    def __init__(self, most: int, cost: Callable[[V], int]) -> None:
        self._most = most
        self._cost = cost
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()
        self._sum = 0

    def get(self, key: K, make: Callable[[K], V]) -> V:
        """The value of ``key``, made if it is not held."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make(key)
        with self._lock:
            if key not in self._values:
                self._values[key] = made
                self._sum += self._cost(made)
                while self._sum > self._most and len(self._values) > 1:
                    self._sum -= self._cost(self._values.popitem(last=False)[1])
        return made
