"""Recursive answers that do not depend on the order of questions.

An answer that was cut short, by a cycle or by its depth, is right only within the question that led
to it: it is kept until that question is answered. One that was not cut short is kept for good.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

T = TypeVar("T")

DEPTH = 12
"""Nested steps of one evaluation; a longer way than that is rarely right."""


@dataclass(frozen=True, slots=True)
class _Answer:
    value: object
    height: int
    """The steps below it that led to the answer."""


class Evaluation:
    """Answers by key, memoised. The answer to a key must depend on nothing but the key and what is
    asked on the way. Not re-entrant across threads."""

    def __init__(self) -> None:
        self._whole: dict[object, _Answer] = {}
        self._asked: dict[object, object] = {}
        """Answers cut short that were questions themselves."""
        self._meanwhile: dict[object, object] = {}
        """Answers cut short on the way to the one being asked for."""
        self._open: set[object] = set()
        self._depth: int = 0
        self._deepest: int = 0
        self._cuts: int = 0

    def ask(self, key: object, answer: Callable[[], T], otherwise: T, *, steps: int = 1) -> T:
        """The answer to ``key``, made by ``answer`` where it is not known; ``otherwise`` where it
        is being asked for already, or is ``steps`` too far from the question."""
        known = self._whole.get(key)
        if known is not None and self._depth + known.height <= DEPTH:
            self._deepest = max(self._deepest, self._depth + known.height)
            return cast("T", known.value)
        cut_short = self._meanwhile if self._open else self._asked
        if key in cut_short:
            self._cuts += 1
            return cast("T", cut_short[key])
        if key in self._open or self._depth + steps > DEPTH:
            self._cuts += 1
            return otherwise
        return self._answered(key, answer, steps)

    def _answered(self, key: object, answer: Callable[[], T], steps: int) -> T:
        cuts, deepest, depth = self._cuts, self._deepest, self._depth
        self._open.add(key)
        self._depth = self._deepest = depth + steps
        try:
            value = answer()
            if self._cuts == cuts:
                self._whole[key] = _Answer(value, self._deepest - depth)
            else:
                (self._meanwhile if len(self._open) > 1 else self._asked)[key] = value
        finally:
            self._open.discard(key)
            self._depth, self._deepest = depth, max(deepest, self._deepest)
            if not self._open:
                self._meanwhile.clear()
        return value
