"""Checks that hold for every request, whatever the model says."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from anthropic.types import message_create_params
from pydantic import TypeAdapter

from tests.model_server.script import Act, Turn


@cache
def _request_type() -> TypeAdapter[Any]:
    return TypeAdapter(message_create_params.MessageCreateParamsStreaming)


def check_requests(requests: list[dict[str, Any]]) -> None:
    """Check the requests of one run: valid, with every call answered, each extending the last."""
    for request in requests:
        check_valid(request)
        check_pairs(request)
        assert len(breakpoints(request)) <= 4
    for earlier, later in itertools.pairwise(requests):
        check_prefix(earlier, later)


def check_valid(request: dict[str, Any]) -> None:
    """Check that the request fits the SDK's own types."""
    _request_type().validate_python(request)
    roles = [message["role"] for message in request["messages"]]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    for message in request["messages"]:
        assert message["content"]
        assert all(map(_has_no_blank_text, message["content"]))


def _has_no_blank_text(block: dict[str, Any]) -> bool:
    """Whether no text of a block is blank, which the real server rejects."""
    inner = block.get("content") if block.get("type") == "tool_result" else []
    return bool(block.get("text", "-").strip()) and all(map(_has_no_blank_text, inner or []))


def check_pairs(request: dict[str, Any]) -> None:
    """Check that the next message starts with the results of all calls and has no others."""
    messages = request["messages"]
    for message, following in itertools.pairwise(messages):
        call_ids = [b["id"] for b in message["content"] if b["type"] == "tool_use"]
        kinds = [b["type"] for b in following["content"]]
        answered_ids = [
            b["tool_use_id"] for b in following["content"] if b["type"] == "tool_result"
        ]
        assert answered_ids == call_ids
        assert kinds == ["tool_result"] * len(call_ids) + [k for k in kinds if k != "tool_result"]


def check_thoughts(requests: list[dict[str, Any]], acts: list[Act]) -> None:
    """Check that a model's thinking blocks are repeated unchanged in the next request."""
    for before, act, after in zip(requests, acts, requests[1:], strict=False):
        has_grown = len(after["messages"]) > len(before["messages"])
        if isinstance(act, Turn) and has_grown:
            repeated_turn = after["messages"][len(before["messages"])]
            assert thoughts(repeated_turn["content"]) == thoughts(act.blocks)


def thoughts(blocks: Iterable[dict[str, Any]]) -> list[bytes]:
    return [
        json.dumps(
            {k: v for k, v in block.items() if k != "cache_control"}, sort_keys=True
        ).encode()
        for block in blocks
        if block["type"] in ("thinking", "redacted_thinking")
    ]


def check_prefix(earlier: dict[str, Any], later: dict[str, Any]) -> None:
    """Check that the cacheable part of a request is a byte-exact prefix of the next one's."""
    first, second = cacheable(earlier), cacheable(later)
    assert second[: len(first)] == first


def check_bytes(bodies: list[bytes]) -> None:
    """Like `check_prefix`, on the bytes sent, in which only the breakpoints move."""
    for earlier, later in itertools.pairwise(bodies):
        assert _part(later, b"tools") == _part(earlier, b"tools")
        assert _part(later, b"system") == _part(earlier, b"system")
        assert _part(later, b"messages").startswith(_part(earlier, b"messages").rstrip(b"]}"))


def _part(body: bytes, key: bytes) -> bytes:
    """The bytes of one top-level value of a body, without its breakpoints."""
    at = body.find(b'"%s":' % key)
    if at < 0:
        return b""
    text = body[at:].partition(b":")[2].decode()
    _, end = json.JSONDecoder().raw_decode(text.lstrip())
    return text.lstrip()[:end].encode().replace(b',"cache_control":{"type":"ephemeral"}', b"")


def cacheable(request: dict[str, Any]) -> list[bytes]:
    """The tools, system prompt and message blocks, in the order in which they are cached."""
    blocks: list[Any] = [["tools", request.get("tools")], ["model", request["model"]]]
    blocks += [["system", block] for block in request["system"]]
    blocks += [
        [message["role"], block] for message in request["messages"] for block in message["content"]
    ]
    return [json.dumps(_without_breakpoint(block)).encode() for block in blocks]


def breakpoints(request: dict[str, Any]) -> list[int]:
    """The indices of the blocks after the tools that carry a breakpoint."""
    blocks = [*request["system"], *(b for m in request["messages"] for b in m["content"])]
    return [index for index, block in enumerate(blocks) if "cache_control" in block]


def _without_breakpoint(value: Any) -> Any:
    kind, content = value
    if isinstance(content, dict):
        content = {key: each for key, each in content.items() if key != "cache_control"}
    return [kind, content]
