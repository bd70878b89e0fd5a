"""Whatever a model or its server does, there is a report or a clear error, within the budget."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from explorer_core.contracts import Report, StopReason
from explorer_core.judges.model_judges.budget import REPORT_TOKENS
from tests.judges.conftest import SECRET, Ask, Run
from tests.judges.test_conversation import CHECKOUT, PLACE, SAVE, report, steps
from tests.model_server.script import (
    Block,
    Fault,
    Prompt,
    RawJson,
    Scripted,
    Turn,
    breaking,
    calls,
    calls_with,
    refuses,
    says,
    slowly,
    submits,
    thinks,
    turn,
)
from tests.model_server.server import REFUSES_FORCED_TOOLS, ModelServer


def look(word: str = "save") -> Turn:
    return turn(calls("grep", pattern=word))


def results(run: Run, request: int = -1) -> list[Block]:
    """The tool results in the last message of a request."""
    content = run.requests[request]["messages"][-1]["content"]
    return [block for block in content if block["type"] == "tool_result"]


def check_report(run: Run, stop: StopReason = "completed", *, fell_back: bool = False) -> Report:
    """Check the stop reason and whether the report is the model's or the offline one."""
    found = run.report
    assert found.stop_reason == stop, found.notes
    assert found.judge == ("offline" if fell_back else "conversation")
    if fell_back:
        assert found.confidence == "low"
        assert found.notes
        assert found.links
    else:
        assert [link.quote.strip() for link in found.links] == [CHECKOUT, PLACE, SAVE]
    return found


# network trouble


@pytest.mark.parametrize(
    "fault",
    [
        Fault(429, "rate_limit_error", retry_after="0.05"),
        Fault(529, "overloaded_error", retry_after="0.05"),
        Fault(429, "rate_limit_error", retry_after="Thu, 01 Jan 2026 00:00:00 GMT"),
        Fault(429, "rate_limit_error", retry_after="soon"),
        Fault(500),
        Fault(503),
        Fault(200, "overloaded_error", in_stream=True),
    ],
    ids=str,
)
async def test_transient_fault_is_retried(ask: Ask, fault: Fault):
    check_report(await ask([look(), fault, report]))


@pytest.mark.parametrize("after", [0, 1, 2, 3, 4, 5])
async def test_broken_stream_is_requested_again(ask: Ask, after: int):
    check_report(await ask([look(), breaking(turn(thinks("Well"), says("so")), after), report]))


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault(401, "authentication_error"), "refused the key; set ANTHROPIC_API_KEY"),
        (Fault(403, "permission_error"), "refused the key"),
        (Fault(404, "not_found_error"), "has no model 'scripted'"),
        (Fault(400, "invalid_request_error", "max_tokens: too many"), "max_tokens: too many."),
        (Fault(429, "rate_limit_error", retry_after="3600"), "try again in 3600 s"),
        (Fault(429, retry_after="Tue, 01 Jan 2999 00:00:00 GMT"), "limiting requests; try again"),
        (Fault(429, retry_after="inf"), "limiting requests; try again later"),
        (Fault(500), "reports a problem (status 500); try again later"),
        (Fault(413, "request_too_large", "too\nlarge"), "too large."),
    ],
    ids=str,
)
async def test_lasting_fault_leaves_the_offline_report(ask: Ask, fault: Fault, expected: str):
    run = await ask([], then=fault, conversation_time_s=20.0)
    found = check_report(run, "model_error", fell_back=True)
    (note,) = found.notes
    assert expected in note
    assert "\n" not in note


async def test_stream_that_always_breaks_leaves_the_offline_report(ask: Ask):
    run = await ask([], then=breaking(look(), 3))
    assert "broke off" in check_report(run, "model_error", fell_back=True).notes[0]


async def test_unreachable_server_leaves_the_offline_report(ask: Ask):
    run = await ask([], base_url="http://127.0.0.1:9")
    assert "cannot be reached" in check_report(run, "model_error", fell_back=True).notes[0]


async def test_password_in_the_server_address_is_not_shown(ask: Ask):
    run = await ask([], base_url="http://bob:hunter2@127.0.0.1:9/v1")
    (note,) = check_report(run, "model_error", fell_back=True).notes
    assert "http://127.0.0.1:9/v1" in note
    assert "hunter2" not in note


async def test_slow_tokens_end_with_the_wall_time(ask: Ask):
    run = await ask([], then=slowly(look(), 0.3), conversation_time_s=1.0)
    found = check_report(run, "wall_time", fell_back=True)
    assert "no report within 1 s" in found.notes[0]


