"""What was worked out or read once and may be wanted again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, TypeVar, TypeVarTuple

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Arguments = TypeVarTuple("Arguments")
Owner = TypeVar("Owner")


def memoised(method: Callable[[Owner, *Arguments], V]) -> Callable[[Owner, *Arguments], V]:
    """A method that works out its answer once for its arguments, and keeps it as long as its object
    lives. The arguments are hashable and can be given by their places alone; the answer is shared
    by all who ask and not to be changed. An object with slots has no room for answers."""
    name = method.__qualname__

    @wraps(method)
    def answer(owner: Owner, *args: *Arguments) -> V:
        try:
            return vars(owner)[name][args]
        except KeyError:
            pass
        found = method(owner, *args)
        vars(owner).setdefault(name, {})[args] = found
        return found

    return answer


class Held(Generic[K, V]):
    """Values by key, as many as fit into ``most``, and at least the last; those unused for longest
    go first. Methods may be called from any thread, of which two may work out the same value."""

    def __init__(self, most: int, cost: Callable[[V], int]) -> None:
        self.most = most
        self._cost = cost
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()
        self._sum = 0

    @property
    def is_full(self) -> bool:
        """Whether there is room for nothing more unless something goes."""
        return self._sum >= self.most

    def find(self, key: K) -> V | None:
        """The value of ``key``, if it is held."""
        value = self._values.get(key)
        if value is not None:  # without the lock, which takes longer than all of this
            try:
                self._values.move_to_end(key)
            except KeyError:  # another thread has just dropped it
                return value
        return value

    def put(self, key: K, value: V) -> None:
        """Hold a value, in place of any that ``key`` had."""
        with self._lock:
            self._drop(key)
            self._values[key] = value
            self._sum += self._cost(value)
            while self._sum > self.most and len(self._values) > 1:
                self._sum -= self._cost(self._values.popitem(last=False)[1])

    def get(self, key: K, make: Callable[[K], V]) -> V:
        """The value of ``key``, made if it is not held."""
        value = self.find(key)
        if value is None:
            value = make(key)
            self.put(key, value)
        return value

    def drop(self, key: K) -> None:
        """Hold the value of ``key`` no longer."""
        with self._lock:
            self._drop(key)

    def _drop(self, key: K) -> None:
        old = self._values.pop(key, None)
        if old is not None:
            self._sum -= self._cost(old)
