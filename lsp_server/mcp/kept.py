"""The reports an agent has been given: what it may follow up, and whose ranges it may read."""

from __future__ import annotations

import sys
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

    def readable(self, path: str, start: int, end: int) -> tuple[int, int] | None:
        """What may be read with these lines: the listed places they lie in or close around, and a
        few lines beside. None if no place is near."""
        near = [
            (lines.start - MOST_AROUND, lines.end + MOST_AROUND) if lines else (1, sys.maxsize)
            for other, lines in self.listed()
            if path == other
        ]
        holding = [(first, last) for first, last in near if first <= start and end <= last]
        if not holding:
            return None
        return min(first for first, _ in holding), max(last for _, last in holding)


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
