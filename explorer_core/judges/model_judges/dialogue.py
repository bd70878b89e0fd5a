"""The messages between Sightline and one model.

Messages are only ever added, so that every request repeats the last one byte for byte and goes on
from there; that is what the provider's cache needs.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from explorer_core.contracts import ExploreRequest, StopReason, Usage
from explorer_core.credentials import masked, masked_text
from explorer_core.judges.base import JudgeError
from explorer_core.judges.models.model import (
    Block,
    Message,
    ModelClient,
    ModelError,
    Reply,
    Tokens,
    TurnRequest,
)
from explorer_core.judges.models.transcript import Transcript
from explorer_core.judges.shown.shown import plain

NO_OBJECT: dict[str, Any] = {}
"""Stands in for arguments that are no object, which no server would take back."""


class Dialogue:
    """A system prompt, tools that stay the same, and the messages so far, with what they cost."""

    def __init__(
        self,
        client: ModelClient,
        transcript: Transcript,
        system: str,
        tools: Sequence[Block] = (),
        schema: dict[str, Any] | None = None,
    ) -> None:
        self._client = client
        self._transcript = transcript
        self._request = TurnRequest(system, tuple(tools), (), 0, schema=schema)
        self._messages: list[Message] = []
        self._tokens = Tokens()
        self._cost: float | None = 0.0
        self.model: str | None = None

    @property
    def model_asked(self) -> str:
        """The model's name as it was chosen; the server may call it something else."""
        return plain(self._client.model)

    def begin(self, title: str, facts: Sequence[tuple[str, str]]) -> None:
        """Head the transcript."""
        self._transcript.begin(title, [("model", self._client.model), *facts])
        self._transcript.instructions(self._request.system, self._request.tools)

    def tell(self, *blocks: Block) -> None:
        """Add to the conversation; two messages of ours in a row are one."""
        self._transcript.said_to_model(blocks)
        if self._messages and self._messages[-1]["role"] == "user":
            content = [*self._messages[-1]["content"], *blocks]
            self._messages[-1] = {"role": "user", "content": content}
        else:
            self._messages.append({"role": "user", "content": list(blocks)})

    async def ask(self, max_tokens: int, *, forced_tool: str | None = None) -> Reply:
        """The model's next message; raises JudgeError if it refuses, ModelError if none comes."""
        reply = await self._client.turn(
            replace(
                self._request,
                messages=tuple(self._messages),
                max_tokens=max_tokens,
                forced_tool=forced_tool,
            )
        )
        self._tokens += reply.tokens
        known = self._cost is not None and reply.cost_usd is not None
        self._cost = (self._cost or 0.0) + (reply.cost_usd or 0.0) if known else None
        self.model = reply.model
        self._transcript.model_said(reply)
        if reply.end == "refusal":
            raise self.failure("The model refused to look at this.", "refused")
        has_tools = bool(self._request.tools)
        reply = replace(reply, blocks=tuple(_returnable(reply, has_tools)))
        if reply.blocks:
            self._messages.append({"role": "assistant", "content": list(reply.blocks)})
        return reply

    @asynccontextmanager
    async def within(self, seconds: float, limit: float) -> AsyncGenerator[None]:
        """Take turns for at most ``seconds`` of a ``limit``; whatever ends them is a JudgeError."""
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            said = f"The model handed in no report within {limit:g} s."
            raise self.failure(said, "wall_time") from None
        except ModelError as error:
            raise self.failure(str(error), "model_error") from error
        except asyncio.CancelledError:
            self._transcript.note("Cancelled.")
            raise

    def usage(self) -> Usage:
        """Tokens and cost of the turns so far."""
        return Usage(
            input_tokens=self._tokens.uncached + self._tokens.written,
            cached_tokens=self._tokens.cached,
            output_tokens=self._tokens.output,
            cost_usd=self._cost,
        )

    def failure(self, message: str, reason: StopReason) -> JudgeError:
        """The error that ends the dialogue, with what was spent."""
        self._transcript.note(f"{message} ({reason})")
        return JudgeError(message, reason, model=self.model, usage=self.usage())


def text_block(text: str) -> Block:
    """A block of text."""
    return {"type": "text", "text": text}


def question_block(request: ExploreRequest, *more: str) -> Block:
    """The question between two marks that it cannot contain, with what else is known of it."""
    mark = secrets.token_hex(4)
    lines = [
        f"Question, between the two marks {mark}:",
        mark,
        masked_text(request.query),
        mark,
        f"Intent: {request.intent}",
        *([f"Only files that match: {', '.join(request.scope)}"] if request.scope else []),
        *more,
    ]
    return text_block("\n".join(lines))


def gaps_text(gaps: Sequence[str]) -> str:
    """What is wrong with a report, for the model that handed it in."""
    listed = "\n".join(f"- {plain(masked(gap))}" for gap in gaps)
    return f"Your report was checked. What has to be put right:\n{listed}"


def _can_be_sent(block: Block) -> bool:
    """Whether a block has a form in UTF-8; JSON can carry halves of characters, which have none."""
    try:
        json.dumps(block, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _returnable(reply: Reply, has_tools: bool) -> Iterator[Block]:
    """The blocks of a reply as they can be sent back; raises ModelError if they cannot be.

    Calls of tools that there are not are left out: nothing could answer them. So is text of white
    space alone, which a model may say and the Messages API does not take.
    """
    ids = [use.get("id") for use in reply.tool_uses]
    named = all(isinstance(use.get("name"), str) for use in reply.tool_uses)
    if not all(ids) or len(set(ids)) < len(ids) or not named:
        raise ModelError("The model made tool calls without a name or an id of their own.")
    if not all(map(_can_be_sent, reply.blocks)):
        raise ModelError("The model's answer holds characters that cannot be sent back to it.")
    for block in reply.blocks:
        if block.get("type") == "tool_use":
            fits = isinstance(block.get("input"), dict)
            if has_tools:
                yield block if fits else {**block, "input": NO_OBJECT}
        elif block.get("type") != "text" or str(block.get("text") or "").strip():
            yield block
