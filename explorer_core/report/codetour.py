"""The flow as a CodeTour file (https://aka.ms/codetour-schema)."""

from __future__ import annotations

import json

from explorer_core.contracts import Report
from explorer_core.report.markdown import escape, prose
from explorer_core.report.printable import query_line


def render_codetour(report: Report) -> str:
    """One step per link, at the line of its quote. Paths are relative to the workspace.

    Descriptions are escaped: the tour extension reads them as trusted Markdown.
    """
    steps = [
        {
            "file": link.path,
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
