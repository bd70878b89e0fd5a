"""The report as an agent reads it: plain text within a budget.

Outside the JSON block each path is written once; later mentions use the number of the link that
showed it. Over budget, whole items are left out and the text says how many; no line is ever cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from pathlib import PurePosixPath
from typing import TypeVar

from explorer_core.contracts import Hop, LineRange, Link, PrimaryPlace, ReadTarget, Report
from explorer_core.report.printable import printable, query_line, quote_lines
from explorer_core.report.spent import spent
from explorer_core.report.words import other_primary

_PATH_LIKE = re.compile(r"(?<![\w/.~-])(?:[\w.@~+-]*/)+[\w@+.-]*\w\.\w+")


_BESIDE, _USER = "also", "user"
"""Roles of links told beside a flow, and of links that use what was asked for."""
_USERS, _PLACES, _KEYWORDS = 2, 2, 8
"""How many users, places of each kind to read, and suggested keywords are kept as long as the steps
of the flow themselves."""


@dataclass(frozen=True, slots=True)
class _ItemCounts:
    """How many items of each kind to show."""

    purposes: int
    notes: int
    links: int
    search_targets: int
    suggested_keywords: int
    missing: int
    read_targets: int
    primary_places: int
    hops: int
    quotes: int
    facts: int
    path_lists: int
    query: int

    def left_out(self, full: _ItemCounts) -> str:
        """What is missing compared with ``full``, in words."""
        counts = {
            each.name: getattr(full, each.name) - getattr(self, each.name) for each in fields(self)
        }
        counts["steps"] = counts.pop("links")
        return ", ".join(_counted(count, name) for name, count in counts.items() if count > 0)


def render_text(report: Report, max_chars: int) -> str:
    """The report in at most ``max_chars`` characters, or in its shortest form if that is longer."""
    full = _everything(report)
    text = ""
    for shown in _ever_smaller(full, report):
        text = _Composer(report, shown, full).compose()
        if len(text) <= max_chars:
            break
    return text


def _counted(count: int, name: str) -> str:
    words = name.replace("_", " ")
    return f"{count} {words.removesuffix('s') if count == 1 else words}"


def _everything(report: Report) -> _ItemCounts:
    return _ItemCounts(
        purposes=sum(bool(target.purpose) for target in report.read_targets),
        notes=len(report.notes),
        links=len(report.links),
        search_targets=len(report.search_targets),
        suggested_keywords=len(report.suggested_keywords),
        missing=len(report.missing),
        read_targets=len(report.read_targets),
        primary_places=len(other_primary(report)),
        hops=sum(link.hop is not None for link in report.links),
        quotes=len(report.links),
        facts=len(report.links),
        path_lists=1,
        query=1,
    )


def _ever_smaller(full: _ItemCounts, report: Report) -> Iterator[_ItemCounts]:
    """Ever smaller versions of a report. Accompanying items go before the steps of the flow."""
    yield full
    shown = full
    for name, least in _drop_order(report):
        while (count := getattr(shown, name)) > least:
            shown = replace(shown, **{name: count - 1})
            yield shown


def _drop_order(report: Report) -> Iterator[tuple[str, int]]:
    """The kinds of items in the order in which they are left out, and how many stay each time."""
    yield "purposes", 0
    yield "suggested_keywords", min(_KEYWORDS, len(report.suggested_keywords))
    yield "links", len(report.links) - sum(_are_supplementary(report.links))
    yield "read_targets", _PLACES
    yield "primary_places", _PLACES
    yield "notes", 0
    yield "links", min(2, len(report.links))
    for each in fields(_ItemCounts):
        if each.name != "links":
            yield each.name, 0
    yield "links", 0


class _Composer:
    """One attempt at the text. Keeps track of the paths already written."""

    def __init__(self, report: Report, shown: _ItemCounts, full: _ItemCounts) -> None:
        self._report = report
        self._shown = shown
        self._full = full
        self._links = _shown_links(report, shown)
        self._targets = report.read_targets[: shown.read_targets]
        self._primary = other_primary(report)[: shown.primary_places]
        self._numbers: dict[str, int] = {}
        for number, link in self._links:
            self._numbers.setdefault(link.path, number)
        self._written: set[str] = set()

    def compose(self) -> str:
        if self._report.action == "skip_explore_result":
            lines = [*self._head(), "", "nothing relevant found"]
        else:
            lines = [*self._head(), *self._flow(), *self._rest()]
        lines += [*self._suggested(), *self._notes()]
        omitted = self._shown.left_out(self._full)
        if omitted and self._report.action != "skip_explore_result":
            lines.append(f"Omitted for length: {omitted} (a larger report_chars shows more).")
        return "\n".join([*lines, "```json", self._json(), "```"]) + "\n"

    def _head(self) -> list[str]:
        report = self._report
        facts = [
            f"Intent: {report.intent}",
            f"Confidence: {report.confidence}",
            f"Action: {report.action}",
        ]
        if self._shown.query:
            facts.insert(0, f'Query: "{query_line(report.query)}"')
        return ["## explore_code report", " | ".join(facts)]

    def _flow(self) -> list[str]:
        if not self._links:
            return []
        lines = ["", "Flow:"]
        before = 0
        for position, (number, link) in enumerate(self._links):
            if number > before + 1:
                lines.append(f"   ({_steps(before + 1, number - 1)} left out)")
            lines += self._link(position, number, link)
            before = number
        return lines

    def _link(self, position: int, number: int, link: Link) -> list[str]:
        role = ", ".join(filter(None, [self._cite(link.role), "stale" if link.stale else ""]))
        line = f"{number}. {self._place(link.path, link.range)}" + (f" ({role})" if role else "")
        if link.fact and position < self._shown.facts:
            line += f" - {self._cite(link.fact, link.path)}"
        lines = [line]
        if position < self._shown.quotes:
            lines += [f"   > {quoted}" for quoted in quote_lines(link.quote)]
        following = self._links[position + 1][0] if position + 1 < len(self._links) else None
        if link.hop and following == number + 1 and self._shown.hops == self._full.hops:
            lines.append(self._hop(link, link.hop))
        return lines

    def _hop(self, link: Link, hop: Hop) -> str:
        line = f"   {'->' if link.leads_on else '<-'} {hop.relation}"
        if hop.via:
            line += f" via {', '.join(self._cite(name) for name in hop.via)}"
        if hop.site and hop.site.path == link.path:
            line += f", line {hop.site.line}"
        elif hop.site and hop.site.path in self._numbers:
            line += f", [{self._numbers[hop.site.path]}] line {hop.site.line}"
        return line + (f" ({hop.witness})" if hop.witness else "")

    def _rest(self) -> list[str]:
        report = self._report
        lines = [""] if not self._links else []
        missing = [self._cite(text) for text in report.missing[: self._shown.missing]]
        if missing or not report.missing:
            lines.append(f"Missing: {'; '.join(missing) or 'none'}")
        if self._targets:
            only = " (only if editing)" if report.action == "answer_from_report" else ""
            items = "; ".join(self._read_targets())
            lines.append(f"Read targets{only}: {items}")
        if self._primary:
            lines.append("Primary: " + "; ".join(self._other_primary()))
        searches = [
            f"{', '.join(self._cite(term) for term in target.terms)} in {self._cite(target.scope)}"
            for target in report.search_targets[: self._shown.search_targets]
        ]
        return lines + ([f"Search targets: {'; '.join(searches)}"] if searches else [])

    def _read_targets(self) -> Iterator[str]:
        purposes = self._shown.purposes
        for target in _grouped_by_path(self._targets):
            item = self._place(target.path, target.range)
            if target.purpose and purposes > 0:
                purposes -= 1
                item += f" - {self._cite(target.purpose)}"
            yield item

    def _other_primary(self) -> Iterator[str]:
        for place in _grouped_by_path(self._primary):
            if place.range is None and place.path in self._written:
                number = self._numbers.get(place.path)
                yield f"[{number}]" if number else "the whole file"
            else:
                yield self._place(place.path, place.range)

    def _suggested(self) -> list[str]:
        words = self._report.suggested_keywords[: self._shown.suggested_keywords]
        return [f"Ask again with the keywords that fit: {', '.join(words)}"] if words else []

    def _notes(self) -> list[str]:
        coverage = self._report.coverage
        lines = [f"Note: {self._cite(note)}" for note in self._report.notes[: self._shown.notes]]
        if coverage.indexed < coverage.total:
            lines.append(f"Coverage: {coverage.indexed} of {coverage.total} files indexed")
        if cost := spent(self._report):
            lines.append(f"Model: {self._cite(cost)}")
        return lines

    def _place(self, path: str, lines: LineRange | None) -> str:
        span = f"{lines.start}-{lines.end}" if lines else ""
        if path not in self._written:
            self._written.add(path)
            return f"{printable(path)}:{span}" if span else printable(path)
        number = self._numbers.get(path)
        return f"[{number}] {span}" if number else f"also {span}"

    def _cite(self, text: str, here: str = "") -> str:
        """Free text without repeated paths: a path shown elsewhere becomes its number, and
        ``here``, the path of the place described, becomes its file name."""
        places = {*self._numbers, *(each.path for each in (*self._targets, *self._primary))}
        text = printable(text)
        for path in sorted(places, key=len, reverse=True):
            whole = rf"(?<![\w/.~-]){re.escape(path)}(?![\w/-])"
            number = self._numbers.get(path)
            shortened = f"[{number}]" if number else "another file"
            shortened = PurePosixPath(path).name if path == here else shortened
            text = re.sub(whole, shortened.replace("\\", r"\\"), text)
        return _PATH_LIKE.sub(self._mention, text)

    def _mention(self, found: re.Match[str]) -> str:
        path = found[0]
        if path not in self._written:
            self._written.add(path)
            return path
        return PurePosixPath(path).name

    def _json(self) -> str:
        block: dict[str, object] = {
            "action": self._report.action,
            "confidence": self._report.confidence,
        }
        skipped = self._report.action == "skip_explore_result"
        if self._shown.path_lists and not skipped:
            ranges: dict[str, list[LineRange]] = {}
            links = [link for _, link in self._links]
            for place in (*links, *self._listed_targets(), *self._report.primary):
                spans = ranges.setdefault(place.path, [])
                if place.range:
                    _add(spans, place.range)
            block["paths"] = {
                path: [[span.start, span.end] for span in spans] for path, spans in ranges.items()
            }
        plain = json.dumps(block, ensure_ascii=False, separators=(",", ":"))
        text = plain if plain.isprintable() else json.dumps(block, separators=(",", ":"))
        return text.replace("`", "\\u0060")

    def _listed_targets(self) -> list[ReadTarget]:
        """The places to read that the JSON repeats: if the whole would be too long, only those that
        have to be read."""
        has_room = self._shown == self._full
        return [each for each in self._targets if each.required or has_room]


def _add(spans: list[LineRange], span: LineRange) -> None:
    """Add a span to disjoint ones, merged with those it overlaps, at the position of the first of
    them, so that nobody reads a line twice."""
    joined = [each for each in spans if each.overlaps(span)]
    at = spans.index(joined[0]) if joined else len(spans)
    start = min(each.start for each in (*joined, span))
    end = max(each.end for each in (*joined, span))
    spans[:] = [each for each in spans if each not in joined]
    spans.insert(at, LineRange(start=start, end=end))


def _shown_links(report: Report, shown: _ItemCounts) -> list[tuple[int, Link]]:
    """The links to keep, with their numbers in the whole flow.

    Kept longest are its first link and the last that a hop leads to, then the other steps, primary
    places first. Links told beside the flow go first, then all users but the first `_USERS`."""
    links = report.links
    supplementary = _are_supplementary(links)
    ends = (at for at in range(1, len(links)) if links[at - 1].hop and not supplementary[at])
    end = max(ends, default=0)

    def order(at: int) -> tuple[bool, bool, bool, bool, int]:
        beside = links[at].role == _BESIDE
        return at not in (0, end), beside, supplementary[at], not _is_primary(links[at], report), at

    kept = sorted(sorted(range(len(links)), key=order)[: shown.links])
    return [(at + 1, links[at]) for at in kept]


def _are_supplementary(links: Sequence[Link]) -> list[bool]:
    """For each link, whether it is told beside a flow, or is a user after the first `_USERS`."""
    users = list(accumulate(link.role == _USER for link in links))
    return [
        link.role == _BESIDE or (link.role == _USER and count > _USERS)
        for link, count in zip(links, users, strict=True)
    ]


def _is_primary(link: Link, report: Report) -> bool:
    """Whether a link shows lines of a primary place."""
    return any(
        place.path == link.path and place.range is not None and place.range.overlaps(link.range)
        for place in report.primary
    )


def _steps(first: int, last: int) -> str:
    return f"step {first}" if first == last else f"steps {first}-{last}"


_Placed = TypeVar("_Placed", ReadTarget, PrimaryPlace)


def _grouped_by_path(items: Iterable[_Placed]) -> list[_Placed]:
    by_path: dict[str, list[_Placed]] = {}
    for item in items:
        by_path.setdefault(item.path, []).append(item)
    return [item for group in by_path.values() for item in group]
