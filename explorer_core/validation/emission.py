"""Checks every range and quote against the file's content at the moment the report leaves.

What an index or a registry remembers proves nothing here: files may have changed or disappeared
between retrieval and emission.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Protocol

from explorer_core.contracts import (
    Candidate,
    CandidateId,
    Dropped,
    DroppedPart,
    DropReason,
    Hop,
    Intent,
    LineRange,
    Link,
    PrimaryPlace,
    ReadTarget,
    Site,
)
from explorer_core.memoised import memoised
from explorer_core.registry import Registry
from explorer_core.validation.validated import Validated
from explorer_core.workspace import SourceText, WorkspaceError
from explorer_core.workspace.source import present_position, quote_occurs_at

_REACH = 50
"""Lines by which a quote may have moved outside its declaration and still be found."""


class Reader(Protocol):
    """The part of a workspace that the check needs."""

    def read(self, path: str) -> SourceText:
        """The file's present text, unsaved changes included. Raises `WorkspaceError`."""
        ...


def check_emission(
    validated: Validated, *, workspace: Reader, registry: Registry, intent: Intent
) -> Validated:
    """``validated`` reduced to what the files say now, with confidence and action lowered to match.

    A quote that moved is re-anchored if it occurs exactly once in the same declaration or within 50
    lines; otherwise its link is dropped. Ranges follow the text observed in them. So does the site
    of a hop; if the site is not found, the hop is dropped.
    """
    return _Emission(workspace, registry).run(validated, intent)


class _MovedLink(NamedTuple):
    """A link at its present position, and the number of lines by which its quote moved."""

    link: Link
    by: int


class _Emission:
    def __init__(self, workspace: Reader, registry: Registry) -> None:
        self._workspace = workspace
        self._registry = registry
        self._dropped: list[Dropped] = []

    def run(self, validated: Validated, intent: Intent) -> Validated:
        links = [kept for link in validated.links if (kept := self._link(link))]
        primary = [kept for place in validated.primary if (kept := self._primary(place))]
        targets = [kept for target in validated.read_targets if (kept := self._read_target(target))]
        gone = len(validated.links) - len(links)
        return replace(
            validated,
            links=self._with_true_hops(links),
            primary=tuple(primary),
            read_targets=tuple(targets),
            dropped=validated.dropped + tuple(self._dropped),
            links_dropped=validated.links_dropped + gone,
        ).lowered(intent)

    def _link(self, link: Link) -> _MovedLink | None:
        """The link at its present position; None if its quote is gone or ambiguous."""
        lines = self._lines(link.path)
        if lines is None:
            return self._drop("link", link.id, "file_gone")
        start = self._present_line(link, lines)
        if start is None:
            return self._drop("link", link.id, "changed_since_observed")
        moved = start - link.quote_range.start
        quote = _shifted(link.quote_range, moved)
        around = _inside(_shifted_clipped(link.range, moved), len(lines))
        candidate = self._registry.get(link.id)
        if candidate is not None:
            around = _unchanged_around(candidate, around, quote, lines, moved)
        if not around.covers(quote):
            around = quote
        return _MovedLink(link.model_copy(update={"range": around, "quote_range": quote}), moved)

    def _with_true_hops(self, links: Sequence[_MovedLink]) -> tuple[Link, ...]:
        """Keep a hop only where its link still has the same successor; move it with its site."""
        hops = [self._hop(first, second) for first, second in pairwise(links)]
        return tuple(
            each.link.model_copy(update={"hop": hop})
            for each, hop in zip(links, [*hops, None][: len(links)], strict=True)
        )

    def _hop(self, first: _MovedLink, second: _MovedLink) -> Hop | None:
        """The hop between two kept links, with its site moved; None if it no longer holds."""
        hop = first.link.hop
        if hop is None or {hop.from_, hop.to} != {first.link.id, second.link.id}:
            return None
        if hop.site is None:
            return hop
        source = first if first.link.leads_on else second
        line = self._site_line(hop.site, source.by)
        if line is None:
            return None
        return hop.model_copy(update={"site": Site(path=hop.site.path, line=line)})

    def _site_line(self, site: Site, moved: int) -> int | None:
        """The present line of a site's statement: shifted as far as the quote beside it, unmoved,
        or at the only other occurrence within reach."""
        lines = self._lines(site.path)
        observed = self._registry.line(site.path, site.line)
        if lines is None or (observed is None and moved):
            return None
        if observed is None:  # without observed text there is no sign that it moved
            return site.line if site.line <= len(lines) else None
        reach = range(site.line - _REACH, site.line + _REACH + 1)
        found = [line for line in reach if quote_occurs_at(observed.strip(), line, lines)]
        likely = [line for line in (site.line + moved, site.line) if line in found]
        return likely[0] if likely else found[0] if len(found) == 1 else None

    def _primary(self, place: PrimaryPlace) -> PrimaryPlace | None:
        if place.range is None:
            is_there = self._lines(place.path) is not None
            return place if is_there else self._drop("primary", place.id, "file_gone")
        lines = self._range("primary", place.id, place.path, place.range)
        return place.model_copy(update={"range": lines}) if lines else None

    def _read_target(self, target: ReadTarget) -> ReadTarget | None:
        lines = self._range("read_target", target.id, target.path, target.range)
        return target.model_copy(update={"range": lines}) if lines else None

    def _range(
        self, what: DroppedPart, candidate_id: CandidateId, path: str, span: LineRange
    ) -> LineRange | None:
        """The present position of the text observed in ``span``."""
        lines = self._lines(path)
        if lines is None:
            return self._drop(what, candidate_id, "file_gone")
        candidate = self._registry.get(candidate_id)
        moved = _shift_of(candidate, span, lines) if candidate else 0
        if moved is None or not 1 <= span.start + moved <= len(lines):
            return self._drop(what, candidate_id, "changed_since_observed")
        return _inside(_shifted(span, moved), len(lines))

    @memoised
    def _lines(self, path: str) -> Sequence[str] | None:
        """The lines of a file; None if it cannot be read."""
        try:
            return self._workspace.read(path).lines
        except WorkspaceError:
            return None

    def _present_line(self, link: Link, lines: Sequence[str]) -> int | None:
        """The line where the quote starts now: unmoved, or the only other occurrence in its
        declaration or within reach. A quote of whole lines must still be these whole lines: what
        was put into a comment is no longer what the fact is about."""
        here = link.quote_range.start
        declared = self._registry.declarations(link.path).enclosing(here)
        declaration = declared.range if declared else link.quote_range
        first = min(declaration.start, here - _REACH)
        last = max(declaration.end, here + _REACH)
        quoted = range(here, link.quote_range.end + 1)
        observed = [self._registry.line(link.path, line) or "" for line in quoted]
        is_whole = quote_occurs_at(link.quote, 1, observed, is_whole=True)
        # False outside the file.
        matches = partial(quote_occurs_at, link.quote, lines=lines, is_whole=is_whole)
        return present_position(matches, here, range(first, last + 1))

    def _drop(self, what: DroppedPart, candidate_id: CandidateId, why: DropReason) -> None:
        self._dropped.append(Dropped(what=what, id=candidate_id, why=why))


