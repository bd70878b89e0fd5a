"""One turn of a model: what is asked, what comes back, and how it fails.

Messages and blocks have the shape of the Messages API, as plain JSON: what a model said goes back
to it unchanged, whatever kinds of block it contains.
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
    """What a model is asked.

    ``forced_tool`` and ``schema``, the JSON Schema of an answer without tools, are wishes: a client
    whose model refuses them leaves it to what the prompt says.
    """

    system: str
    tools: Sequence[Block]
    messages: Sequence[Message]
    max_tokens: int
    forced_tool: str | None = None
    schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one turn or several: read in full, written to the cache, read from it, produced."""

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
    """What a model said. ``cost_usd`` is None where the price is not known."""

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
    """No reply was to be had; the message is one sentence that says what to do."""


class ModelClient(Protocol):
    """Asks one model for one turn after the other."""

    model: str

    async def turn(self, request: TurnRequest) -> Reply:
        """One turn. Raises ModelError; cancelling ends the request at once."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class _NoModel:
    """Stands where no model was chosen."""

    model = ""

    async def turn(self, request: TurnRequest) -> Reply:
        raise ModelError("No model was chosen; set one with the setting model.")

    async def close(self) -> None:
        pass


NO_MODEL: ModelClient = _NoModel()
"""The client of a judge that asks no model."""