async def test_reserved_time_suffices_for_the_report(ask: Ask):
    run = await ask([slowly(look(), 0.16), report], conversation_time_s=1.5)
    check_report(run, "wall_time")
    assert "Exploring is over (wall_time)" in Prompt(run.requests[-1]).text


# budgets


async def test_endless_tool_calls_end_with_the_step_budget(ask: Ask):
    words = iter(f"w{n}" for n in range(100))
    endless: Scripted = lambda prompt: turn(calls("grep", pattern=next(words)))  # noqa: E731
    run = await ask([], then=endless, conversation_steps=1)
    found = check_report(run, "steps", fell_back=True)
    assert found.usage.steps == 1
    assert len(run.requests) <= 5


async def test_after_the_last_step_only_submit_report_is_answered(ask: Ask):
    run = await ask([look(), look("order"), report], conversation_steps=1)
    check_report(run, "steps")
    (late,) = results(run)
    assert late["is_error"]
    assert "only submit_report is answered" in late["content"][0]["text"]
    assert [request["tools"] for request in run.requests[1:]] == [run.requests[0]["tools"]] * 2


async def test_the_report_is_forced_after_the_last_step(ask: Ask):
    run = await ask([look(), report], conversation_steps=1, model="never-asked-before")
    chosen = [request.get("tool_choice") for request in run.requests]
    assert chosen == [None, {"type": "tool", "name": "submit_report"}]


async def test_model_that_refuses_forced_tools_is_not_forced(ask: Ask, server: ModelServer):
    script: list[Scripted] = [look(), report]
    first = await ask(script, conversation_steps=1, model=REFUSES_FORCED_TOOLS)
    again = await ask(script, conversation_steps=1, model=REFUSES_FORCED_TOOLS)
    check_report(first, "steps")
    check_report(again, "steps")
    assert [len(run.requests) for run in (first, again)] == [3, 2]  # remembered the second time
    assert "tool_choice" not in first.requests[-1]


async def test_character_budget_ends_exploring(ask: Ask):
    looks = [turn(calls("grep", pattern="o"))]
    run = await ask([*looks, report], observation_chars=2_800, observation_chars_per_result=2_000)
    check_report(run, "observation_chars")
    assert run.report.usage.observation_chars <= 2_800 + 400
    tight = await ask([report], observation_chars=1_000)
    assert tight.report.stop_reason == "observation_chars"


async def test_output_token_budget_ends_exploring(ask: Ask):
    run = await ask(
        [turn(calls("grep", pattern="save"), output_tokens=1500), report],
        conversation_output_tokens=4_000,
    )
    check_report(run, "output_tokens")
    assert run.requests[-1]["max_tokens"] >= REPORT_TOKENS - 500


async def test_steps_that_bring_nothing_new_end_exploring(ask: Ask):
    run = await ask([look("save"), look("save("), look("def save"), report])
    check_report(run, "low_yield")
    assert run.report.usage.steps < 4


async def test_a_request_may_have_its_own_budget(ask: Ask):
    run = await ask([look(), report], request={"budget": {"steps": 1}})
    check_report(run, "steps")


# what a model says


@pytest.mark.parametrize(
    "stop",
    [
        turn(says("The order is saved by the store.")),
        turn(),
        turn(thinks("I know.")),
        turn(says("and so on and"), stop_reason="max_tokens"),
        turn(says("pausing"), stop_reason="pause_turn"),
    ],
    ids=["text", "nothing", "thinking", "cut off", "pause"],
)
async def test_a_model_that_stops_is_nudged_once(ask: Ask, stop: Turn):
    check_report(await ask([stop, report]))
    run = await ask([stop, stop, report])
    check_report(run, "no_report", fell_back=True)
    assert len(run.requests) == 2


