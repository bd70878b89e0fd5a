"""The report for people, as Markdown in which repository text can never act as markup."""

from __future__ import annotations

import re
from collections.abc import Callable

from explorer_core.contracts import Hop, LineRange, Link, Report
from explorer_core.report.printable import printable, query_line, quote_lines
from explorer_core.report.spent import spent
from explorer_core.report.words import ACTIONS, WITNESSES, other_primary

LinkTarget = Callable[[str, LineRange | None], str | None]
"""Returns the URI for a path and its lines, or None for no link."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#|~!&$^@:+=-])")
_NUMBERED = re.compile(r"(?m)^(\s*\d+)\.")
_CODE = re.compile(r"`([^`]+)`")
_LANGUAGE = re.compile(r"[A-Za-z0-9+]{1,12}")


def _no_link(path: str, lines: LineRange | None) -> str | None:
    return None


def render_markdown(report: Report, link: LinkTarget = _no_link) -> str:
    """The whole report. Places are links only where ``link`` returns a URI."""
    parts = [f"## {escape(query_line(report.query))}", _outcome(report)]
    if report.action != "skip_explore_result":
        parts += _flow(report, link) + _lists(report, link)
    parts += [f"> {prose(note)}" for note in report.notes]
    if cost := spent(report):
        parts.append(f"Model: {escape(cost)}")
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text escaped so that Markdown shows it as is: no link, HTML, emphasis or list results."""
    plain = _NUMBERED.sub(r"\1\\.", _SPECIAL.sub(r"\\\1", printable(text)))
    return re.sub(r"(?i)\bwww\.", lambda found: found[0][:-1] + "\\.", plain)


def code(text: str) -> str:
    """A code span with a fence longer than any run of back-ticks in the text."""
    inner = printable(text)
    fence = "`" * (_longest_run(inner) + 1)
    pad = " " if inner.startswith(("`", " ")) or inner.endswith(("`", " ")) else ""
    return f"{fence}{pad}{inner}{pad}{fence}"


def prose(text: str) -> str:
    """Escaped text that keeps its code spans."""
    parts = _CODE.split(text)
    return "".join(code(part) if index % 2 else escape(part) for index, part in enumerate(parts))


def _outcome(report: Report) -> str:
    facts = [
        ACTIONS[report.action],
        f"Intent: {report.intent}",
        f"Confidence: **{report.confidence}**",
        f"Judge: {report.judge}" + (f" {code(report.model)}" if report.model else ""),
    ]
    coverage = report.coverage
    if coverage.indexed < coverage.total:
        facts.append(f"{coverage.indexed} of {coverage.total} files indexed")
    return " | ".join(facts)


def _flow(report: Report, link: LinkTarget) -> list[str]:
    return [_link(number, each, link) for number, each in enumerate(report.links, start=1)]


def _link(number: int, step: Link, link: LinkTarget) -> str:
    indent = " " * (len(str(number)) + 2)
    role = f" **{escape(step.role)}**" if step.role else ""
    stale = " (stale)" if step.stale else ""
    lines = [f"{number}. {place(step.path, step.range, link)}{role}{stale}"]
    if step.fact:
        lines[0] += f"  \n{indent}{prose(step.fact)}"
    lines += ["", *(indent + each for each in fenced(step.quote, step.path))]
    if step.hop:
        lines += ["", indent + _hop(number, step, step.hop, link)]
    return "\n".join(lines)


def fenced(quote: str, path: str) -> list[str]:
    """The lines of a code block whose fence no line of the quote can close."""
    body = quote_lines(quote)
    fence = "`" * max(3, max(map(_longest_run, body)) + 1)
    suffix = path.rpartition(".")[2]
    return [fence + (suffix if _LANGUAGE.fullmatch(suffix) else ""), *body, fence]


def _hop(number: int, step: Link, hop: Hop, link: LinkTarget) -> str:
    text = f"{'→' if step.leads_on else '←'} *{hop.relation}* step {number + 1}"
    if hop.via:
        text += f" via {', '.join(code(name) for name in hop.via)}"
    if hop.site:
        at = LineRange(start=hop.site.line, end=hop.site.line)
        text += f", {place(hop.site.path, at, link)}"
    return f"{text}, {escape(WITNESSES[hop.witness])}"


def _lists(report: Report, link: LinkTarget) -> list[str]:
    sections = {
        "Primary": [place(each.path, each.range, link) for each in other_primary(report)],
        "Read targets": [
            place(each.path, each.range, link)
            + (f" {prose(each.purpose)}" if each.purpose else "")
            + ("" if each.required else " (optional)")
            for each in report.read_targets
        ],
        "Missing": [prose(text) for text in report.missing],
        "Search targets": [
            ", ".join(map(code, each.terms)) + f" in {code(each.scope)}"
            for each in report.search_targets
        ],
        "Ask again with the keywords that fit": [
            ", ".join(map(code, report.suggested_keywords)),
        ]
        if report.suggested_keywords
        else [],
    }
    return [
        f"**{title}**\n\n" + "\n".join(f"- {item}" for item in items)
        for title, items in sections.items()
        if items
    ]


def place(path: str, lines: LineRange | None, link: LinkTarget) -> str:
    """A path with its lines, as a link if ``link`` returns a URI."""
    name = code(path if lines is None else f"{path}:{span(lines)}")
    uri = link(path, lines)
    return f"[{name}](<{_safe_uri(uri)}>)" if uri else name


def span(lines: LineRange) -> str:
    """``12`` or ``12-20``."""
    return str(lines.start) if lines.start == lines.end else f"{lines.start}-{lines.end}"


def _safe_uri(uri: str) -> str:
    unsafe = {each: f"%{ord(each):02X}" for each in '<>\\"` '}
    return "".join(unsafe.get(each, each) for each in uri if each.isprintable())


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
