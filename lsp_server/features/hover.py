"""Hover inside a link: fact, quote, hop and witness, and the links before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from explorer_core.contracts import Hop, LineRange
from explorer_core.report.words import WITNESSES
from lsp_server.reports.reports import Step

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add hover."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: SightlineServer, params: types.HoverParams) -> types.Hover | None:
        line = params.position.line + 1
        steps = [s for s in ls.session.steps(params.text_document.uri) if line in s.link.range]
        if not steps:
            return None
        nearest = min(steps, key=lambda step: _distance(step, line))
        reports = [step for step in steps if step.link.range == nearest.link.range]
        rich = _shows_markdown(ls)
        text = "\n\n---\n\n".join(_hover_text(ls, step, rich) for step in reports)
        kind = types.MarkupKind.Markdown if rich else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, text), _marked_range(ls, nearest, line))


def _marked_range(ls: SightlineServer, step: Step, line: int) -> types.Range | None:
    """The range that editors mark while the hover is shown: the quote if the pointer is on it,
    otherwise nothing. Never a whole declaration when the reader points at one word of it."""
    quote = step.link.quote_range
    return ls.session.range(step.link.path, quote) if line in quote else None


def _distance(step: Step, line: int) -> tuple[int, int]:
    """Sort key that picks among nested ranges: nearest quote first, then the smallest range."""
    quote = step.link.quote_range
    distance = 0 if line in quote else min(abs(line - quote.start), abs(line - quote.end))
    return distance, len(step.link.range)


def _shows_markdown(ls: SightlineServer) -> bool:
    document = ls.client_capabilities.text_document
    formats = document.hover.content_format if document and document.hover else None
    return types.MarkupKind.Markdown in (formats or ())


def _hover_text(ls: SightlineServer, step: Step, rich: bool) -> str:
    link = step.link
    writer = _MarkdownWriter(ls) if rich else _PlainWriter(ls)
    head = writer.strong(f"{step.index + 1}/{step.count}")
    if link.role:
        head += f" {writer.text(link.role)}"
    if link.stale:
        head += " (stale: the quoted text is gone)"
    parts = [head, writer.prose(link.fact), writer.quote(link.quote, link.path)]
    if link.hop:
        parts.append(_hop_text(writer, step, link.hop))
    neighbours = [(name, step.neighbour(by)) for name, by in (("Previous", -1), ("Next", 1))]
    parts += [f"{name}: {_neighbour_text(writer, other)}" for name, other in neighbours if other]
    return "\n\n".join(part for part in parts if part)


def _neighbour_text(writer: _PlainWriter, step: Step) -> str:
    link = step.link
    place = writer.place(link.path, link.quote_range)
    return f"{place} {writer.prose(link.fact)}" if link.fact else place


def _hop_text(writer: _PlainWriter, step: Step, hop: Hop) -> str:
    source, target = step.index + 1, step.index + 2
    if not step.link.leads_on:
        source, target = target, source
    text = f"Step {source} {hop.relation} step {target}"
    if hop.via:
        text += " via " + ", ".join(writer.code(name) for name in hop.via)
    if hop.site:
        at = LineRange(start=hop.site.line, end=hop.site.line)
        text += f" at {writer.place(hop.site.path, at)}"
    return f"{text}, {WITNESSES[hop.witness]}"


class _PlainWriter:
    """Hover for clients that show no Markdown."""

    def __init__(self, ls: SightlineServer) -> None:
        self._session = ls.session

    def strong(self, text: str) -> str:
        return text

    def text(self, text: str) -> str:
        return text

    def prose(self, text: str) -> str:
        return text.replace("`", "")

    def code(self, text: str) -> str:
        return text

    def quote(self, quote: str, path: str) -> str:
        return "\n".join(f"> {line}" for line in quote.split("\n"))

    def place(self, path: str, lines: LineRange) -> str:
        return f"{path}:{lines.start}"


class _MarkdownWriter(_PlainWriter):
    """Hover as Markdown, in which repository text is escaped."""

    def strong(self, text: str) -> str:
        return f"**{text}**"

    def text(self, text: str) -> str:
        from explorer_core.report.markdown import escape

        return escape(text)

    def prose(self, text: str) -> str:
        from explorer_core.report.markdown import prose

        return prose(text)

    def code(self, text: str) -> str:
        from explorer_core.report.markdown import code

        return code(text)

    def quote(self, quote: str, path: str) -> str:
        from explorer_core.report.markdown import fenced

        return "\n".join(fenced(quote, path))

    def place(self, path: str, lines: LineRange) -> str:
        from explorer_core.report.markdown import place

        return place(path, lines, self._session.link)