async def test_refusal_leaves_the_offline_report(ask: Ask):
    run = await ask([look(), refuses()])
    found = check_report(run, "refused", fell_back=True)
    assert "refused" in found.notes[0]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (calls("open_file", path="a"), "Unknown tool 'open_file'; the tools are explore_code"),
        (calls("", x=1), "Unknown tool ''"),
        (calls("read_file"), "path: Field required"),
        (calls("read_file", path="shop/web.py", start=0), "start: Input should be greater"),
        (calls("read_file", path="shop/web.py", start="one"), "start: "),
        (calls("read_file", path="shop/wep.py"), "shop/web.py"),
        (calls("read_file", path="shop/web.py", start=900), "lines"),
        (calls("read_file", path="../../etc/passwd"), "outside the workspace"),
        (calls("read_file", path="/etc/passwd"), "outside the workspace"),
        (calls("read_file", path=".env"), "withheld"),
        (calls("read_file", path="c99999"), "no file"),
        (calls("grep", pattern="x", colour="red"), "colour: Extra inputs are not permitted"),
        (calls("grep", pattern="y" * 100_000), "pattern: String should have at most"),
        (calls("list_files", globs=["nowhere/*"]), "No file matches"),
        (calls("list_files", globs=["*"] * 500), "globs: Tuple should have at most"),
        (calls_with("grep", ["a", "list"]), "not a valid JSON object"),
        (calls_with("grep", RawJson('{"pattern": "a", oops}')), "not a valid JSON object"),
        (calls_with("grep", RawJson("no JSON at all")), "not a valid JSON object"),
    ],
    ids=lambda each: str(each)[:60] if isinstance(each, str) else "",
)
async def test_tool_error_is_returned_to_the_model(ask: Ask, call: Block, expected: str):
    run = await ask([turn(call), report])
    (result,) = results(run)
    assert result.get("is_error")
    assert expected in result["content"][0]["text"]
    assert len(result["content"][0]["text"]) < 1_500
    check_report(run)


async def test_a_call_that_was_cut_off_is_not_run(ask: Ask):
    cut = turn(calls_with("grep", RawJson('{"pattern": "sa')), stop_reason="max_tokens")
    run = await ask([cut, report])
    (result,) = results(run)
    assert "cut off" in result["content"][0]["text"]
    check_report(run)


async def test_text_after_a_complete_report_may_be_cut_off(ask: Ask):
    def wordy(prompt: Prompt) -> Turn:
        return turn(submits(steps(prompt)), says("As I said, and"), stop_reason="max_tokens")

    run = await ask([wordy])
    check_report(run)
    assert len(run.requests) == 1


@pytest.mark.parametrize("blank", ["\n\n", " ", "\u3000"])
async def test_blank_text_is_not_sent_back(ask: Ask, blank: str):
    run = await ask([turn(says(blank), calls("grep", pattern="save")), turn(says(blank)), report])
    check_report(run)


async def test_calls_in_the_turn_of_the_report_are_not_run(ask: Ask):
    def both(prompt: Prompt) -> Turn:
        return turn(calls("grep", pattern="save"), submits(steps(prompt)))

    run = await ask([both])
    check_report(run)
    assert run.report.usage.steps == 0


SURROGATE = "\ud800"
"""A lone surrogate: JSON can represent it, UTF-8 cannot."""


@pytest.mark.parametrize(
    "act",
    [
        turn(says(f"Well{SURROGATE}"), calls("grep", pattern="save")),
        turn(thinks(f"Hm{SURROGATE}"), calls("grep", pattern="save")),
        turn(calls("grep", pattern=f"save{SURROGATE}")),
        turn(calls("read_file", path=SURROGATE)),
        turn(calls("list_files", globs=[SURROGATE])),
        turn(calls("explore_code", query=SURROGATE)),
        turn(calls(f"grep{SURROGATE}", pattern="save")),
        turn(calls("grep", **{SURROGATE: 1})),
        turn(submits(missingCoverage=[SURROGATE], confidence="low")),
        turn(
            submits(
                [{"candidateId": "c1", "role": SURROGATE, "fact": SURROGATE, "quote": SURROGATE}]
            )
        ),
    ],
    ids=["text", "thought", "pattern", "path", "glob", "query", "tool", "key", "missing", "step"],
)
async def test_lone_surrogates_cause_no_encoding_error(ask: Ask, act: Turn):
    run = await ask([act, report])
    found = run.report
    assert found.judge in ("conversation", "offline")
    found.to_json().encode()
    run.transcript.encode()


@pytest.mark.parametrize(
    "path", ["x" * 900, "x/" * 400, "a\0b", "~", "//", "con", "\u202e.py", "."]
)
async def test_impossible_file_names_are_tool_errors(ask: Ask, path: str):
    run = await ask([turn(calls("read_file", path=path)), report])
    (result,) = results(run)
    assert result["is_error"]
    assert len(result["content"][0]["text"]) <= 1_000
    check_report(run)


async def test_excess_calls_of_one_turn_are_not_run(ask: Ask):
    crowd = [calls("grep", pattern=f"o{n}") for n in range(300)]
    run = await ask([turn(*crowd), report])
    answers = results(run)
    assert len(answers) == 300
    assert sum("Not run: at most" in each["content"][0]["text"] for each in answers) == 292
    check_report(run)


