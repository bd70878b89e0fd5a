"""The reports an agent has been given: what it may follow up, and whose ranges it may read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from explorer_core.contracts import LineRange, Report

_KEPT = 100
MOST_AROUND = 20
"""Lines before and after a listed range that may be read with it."""


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report and the folders it is about."""

    report: Report
    workspace: str

    def listed(self) -> Iterator[tuple[str, LineRange | None]]:
        """Every place the report names; a file without lines may be read whole."""
        for each in (*self.report.links, *self.report.read_targets):
            yield each.path, each.range
        for each in self.report.primary:
            yield each.path, each.range
        for link in self.report.links:
            if link.hop is not None and link.hop.site is not None:
                site = link.hop.site
                yield site.path, LineRange(start=site.line, end=site.line)

    def lists(self, path: str, start: int, end: int) -> bool:
        """Whether these lines lie in a listed place or close around one."""
        return any(
            path == other
            and (
                lines is None
                or (lines.start - MOST_AROUND <= start and end <= lines.end + MOST_AROUND)
            )
            for other, lines in self.listed()
        )


class KeptReports:
    """The reports of one process by id; the oldest leave first."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, KeptReport] = OrderedDict()

    def add(self, report: Report, workspace: str) -> None:
        self._all[report.id] = KeptReport(report, workspace)
        while len(self._all) > _KEPT:
            self._all.popitem(last=False)

    def get(self, report_id: str) -> KeptReport | None:
        return self._all.get(report_id)

    def __iter__(self) -> Iterator[KeptReport]:
        return reversed(self._all.values())
