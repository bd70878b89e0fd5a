"""The embedded default judge: no key, no network. It states only what an edge proves.

Seeds are the best ranked definitions; the flow is the spine that the graph draws through them. The
intent decides how the flow is read: from entry to effect (explain), the definition and then its
users (locate), the place to change, what depends on it and its tests (edit), from the symptom back
(debug). It forks where one function leads to two of the best that no path joins. The best of what
it does not come by is told after it. Where the question tells a message or a trace, what printed it
and what is on the trace come before what ranks best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.contracts import (
    LINK_LIMIT,
    Action,
    Candidate,
    Confidence,
    FlowChoice,
    JudgeName,
    LineRange,
    Selection,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol
from explorer_core.judges import statements
from explorer_core.judges.base import Gap, JudgeCase, Verdict
from explorer_core.judges.offline.change.change import Change
from explorer_core.judges.offline.flow.seeds import Seeds
from explorer_core.judges.offline.flow.steps import Steps
from explorer_core.judges.offline.outcome.answered import Answered
from explorer_core.judges.offline.outcome.confidence import confidence_in
from explorer_core.judges.offline.outcome.reading import ReadTargets, about_as_good
from explorer_core.judges.offline.symptom.pointed import pointed_at, pointed_step
from explorer_core.judges.offline.symptom.printed import Printed
from explorer_core.judges.offline.symptom.trail import Trail
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.places import (
    as_good_as_best,
    definition_of,
    definitions_of,
    override_alike,
    share_lines,
)
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling
from explorer_core.registry.ranking import Ranking

_NOTHING = 0.12
"""Share of the question's information content below which there is nothing here."""


class OfflineJudge:
    """Judges by rank and graph alone. Never reconsiders: it has no second thoughts to offer."""

    name: JudgeName = "offline"

    async def judge(self, case: JudgeCase) -> Verdict:
        """The selection; runs in a thread, since it reads files and walks the graph."""
        return Verdict(await case.with_graph(lambda: _select(case)))

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        return None


def _select(case: JudgeCase) -> Selection:
    if not case.ranking.candidates or case.ranking.covered < _NOTHING:
        anchored = _anchored(case)
        if anchored is None:
            return Selection(recommended_primary_action="skip_explore_result", confidence="low")
        case = replace(case, ranking=Ranking((anchored,)))
    return _Selecting(case).select()


def _anchored(case: JudgeCase) -> Candidate | None:
    """The narrowest place around the line that the question starts from, of a definition if there
    is one."""
    anchor = case.request.anchor or pointed_at(case)
    if anchor is None:
        return None
    path = case.workspace.relative(anchor.path)
    around = [
        (not each.symbols, len(each.range), at)
        for at, each in enumerate(case.ranking.candidates)
        if each.path == path and each.range is not None and anchor.line in each.range
    ]
    return case.ranking.candidates[min(around)[-1]] if around else None


