"""The places of earlier reports, for questions that follow them up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer_core.contracts import (
    Candidate,
    ChannelResult,
    Diagnostic,
    FileRead,
    LineRange,
    Link,
    PrimaryPlace,
    ReadTarget,
)
from explorer_core.workspace import Workspace, WorkspaceError

_REPORTS = 50
_PLACES = 40
"""Best candidates of a report that a further question starts from."""


@dataclass(slots=True)
class EarlierPlaces:
    """Where the best candidates of recent reports are; their text is read anew when asked."""

    workspace: Workspace
    _reports: OrderedDict[str, list[tuple[str, LineRange]]] = field(
        default_factory=OrderedDict[str, list[tuple[str, LineRange]]]
    )

    def remember(
        self, report_id: str, found: Iterable[Candidate | Link | PrimaryPlace | ReadTarget]
    ) -> None:
        """Keep the places of a report, given best first."""
        places = [(each.path, each.range) for each in found if each.range is not None]
        self._reports[report_id] = places[:_PLACES]
        while len(self._reports) > _REPORTS:
            self._reports.popitem(last=False)

    def knows(self, report_id: str) -> bool:
        return report_id in self._reports

    def observe(self, report_id: str) -> ChannelResult:
        """What stands at a report's places now. Blocking."""
        if report_id not in self._reports:
            message = f"Report {report_id} is no longer kept; the question is answered afresh."
            trouble = Diagnostic(source="earlier", message=message, affects_answer=True)
            return ChannelResult(diagnostics=(trouble,))
        found: list[FileRead] = []
        for path, lines in self._reports[report_id]:
            try:
                source = self.workspace.read(path)
            except WorkspaceError:
                continue
            segment = source.segment(lines.start, lines.end)
            found.append(FileRead(segment=segment, total_lines=len(source.lines)))
        return ChannelResult(observations=tuple(found))
