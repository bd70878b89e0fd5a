"""The questions and places of earlier reports, for questions that follow them up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer_core.contracts import (
    Candidate,
    ChannelResult,
    Diagnostic,
    ExploreRequest,
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
_QUESTION = 2_000
"""Characters kept of a question and those that it followed up, its own first."""


def asked(request: ExploreRequest) -> str:
    """The question and its keywords, which count like what an issue says below its title, since
    they may be wrong guesses."""
    return _paragraphs(request.query, ", ".join(request.keywords))


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class _Earlier:
    question: str
    places: list[tuple[str, LineRange]]


@dataclass(slots=True)
class EarlierPlaces:
    """What recent reports were asked, and where their best candidates are; the text of these is
    read anew when asked."""

    workspace: Workspace
    _reports: OrderedDict[str, _Earlier] = field(default_factory=OrderedDict[str, _Earlier])

    def remember(
        self,
        report_id: str,
        question: str,
        found: Iterable[Candidate | Link | PrimaryPlace | ReadTarget],
    ) -> None:
        """Keep the question and the places of a report, these given best first."""
        places = [(each.path, each.range) for each in found if each.range is not None]
        self._reports[report_id] = _Earlier(question[:_QUESTION], places[:_PLACES])
        while len(self._reports) > _REPORTS:
            self._reports.popitem(last=False)

    def knows(self, report_id: str) -> bool:
        return report_id in self._reports

    def best_of(self, request: ExploreRequest) -> tuple[str, LineRange] | None:
        """The best place of the report that a question follows up."""
        followed = self._followed(request)
        return next(iter(followed.places), None) if followed else None

    def question_of(self, request: ExploreRequest) -> str:
        """What is asked, and what was asked before: a question that follows another up need not
        say again what it is about."""
        followed = self._followed(request)
        return _paragraphs(asked(request), followed.question if followed else "")

    def _followed(self, request: ExploreRequest) -> _Earlier | None:
        return self._reports.get(request.follow_up.report_id) if request.follow_up else None

    def observe(self, report_id: str) -> ChannelResult:
        """What stands at a report's places now. Blocking."""
        if report_id not in self._reports:
            message = f"Report {report_id} is no longer kept; the question is answered afresh."
            trouble = Diagnostic(source="earlier", message=message, affects_answer=True)
            return ChannelResult(diagnostics=(trouble,))
        found: list[FileRead] = []
        for path, lines in self._reports[report_id].places:
            try:
                source = self.workspace.read(path)
            except WorkspaceError:
                continue
            segment = source.segment(lines.start, lines.end)
            found.append(FileRead(segment=segment, total_lines=len(source.lines)))
        return ChannelResult(observations=tuple(found))