class _Selecting:
    """One case on its way to a selection."""

    def __init__(self, case: JudgeCase) -> None:
        self._case = case
        self._graph = case.graph
        self._exhibits = Exhibits(case)
        self._telling = Telling(self._exhibits)
        query = self._exhibits.words.wording.query
        self._pointed = pointed_step(self._exhibits)
        self._printed = Printed(self._exhibits)
        message = self._printed.by
        trail = Trail(case.index, query, message, self._exhibits.prints).symbols
        self._best = case.ranking.candidates[0]
        self._trail = trail or self._meant()
        seeds = Seeds(case, self._trail[0] if self._trail else None)
        self._change = Change(self._exhibits, seeds.symbols, seeds.ranked_near)
        explains = message is not None and message in self._trail[:1]
        self._steps = Steps(self._telling, self._trail, seeds, self._change, explains)

    def select(self) -> Selection:
        tells = bool(self._trail) or self._tells_of_definitions()
        steps = self._steps.all()[:LINK_LIMIT] if tells else []
        steps = [self._at_key(self._at_pointed(step)) for step in steps]
        told = [(step, choice) for step in steps if (choice := self._telling.choice(step))]
        flow = [choice for _, choice in told]
        besides = self._steps.besides(steps) if flow and len(self._trail) < 2 else []
        beside = [*self._told_beside(besides, told), *self._best_part(told)]
        proven = len(flow) == len(steps) and self._hangs_together(steps, besides)
        reading = ReadTargets(self._exhibits, self._change)
        if not flow:
            flow = [choice for each in reading.near([])[:3] if (choice := self._window(each))]
        if (printed := self._printed.text) is not None:
            flow = [each for each in flow if each.candidate_id != printed.candidate_id]
            last = self._case.request.intent == "explain"
            flow = [*flow[: LINK_LIMIT - 1], printed] if last else [printed, *flow]
        if self._pointed is not None and not any(map(self._pointed_in, steps)):
            pointed = self._telling.choice(self._pointed)
            flow = [*([pointed] if pointed else []), *flow][:LINK_LIMIT]
        answered = Answered(self._exhibits.words)
        read_targets = reading.of(steps, [*flow, *beside])
        in_flow = [each.candidate_id for each in flow]
        proven = proven and answered.has_quotations(in_flow) and not answered.undefined
        proven = proven and self._change.is_proven
        confidence = confidence_in(self._case, answered, flow, proven=proven)
        selection = Selection(
            primary_candidate_ids=tuple(each.id for each in about_as_good(self._case.ranking)),
            flow=(*flow, *beside)[:LINK_LIMIT],
            read_targets=read_targets,
            recommended_primary_action=self._action(confidence),
            confidence=confidence,
        )
        missing = [*self._unjoined(steps), *_missing(answered, selection)]
        return selection.model_copy(update={"missing_coverage": tuple(missing)})

    def _unjoined(self, steps: Sequence[Step]) -> Sequence[str]:
        """What is told of steps that stand one beside another, where a way was asked for."""
        asked = self._case.request.intent in ("explain", "debug") and not self._change.is_asked
        apart = len(steps) > 1 and not any(step.edge for step in steps)
        return [statements.UNJOINED] if asked and apart else []

    def _meant(self) -> list[Symbol]:
        """What is asked about without a message or a trace: the definition that the question points
        into, or what was best for the question that it follows up and is so again."""
        if self._pointed is not None:
            return [] if self._pointed.symbol.id.is_file else [self._pointed.symbol]
        best, (path, lines) = self._best, self._case.followed or ("", None)
        if best.range is None or lines is None or path != best.path:
            return []
        symbol = definition_of(self._graph, best) if best.range.overlaps(lines) else None
        return [symbol] if symbol is not None else []

    def _pointed_in(self, step: Step) -> Step | None:
        """What the question points to, if that is in the definition of a step."""
        pointed = self._pointed
        return pointed if pointed is not None and pointed.symbol.id == step.symbol.id else None

    def _at_pointed(self, step: Step) -> Step:
        """A step at the line that the question points to, if that is in it."""
        pointed = self._pointed_in(step)
        return replace(step, line=pointed.line) if pointed is not None else step

    def _at_key(self, step: Step) -> Step:
        """A step at the line with the key of the message, if it prints that by its key."""
        user = self._printed.user
        by_key = user is not None and user.holder.id == step.symbol.id and step.line is None
        return replace(step, literal=user) if by_key else step

    def _hangs_together(self, steps: Sequence[Step], besides: Sequence[Step]) -> bool:
        """Whether the steps of a flow are joined, if there must be several, and come by the best
        place or lead to it."""
        asked = self._change.is_asked
        joined = self._change.hangs_together if asked else any(step.edge for step in steps)
        told = [*definitions_of(steps), *(step.symbol for step in besides if step.edge)]
        return joined and any(map(self._comes_by_best, told))

    def _comes_by_best(self, symbol: Symbol) -> bool:
        """Whether a symbol is what the best place shows, is around it, or is a member of it; a
        function in a function is not the other."""
        best = definition_of(self._graph, self._best)
        if best is None or best.kind in MEMBER_HOLDERS:
            return share_lines(symbol, self._best)
        return symbol.path == best.path and symbol.range.covers(best.range)

    # what is said

    def _told_beside(
        self, besides: Sequence[Step], told: list[tuple[Step, FlowChoice]]
    ) -> list[FlowChoice]:
        """The links of what is told beside others. Of several that override one member those that
        do the same as one before are not told."""
        found: list[FlowChoice] = []
        for step in besides:
            choice = self._telling.choice(step)
            if choice is None or any(self._is_alike(step, choice, *each) for each in told):
                continue
            told.append((step, choice))
            found.append(choice)
        return found

    def _best_part(self, told: Sequence[tuple[Step, FlowChoice]]) -> Iterator[FlowChoice]:
        """The link of the best place, if that is a part of a long function of which only others are
        told: a hop shows the call of the next one, wherever that stands."""
        symbol = definition_of(self._graph, self._best)
        if symbol is None or symbol.kind not in CALLABLES:
            return
        shown = [choice for step, choice in told if step.symbol.id == symbol.id]
        if not shown or any(map(self._shows_best, shown)):
            return
        choice = self._telling.choice(Step(symbol, "also", part=self._best.range))
        if choice is not None and self._shows_best(choice):
            yield choice

    def _shows_best(self, choice: FlowChoice) -> bool:
        shown = self._case.registry.get(choice.candidate_id)
        return shown is not None and share_lines(shown, self._best)

    def _is_alike(self, one: Step, said: FlowChoice, other: Step, before: FlowChoice) -> bool:
        """Whether two override one member, and the same is said of both."""
        facts = {
            choice.fact.replace(statements.called(step.symbol), "")
            for step, choice in ((one, said), (other, before))
        }
        return len(facts) == 1 and override_alike(self._graph, one.symbol, other.symbol)

    def _window(self, candidate: Candidate) -> FlowChoice | None:
        """A link for text outside of definitions: what it has of the question word for word, or its
        line that tells most."""
        words = self._exhibits.words.telling_words(candidate.matched_terms)
        if candidate.range is None or not words or not self._exhibits.has(candidate.path):
            return None
        if (said := self._exhibits.said(candidate.path, candidate.range)) is not None:
            line, fact = said[0], statements.of_text_alone(said[1].text)
        elif (line := self._telling_line(candidate.path, candidate.range)) is not None:
            fact = statements.of_window(words)
        else:
            return None
        return FlowChoice(
            candidate_id=candidate.id,
            role="text",
            fact=fact,
            quote=self._exhibits.quote(candidate.path, line),
        )

    def _telling_line(self, path: str, span: LineRange) -> int | None:
        lines = self._exhibits.source(path).lines
        weights = self._exhibits.words.weights
        inside = range(span.start, min(span.end, len(lines)) + 1)
        return max(inside, key=lambda at: (line_worth(lines[at - 1], weights), -at), default=None)

    def _tells_of_definitions(self) -> bool:
        """Whether some definition is about as good as the best place. In a language that is read as
        mere text, what happens to be defined is in other files, about something else."""
        return any(
            definition_of(self._graph, each) is not None
            for each in as_good_as_best(self._case.ranking)
        )

    def _action(self, confidence: Confidence) -> Action:
        """Whoever answers from a report reads nothing else; so of one that is not sure of itself
        the code is to be read."""
        editing = self._case.request.intent in ("edit", "debug")
        return "read_targets" if editing or confidence != "high" else "answer_from_report"


def _missing(answered: Answered, selection: Selection) -> tuple[str, ...]:
    """What is told of names of the question that nothing has, and of its telling words that no
    shown place has. Not where the answer is sure of itself: of such answers those that lack one
    were as right as the others."""
    if selection.confidence == "high":
        return ()
    shown = [*selection.flow, *selection.read_targets]
    places = [*(each.candidate_id for each in shown), *selection.primary_candidate_ids]
    return answered.missing(places)
