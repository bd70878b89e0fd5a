"""The flow as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html)."""

from __future__ import annotations

from itertools import pairwise

from explorer_core.contracts import Link, Report
from explorer_core.report.markdown import span
from explorer_core.report.printable import printable
from explorer_core.report.words import witness


def render_mermaid(report: Report) -> str:
    """One node per link in flow order; arrows run in the direction of the relation.

    A dotted line without an arrowhead joins neighbours for which no relation was found.
    """
    lines = ["flowchart TD"]
    for number, link in enumerate(report.links, start=1):
        lines.append(f'  n{number}["{_label(number, link)}"]')
    for number, (link, _) in enumerate(pairwise(report.links), start=1):
        lines.append(f"  {_arrow(number, link)}")
    return "\n".join(lines) + "\n"


def _label(number: int, link: Link) -> str:
    head = f"{number}. {link.path}:{span(link.range)}"
    return "<br/>".join(_entities(each) for each in (head, link.fact) if each)


def _arrow(number: int, link: Link) -> str:
    if link.hop is None:
        return f"n{number} -.- n{number + 1}"
    ends = (number, number + 1) if link.leads_on else (number + 1, number)
    label = _entities(f"{link.hop.relation} ({witness(link.hop)})")
    return f'n{ends[0]} -->|"{label}"| n{ends[1]}'


def _entities(text: str) -> str:
    """Text with everything but letters, digits, spaces and ``./_-`` as Mermaid entity codes."""
    return "".join(
        each if each.isalnum() or each in " ./_-" else f"#{ord(each)};" for each in printable(text)
    )
