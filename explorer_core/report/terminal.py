"""The report for a terminal, as a rich renderable. The console decides about colours."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Group
from rich.style import Style
from rich.text import Text

from explorer_core.contracts import Hop, LineRange, Link, Report
from explorer_core.report.markdown import span
from explorer_core.report.printable import printable, query_line, quote_lines
from explorer_core.report.spent import spent
from explorer_core.report.words import other_primary, witness

Hyperlink = Callable[[str, int], str | None]
"""Returns the URI that opens a path at a line, or None for no hyperlink."""

_CONFIDENCE_STYLES = {"high": "bold green", "medium": "bold yellow", "low": "bold red"}


def _no_hyperlink(path: str, line: int) -> str | None:
    return None


def terminal_report(report: Report, hyperlink: Hyperlink = _no_hyperlink) -> Group:
    """The report, for printing on a rich console.

    Repository text is shown without control characters and never parsed as console markup. Terminal
    hyperlinks appear only where ``hyperlink`` returns a URI.
    """
    lines = [Text(query_line(report.query), style="bold"), _outcome(report), Text()]
    if report.action == "skip_explore_result":
        lines.append(Text("nothing relevant found"))
    else:
        for number, link in enumerate(report.links, start=1):
            lines += _link(number, link, hyperlink)
        lines += _lists(report, hyperlink)
    lines += [Text(f"note: {printable(note)}", style="yellow") for note in report.notes]
    if cost := spent(report):
        lines.append(Text(f"model: {cost}", style="dim"))
    return Group(*lines)


def _outcome(report: Report) -> Text:
    line = Text(f"{report.intent}, confidence ", style="dim")
    line.append(report.confidence, style=_CONFIDENCE_STYLES[report.confidence])
    line.append(f", {report.action}, judge {report.judge}")
    coverage = report.coverage
    if coverage.indexed < coverage.total:
        line.append(f", {coverage.indexed} of {coverage.total} files indexed")
    return line


def _place(path: str, lines: LineRange | None, hyperlink: Hyperlink) -> Text:
    name = printable(path if lines is None else f"{path}:{span(lines)}")
    uri = hyperlink(path, lines.start if lines else 1)
    clean = uri if uri and uri.isprintable() else None
    return Text(name, style=Style(color="cyan", bold=True, link=clean))


def _link(number: int, link: Link, hyperlink: Hyperlink) -> list[Text]:
    head = Text(f"{number:>2}. ").append_text(_place(link.path, link.range, hyperlink))
    if link.role:
        head.append(f"  {printable(link.role)}", style="magenta")
    if link.stale:
        head.append("  stale", style="red")
    lines = [head]
    if link.fact:
        lines.append(Text(f"    {printable(link.fact)}"))
    lines += [Text(f"    │ {quoted}", style="green") for quoted in quote_lines(link.quote)]
    if link.hop:
        lines.append(_hop(number, link, link.hop))
    return lines


def _hop(number: int, link: Link, hop: Hop) -> Text:
    line = f"    {'↓' if link.leads_on else '↑'} {hop.relation} {number + 1}"
    if hop.via:
        line += f" via {', '.join(map(printable, hop.via))}"
    if hop.site:
        line += f", line {hop.site.line}" if hop.site.path == link.path else ""
    return Text(f"{line} ({witness(hop)})", style="dim")


def _lists(report: Report, hyperlink: Hyperlink) -> list[Text]:
    lines = [
        Text("see ").append_text(_place(place.path, place.range, hyperlink))
        for place in other_primary(report)
    ]
    for target in report.read_targets:
        line = Text("read ").append_text(_place(target.path, target.range, hyperlink))
        lines.append(line.append(f"  {printable(target.purpose)}"))
    lines += [Text(f"missing: {printable(text)}", style="yellow") for text in report.missing]
    for search in report.search_targets:
        terms = ", ".join(map(printable, search.terms))
        lines.append(Text(f"search {terms} in {printable(search.scope)}"))
    if report.suggested_keywords:
        words = ", ".join(report.suggested_keywords)
        lines.append(Text(f"ask again with a fitting --keyword: {words}", style="yellow"))
    return lines
