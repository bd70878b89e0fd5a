"""One turn of a model: the request, the reply, and the ways it can fail.

Messages and blocks are plain JSON in the shape of the Messages API. A model's own blocks are sent
back to it unchanged, whatever kinds it used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Block = dict[str, Any]
Message = dict[str, Any]

ReplyEnd = Literal["ended", "tool_use", "max_tokens", "refusal", "malformed"]
"""Why a turn ended; ``malformed``: the arguments of its last tool call are not JSON."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """The request for one turn.

    ``forced_tool`` and ``schema`` (the JSON Schema of an answer without tools) are optional: a
    client whose model rejects them relies on what the prompt says.
    """

    system: str
    tools: Sequence[Block]
    messages: Sequence[Message]
    max_tokens: int
    forced_tool: str | None = None
    schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token counts of one or more turns: input, written to cache, read from cache, output."""

    uncached: int = 0
    written: int = 0
    cached: int = 0
    output: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.uncached + other.uncached,
            self.written + other.written,
            self.cached + other.cached,
            self.output + other.output,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply. ``cost_usd`` is None if the price is unknown."""

    blocks: tuple[Block, ...]
    end: ReplyEnd
    model: str
    tokens: Tokens = field(default_factory=Tokens)
    cost_usd: float | None = None

    @property
    def tool_uses(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.get("type") == "tool_use")

    @property
    def text(self) -> str:
        parts = (block.get("text", "") for block in self.blocks if block.get("type") == "text")
        return "\n".join(part for part in parts if part)


class ModelError(Exception):
    """There was no reply; the message is one sentence that says what to do."""


class ModelClient(Protocol):
    """Asks one model, one turn at a time."""

    model: str

    async def turn(self, request: TurnRequest) -> Reply:
        """Run one turn. Raises ModelError; cancelling ends the request at once."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class _NoModel:
    """A client that always fails, because no model was chosen."""

    model = ""

    async def turn(self, request: TurnRequest) -> Reply:
        raise ModelError("No model was chosen; set one with the setting model.")

    async def close(self) -> None:
        pass


NO_MODEL: ModelClient = _NoModel()
"""The client for judges that use no model."""
