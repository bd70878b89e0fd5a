"""The conversation judge: a model explores with tools and must end in a report.

Messages are only ever added, so that every request repeats the last one byte for byte and goes on
from there; that is what the provider's cache needs.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from explorer_core.contracts import Dropped, JudgeName, Selection, StopReason, Usage
from explorer_core.judges.base import Gap, JudgeCase, JudgeError, Verdict
from explorer_core.judges.budget import ConversationBudget, Yield
from explorer_core.judges.masking import masked
from explorer_core.judges.model import (
    Block,
    Message,
    ModelClient,
    ModelError,
    Reply,
    Tokens,
    TurnRequest,
)
from explorer_core.judges.prompts import prompt
from explorer_core.judges.shown import ShownPlaces, plain
from explorer_core.judges.submission import Rejected, parse_submission, without_unknown
from explorer_core.judges.tools import SUBMIT, Toolbox, tool_definitions

_REPAIRS = 2
"""Reports sent back for repair; the next one is taken without what is wrong, or not at all."""
_LATE_TURNS = 2
"""Turns a model may waste on other tools once exploring is over."""
_NUDGE = "You stopped without a report. Call submit_report now with what you have found."
_OVER = "Exploring is over ({reason}). Call submit_report now with what you have found."
_LATE = "Exploring is over ({reason}); only submit_report is answered now."
_ALONGSIDE = "Not run: the report was handed in with the same message."
_CUT_OFF = "The call was cut off before its end; make it again, shorter."
_NOT_JSON = "The arguments are not a valid JSON object; make the call again."
_NO_OBJECT: dict[str, Any] = {}
"""Stands in for arguments that are no object, which no server would take back."""


_Begin = Callable[[], Awaitable[None]]


class ConversationJudge:
    """One conversation with one model about one case."""

    name: JudgeName = "conversation"

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._talk: _Conversation | None = None

    async def judge(self, case: JudgeCase) -> Verdict:
        """Converse until there is a report. Raises JudgeError when there is none to be had."""
        self._talk = _Conversation(self._client, case)
        return await self._talk.verdict(self._talk.open)

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        """Go on in the same conversation with what is wrong; None if nothing is left for that."""
        talk = self._talk
        if talk is None:
            return None
        spent = talk.budget.spent()
        open_gaps = [gap for gap in gaps if spent is None or not gap.needs_exploring]
        if not open_gaps or spent in ("wall_time", "output_tokens"):
            return None
        return await talk.verdict(lambda: talk.name_gaps(open_gaps))


@dataclass(slots=True)
class _Spending:
    """What the turns used up."""

    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = 0.0
    model: str | None = None

    def add(self, reply: Reply) -> None:
        self.tokens += reply.tokens
        self.model = reply.model
        known = self.cost is not None and reply.cost_usd is not None
        self.cost = (self.cost or 0.0) + (reply.cost_usd or 0.0) if known else None


class _Conversation:
    """The state of a conversation: its messages, what was shown, what is left."""

    def __init__(self, client: ModelClient, case: JudgeCase) -> None:
        self.case = case
        self.budget = ConversationBudget.of(case.workspace.settings, case.request)
        self._client = client
        self._system = prompt("conversation")
        self._tools = tool_definitions()
        self._messages: list[Message] = []
        self._shown = ShownPlaces(case.registry)
        self._toolbox = Toolbox(case, self._shown)
        self._spending = _Spending()
        self._stop: StopReason | None = None
        self._nudged = False
        self._repairs = 0
        self._late = 0

    async def verdict(self, begin: _Begin) -> Verdict:
        """Begin, then take turns until a report is accepted or nothing is left."""
        try:
            async with asyncio.timeout(self.budget.seconds_left()):
                await begin()
                selection, dropped = await self._until_report()
        except TimeoutError:
            raise self._failure(
                f"The model handed in no report within {self.budget.seconds:.0f} s.", "wall_time"
            ) from None
        except ModelError as error:
            raise self._failure(str(error), "model_error") from error
        except asyncio.CancelledError:
            self.case.transcript.note("Cancelled.")
            raise
        return Verdict(
            selection,
            judge="conversation",
            model=self._spending.model,
            stop_reason=self._stop or "completed",
            usage=self._usage(),
            dropped=dropped,
        )

    async def open(self) -> None:
        """The question, the limits and what the first search found."""
        self.case.transcript.begin(
            "Conversation", [("model", self._client.model), ("budget", self.budget.left())]
        )
        self.case.transcript.instructions(self._system, self._tools)
        found = await self._toolbox.first_look(self.budget.result_chars(1))
        self.budget.chars_used += len(found.text)
        request = self.case.request
        boundary = secrets.token_hex(4)
        lines = [
            f"Question, between the two marks {boundary}:",
            boundary,
            "\n".join(map(masked, request.query.splitlines())),
            boundary,
            f"Intent: {request.intent}",
            *([f"Only files that match: {', '.join(request.scope)}"] if request.scope else []),
            f"Left: {self.budget.left()}",
        ]
        first = found.text if found.shown else "The first search found nothing."
        self._stop = self.budget.spent()
        over = [_text(_OVER.format(reason=self._stop))] if self._stop else []
        self._tell_model(
            [_text("\n".join(lines)), _text(f"The first search found:\n{first}"), *over]
        )

    async def name_gaps(self, gaps: Sequence[Gap]) -> None:
        """One message with what is wrong with the report that was handed in."""
        listed = "\n".join(f"- {plain(masked(gap.text))}" for gap in gaps)
        self._tell_model(
            [
                _text(
                    f"Your report was checked. What has to be put right:\n{listed}\n"
                    f"Left: {self.budget.left()}. Hand in the whole report again."
                )
            ]
        )
        self._stop = self.budget.spent()
        self._nudged = False
        self._repairs = self._late = 0

    async def _until_report(self) -> tuple[Selection, tuple[Dropped, ...]]:
        while True:
            reply = await self._ask()
            if reply.end == "refusal":
                raise self._failure("The model refused to look at this.", "refused")
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
            raise self._failure("The model handed in no report that could be taken.", reason)
        must_report = self._stop is not None or self._nudged
        reply = await self._client.turn(
            TurnRequest(
                system=self._system,
                tools=self._tools,
                messages=tuple(self._messages),
                max_tokens=self.budget.reply_tokens(),
                forced_tool=SUBMIT if must_report else None,
            )
        )
        self.budget.tokens_used += reply.tokens.output
        self._spending.add(reply)
        self.case.transcript.model_said(reply)
        reply = replace(reply, blocks=tuple(_returnable(reply)))
        if reply.blocks:
            self._messages.append({"role": "assistant", "content": list(reply.blocks)})
        return reply

    def _nudge(self, reply: Reply) -> None:
        """Once, a model that stops without a report is asked for it."""
        if self._nudged:
            reason: StopReason = self._stop or "no_report"
            raise self._failure("The model ended without a report.", reason)
        self._nudged = True
        cut = " Your message was cut off: be brief." if reply.end == "max_tokens" else ""
        self._tell_model([_text(_NUDGE + cut)])

    async def _answer(
        self, reply: Reply, uses: Sequence[Block]
    ) -> tuple[Selection, tuple[Dropped, ...]] | None:
        """Answer every call of a turn; gives the selection once it is accepted."""
        broken = uses[-1] if reply.end in ("malformed", "max_tokens") else None
        results: dict[str, Block] = {}
        accepted: tuple[Selection, tuple[Dropped, ...]] | None = None
        for use in uses:
            if use is broken or use["input"] is _NO_OBJECT:
                why = _CUT_OFF if reply.end == "max_tokens" else _NOT_JSON
                results[use["id"]] = _result(use, why, is_error=True)
                self._repairs += use["name"] == SUBMIT
            elif use["name"] == SUBMIT and accepted is None:
                accepted = self._submitted(use, results)
        calls = [use for use in uses if use["id"] not in results]
        if accepted is not None:
            results |= {use["id"]: _result(use, _ALONGSIDE, is_error=True) for use in calls}
        elif calls or not any(use["name"] == SUBMIT for use in uses):
            results |= await self._step(calls)
        self._tell_model([*(results[use["id"]] for use in uses), *self._what_is_left(accepted)])
        return accepted

    def _submitted(
        self, use: Block, results: dict[str, Block]
    ) -> tuple[Selection, tuple[Dropped, ...]] | None:
        parsed = parse_submission(use.get("input"), Selection, self._shown.has)
        if isinstance(parsed, Rejected) and self._repairs >= _REPAIRS:
            parsed = parse_submission(use.get("input"), Selection, lambda _: True)
        if isinstance(parsed, Rejected):
            self._repairs += 1
            results[use["id"]] = _result(use, parsed.text, is_error=True)
            return None
        results[use["id"]] = _result(use, "The report was received.")
        return without_unknown(parsed, self._shown.has)

    async def _step(self, calls: Sequence[Block]) -> dict[str, Block]:
        """Run the calls of one turn side by side, unless exploring is over."""
        if self._stop is not None:
            self._late += 1
            text = _LATE.format(reason=self._stop)
            return {use["id"]: _result(use, text, is_error=True) for use in calls}
        outcomes = await self._toolbox.run(calls, self.budget.result_chars(len(calls)))
        self.budget.steps_used += 1
        self.budget.chars_used += sum(len(outcome.text) for outcome in outcomes)
        self.budget.yields.append(
            Yield(sum(each.shown for each in outcomes), sum(each.new for each in outcomes))
        )
        self._stop = self.budget.spent()
        return {
            use["id"]: _result(use, outcome.text, outcome.is_error)
            for use, outcome in zip(calls, outcomes, strict=True)
        }

    def _what_is_left(self, accepted: object) -> list[Block]:
        if accepted is not None:
            return []
        if self._stop is not None:
            return [_text(_OVER.format(reason=self._stop))]
        return [_text(f"Left: {self.budget.left()}.")]

    def _tell_model(self, blocks: Sequence[Block]) -> None:
        """Add to the conversation; two messages of ours in a row are one."""
        self.case.transcript.said_to_model(blocks)
        if self._messages and self._messages[-1]["role"] == "user":
            content = [*self._messages[-1]["content"], *blocks]
            self._messages[-1] = {"role": "user", "content": content}
        else:
            self._messages.append({"role": "user", "content": list(blocks)})

    def _usage(self) -> Usage:
        tokens = self._spending.tokens
        return Usage(
            input_tokens=tokens.uncached + tokens.written,
            cached_tokens=tokens.cached,
            output_tokens=tokens.output,
            cost_usd=self._spending.cost,
            steps=self.budget.steps_used,
            observation_chars=self.budget.chars_used,
            candidates_seen=len(self._shown.ids),
        )

    def _failure(self, message: str, reason: StopReason) -> JudgeError:
        self.case.transcript.note(f"{message} ({reason})")
        return JudgeError(message, reason, model=self._spending.model, usage=self._usage())


def _returnable(reply: Reply) -> Iterator[Block]:
    """The blocks of a reply as they can be sent back; raises ModelError if they cannot be."""
    ids = [use.get("id") for use in reply.tool_uses]
    named = all(isinstance(use.get("name"), str) for use in reply.tool_uses)
    if not all(ids) or len(set(ids)) < len(ids) or not named:
        raise ModelError("The model made tool calls without a name or an id of their own.")
    for block in reply.blocks:
        if block.get("type") == "tool_use" and not isinstance(block.get("input"), dict):
            yield {**block, "input": _NO_OBJECT}
        elif block.get("type") != "text" or block.get("text"):
            yield block


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _result(use: Block, text: str, is_error: bool = False) -> Block:
    block: Block = {
        "type": "tool_result",
        "tool_use_id": use["id"],
        "content": [{"type": "text", "text": text}],
    }
    return {**block, "is_error": True} if is_error else block
