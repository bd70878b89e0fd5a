"""The private protocol: one connection for each call, one JSON object for each line.

The caller sends a `Hello` and gets a `Proof` that it reached the server which left the endpoint
file; only then it sends its `Call`, which holds the token. What comes back is any number of events
and then a result or a problem. An empty event is a beat: it says that the server is still there.
Closing the connection cancels the call.
"""

from __future__ import annotations

from typing import Any, Literal

from explorer_core.contracts import ExploreRequest, Model, Report

LINE_LIMIT_BYTES = 16 * 1024 * 1024
BEAT_S = 3.0
"""Between two signs of life of a server that is at work."""


class Hello(Model):
    """Asks who is there."""

    nonce: str


class Proof(Model):
    """What only who knows the token can make of the nonce."""

    proof: str


class Call(Model):
    """What is asked. ``params`` belong to the method."""

    token: str
    method: Literal["explore", "read", "survey"]
    params: dict[str, Any] = {}


class ExploreCall(Model):
    """The params of ``explore``; ``earlier`` is the report that the question follows up, which may
    have been made by another process."""

    request: ExploreRequest
    earlier: Report | None = None


class Told(Model):
    """One line of an answer; exactly one member is set."""

    event: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    problem: str | None = None


def line(message: Model) -> bytes:
    """A message as it goes over the wire."""
    return message.model_dump_json(by_alias=True, exclude_none=True).encode() + b"\n"
