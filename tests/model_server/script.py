"""The building blocks of scripts.

A script is a list of acts, one for each request that reaches the server. An act is a `Turn`, a
`Fault`, or a function that gets the `Prompt` sent so far and returns one of them:

    [
        turn(thinks("The store, then."), calls("grep", pattern="switch_channel")),
        lambda prompt: turn(submits(prompt.steps("store.py", "app.py"))),
    ]
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Block = dict[str, Any]

_call_ids = itertools.count(1)


@dataclass(frozen=True, slots=True)
class RawJson:
    """The arguments of a call as sent, valid JSON or not."""

    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the model. The stream breaks off after ``breaks_after`` events, and waits
    ``pause`` seconds between events."""

    blocks: tuple[Block, ...]
    stop_reason: str | None = None
    breaks_after: int | None = None
    pause: float = 0.0
    output_tokens: int = 20

    @property
    def end(self) -> str:
        if self.stop_reason:
            return self.stop_reason
        return "tool_use" if any(b["type"] == "tool_use" for b in self.blocks) else "end_turn"


@dataclass(frozen=True, slots=True)
class Fault:
    """An error response. ``in_stream`` sends it as an event after a valid beginning."""

    status: int
    kind: str = "api_error"
    message: str = "something is wrong"
    retry_after: str | None = None
    in_stream: bool = False


Act = Turn | Fault
Scripted = Act | Callable[["Prompt"], Act]


def turn(*blocks: Block, **options: Any) -> Turn:
    return Turn(blocks, **options)


def says(text: str) -> Block:
    return {"type": "text", "text": text}


def thinks(text: str, signature: str = "c2lnbmVk") -> Block:
    return {"type": "thinking", "thinking": text, "signature": signature}


def thinks_unseen(data: str = "b3BhcXVl") -> Block:
    return {"type": "redacted_thinking", "data": data}


def calls(tool: str, /, **arguments: Any) -> Block:
    return {
        "type": "tool_use",
        "id": f"toolu_{next(_call_ids):06}",
        "name": tool,
        "input": arguments,
    }


def calls_with(tool: str, arguments: Any) -> Block:
    """A call with arguments of any kind, including `RawJson`."""
    return calls(tool) | {"input": arguments}


def submits(flow: Sequence[Block] = (), /, **fields: Any) -> Block:
    """A call that submits a report with these steps; any field can be overridden."""
    report = {
        "primaryCandidateIds": list(dict.fromkeys(step["candidateId"] for step in flow))[:5],
        "flow": list(flow),
        "readTargets": [],
        "missingCoverage": [],
        "recommendedPrimaryAction": "answer_from_report",
        "searchTargets": [],
        "confidence": "high",
    }
    return calls("submit_report", **(report | fields))


def refuses() -> Turn:
    return Turn((says("I can't help with that."),), stop_reason="refusal")


def slowly(act: Turn, pause: float) -> Turn:
    return replace(act, pause=pause)


def breaking(act: Turn, after: int) -> Turn:
    return replace(act, breaks_after=after)


_PLACE_HEADER = re.compile(
    r"^\[(?P<id>c\d+)\] (?P<path>.+?)(?::(?P<start>\d+)-(?P<end>\d+))?(?: (?P<rest>.*))?$"
)
_NUMBERED_LINE = re.compile(r"^ *(?P<number>\d+)\| (?P<text>.*)$")


@dataclass(slots=True)
class Place:
    """A place as the model sees it: the header of its block and the lines below."""

    id: str
    path: str
    name: str
    range: tuple[int, int] | None
    lines: dict[int, str]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The contents of a request."""

    request: dict[str, Any]

    @property
    def text(self) -> str:
        """The text of all messages to the model."""
        return "\n".join(self._texts())

    def places(self) -> list[Place]:
        """Every block with an id, in order. A place shown twice is listed twice."""
        found: list[Place] = []
        for text in self._texts():
            in_place = False
            for line in text.split("\n"):
                if head := _PLACE_HEADER.match(line):
                    in_place = True
                    place_range = head["start"] and (int(head["start"]), int(head["end"]))
                    found.append(
                        Place(head["id"], head["path"], head["rest"] or "", place_range, {})
                    )
                elif in_place and (line_match := _NUMBERED_LINE.match(line)):
                    found[-1].lines[int(line_match["number"])] = line_match["text"]
                elif not line.startswith("     ("):
                    in_place = False
        return found

    def place(self, path: str, name: str = "", line: str = "") -> Place:
        """The first place in this file with this prefix of its name and a line with this text."""
        return next(
            place
            for place in self.places()
            if place.path == path
            and place.name.startswith(name)
            and (not line or any(line in text for text in place.lines.values()))
        )

    def step(self, path: str, name: str = "", quote: str | None = None, **fields: Any) -> Block:
        """A step of a flow at a place. By default it quotes the place's longest line."""
        place = self.place(path, name, quote or "")
        line = max(place.lines.values(), key=len) if quote is None else quote
        defaults = {"role": "step", "fact": "It does its part.", "quote": line}
        return {"candidateId": place.id} | defaults | fields

    def _texts(self) -> list[str]:
        texts: list[str] = []
        for message in self.request["messages"]:
            for block in message["content"]:
                if block["type"] == "text" and message["role"] == "user":
                    texts.append(block["text"])
                elif block["type"] == "tool_result":
                    texts += [part["text"] for part in block["content"]]
        return texts


def events_of(act: Turn, model: str, prompt_tokens: tuple[int, int, int]) -> list[dict[str, Any]]:
    """The server-sent events of a turn. ``prompt_tokens``: uncached, written to cache, cached."""
    uncached, written, cached = prompt_tokens
    usage = {
        "input_tokens": uncached,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": cached,
        "output_tokens": 1,
    }
    message = {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(act.blocks):
        start, deltas = _streamed(block)
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
        events.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": act.end, "stop_sequence": None}
    output_usage = {"output_tokens": act.output_tokens}
    events.append({"type": "message_delta", "delta": delta, "usage": output_usage})
    events.append({"type": "message_stop"})
    return events


def _streamed(block: Block) -> tuple[Block, list[Block]]:
    match block["type"]:
        case "text":
            pieces = _halves(block["text"])
            return block | {"text": ""}, [{"type": "text_delta", "text": p} for p in pieces]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": p} for p in _halves(block["thinking"])]
            signature_delta = {"type": "signature_delta", "signature": block["signature"]}
            return block | {"thinking": "", "signature": ""}, [*deltas, signature_delta]
        case "tool_use":
            arguments = block["input"]
            raw = arguments.text if isinstance(arguments, RawJson) else json.dumps(arguments)
            deltas = [{"type": "input_json_delta", "partial_json": p} for p in _halves(raw)]
            return block | {"input": {}}, deltas
        case _:
            return block, []


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
