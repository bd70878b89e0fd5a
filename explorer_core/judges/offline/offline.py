"""The default judge: no key, no network. It states only what an edge proves or a text says.

The best ranked definitions are the seeds, and the flow is the spine that the graph draws through
them. It forks where one function calls two of the best that no path joins. The best definitions
that it does not reach follow it. If the question has a message or a trace, what printed the message
and the frames of the trace come first. The intent sets the order: from entry to effect (explain),
definition before users (locate), the place to change, its dependants and tests (edit), from the
symptom back (debug).
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
    override_same_member,
    share_lines,
)
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling
from explorer_core.registry.ranking import Ranking

_NOTHING = 0.12
"""The share of the question's information content below which nothing here answers it."""


class OfflineJudge:
    """Judges by rank and graph alone. It never reconsiders, as it would come to the same answer."""

    name: JudgeName = "offline"

    async def judge(self, case: JudgeCase) -> Verdict:
        """Returns the selection. Runs in a thread, since it reads files and walks the graph."""
        return Verdict(await case.with_graph(lambda: _select(case)))

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        return None


def _select(case: JudgeCase) -> Selection:
    if not case.ranking.candidates or case.ranking.covered < _NOTHING:
        anchored = _anchor_candidate(case)
        if anchored is None:
            return Selection(recommended_primary_action="skip_explore_result", confidence="low")
        case = replace(case, ranking=Ranking((anchored,)))
    return _Selector(case).select()


def _anchor_candidate(case: JudgeCase) -> Candidate | None:
    """Returns the narrowest candidate around the line that the question starts from, preferably one
    that shows a definition."""
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


