"""Memoised methods: each result is computed once per object."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

V = TypeVar("V")
Arguments = TypeVarTuple("Arguments")
Owner = TypeVar("Owner")


def memoised(method: Callable[[Owner, *Arguments], V]) -> Callable[[Owner, *Arguments], V]:
    """Cache a method's results per object, by its arguments, for the lifetime of the object.

    Arguments must be positional and hashable. The result is shared by all callers and must not be
    modified. Objects with ``__slots__`` are not supported."""
    name = method.__qualname__

    @wraps(method)
    def wrapper(owner: Owner, *args: *Arguments) -> V:
        try:
            return vars(owner)[name][args]
        except KeyError:
            pass
        result = method(owner, *args)
        vars(owner).setdefault(name, {})[args] = result
        return result

    return wrapper
