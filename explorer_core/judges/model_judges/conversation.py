"""The conversation judge: a model explores with tools and must end in a report."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from explorer_core.contracts import Dropped, JudgeName, Selection, StopReason, Usage
from explorer_core.judges.base import Effort, Gap, JudgeCase, JudgeError, Verdict, Yield
from explorer_core.judges.model_judges.budget import ConversationBudget
from explorer_core.judges.model_judges.dialogue import (
    NO_OBJECT,
    Dialogue,
    gaps_text,
    question_block,
    text_block,
)
from explorer_core.judges.model_judges.prompts import prompt
from explorer_core.judges.model_judges.submission import Rejected, parse_submission, without_unknown
from explorer_core.judges.model_judges.tools import SUBMIT, Toolbox, tool_definitions
from explorer_core.judges.models.model import Block, ModelClient, Reply
from explorer_core.judges.shown.shown import ShownPlaces

_REPAIRS = 2
"""How many reports are sent back for repair. The next is accepted without its faulty parts, or not
at all."""
_CALLS = 8
"""Maximum calls of one turn that are run."""
_LATE_TURNS = 2
"""Turns that a model may waste on other tools after exploring is over."""
_NUDGE = "You stopped without a report. Call submit_report now with what you have found."
_EXPLORING_OVER = "Exploring is over ({reason}). Call submit_report now with what you have found."
_EXPLORING_OVER_LATE = "Exploring is over ({reason}); only submit_report is answered now."
_BESIDE_REPORT = "Not run: the report was handed in with the same message."
_TOO_MANY = f"Not run: at most {_CALLS} calls of one turn are. Make it again if you need it."
_CUT_OFF = "The call was cut off before its end; make it again, shorter."
_NOT_JSON = "The arguments are not a valid JSON object; make the call again."

_Accepted = tuple[Selection, tuple[Dropped, ...]]
_Opening = Callable[[], Coroutine[Any, Any, None]]


class ConversationJudge:
    """One conversation with one model about one case."""

    name: JudgeName = "conversation"

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._talk: _Conversation | None = None

    async def judge(self, case: JudgeCase) -> Verdict:
        """Converse until the model submits a report. Raises JudgeError if it never does."""
        self._talk = _Conversation(self._client, case)
        return await self._talk.verdict(self._talk.open)

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        """Continue the conversation with the gaps; None if the budget does not allow that."""
        talk = self._talk
        if talk is None:
            return None
        spent = talk.budget.spent()
        open_gaps = [gap for gap in gaps if spent is None or not gap.needs_exploring]
        if not open_gaps or spent in ("wall_time", "output_tokens"):
            return None
        return await talk.verdict(lambda: talk.name_gaps(open_gaps))


class _Conversation:
    """The state of a conversation: messages, places shown, budget left."""

    def __init__(self, client: ModelClient, case: JudgeCase) -> None:
        self.budget = ConversationBudget.of(case.workspace.settings, case.request)
        self._case = case
        self._dialogue = Dialogue(
            client, case.transcript, prompt("conversation"), tool_definitions()
        )
        self._shown = ShownPlaces(case.registry)
        self._toolbox = Toolbox(case, self._shown)
        self._stop: StopReason | None = None
        self._nudged = False
        self._repairs = 0
        self._late = 0
        self._sent_back = 0
        self._rounds = 0

    async def verdict(self, begin: _Opening) -> Verdict:
        """Begin, then take turns until a report is accepted or the budget is used up."""
        try:
            async with self._dialogue.within(self.budget.seconds_left(), self.budget.seconds):
                await begin()
                selection, dropped = await self._until_report()
        except JudgeError as error:
            error.usage, error.effort = self._usage(), self._effort()
            raise
        return Verdict(
            selection,
            judge="conversation",
            model=self._dialogue.model,
            stop_reason=self._stop or "completed",
            usage=self._usage(),
            effort=self._effort(),
            dropped=dropped,
        )

    async def open(self) -> None:
        """Send the question, the limits and the results of the first search."""
        self._dialogue.begin("Conversation", [("budget", self.budget.left())])
        found = await self._toolbox.first_look(self.budget.result_chars(1))
        self.budget.chars_used += len(found.text)
        self._stop = self.budget.spent()
        first = found.text if found.shown else "The first search found nothing."
        over = [text_block(_EXPLORING_OVER.format(reason=self._stop))] if self._stop else []
        self._dialogue.tell(
            question_block(self._case.request, f"Left: {self.budget.left()}"),
            text_block(f"The first search found:\n{first}"),
            *over,
        )

    async def name_gaps(self, gaps: Sequence[Gap]) -> None:
        """Send one message with the faults of the submitted report."""
        wrong = gaps_text([gap.text for gap in gaps])
        left = f"Left: {self.budget.left()}. Hand in the whole report again."
        self._dialogue.tell(text_block(f"{wrong}\n{left}"))
        self._stop = self.budget.spent()
        self._nudged = False
        self._rounds += 1
        self._repairs = self._late = 0

    async def _until_report(self) -> _Accepted:
        while True:
            reply = await self._ask()
            uses = reply.tool_uses
            if not uses:
                self._nudge(reply)
                continue
            accepted = await self._answer(reply, uses)
            if accepted is not None:
                return accepted

    async def _ask(self) -> Reply:
        over = self.budget.tokens_used >= self.budget.output_tokens
        if over or self._late > _LATE_TURNS or self._repairs > _REPAIRS:
            reason = "output_tokens" if over else self._stop or "no_report"
            raise self._dialogue.failure("The model submitted no valid report.", reason)
        taken = f"{self.budget.steps_used} of {self.budget.steps} steps taken"
        self._case.tell(f"Asking {self._dialogue.model_asked} ({taken})")
        must_report = self._stop is not None or self._nudged
        reply = await self._dialogue.ask(
            self.budget.reply_tokens(), forced_tool=SUBMIT if must_report else None
        )
        self.budget.tokens_used += reply.tokens.output
        return reply

    def _nudge(self, reply: Reply) -> None:
        """Ask a model that stops without a report for it, but only once."""
        if self._nudged:
            reason: StopReason = self._stop or "no_report"
            raise self._dialogue.failure("The model ended without a report.", reason)
        self._nudged = True
        cut = " Your message was cut off: be brief." if reply.end == "max_tokens" else ""
        self._dialogue.tell(text_block(_NUDGE + cut))

    async def _answer(self, reply: Reply, uses: Sequence[Block]) -> _Accepted | None:
        """Answer every call of a turn; returns the selection if a report was accepted."""
        cut = reply.end == "max_tokens" and uses[-1] is reply.blocks[-1]
        broken = uses[-1] if cut or reply.end == "malformed" else None
        results: dict[str, Block] = {}
        accepted: _Accepted | None = None
        for use in uses:
            if use is broken or use["input"] is NO_OBJECT:
                why = _CUT_OFF if cut else _NOT_JSON
                results[use["id"]] = _result(use, why, is_error=True)
                self._send_back(use)
            elif use["name"] == SUBMIT and accepted is None:
                accepted = self._checked_submission(use, results)
        calls = [use for use in uses if use["id"] not in results]
        if accepted is not None:
            results |= {use["id"]: _result(use, _BESIDE_REPORT, is_error=True) for use in calls}
        elif calls or not any(use["name"] == SUBMIT for use in uses):
            results |= await self._run_step(calls)
        self._dialogue.tell(*(results[use["id"]] for use in uses), *self._budget_blocks(accepted))
        return accepted

    def _checked_submission(self, use: Block, results: dict[str, Block]) -> _Accepted | None:
        parsed = parse_submission(use["input"], Selection, self._shown.has)
        if isinstance(parsed, Rejected) and self._repairs >= _REPAIRS:
            parsed = parse_submission(use["input"], Selection, lambda _: True)
        if isinstance(parsed, Rejected):
            self._send_back(use)
            results[use["id"]] = _result(use, parsed.text, is_error=True)
            return None
        results[use["id"]] = _result(use, "The report was received.")
        return without_unknown(parsed, self._shown.has)

    def _send_back(self, use: Block) -> None:
        if use["name"] == SUBMIT:
            self._repairs += 1
            self._sent_back += 1

    async def _run_step(self, calls: Sequence[Block]) -> dict[str, Block]:
        """Run the calls of one turn concurrently, unless exploring is over."""
        if self._stop is not None:
            self._late += 1
            text = _EXPLORING_OVER_LATE.format(reason=self._stop)
            return {use["id"]: _result(use, text, is_error=True) for use in calls}
        calls, others = calls[:_CALLS], calls[_CALLS:]
        outcomes = await self._toolbox.run(calls, self.budget.result_chars(len(calls)))
        self.budget.steps_used += 1
        self.budget.chars_used += sum(len(outcome.text) for outcome in outcomes)
        self.budget.yields.append(
            Yield(sum(each.shown for each in outcomes), sum(each.new for each in outcomes))
        )
        self._stop = self.budget.spent()
        return {use["id"]: _result(use, _TOO_MANY, is_error=True) for use in others} | {
            use["id"]: _result(use, outcome.text, outcome.is_error)
            for use, outcome in zip(calls, outcomes, strict=True)
        }

    def _budget_blocks(self, accepted: _Accepted | None) -> list[Block]:
        if accepted is not None:
            return []
        if self._stop is not None:
            return [text_block(_EXPLORING_OVER.format(reason=self._stop))]
        return [text_block(f"Left: {self.budget.left()}.")]

    def _effort(self) -> Effort:
        return Effort(tuple(self.budget.yields), self._sent_back, self._rounds)

    def _usage(self) -> Usage:
        return self._dialogue.usage().model_copy(
            update={
                "steps": self.budget.steps_used,
                "observation_chars": self.budget.chars_used,
                "candidates_seen": len(self._shown.ids),
            }
        )


def _result(use: Block, text: str, is_error: bool = False) -> Block:
    block: Block = {
        "type": "tool_result",
        "tool_use_id": use["id"],
        "content": [text_block(text)],
    }
    return {**block, "is_error": True} if is_error else block
