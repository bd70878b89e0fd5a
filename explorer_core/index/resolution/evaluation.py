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
        self._whole: dict[object, _Answer] = {}
        self._asked: dict[object, Any] = {}
        """Answers to outermost questions that were cut short."""
        self._meanwhile: dict[object, Any] = {}
        """Answers cut short within the outermost question that is being asked."""
        self._open: set[object] = set()
        self._depth: int = 0
        self._deepest: int = 0
        self._innermost: int = 0
        self._cuts: int = 0

    def ask(self, key: object, answer: Callable[[], T], otherwise: T, *, steps: int = 1) -> T:
        """The answer to ``key``, found by ``answer`` unless it is known. Gives ``otherwise`` where
        the key is being asked for already, or the depth limit is reached."""
        known = self._whole.get(key)
        if known is not None:
            deepest, innermost = self._depth + known.height, len(self._open) + known.nesting
            if deepest <= DEPTH and innermost <= _NESTING:
                if deepest > self._deepest:
                    self._deepest = deepest
                if innermost > self._innermost:
                    self._innermost = innermost
                return known.value
        cut_short = self._meanwhile if self._open else self._asked
        if key in cut_short:
            self._cuts += 1
            return cut_short[key]
        is_far = self._depth + steps > DEPTH or len(self._open) >= _NESTING
        if is_far or key in self._open:
            self._cuts += 1
            return otherwise
        return self._answered(key, answer, steps)

    def _answered(self, key: object, answer: Callable[[], T], steps: int) -> T:
        cuts, depth, nested = self._cuts, self._depth, len(self._open)
        deepest, innermost = self._deepest, self._innermost
        self._open.add(key)
        self._depth = self._deepest = depth + steps
        self._innermost = nested + 1
        try:
            value = answer()
            if self._cuts == cuts:
                self._whole[key] = _Answer(value, self._deepest - depth, self._innermost - nested)
            else:
                (self._meanwhile if len(self._open) > 1 else self._asked)[key] = value
        finally:
            self._open.discard(key)
            self._depth, self._deepest = depth, max(deepest, self._deepest)
            self._innermost = max(innermost, self._innermost)
            if not self._open:
                self._meanwhile.clear()
        return value
