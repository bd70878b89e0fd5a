"""Memoised recursive answers that do not depend on the order of the questions.

An answer that is cut short, by a cycle or by the depth limit, is right only within the outermost
question that led to it, and is kept until that is answered. Any other answer is kept for good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

DEPTH = 12
"""The most steps that one evaluation nests; a longer chain is rarely right."""
_NESTING = 48
"""The most questions that one evaluation nests, whatever their steps: as many as fit on the
interpreter's stack, and more than any chain of supertypes has."""


class _Answer(msgspec.Struct, frozen=True, gc=False):
    value: Any
    height: int
    """How many steps the evaluation went down to find the answer."""
    nesting: int
    """How many nested questions it went down."""


class Evaluation:
    """Answers by key, memoised. An answer may depend only on its key and on the questions that are
    asked to find it. Not re-entrant across threads."""

    def __init__(self) -> None:
        self._complete: dict[object, _Answer] = {}
        self._cut_outermost: dict[object, Any] = {}
        """Answers to outermost questions that were cut short."""
        self._provisional: dict[object, Any] = {}
        """Answers cut short within the outermost question that is being asked."""
        self._in_progress: set[object] = set()
        self._depth: int = 0
        self._deepest: int = 0
        self._deepest_nesting: int = 0
        self._cuts: int = 0

    def ask(self, key: object, compute: Callable[[], T], default: T, *, steps: int = 1) -> T:
        """The answer to ``key``, found by ``compute`` unless it is known. Gives ``default`` where
        the key is being asked for already, or the depth limit is reached."""
        known = self._complete.get(key)
        if known is not None:
            deepest, deepest_nesting = (
                self._depth + known.height,
                len(self._in_progress) + known.nesting,
            )
            if deepest <= DEPTH and deepest_nesting <= _NESTING:
                if deepest > self._deepest:
                    self._deepest = deepest
                if deepest_nesting > self._deepest_nesting:
                    self._deepest_nesting = deepest_nesting
                return known.value
        cut_short = self._provisional if self._in_progress else self._cut_outermost
        if key in cut_short:
            self._cuts += 1
            return cut_short[key]
        is_far = self._depth + steps > DEPTH or len(self._in_progress) >= _NESTING
        if is_far or key in self._in_progress:
            self._cuts += 1
            return default
        return self._compute(key, compute, steps)

    def _compute(self, key: object, compute: Callable[[], T], steps: int) -> T:
        cuts, depth, nesting = self._cuts, self._depth, len(self._in_progress)
        deepest, deepest_nesting = self._deepest, self._deepest_nesting
        self._in_progress.add(key)
        self._depth = self._deepest = depth + steps
        self._deepest_nesting = nesting + 1
        try:
            value = compute()
            if self._cuts == cuts:
                self._complete[key] = _Answer(
                    value, self._deepest - depth, self._deepest_nesting - nesting
                )
            else:
                (self._provisional if len(self._in_progress) > 1 else self._cut_outermost)[key] = (
                    value
                )
        finally:
            self._in_progress.discard(key)
            self._depth, self._deepest = depth, max(deepest, self._deepest)
            self._deepest_nesting = max(deepest_nesting, self._deepest_nesting)
            if not self._in_progress:
                self._provisional.clear()
        return value
