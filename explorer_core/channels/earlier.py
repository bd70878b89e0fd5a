"""The questions and places of earlier reports, for follow-up questions."""

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
"""Best candidates of a report that are kept for follow-up questions."""
_QUESTION = 2_000
"""Characters kept of a question together with those it followed up, its own first."""


def asked(request: ExploreRequest) -> str:
    """The question, with its keywords in a paragraph of their own. They count like text below an
    issue's title, since they may be wrong guesses."""
    return _paragraphs(request.query, ", ".join(request.keywords))


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class _Earlier:
    question: str
    places: list[tuple[str, LineRange]]


@dataclass(slots=True)
class EarlierPlaces:
    """The questions of recent reports, and the locations of their best candidates. Their text is
    read afresh for each follow-up."""

    workspace: Workspace
    _reports: OrderedDict[str, _Earlier] = field(default_factory=OrderedDict[str, _Earlier])

    def remember(
        self,
        report_id: str,
        question: str,
        found: Iterable[Candidate | Link | PrimaryPlace | ReadTarget],
    ) -> None:
        """Keep the question and the places of a report; ``found`` is in order, best first."""
        places = [(each.path, each.range) for each in found if each.range is not None]
        self._reports[report_id] = _Earlier(question[:_QUESTION], places[:_PLACES])
        while len(self._reports) > _REPORTS:
            self._reports.popitem(last=False)

    def knows(self, report_id: str) -> bool:
        return report_id in self._reports

    def best_of(self, request: ExploreRequest) -> tuple[str, LineRange] | None:
        """The best place of the report that a request follows up."""
        followed = self._followed_up(request)
        return next(iter(followed.places), None) if followed else None

    def question_of(self, request: ExploreRequest) -> str:
        """The question, followed by those it follows up: it need not repeat what they are about."""
        followed = self._followed_up(request)
        return _paragraphs(asked(request), followed.question if followed else "")

    def _followed_up(self, request: ExploreRequest) -> _Earlier | None:
        return self._reports.get(request.follow_up.report_id) if request.follow_up else None

    def observe(self, report_id: str) -> ChannelResult:
        """The present text at a report's places. Blocking."""
        if report_id not in self._reports:
            message = (
                f"Report {report_id} is no longer available; the question is answered from scratch."
            )
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
