"""A cached judgement, and the format of its file.

An entry holds the judge's own output, never the report: paths, ranges, quotes and hops are derived
from the files afresh whenever an entry is used.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from pydantic import ValidationError

from explorer_core.contracts import (
    CandidateId,
    Dropped,
    ExploreRequest,
    JudgeName,
    LineRange,
    Model,
    Selection,
    StopReason,
    Usage,
)


class KeptPlace(Model):
    """A place in an entry, and the lines of it that were read."""

    path: str
    range: LineRange | None
    seen: tuple[LineRange, ...] = ()


class Entry(Model):
    """One judgement.

    ``places`` are those that the selection names and those found while judging, by their ids then.
    The entry is valid while every file in ``fingerprints`` has that digest and, if ``tree`` is set,
    no file of the workspace has changed: its judge searched further, and a search can find
    anything. ``usage`` is what the judgement cost.
    """

    key: str
    created_at: datetime
    engine: str
    roots: tuple[str, ...]
    request: ExploreRequest
    judge: JudgeName
    model: str | None
    stop_reason: StopReason
    selection: Selection
    dropped: tuple[Dropped, ...] = ()
    places: dict[CandidateId, KeptPlace] = {}
    fingerprints: dict[str, str] = {}
    tree: str | None = None
    usage: Usage = Usage()

    @property
    def name(self) -> str:
        """The entry's file name; one key can have an entry for each state of the files."""
        state = "\n".join([self.tree or "", *map(" ".join, sorted(self.fingerprints.items()))])
        return f"{self.key}-{_digest(state.encode())[:16]}"


def serialize(entry: Entry) -> bytes:
    """The content of an entry's file: a line with the digest of the rest, then JSON."""
    body = entry.model_dump_json(by_alias=True, exclude_defaults=True).encode()
    return f"{_digest(body)}\n".encode() + body


def deserialize(data: bytes) -> Entry | None:
    """The entry in a file's content; None unless it is exactly what was written."""
    head, newline, body = data.partition(b"\n")
    if not newline or head != _digest(body).encode():
        return None
    try:
        return Entry.model_validate_json(body)
    except ValidationError:
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
