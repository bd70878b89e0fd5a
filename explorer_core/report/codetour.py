"""The flow as a CodeTour file (https://aka.ms/codetour-schema)."""

from __future__ import annotations

import json
from collections.abc import Callable

from explorer_core.contracts import Report
from explorer_core.report.markdown import escape, prose
from explorer_core.report.printable import query_line


def _no_uri(path: str) -> str | None:
    return None


def render_codetour(report: Report, uri: Callable[[str], str | None] = _no_uri) -> str:
    """One step per link, at the line of its quote.

    Paths are relative to the workspace, except where ``uri`` returns a full address: a tour belongs
    to one folder, so with several folders relative paths would not be found.

    Descriptions are escaped: the tour extension treats them as trusted Markdown.
    """
    steps = [
        {
            **({"uri": address} if (address := uri(link.path)) else {"file": link.path}),
            "line": link.quote_range.start,
            "title": f"{number}. {escape(link.role)}" if link.role else f"{number}.",
            "description": prose(link.fact),
        }
        for number, link in enumerate(report.links, start=1)
    ]
    tour = {
        "$schema": "https://aka.ms/codetour-schema",
        "title": query_line(report.query),
        "description": f"Confidence: {report.confidence}",
        "steps": steps,
    }
    return json.dumps(tour, indent=2, ensure_ascii=False) + "\n"
