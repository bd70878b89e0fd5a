"""Recursive answers that do not depend on the order of questions.

An answer that was cut short, by a cycle or by its depth, is right only within the question that led
to it: it is kept until that question is answered. One that was not cut short is kept for good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

DEPTH = 12
"""Nested steps of one evaluation; a longer way than that is rarely right."""
_NESTING = 48
"""Nested questions of one evaluation, whatever their steps: what fits on the interpreter's stack,
and more types than inherit from each other anywhere."""


class _Answer(msgspec.Struct, frozen=True, gc=False):
    value: Any
    height: int
    """The steps below it that led to the answer."""
    nesting: int
    """The questions below it that led to the answer."""


class Evaluation:
    """Answers by key, memoised. The answer to a key must depend on nothing but the key and what is
    asked on the way. Not re-entrant across threads."""

    def __init__(self) -> None:
        self._whole: dict[object, _Answer] = {}
        self._asked: dict[object, Any] = {}
        """Answers cut short that were questions themselves."""
        self._meanwhile: dict[object, Any] = {}
        """Answers cut short on the way to the one being asked for."""
        self._open: set[object] = set()
        self._depth: int = 0
        self._deepest: int = 0
        self._innermost: int = 0
        self._cuts: int = 0

    def ask(self, key: object, answer: Callable[[], T], otherwise: T, *, steps: int = 1) -> T:
        """The answer to ``key``, made by ``answer`` where it is not known; ``otherwise`` where it
        is being asked for already, or is too far from the question."""
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
