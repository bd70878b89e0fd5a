"""Renders the report: text for agents, Markdown for people, JSON for programs.

The form for terminals is not exported here, because it loads much; import it from `terminal`.
"""

from explorer_core.contracts import Report
from explorer_core.report.codetour import render_codetour
from explorer_core.report.markdown import LinkTarget, render_markdown
from explorer_core.report.mermaid import render_mermaid
from explorer_core.report.text import render_text


def render_json(report: Report) -> str:
    """The report as JSON in its public form (``docs/schema/report.json``), indented."""
    return report.to_json() + "\n"


__all__ = [
    "LinkTarget",
    "render_codetour",
    "render_json",
    "render_markdown",
    "render_mermaid",
    "render_text",
]
