"""The reports of a session: which are kept, which are shown in the editor, which is current."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from explorer_core.contracts import Link
from lsp_server.reports.drift import LineEdit
from lsp_server.reports.live import LiveReport

KEPT = 50
SHOWN = 5
"""Most reports with lenses at a time: more would cover the code. This must be less than `KEPT`, so
that there is always one that is not shown and can make room for a new one."""

Lines = Sequence[str]


@dataclass(frozen=True, slots=True)
class Step:
    """A link of a report, given by its 0-based index in the flow."""

    live: LiveReport
    index: int

    @property
    def link(self) -> Link:
        return self.live.report.links[self.index]

    @property
    def count(self) -> int:
        return len(self.live.report.links)

    def neighbour(self, by: int) -> Step | None:
        """The previous (-1) or next (1) link; None past either end."""
        index = self.index + by
        return Step(self.live, index) if 0 <= index < self.count else None


class Reports:
    """Reports by id, oldest first. ``on_change`` is called whenever one should be redrawn."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._all: OrderedDict[str, LiveReport] = OrderedDict()
        self._shown: OrderedDict[str, LiveReport] = OrderedDict()
        self._texts: dict[str, Lines | None] = {}
        self._on_change = on_change
        self._positions: dict[str, int] = {}

    def add(self, live: LiveReport, texts: dict[str, Lines | None], *, shown: bool = True) -> None:
        """Keep a report, and show it if ``shown``; ``texts`` are the files it was checked against.

        If there is a report with that id already, it stays: a client may give back a report twice
        at a time, and the first may be shown. Above `KEPT` reports, the oldest that is not shown is
        dropped, whoever asked for it. A report that the user is reading stays until it is
        dismissed, or until newer ones are shown.
        """
        for path, lines in texts.items():
            if path in self._texts and lines is not None:
                self.update_file(path, lines)
            self._texts[path] = lines
        self._all.setdefault(live.id, live)
        while len(self._all) > KEPT:
            old = next(each for each in self._all if each not in self._shown)
            del self._all[old]
            self._positions.pop(old, None)
        if shown:
            self.show(live.id)
        self._forget_texts()

    def get(self, report_id: str) -> LiveReport | None:
        return self._all.get(report_id)

    def __iter__(self) -> Iterator[LiveReport]:
        return iter(list(self._all.values()))

    def shown(self) -> list[LiveReport]:
        """The reports with lenses, newest last."""
        return list(self._shown.values())

    @property
    def current(self) -> LiveReport | None:
        """The report that commands use if they get no report id."""
        return next(reversed(self._shown.values()), None)

    def show(self, report_id: str) -> None:
        """Make a kept report the current one."""
        if next(reversed(self._shown), None) == report_id:
            return
        self._shown[report_id] = self._all[report_id]
        self._shown.move_to_end(report_id)
        while len(self._shown) > SHOWN:
            self._shown.popitem(last=False)
        self._on_change()

    def dismiss(self, report_id: str) -> bool:
        """Stop showing a report; it is kept. Returns whether it was shown."""
        dismissed = self._shown.pop(report_id, None) is not None
        if dismissed:
            self._on_change()
        return dismissed

    # places

    def steps(self, path: str) -> list[Step]:
        """The links of the shown reports in a file."""
        return [
            Step(live, index)
            for live in self._shown.values()
            for index, link in enumerate(live.report.links)
            if link.path == path
        ]

    def lines(self, path: str) -> Lines | None:
        """The lines of a file that a report refers to; None if it is gone."""
        return self._texts.get(path)

    def go(self, live: LiveReport, by: int, start: int | None = None) -> Step | None:
        """The link ``by`` steps from ``start``, or from the link last visited in this report. Wraps
        around; None if the report has no links."""
        count = len(live.report.links)
        if not count:
            return None
        position = start if start is not None else self._positions.get(live.id)
        first = 0 if by > 0 else count - 1
        index = first if position is None else (position + by) % count
        self._positions[live.id] = index
        return Step(live, index)

    # changes

    def has_file(self, path: str) -> bool:
        """Whether any report refers to this file."""
        return path in self._texts

    def update_file(self, path: str, lines: Lines) -> None:
        """Update the reports for a file whose text is now ``lines``."""
        if path not in self._texts:
            return
        before = self._texts[path]
        self._texts[path] = lines
        edit = LineEdit.between(before or (), lines)
        if edit.is_empty and before is not None:
            return
        for live in self._all.values():
            live.follow(path, edit, lines)
        self._on_change()

    def forget_file(self, path: str) -> None:
        """Handle a file that was deleted or left the workspace."""
        if self._texts.get(path) is None:
            return
        self._texts[path] = None
        for live in self._all.values():
            live.handle_lost_file(path)
        self._on_change()

    def rename_files(self, new_path: Callable[[str], str]) -> None:
        """Give files new paths; ``new_path`` maps old to new ones."""
        for live in self._all.values():
            live.rename(new_path)
        self._texts = {new_path(path): lines for path, lines in self._texts.items()}
        self._on_change()

    def notify_change(self) -> None:
        """Note that a report itself changed: a hop has a stronger witness."""
        self._on_change()

    def paths(self) -> list[str]:
        """Every file that any report refers to."""
        return sorted(self._texts)

    def _forget_texts(self) -> None:
        used_paths: set[str] = set()
        for live in self._all.values():
            used_paths |= live.paths()
        self._texts = {path: lines for path, lines in self._texts.items() if path in used_paths}
