"""The private protocol: one connection per call, one JSON object per line.

The caller sends a `Hello` and gets a `Proof` that it has reached the server which wrote the
endpoint file. Only then does it send its `Call`, which contains the token. The answer is any number
of events, followed by a result or a problem. An empty event is a heartbeat. Closing the connection
cancels the call.
"""

from __future__ import annotations

from typing import Any, Literal

from explorer_core.contracts import ExploreRequest, Model, Report

LINE_LIMIT_BYTES = 16 * 1024 * 1024
HEARTBEAT_S = 3.0
"""Seconds between heartbeats of a working server."""


class Hello(Model):
    """Asks the server to identify itself."""

    nonce: str


class Proof(Model):
    """Derived from the nonce and the token, so that only a process with the token can make it."""

    proof: str


class Call(Model):
    """The request. The shape of ``params`` depends on the method."""

    token: str
    method: Literal["explore", "read", "survey"]
    params: dict[str, Any] = {}


class ExploreCall(Model):
    """The params of ``explore``. ``earlier`` is the report that the question follows up; it may
    come from another process."""

    request: ExploreRequest
    earlier: Report | None = None


class Reply(Model):
    """One line of an answer; exactly one member is set."""

    event: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    problem: str | None = None


def encode_line(message: Model) -> bytes:
    """The bytes of a message, one line."""
    return message.model_dump_json(by_alias=True, exclude_none=True).encode() + b"\n"