def _unchanged_around(
    candidate: Candidate, around: LineRange, quote: LineRange, lines: Sequence[str], moved: int
) -> LineRange:
    """``around``, or if it changed only the stretch around the quote that is still as observed."""
    observed = {
        segment.start + moved + index: text
        for segment in candidate.segments
        for index, text in enumerate(segment.lines)
    }

    def holds(line: int) -> bool:
        return line not in observed or observed[line] == lines[line - 1]

    if all(holds(line) for line in range(around.start, around.end + 1)):
        return around
    start, end = quote.start, quote.end
    while start > around.start and start - 1 in observed and holds(start - 1):
        start -= 1
    while end < around.end and end + 1 in observed and holds(end + 1):
        end += 1
    return LineRange(start=start, end=end)


def _shift_of(candidate: Candidate, span: LineRange, lines: Sequence[str]) -> int | None:
    """By how many lines the observed text of ``span`` moved; None unless found exactly once."""
    observed = [
        (segment.start + index, text)
        for segment in candidate.segments
        for index, text in enumerate(segment.lines)
        if segment.start + index in span
    ]

    def holds(moved: int) -> bool:
        return all(
            0 < line + moved <= len(lines) and lines[line + moved - 1] == text
            for line, text in observed
        )

    return present_position(holds, 0, range(-_REACH, _REACH + 1))


def _shifted(span: LineRange, by: int) -> LineRange:
    return LineRange(start=span.start + by, end=span.end + by)


def _shifted_clipped(span: LineRange, by: int) -> LineRange:
    return LineRange(start=max(1, span.start + by), end=max(1, span.end + by))


def _inside(span: LineRange, line_count: int) -> LineRange:
    return LineRange(start=min(span.start, line_count), end=min(span.end, line_count))
