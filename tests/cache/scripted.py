"""Judges that count their calls, and whose verdict depends only on the evidence they are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer_core.channels.grep import grep
from explorer_core.contracts import (
    Candidate,
    Confidence,
    ExploreRequest,
    FlowChoice,
    JudgeName,
    Observation,
    ReadTargetChoice,
    Report,
    Selection,
    StopReason,
    SymbolFound,
    Usage,
)
from explorer_core.judges.base import Gap, JudgeCase, JudgeError, Verdict
from explorer_core.validation.quotes import is_usable
from explorer_core.workspace import Workspace

FURTHER = "refund"


@dataclass(slots=True)
class CountingJudge:
    """Selects the best places it is shown, and also what it ``looks_at`` by itself unless it
    ``forgets`` that. A ``conversation``, or a judge that ``searches``, also looks for another word.
    ``meanwhile`` is called during the judgement."""

    name: JudgeName = "packet"
    calls: int = 0
    confidence: Confidence = "medium"
    stop_reason: StopReason = "completed"
    fails: bool = False
    searches: bool = False
    looks_at: Callable[[Workspace], Sequence[Observation]] = lambda workspace: ()
    forgets: bool = False
    meanwhile: Callable[[], object] = lambda: None

    async def judge(self, case: JudgeCase) -> Verdict:
        self.calls += 1
        if self.fails:
            raise JudgeError("The model is away.")
        own_ids = case.registry.add_all(self.looks_at(case.workspace))
        own_ids = [] if self.forgets else own_ids
        ids = own_ids + [each.id for each in case.ranking.candidates[:3]]
        if self.name == "conversation" or self.searches:
            ids += await self._further(case)
        shown = [each for each in map(case.registry.get, ids) if each and quote_of(each)]
        selection = Selection(
            primary_candidate_ids=tuple(dict.fromkeys(own_ids + [each.id for each in shown]))[:5],
            flow=tuple(
                FlowChoice(
                    candidate_id=each.id, role="step", fact="It matters.", quote=quote_of(each)
                )
                for each in shown[:4]
            ),
            read_targets=tuple(
                ReadTargetChoice(candidate_id=each.id, purpose="read", required=True)
                for each in shown[:1]
            ),
            recommended_primary_action="answer_from_report" if shown else "skip_explore_result",
            confidence=self.confidence,
        )
        self.meanwhile()
        usage = Usage(input_tokens=100, output_tokens=10)
        return Verdict(
            selection,
            judge=self.name,
            model="scripted",
            stop_reason=self.stop_reason,
            usage=usage,
        )

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        return None

    async def _further(self, case: JudgeCase) -> list[str]:
        ranking = await case.gather(ExploreRequest(query=FURTHER))
        matches = (await grep(case.workspace, FURTHER)).observations

        def adopt() -> list[str]:
            ids = [
                case.registry.add(
                    SymbolFound(path=each.path, range=each.range, symbol=None, segment=segment)
                )
                for each in ranking.candidates[:2]
                if each.range is not None
                for segment in each.segments[:1]
            ]
            return ids + case.registry.add_all(matches[:1])

        return await case.with_graph(adopt)


def quote_of(candidate: Candidate) -> str:
    """The candidate's first line that is usable as a quote, or an empty string."""
    lines = (line for segment in candidate.segments for line in segment.lines)
    return next((line.strip() for line in lines if is_usable(line.strip())), "")


def content_of(report: Report) -> dict[str, object]:
    """The contents of a report, without the parts that differ between equivalent reports."""
    return {
        "primary": [(each.path, each.range) for each in report.primary],
        "links": [
            (each.path, each.range, each.fact, each.quote, each.quote_range, hop_of(each.hop))
            for each in report.links
        ],
        "targets": [(each.path, each.range) for each in report.read_targets],
        "verdict": (report.confidence, report.action, report.judge, report.model),
    }


def hop_of(hop: object) -> object:
    return hop and (getattr(hop, "relation", None), getattr(hop, "site", None))
