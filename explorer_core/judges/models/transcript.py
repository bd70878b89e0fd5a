"""A conversation between Sightline and a model, as readable Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from explorer_core.judges.models.model import Block, Reply

_FENCE = re.compile(r"`{3,}")


class Transcript:
    """Records a conversation as it proceeds, so that one that fails can be read too."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def begin(self, title: str, facts: Iterable[tuple[str, str]]) -> None:
        """Start a conversation; ``facts`` are listed under its title."""
        self._parts.append("\n".join([f"# {title}", "", *(f"- {k}: {v}" for k, v in facts)]))

    def instructions(self, system: str, tools: Iterable[Block]) -> None:
        """Record the system prompt and the names of the tools."""
        named = ", ".join(f"`{tool['name']}`" for tool in tools)
        self._parts.append(f"## Instructions\n\n{_fenced(system)}\n\nTools: {named or 'none'}")

    def record_message(self, blocks: Iterable[Block]) -> None:
        """Record a message to the model, or blocks added to the last one."""
        self._parts.append("\n\n".join(["## Sightline", *map(_rendered, blocks)]))

    def record_reply(self, reply: Reply) -> None:
        """Record a turn of the model, with its token counts."""
        tokens = reply.tokens
        spent = (
            f"_{reply.model}: {tokens.uncached + tokens.written:,} tokens in"
            f" (and {tokens.cached:,} from the cache), {tokens.output:,} out; {reply.end}_"
        )
        self._parts.append("\n\n".join(["## Model", *map(_rendered, reply.blocks), spent]))

    def note(self, sentence: str) -> None:
        """Record an event that neither side sent."""
        self._parts.append(f"> {sentence}")

    def markdown(self) -> str:
        """The conversation so far; characters that UTF-8 cannot encode are replaced."""
        text = "\n\n".join(self._parts) + "\n" if self._parts else ""
        return text.encode("utf-8", "replace").decode()


def _rendered(block: Block) -> str:
    kind = block.get("type")
    if kind == "tool_use":
        arguments = json.dumps(block.get("input"), indent=2, ensure_ascii=False)
        return f"**`{block.get('name')}`**\n\n{_fenced(arguments, 'json')}"
    if kind == "tool_result":
        title = "Error" if block.get("is_error") else "Result"
        return f"_{title}:_\n\n{_fenced(_text_of(block.get('content')))}"
    if kind == "text":
        return _fenced(str(block.get("text", "")))
    if kind == "thinking":
        return f"_Thinking:_\n\n{_fenced(str(block.get('thinking', '')))}"
    return f"_A block of type {kind}._"


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or ())


def _fenced(text: str, language: str = "text") -> str:
    """A code block with a fence longer than any run of back-ticks in ``text``."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