class _Selector:
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
        trail = Trail(case.index, query, message, self._exhibits.prints_message).symbols
        self._best = case.ranking.candidates[0]
        self._trail = trail or self._definition_asked_about()
        seeds = Seeds(case, self._trail[0] if self._trail else None)
        self._change = Change(self._exhibits, seeds.symbols, seeds.ranked_near)
        explains = message is not None and message in self._trail[:1]
        self._steps = Steps(self._telling, self._trail, seeds, self._change, explains)

    def select(self) -> Selection:
        shows_definitions = bool(self._trail) or self._best_places_show_definitions()
        steps = self._steps.all()[:LINK_LIMIT] if shows_definitions else []
        steps = [self._moved_to_key(self._moved_to_pointed_line(step)) for step in steps]
        steps_and_links = [
            (step, choice) for step in steps if (choice := self._telling.choice(step))
        ]
        flow = [choice for _, choice in steps_and_links]
        besides = self._steps.besides(steps) if flow and len(self._trail) < 2 else []
        beside = [*self._links_beside(besides, steps_and_links), *self._best_part(steps_and_links)]
        proven = len(flow) == len(steps) and self._is_connected_to_best(steps, besides)
        reading = ReadTargets(self._exhibits, self._change)
        if not flow:
            flow = [choice for each in reading.near([])[:3] if (choice := self._link_to_text(each))]
        if (message_link := self._printed.text) is not None:
            flow = [each for each in flow if each.candidate_id != message_link.candidate_id]
            is_last = self._case.request.intent == "explain"
            flow = [*flow[: LINK_LIMIT - 1], message_link] if is_last else [message_link, *flow]
        if self._pointed is not None and not any(map(self._pointed_step_for, steps)):
            pointed_link = self._telling.choice(self._pointed)
            flow = [*([pointed_link] if pointed_link else []), *flow][:LINK_LIMIT]
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
        missing = [*self._unjoined_note(steps), *_missing_notes(answered, selection)]
        return selection.model_copy(update={"missing_coverage": tuple(missing)})

    def _unjoined_note(self, steps: Sequence[Step]) -> Sequence[str]:
        """Returns the note that no call joins the steps, if the question asks for a way between
        them."""
        asks_for_flow = (
            self._case.request.intent in ("explain", "debug")
            and not self._change.asks_for_one_definition
        )
        are_unjoined = len(steps) > 1 and not any(step.edge for step in steps)
        return [statements.UNJOINED] if asks_for_flow and are_unjoined else []

    def _definition_asked_about(self) -> list[Symbol]:
        """Returns the one definition that the question is about, if there is no message or trace.

        That is the definition that the question points into. For a follow-up it is the best place
        of the first question, if that is the best again.
        """
        if self._pointed is not None:
            return [] if self._pointed.symbol.id.is_file else [self._pointed.symbol]
        best, (path, lines) = self._best, self._case.earlier_place or ("", None)
        if best.range is None or lines is None or path != best.path:
            return []
        symbol = definition_of(self._graph, best) if best.range.overlaps(lines) else None
        return [symbol] if symbol is not None else []

    def _pointed_step_for(self, step: Step) -> Step | None:
        """Returns what the question points to, if a step shows that definition."""
        pointed = self._pointed
        return pointed if pointed is not None and pointed.symbol.id == step.symbol.id else None

    def _moved_to_pointed_line(self, step: Step) -> Step:
        """Moves a step to the line that the question points to, if that is in its definition."""
        pointed = self._pointed_step_for(step)
        return replace(step, line=pointed.line) if pointed is not None else step

    def _moved_to_key(self, step: Step) -> Step:
        """Moves a step to the line that has the message's key, if it prints the message by key."""
        user = self._printed.user
        prints_by_key = user is not None and user.holder.id == step.symbol.id and step.line is None
        return replace(step, literal=user) if prints_by_key else step

    def _is_connected_to_best(self, steps: Sequence[Step], besides: Sequence[Step]) -> bool:
        """Whether the steps are joined (for a change, as far as it needs to be), and one of them,
        or what a call joins to them, is at the best place."""
        asks_for_one = self._change.asks_for_one_definition
        are_joined = self._change.is_connected if asks_for_one else any(step.edge for step in steps)
        connected = [*definitions_of(steps), *(step.symbol for step in besides if step.edge)]
        return are_joined and any(map(self._is_at_best_place, connected))

    def _is_at_best_place(self, symbol: Symbol) -> bool:
        """Whether a symbol is at the best place: it is or encloses the definition there. If that is
        a type, its members count too. A function nested in the best one does not."""
        best = definition_of(self._graph, self._best)
        if best is None or best.kind in MEMBER_HOLDERS:
            return share_lines(symbol, self._best)
        return symbol.path == best.path and symbol.range.covers(best.range)

    # what is said

    def _links_beside(
        self, besides: Sequence[Step], shown: list[tuple[Step, FlowChoice]]
    ) -> list[FlowChoice]:
        """Returns the links for the steps after the flow. Of overrides of one member, those with
        the same fact as an earlier one are left out."""
        found: list[FlowChoice] = []
        for step in besides:
            choice = self._telling.choice(step)
            if choice is None or any(self._repeats_fact(step, choice, *each) for each in shown):
                continue
            shown.append((step, choice))
            found.append(choice)
        return found

    def _best_part(
        self, steps_and_links: Sequence[tuple[Step, FlowChoice]]
    ) -> Iterator[FlowChoice]:
        """Yields a link for the best place if it is part of a long function of which only other
        parts are shown: a hop shows its call of the next step, wherever that is."""
        symbol = definition_of(self._graph, self._best)
        if symbol is None or symbol.kind not in CALLABLES:
            return
        shown = [choice for step, choice in steps_and_links if step.symbol.id == symbol.id]
        if not shown or any(map(self._shows_best, shown)):
            return
        choice = self._telling.choice(Step(symbol, "also", part=self._best.range))
        if choice is not None and self._shows_best(choice):
            yield choice

    def _shows_best(self, choice: FlowChoice) -> bool:
        shown = self._case.registry.get(choice.candidate_id)
        return shown is not None and share_lines(shown, self._best)

    def _repeats_fact(self, one: Step, link: FlowChoice, other: Step, earlier: FlowChoice) -> bool:
        """Whether two symbols override the same member and have the same fact."""
        facts = {
            choice.fact.replace(statements.called(step.symbol), "")
            for step, choice in ((one, link), (other, earlier))
        }
        return len(facts) == 1 and override_same_member(self._graph, one.symbol, other.symbol)

    def _link_to_text(self, candidate: Candidate) -> FlowChoice | None:
        """Returns a link for text outside of definitions. It quotes what the question has word for
        word, or else the line that says most about the question."""
        words = self._exhibits.words.telling_words(candidate.matched_terms)
        if candidate.range is None or not words or not self._exhibits.has(candidate.path):
            return None
        if (verbatim := self._exhibits.verbatim_text(candidate.path, candidate.range)) is not None:
            line, fact = verbatim[0], statements.of_text_alone(verbatim[1].text)
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

    def _best_places_show_definitions(self) -> bool:
        """Whether some place about as good as the best shows a definition. If the language is not
        parsed, the few definitions there are belong to other files and other topics."""
        return any(
            definition_of(self._graph, each) is not None
            for each in as_good_as_best(self._case.ranking)
        )

    def _action(self, confidence: Confidence) -> Action:
        """Returns the recommended action. Whoever answers from the report reads nothing else, so an
        unsure report asks for the code to be read."""
        editing = self._case.request.intent in ("edit", "debug")
        return "read_targets" if editing or confidence != "high" else "answer_from_report"


def _missing_notes(answered: Answered, selection: Selection) -> tuple[str, ...]:
    """Returns the notes on what the shown places lack of the question. None for an answer of high
    confidence: such answers were right as often when words were missing."""
    if selection.confidence == "high":
        return ()
    shown = [*selection.flow, *selection.read_targets]
    places = [*(each.candidate_id for each in shown), *selection.primary_candidate_ids]
    return answered.missing(places)
