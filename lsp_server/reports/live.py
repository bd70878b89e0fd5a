"""A report whose files may change: links follow their quotes, or are marked stale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from explorer_core.contracts import (
    ExploreRequest,
    Hop,
    LineRange,
    Link,
    Report,
    Site,
)
from explorer_core.validation.witnesses import is_stronger
from lsp_server.reports.drift import Anchor, LineEdit

Lines = Sequence[str]


class LiveReport:
    """One report with the current positions of its places.

    ``files`` are the texts it was checked against, by path; None for a file that is gone.
    """

    def __init__(
        self, report: Report, request: ExploreRequest, files: Mapping[str, Lines | None]
    ) -> None:
        self.request = request
        self._base = report
        self._links = list(report.links)
        self._primary = list(report.primary)
        self._targets = list(report.read_targets)
        self._anchors = [
            Anchor.of(k.quote, k.quote_range, k.range, files.get(k.path) or ()) for k in self._links
        ]
        self._counts = {path: len(lines) for path, lines in files.items() if lines is not None}
        self._built: Report | None = None
        for path, lines in files.items():
            self._check_quotes(path, lines)

    @property
    def id(self) -> str:
        return self._base.id

    @property
    def report(self) -> Report:
        """The report in its current state."""
        if self._built is None:
            self._built = self._base.model_copy(
                update={
                    "links": tuple(self._link(index) for index in range(len(self._links))),
                    "primary": tuple(self._primary),
                    "read_targets": tuple(self._targets),
                }
            )
        return self._built

    def paths(self) -> set[str]:
        """Every file that the report refers to."""
        sites = {k.hop.site.path for k in self._links if k.hop and k.hop.site}
        places = (*self._links, *self._primary, *self._targets)
        return {place.path for place in places} | sites

    def follow(self, path: str, edit: LineEdit, lines: Lines) -> None:
        """Apply one edit of a file; ``lines`` is its text after the edit."""
        self._counts[path] = len(lines)
        for anchor in self._anchors_in(path):
            anchor.follow(edit, lines)
        self._move_places(path, edit)
        self._built = None

    def handle_lost_file(self, path: str) -> None:
        """Handle a file that was deleted or left the workspace."""
        self._check_quotes(path, None)

    def rename(self, new_path: Callable[[str], str]) -> None:
        """Give files new paths; ``new_path`` maps old to new ones."""
        self._links = [
            k.model_copy(update={"path": new_path(k.path), "hop": _rename_hop(k.hop, new_path)})
            for k in self._links
        ]
        self._primary = [p.model_copy(update={"path": new_path(p.path)}) for p in self._primary]
        self._targets = [t.model_copy(update={"path": new_path(t.path)}) for t in self._targets]
        self._counts = {new_path(path): count for path, count in self._counts.items()}
        self._built = None

    def vouch(self, hops: Mapping[int, Hop]) -> bool:
        """Adopt hops with stronger witnesses, given by the index of the link where the hop starts.
        Returns whether anything changed.

        A hop that is known already keeps its site, which may have moved since the witness was
        asked.
        """
        before = list(self._links)
        for index, hop in hops.items():
            known_hop = self._links[index].hop
            if known_hop is None or is_stronger(hop.witness, known_hop.witness):
                better_hop = (
                    known_hop.model_copy(update={"witness": hop.witness}) if known_hop else hop
                )
                self._links[index] = self._links[index].model_copy(update={"hop": better_hop})
        self._built = None
        return self._links != before

    def _check_quotes(self, path: str, lines: Lines | None) -> None:
        """Check the quotes of a file against its text, without knowing the edits in between."""
        for anchor in self._anchors_in(path):
            if lines is None:
                anchor.stale = True
            else:
                anchor.follow(LineEdit(1, 0, 0), lines)
        self._built = None

    def _anchors_in(self, path: str) -> Iterator[Anchor]:
        for link, anchor in zip(self._links, self._anchors, strict=True):
            if link.path == path:
                yield anchor

    def _link(self, index: int) -> Link:
        link, anchor = self._links[index], self._anchors[index]
        count = self._counts.get(link.path, 1)
        quote, lines = anchor.quote_range(count), anchor.range(count)
        if link.stale == anchor.stale and (link.range, link.quote_range) == (lines, quote):
            return link
        return link.model_copy(update={"range": lines, "quote_range": quote, "stale": anchor.stale})

    def _move_places(self, path: str, edit: LineEdit) -> None:
        last = max(1, self._counts[path])

        def new_range(lines: LineRange) -> LineRange:
            """The range after the edit, limited to the file: the end of it may be deleted."""
            edited = edit.lines(lines)
            return LineRange(start=min(edited.start, last), end=min(edited.end, last))

        self._primary = [
            each.model_copy(update={"range": new_range(each.range)})
            if each.path == path and each.range
            else each
            for each in self._primary
        ]
        self._targets = [
            each.model_copy(update={"range": new_range(each.range)}) if each.path == path else each
            for each in self._targets
        ]
        for index, link in enumerate(self._links):
            if link.hop and link.hop.site and link.hop.site.path == path:
                line = link.hop.site.line
                site = Site(path=path, line=new_range(LineRange(start=line, end=line)).start)
                hop = link.hop.model_copy(update={"site": site})
                self._links[index] = link.model_copy(update={"hop": hop})


def _rename_hop(hop: Hop | None, new_path: Callable[[str], str]) -> Hop | None:
    if hop is None or hop.site is None:
        return hop
    site = hop.site.model_copy(update={"path": new_path(hop.site.path)})
    return hop.model_copy(update={"site": site})
