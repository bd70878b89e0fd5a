"""Restores a report that a client kept from an earlier session, and checks it against the files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from pydantic import ValidationError

from explorer_core.contracts import ExploreRequest, LineRange, Link, Report
from explorer_core.workspace.source import present_position, quote_occurs_at
from lsp_server.protocol import BadRequest

Lines = Sequence[str]

REPORT_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
"""Ids that are safe as file names."""
_LOCATIONS = ("location", "quoteLocation")
_UNREADABLE = "The stored report cannot be read; ask its question again."


def parse_stored_report(content: Mapping[str, Any]) -> tuple[Report, ExploreRequest]:
    """The report in a JSON form, with or without locations, and its question.

    Raises `BadRequest`.
    """
    try:
        report = Report.model_validate(_without_locations(dict(content)))
        request = ExploreRequest(query=report.query, intent=report.intent)
    except ValidationError:
        raise BadRequest(_UNREADABLE) from None
    if not REPORT_ID.fullmatch(report.id):
        raise BadRequest(_UNREADABLE)
    return report, request


def relocate_quotes(report: Report, texts: Mapping[str, Lines | None]) -> Report:
    """The report with every moved quote at its current place.

    A quote counts as moved only if it occurs exactly once elsewhere in its file. Call sites of hops
    in a file with moved quotes are dropped, since they are no longer known.
    """
    links = [_relocated(link, texts.get(link.path) or ()) for link in report.links]
    moved = {
        after.path
        for before, after in zip(report.links, links, strict=True)
        if before.quote_range != after.quote_range
    }
    return report.model_copy(update={"links": tuple(_without_site(k, moved) for k in links)})


def _relocated(link: Link, lines: Lines) -> Link:
    start = link.quote_range.start
    is_at = partial(quote_occurs_at, link.quote, lines=lines)
    new_start = present_position(is_at, start, range(1, len(lines) + 1))
    if new_start is None or new_start == start:
        return link
    by = new_start - start
    height = link.quote.count("\n") + 1
    quote = LineRange(start=new_start, end=new_start + height - 1)
    around = LineRange(
        start=max(1, link.range.start + by),
        end=max(quote.end, min(len(lines), link.range.end + by)),
    )
    return link.model_copy(update={"range": around, "quote_range": quote})


def _without_site(link: Link, moved: set[str]) -> Link:
    hop = link.hop
    if hop is None or hop.site is None or hop.site.path not in moved:
        return link
    return link.model_copy(update={"hop": hop.model_copy(update={"site": None})})


def _without_locations(value: Any) -> Any:
    """JSON without the members that `lsp_server.executing.asking.with_locations` adds."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {k: _without_locations(v) for k, v in members.items() if k not in _LOCATIONS}
    if isinstance(value, list):
        return [_without_locations(each) for each in cast("list[Any]", value)]
    return value
