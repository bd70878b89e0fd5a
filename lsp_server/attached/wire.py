"""The private protocol: one connection for each call, one JSON object for each line.

The caller sends a `Call`; what comes back is any number of events and then a result or a problem.
Closing the connection cancels the call.
"""

from __future__ import annotations

from typing import Any, Literal

from explorer_core.contracts import Model

LINE_LIMIT_BYTES = 16 * 1024 * 1024


class Call(Model):
    """What is asked. ``params`` belong to the method."""

    token: str
    method: Literal["explore", "read", "survey"]
    params: dict[str, Any] = {}


class Told(Model):
    """One line of an answer; exactly one member is set."""

    event: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    problem: str | None = None


def line(message: Model) -> bytes:
    """A message as it goes over the wire."""
    return message.model_dump_json(by_alias=True, exclude_none=True).encode() + b"\n"