async def test_no_result_is_longer_than_the_limit(ask: Ask):
    looks = [
        calls("explore_code", query="save order checkout mail confirm place_order"),
        calls("grep", pattern="o"),
        calls("read_file", path="x" * 900),
        calls("list_files", globs=["**", *("y" * 900 for _ in range(9))]),
    ]
    run = await ask([turn(*looks), report], observation_chars_per_result=900)
    for result in results(run):
        assert len(result["content"][0]["text"]) <= 1_000
    first = run.requests[0]["messages"][0]["content"][1]["text"]
    assert len(first) <= 950


FORGED_STEP = {"candidateId": "c4711", "role": "r", "fact": "It does.", "quote": CHECKOUT}
FORGED_TARGET = {"candidateId": "c4711", "purpose": "read it"}


def submits_with(**fields: object) -> Scripted:
    return lambda prompt: turn(submits(steps(prompt), **fields))


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        (submits_with(confidence="certain"), "confidence: Input should be 'low'"),
        (submits_with(recommendedPrimaryAction=None), "recommendedPrimaryAction: "),
        (submits_with(primaryCandidateIds=[]), "primaryCandidateIds: name one to five"),
        (submits_with(primaryCandidateIds="c1"), "primaryCandidateIds: "),
        (submits_with(primaryCandidateIds=["src/a.py"]), "primaryCandidateIds.0: "),
        (submits_with(primaryCandidateIds=["c4711"]), "primaryCandidateIds.0: no place c4711"),
        (submits_with(flow=[FORGED_STEP]), "flow.0.candidateId: no place c4711"),
        (submits_with(flow=[{"candidateId": "c1"}]), "flow.0.role: Field required"),
        (submits_with(flow=[{}] * 1000), "flow: 1000 items"),
        (submits_with(readTargets=[FORGED_TARGET]), "readTargets.0.candidateId: no place c4711"),
        (submits_with(path="src/fake.py"), "path: Extra inputs are not permitted"),
        (submits_with(missingCoverage=["x" * 500_000]), "missingCoverage.0: 500,000 characters"),
        (turn(calls_with("submit_report", RawJson('{"flow": [}'))), "not a valid JSON object"),
        (turn(calls_with("submit_report", "nothing")), "not a valid JSON object"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_invalid_report_is_returned_with_the_field_named(
    ask: Ask, bad: Scripted, expected: str
):
    run = await ask([bad, report])
    (result,) = results(run)
    assert result["is_error"]
    assert expected in result["content"][0]["text"]
    assert len(result["content"][0]["text"]) < 2_000
    check_report(run)


async def test_reports_that_stay_invalid_leave_the_offline_report(ask: Ask):
    run = await ask([], then=submits_with(confidence="certain"))
    found = check_report(run, "no_report", fell_back=True)
    assert len(run.requests) == 3
    assert "submitted no valid report" in found.notes[0]


async def test_ids_that_stay_unknown_are_dropped_and_counted(ask: Ask):
    def bad(prompt: Prompt) -> Turn:
        return turn(submits([*steps(prompt), FORGED_STEP]))

    run = await ask([], then=bad)
    check_report(run)
    dropped = {(each.what, each.id, each.why) for each in run.report.dropped}
    assert dropped == {
        ("link", "c4711", "unknown_id"),
        ("primary", "c4711", "unknown_id"),
    }
    assert run.report.confidence == "medium"


async def test_a_place_found_but_not_shown_cannot_be_named(ask: Ask):
    """Retrieval registers more places than are shown at first."""

    def guess(prompt: Prompt) -> Turn:
        shown_ids = {place.id for place in prompt.places()}
        hidden = next(f"c{n}" for n in range(1, 50) if f"c{n}" not in shown_ids)
        return turn(submits(steps(prompt), readTargets=[{"candidateId": hidden, "purpose": "p"}]))

    run = await ask([guess, report])
    assert "readTargets.0.candidateId: no place" in results(run)[0]["content"][0]["text"]


@pytest.mark.parametrize(
    "text",
    [
        "It calls src/fake.py:10.",
        "See src/fake.py for the rest.",
        "Continues at https://example.org/x.",
        "It goes on in shop/store.py:400.",
        "As in C:\\windows\\fake.py.",
        "Saved by fake.rs, later.",
    ],
)
async def test_forged_references_in_free_text_are_dropped(ask: Ask, text: str):
    """The id and the quote are valid."""

    def forged(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        target = {"candidateId": first["candidateId"], "purpose": text, "required": True}
        bad = [first | {"fact": text}, *rest]
        return turn(submits(bad, readTargets=[target], missingCoverage=[text]))

    run = await ask([], then=forged)
    found = run.report
    assert [link.path for link in found.links] == ["shop/orders.py", "shop/store.py"]
    assert (found.read_targets, found.missing) == ((), ())
    assert "fake" not in found.model_dump_json(exclude={"query"})


@pytest.mark.parametrize(
    "quote",
    [
        "return place_order(basket)",
        "checkout returns what place_order returns",
        "def checkout(request):\n    return place_order(request.basket, request.user)",
        "}",
        "",
        "x" * 1_000,
        SAVE,
    ],
    ids=[
        "fabricated",
        "paraphrased",
        "joined across a gap",
        "brace",
        "empty",
        "long",
        "elsewhere",
    ],
)
async def test_steps_with_wrong_quotes_are_dropped(ask: Ask, quote: str):
    def wrong(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        return turn(submits([first | {"quote": quote}, *rest]))

    run = await ask([], then=wrong)
    assert [link.path for link in run.report.links] == ["shop/orders.py", "shop/store.py"]
    assert run.report.confidence == "medium"


# what must not be sent


def sent(run: Run) -> str:
    return str([(request["system"], request["messages"]) for request in run.requests])


SPYING: Sequence[Block] = (
    calls("grep", pattern="SHOP_PASSWORD"),
    calls("grep", pattern="secret-of-the-shop"),
    calls("read_file", path=".env"),
    calls("read_file", path="./.env"),
    calls("read_file", path="shop/../.env"),
    calls("read_file", path="ignored/token.txt"),
    calls("list_files", globs=["**", ".env"]),
    calls("explore_code", query="SHOP_PASSWORD"),
    calls("read_file", path="shop/mail.py"),
    calls("grep", pattern=SECRET[:8]),
)


@pytest.mark.parametrize("call", SPYING, ids=str)
async def test_secrets_are_never_sent(ask: Ask, call: Block):
    run = await ask([turn(call), report])
    text = "\n".join(result["content"][0]["text"] for result in results(run))
    assert "the-secret-of-the-shop" not in text
    assert "ignored-on-purpose" not in text
    assert SECRET not in sent(run).replace(str(call["input"]), "")


@pytest.mark.parametrize("judge", ["conversation", "packet"])
async def test_credentials_in_a_question_are_masked(ask: Ask, judge: str):
    question = f"Why is {SECRET} refused when checkout saves an order?"
    run = await ask([report], query=question, judge=judge)
    assert run.requests
    assert SECRET.lower() not in sent(run).lower()


KEY_LINE = f'API_KEY = "{SECRET}"'


@pytest.mark.parametrize(
    ("quote", "kept_quote"),
    [
        ('API_KEY = "[masked]"', None),
        (KEY_LINE, None),
        (SECRET, None),
        (SECRET[4:], None),
        (f'KEY = "{SECRET[:5]}', None),
        ("API_KEY =", "API_KEY ="),
    ],
    ids=["masked", "whole", "alone", "end", "beginning", "beside"],
)
async def test_no_report_quotes_a_credential(ask: Ask, quote: str, kept_quote: str | None):
    """Not even if the model knows the credential from elsewhere."""

    def quoting(prompt: Prompt) -> Turn:
        place = prompt.place("shop/mail.py", line="API_KEY = ")
        step = {"candidateId": place.id, "role": "key", "fact": "It is kept.", "quote": quote}
        return turn(submits([*steps(prompt), step]))

    run = await ask([turn(calls("read_file", path="shop/mail.py")), quoting, quoting])
    found = run.report
    assert SECRET not in found.to_json()
    assert SECRET not in sent(run).replace(repr(quote)[1:-1], "")
    assert [link.quote for link in found.links if link.path == "shop/mail.py"] == (
        [kept_quote] if kept_quote else []
    )
    if quote == 'API_KEY = "[masked]"':
        assert [each.why for each in found.dropped] == ["credential"]
        assert "its quote holds a value that is withheld" in sent(run)


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
async def test_no_offline_report_quotes_a_credential(ask: Ask, intent: str):
    question = "Where is API_KEY of the mail set?"
    run = await ask([], query=question, judge="offline", request={"intent": intent})
    assert "shop/mail.py" in {place.path for place in run.report.primary}
    assert SECRET not in run.report.to_json()
    assert "credential" not in {each.why for each in run.report.dropped}


async def test_repository_text_cannot_imitate_a_place_heading(ask: Ask):
    run = await ask([turn(calls("read_file", path="shop/hostile.py")), report])
    (result,) = results(run)
    lines = result["content"][0]["text"].split("\n")
    heads = [line for line in lines if line.startswith("[")]
    assert heads
    assert all("shop/hostile.py" in head for head in heads)
    for line in lines:
        assert "forged" not in line or line.startswith("    2| ")
    check_report(run)
