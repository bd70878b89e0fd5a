"""The results of our commands, other than reports."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from explorer_core.contracts import Model


class LinkStep(Model):
    """``sightline.nextLink``, ``.previousLink``: the link reached; ``index`` is 0-based."""

    report_id: str
    index: int
    count: int
    stale: bool
    location: dict[str, Any] | None
    shown: bool


class ReportSummary(Model):
    """One of ``sightline.reports``; ``links`` and ``stale`` are counts."""

    id: str
    query: str
    intent: str
    confidence: str
    action: str
    created_at: datetime
    links: int
    stale: int
    shown: bool


class ShownReport(Model):
    """``sightline.showReport``: ``uri`` is None if the client did not open the document."""

    uri: str | None
    shown: bool
    report: dict[str, Any]


class Dismissed(Model):
    """``sightline.dismissReport``: the ids of the reports that are no longer shown."""

    dismissed: tuple[str, ...]


class Exported(Model):
    """``sightline.export``: ``uri`` of the opened file, if one was asked for and opened."""

    report_id: str
    format: str
    content: str
    uri: str | None


class Cleared(Model):
    """``sightline.clearCache``."""

    removed_files: int
    removed_bytes: int


class Reindexed(Model):
    """``sightline.reindex``: counts of files."""

    indexed: int
    unchanged: int
    deleted: int
    set_aside: int
    complete: bool


class IndexState(Model):
    """The index, within `Status`."""

    location: str
    size_bytes: int
    files: int
    symbols: int
    references: int
    set_aside: int
    languages: dict[str, int]
    indexed: int
    total: int


class ProviderState(Model):
    """A provider that vouches for hops in addition to the graph; ``trouble`` is None until it was
    asked."""

    name: str
    witness: str
    trouble: tuple[str, ...] | None


class Status(Model):
    """``sightline.status``."""

    version: str
    folders: tuple[str, ...]
    position_encoding: str
    reports: int
    watched_by_client: bool
    providers: tuple[ProviderState, ...] = ()
    judge: str | None = None
    model: str | None = None
    index: IndexState | None = None
