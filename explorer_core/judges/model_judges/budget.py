"""The limits of a conversation, and which of them ends it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from explorer_core.contracts import ExploreRequest, Settings, StopReason
from explorer_core.judges.base import Yield

REPLY_TOKENS = 8_000
"""Maximum output tokens of one turn."""
REPORT_TOKENS = 3_000
"""Output tokens reserved for the report, so that exploring cannot use them up."""
_REPORT_TIME_SHARE = 0.25
"""Share of the time limit reserved for the report."""
_LOW_YIELD_STEPS = 2
_SMALLEST_RESULT = 400


@dataclass(slots=True)
class ConversationBudget:
    """The limits of one conversation, and how much of each is used."""

    steps: int
    observation_chars: int
    chars_per_result: int
    output_tokens: int
    seconds: float
    steps_used: int = 0
    chars_used: int = 0
    tokens_used: int = 0
    yields: list[Yield] = field(default_factory=list[Yield])
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, settings: Settings, request: ExploreRequest) -> ConversationBudget:
        """The limits of the request, or where it has none those of the settings."""
        own = request.budget
        return cls(
            steps=own.steps or settings.conversation_steps,
            observation_chars=own.observation_chars or settings.observation_chars,
            chars_per_result=settings.observation_chars_per_result,
            output_tokens=settings.conversation_output_tokens,
            seconds=own.wall_time_s or settings.conversation_time_s,
        )

    def spent(self) -> StopReason | None:
        """The limit that ends exploring, None if none is reached. What is reserved for the report
        does not count as available."""
        if self.steps_used >= self.steps:
            return "steps"
        if self.chars_left() < _SMALLEST_RESULT:
            return "observation_chars"
        if self.tokens_used >= self.output_tokens - REPORT_TOKENS:
            return "output_tokens"
        if self.seconds_left() < self.seconds * _REPORT_TIME_SHARE:
            return "wall_time"
        latest = self.yields[-_LOW_YIELD_STEPS:]
        if len(latest) == _LOW_YIELD_STEPS and all(each.is_low for each in latest):
            return "low_yield"
        return None

    def chars_left(self) -> int:
        return max(0, self.observation_chars - self.chars_used)

    def seconds_left(self) -> float:
        return max(0.0, self.started + self.seconds - time.monotonic())

    def reply_tokens(self) -> int:
        """Maximum output tokens of the next reply."""
        return max(REPORT_TOKENS, min(REPLY_TOKENS, self.output_tokens - self.tokens_used))

    def result_chars(self, calls: int) -> int:
        """Maximum characters of one result in a step of ``calls`` calls."""
        return min(self.chars_per_result, self.chars_left() // max(1, calls))

    def left(self) -> str:
        """What is left, in words for the model."""
        steps = max(0, self.steps - self.steps_used)
        return f"{steps} steps, {self.chars_left():,} characters, {self.seconds_left():.0f} s left"
