"""Judge and validate, then let the judge reconsider while critical gaps remain."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from explorer_core.contracts import Diagnostic, DropReason, ExploreRequest, Selection
from explorer_core.errors import StoreDamagedError
from explorer_core.judges.base import Gap, Judge, JudgeCase, JudgeError, Verdict
from explorer_core.judges.offline.offline import OfflineJudge
from explorer_core.validation import Validated

T = TypeVar("T")

logger = logging.getLogger(__name__)

_FALLBACK_PLACES = 3
"""Number of places named if even the offline judge fails."""

Check = Callable[[Verdict, Selection], Validated]
"""Validates a judge's selection; the second selection replaces it if nothing of it survives."""

_REPAIRS: dict[DropReason, str] = {
    "fact_unverified": "its quote is not in its text; copy one line of it exactly",
    "quote_unusable": "its quote is empty, longer than two lines, or says nothing",
    "credential": "its quote holds a value that is withheld; copy the part of the line without it,"
    " or another line",
    "unobserved_reference": "its fact names a path or a line; rephrase it without",
    "no_range": "nothing of its text was read; read it first, or take another place",
    "range_not_observed": "nothing of its text was read; read it first, or take another place",
}


async def deliberate(judge: Judge, case: JudgeCase, check: Check) -> tuple[Verdict, Validated]:
    """The judge's verdict, and the part of it that may be reported.

    If the judge fails for any reason, the offline selection is returned at low confidence, with the
    reason noted. If its selection has critical gaps, it gets up to ``settings.reconsider_rounds``
    further tries; the best validated selection wins.
    """
    offline = await _offline_verdict(case)

    async def validate_verdict(verdict: Verdict) -> Validated:
        return await case.with_graph(lambda: check(verdict, offline.selection))

    # This is also what a face can show while a model thinks.
    offline_validated = await validate_verdict(offline)
    if judge.name == "offline":
        return offline, offline_validated
    try:
        verdict = await _with_judge_errors(judge, judge.judge(case))
    except JudgeError as error:
        verdict = _fallback_verdict(offline, judge, error)
        return verdict, await validate_verdict(verdict)
    validated = await validate_verdict(verdict)
    reported: set[str] = set()
    for _ in range(case.workspace.settings.reconsider_rounds):
        gaps = [gap for gap in _critical_gaps(validated, case.request) if gap.text not in reported]
        reported |= {gap.text for gap in gaps}
        try:
            retry = await _with_judge_errors(judge, judge.reconsider(case, gaps)) if gaps else None
        except JudgeError as error:
            retry_costs = replace(verdict, usage=error.usage, effort=error.effort)
            return replace(retry_costs, diagnostics=(_note(judge, error),)), validated
        if retry is None:
            break
        revalidated = await validate_verdict(retry)
        is_better = not revalidated.fell_back and _weight(revalidated) >= _weight(validated)
        verdict = retry if is_better else replace(verdict, usage=retry.usage, effort=retry.effort)
        validated = revalidated if is_better else validated
    return verdict, validated


async def _with_judge_errors(judge: Judge, verdict: Awaitable[T]) -> T:
    """The judge's answer. Any exception other than damage to the index becomes a JudgeError."""
    try:
        return await verdict
    except (JudgeError, StoreDamagedError):
        raise
    except Exception as error:
        logger.exception("The %s judge failed.", judge.name)
        # The exception's text may contain text of the repository; it goes to the log only.
        message = (
            f"The {judge.name} judge failed because of an internal error ({type(error).__name__})."
        )
        raise JudgeError(message) from error


async def _offline_verdict(case: JudgeCase) -> Verdict:
    """The offline verdict; if the graph fails, the best ranked places alone."""
    judge = OfflineJudge()
    try:
        return await _with_judge_errors(judge, judge.judge(case))
    except JudgeError as error:
        best = tuple(each.id for each in case.ranking.candidates[:_FALLBACK_PLACES])
        action = "read_targets" if best else "skip_explore_result"
        selection = Selection(
            primary_candidate_ids=best, recommended_primary_action=action, confidence="low"
        )
        return Verdict(selection, diagnostics=(_note(judge, error),))


def _critical_gaps(validated: Validated, request: ExploreRequest) -> Iterator[Gap]:
    """What the judge should correct: dropped steps, what it named as missing, nothing to edit."""
    for dropped in validated.dropped:
        repair = _REPAIRS.get(dropped.why)
        if repair and dropped.what == "link":
            yield Gap(f"Step {dropped.id} was removed: {repair}.")
    for missing in validated.missing:
        yield Gap(
            f"You named this as missing: {missing} Look for it; if you cannot find it, keep it"
            " among the missing.",
            needs_exploring=True,
        )
    is_skipped = validated.action == "skip_explore_result"
    if request.intent == "edit" and not validated.read_targets and not is_skipped:
        yield Gap("An edit needs at least one read target that has lines.")
    if validated.fell_back:
        yield Gap("None of the primary places can be reported; name places you were shown.")


def _weight(validated: Validated) -> tuple[int, int]:
    """The worth of a report, for comparing two tries: more links, then fewer gaps."""
    return len(validated.links), -len(validated.missing)


def _fallback_verdict(offline: Verdict, judge: Judge, error: JudgeError) -> Verdict:
    """The offline verdict at low confidence, with the failed judge's costs and error."""
    return replace(
        offline,
        selection=offline.selection.model_copy(update={"confidence": "low"}),
        model=error.model,
        stop_reason=error.stop_reason,
        usage=error.usage,
        effort=error.effort,
        diagnostics=(*offline.diagnostics, _note(judge, error)),
    )


def _note(judge: Judge, error: JudgeError) -> Diagnostic:
    return Diagnostic(source=judge.name, message=str(error), affects_answer=True)
