"""The messages between Sightline and one model.

Messages are only ever appended. Every request thus repeats the previous one byte for byte as its
prefix, as the provider's prompt cache requires.
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
"""Replaces tool arguments that are not an object, which no server would accept back."""


class Dialogue:
    """A system prompt, a fixed set of tools, and the messages so far with their cost."""

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
        """The model's name as configured; the server may report another."""
        return plain(self._client.model)

    def begin(self, title: str, facts: Sequence[tuple[str, str]]) -> None:
        """Start the transcript."""
        self._transcript.begin(title, [("model", self._client.model), *facts])
        self._transcript.instructions(self._request.system, self._request.tools)

    def tell(self, *blocks: Block) -> None:
        """Append blocks; consecutive messages of ours are merged into one."""
        self._transcript.record_message(blocks)
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
        self._transcript.record_reply(reply)
        if reply.end == "refusal":
            raise self.failure("The model refused to answer.", "refused")
        has_tools = bool(self._request.tools)
        reply = replace(reply, blocks=tuple(_returnable(reply, has_tools)))
        if reply.blocks:
            self._messages.append({"role": "assistant", "content": list(reply.blocks)})
        return reply

    @asynccontextmanager
    async def within(self, seconds: float, limit: float) -> AsyncGenerator[None]:
        """Limit the turns inside to ``seconds`` of a total ``limit``; failures become
        JudgeError."""
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            message = f"The model submitted no report within {limit:g} s."
            raise self.failure(message, "wall_time") from None
        except ModelError as error:
            raise self.failure(str(error), "model_error") from error
        except asyncio.CancelledError:
            self._transcript.note("Cancelled.")
            raise

    def usage(self) -> Usage:
        """Tokens and cost of all turns so far."""
        return Usage(
            input_tokens=self._tokens.uncached + self._tokens.written,
            cached_tokens=self._tokens.cached,
            output_tokens=self._tokens.output,
            cost_usd=self._cost,
        )

    def failure(self, message: str, reason: StopReason) -> JudgeError:
        """The error that ends the dialogue, including what was spent."""
        self._transcript.note(f"{message} ({reason})")
        return JudgeError(message, reason, model=self.model, usage=self.usage())


def text_block(text: str) -> Block:
    """A content block of text."""
    return {"type": "text", "text": text}


def question_block(request: ExploreRequest, *more: str) -> Block:
    """The question between two random marks, which it cannot contain, with further facts."""
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
    """The faults of a report, for the model that submitted it."""
    listed = "\n".join(f"- {plain(masked(gap))}" for gap in gaps)
    return f"Your report was checked. What has to be put right:\n{listed}"


def _can_be_sent(block: Block) -> bool:
    """Whether a block can be encoded as UTF-8; JSON can contain lone surrogates, which cannot."""
    try:
        json.dumps(block, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _returnable(reply: Reply, has_tools: bool) -> Iterator[Block]:
    """The blocks of a reply in a form that can be sent back; raises ModelError if there is none.

    Tool calls are left out if there are no tools: nothing could answer them. So is text of white
    space only, which a model may produce and the Messages API does not accept.
    """
    ids = [use.get("id") for use in reply.tool_uses]
    named = all(isinstance(use.get("name"), str) for use in reply.tool_uses)
    if not all(ids) or len(set(ids)) < len(ids) or not named:
        raise ModelError("The model made tool calls without a name or a unique id.")
    if not all(map(_can_be_sent, reply.blocks)):
        raise ModelError("The model's answer contains characters that cannot be sent back to it.")
    for block in reply.blocks:
        if block.get("type") == "tool_use":
            fits = isinstance(block.get("input"), dict)
            if has_tools:
                yield block if fits else {**block, "input": NO_OBJECT}
        elif block.get("type") != "text" or str(block.get("text") or "").strip():
            yield block
