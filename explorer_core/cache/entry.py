"""What is kept of a judgement, and how it stands in its file.

Kept is what the judge said, never what was reported: paths, ranges, quotes and hops are made anew
from the files whenever an entry is used.
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
    """A place an entry speaks of, and the lines of it that were read."""

    path: str
    range: LineRange | None
    seen: tuple[LineRange, ...] = ()


class Entry(Model):
    """One judgement.

    ``places`` are those the selection names and those found while judging, by the ids they had.
    The entry holds while every file of ``fingerprints`` has that digest and, if ``tree`` is set,
    no file of the workspace differs: its judge searched further, and a search can find anything.
    ``usage`` is what the judgement cost.
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
        """The name of the entry's file: one key has an entry for each state of the files."""
        state = "\n".join([self.tree or "", *map(" ".join, sorted(self.fingerprints.items()))])
        return f"{self.key}-{_digest(state.encode())[:16]}"


def written(entry: Entry) -> bytes:
    """An entry as its file holds it: a line with the digest of what follows, then JSON."""
    body = entry.model_dump_json(by_alias=True, exclude_defaults=True).encode()
    return f"{_digest(body)}\n".encode() + body


def read(data: bytes) -> Entry | None:
    """The entry in a file; None for whatever is not exactly what was written."""
    head, newline, body = data.partition(b"\n")
    if not newline or head != _digest(body).encode():
        return None
    try:
        return Entry.model_validate_json(body)
    except ValidationError:
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
