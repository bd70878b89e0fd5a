"""A conversation that goes well: one report, based on what was seen, through the real SDK."""

from __future__ import annotations

import asyncio
import re
from typing import Any, get_args

import pytest
from anthropic.types import Model

from explorer_core.contracts import ChannelResult
from explorer_core.judges.model_judges import tools
from tests.judges.conftest import SECRET, Ask
from tests.model_server.checks import breakpoints, cacheable
from tests.model_server.script import (
    Block,
    Place,
    Prompt,
    Scripted,
    Turn,
    calls,
    says,
    submits,
    thinks,
    thinks_unseen,
    turn,
)

CHECKOUT = "return place_order(request.basket, request.user)"
PLACE = "number = OrderStore().save(order)"
SAVE = "self.orders.append(order)"


def steps(prompt: Prompt) -> list[Block]:
    return [
        prompt.step("shop/web.py", "checkout", CHECKOUT),
        prompt.step("shop/orders.py", "place_order", PLACE),
        prompt.step("shop/store.py", "OrderStore", SAVE),
    ]


def report(prompt: Prompt) -> Turn:
    """The report that a good model would submit."""
    return turn(submits(steps(prompt)))


async def test_conversation_yields_the_submitted_report(ask: Ask):
    run = await ask([report])
    links = run.report.links
    assert [link.path for link in links] == ["shop/web.py", "shop/orders.py", "shop/store.py"]
    assert [link.quote.strip() for link in links] == [CHECKOUT, PLACE, SAVE]
    assert (run.report.judge, run.report.stop_reason) == ("conversation", "completed")
    assert (run.report.dropped, run.report.confidence) == ((), "high")
    assert [link.hop and link.hop.relation for link in links] == ["calls", "calls", None]
    assert len(run.requests) == 1


async def test_report_states_usage(ask: Ask):
    run = await ask([turn(calls("grep", pattern="save")), report])
    usage = run.report.usage
    assert (run.report.model, usage.steps, usage.output_tokens) == ("scripted", 1, 40)
    assert usage.input_tokens > 0
    assert usage.observation_chars > 0
    assert usage.candidates_seen > 0
    assert usage.cost_usd is None  # the price of this model is unknown


async def test_calls_of_one_turn_are_one_step(ask: Ask):
    looks = [
        calls("grep", pattern="save"),
        calls("read_file", path="shop/mail.py"),
        calls("list_files", globs=["shop/*"]),
        calls("explore_code", query="OrderStore save"),
    ]
    run = await ask([turn(*looks), report])
    assert run.report.usage.steps == 1
    results = run.requests[1]["messages"][2]["content"]
    assert [each["type"] for each in results] == ["tool_result"] * 4 + ["text"]
    assert not any(each.get("is_error") for each in results)


async def test_calls_of_one_turn_run_concurrently(ask: Ask, monkeypatch: pytest.MonkeyPatch):
    """Each search waits until the other has started."""
    both = asyncio.Barrier(2)
    search = tools.grep

    async def meeting(*args: Any, **kwargs: Any) -> ChannelResult:
        async with asyncio.timeout(10):
            await both.wait()
        return await search(*args, **kwargs)

    monkeypatch.setattr(tools, "grep", meeting)
    looks = [calls("grep", pattern="save"), calls("grep", pattern="confirm")]
    run = await ask([turn(*looks), report])
    first, second, _ = run.requests[1]["messages"][2]["content"]
    assert ".save(order)" in first["content"][0]["text"]  # results are in the order of the calls
    assert "confirm(user, number)" in second["content"][0]["text"]


async def test_later_requests_reuse_the_prompt_cache(ask: Ask):
    script: list[Scripted] = [turn(calls("grep", pattern=word)) for word in ("save", "order")]
    run = await ask([*script, report])
    first, *later = run.requests
    assert breakpoints(first) == [0, 2]  # the system prompt and the end of the question
    for earlier, request in zip(run.requests, later, strict=False):
        assert len(cacheable(request)) > len(cacheable(earlier))
    usage = run.report.usage
    whole = sum(len(b"".join(cacheable(request))) // 4 for request in run.requests)
    assert usage.cached_tokens > whole / 3
    assert usage.input_tokens < whole


async def test_thinking_is_sent_back_unchanged(ask: Ask):
    thought = [thinks("The store, I think.", "c2ln"), thinks_unseen("b3BhcXVl"), says("Looking.")]
    run = await ask([turn(*thought, look := calls("grep", pattern="save")), report])
    assert [without_cache_mark(block) for block in run.requests[1]["messages"][1]["content"]] == [
        *thought,
        look,
    ]


def without_cache_mark(block: Block) -> Block:
    return {key: value for key, value in block.items() if key != "cache_control"}


async def test_candidate_ids_are_stable(ask: Ask):
    """A place keeps its id however it is found again, and new ids only increase."""
    looks = [
        [calls("read_file", path="shop/orders.py")],
        [calls("grep", pattern="OrderStore")],
        [calls("explore_code", query="place_order"), calls("read_file", path="shop/orders.py")],
    ]
    run = await ask([*(turn(*each) for each in looks), report])
    places = Prompt(run.requests[-1]).places()
    spans = {(place.path, place.range) for place in places}
    assert len({place.id for place in places}) == len(spans) < len(places)
    assert len({(place.id, place.path, place.range) for place in places}) == len(spans)


async def test_every_shown_line_equals_the_line_of_the_file(ask: Ask, shop):
    looks = [calls("read_file", path="shop/web.py"), calls("grep", pattern="order")]
    run = await ask([turn(*looks), report])
    shown: list[Place] = [place for place in Prompt(run.requests[-1]).places() if place.lines]
    assert shown
    for place in shown:
        lines = (shop / place.path).read_text().splitlines()
        for number, text in place.lines.items():
            assert text == lines[number - 1].replace(SECRET, "[masked]")


async def test_place_can_be_read_by_its_id(ask: Ask):
    def read(prompt: Prompt) -> Turn:
        return turn(calls("read_file", path=prompt.place("shop/orders.py", "place_order").id))

    run = await ask([read, report])
    assert "reading shop/orders.py" in " ".join(event.message for event in run.events)


async def test_progress_names_files_and_ids(ask: Ask):
    run = await ask([turn(calls("read_file", path="shop/mail.py")), report])
    assert any(
        re.fullmatch(r"reading shop/mail\.py \[c\d+(, c\d+)*(, …)?\]", event.message)
        for event in run.events
    )


async def test_progress_reports_requests_to_the_model(ask: Ask):
    run = await ask([turn(calls("grep", pattern="save")), report])
    messages = [event.message for event in run.events if event.message.startswith("Asking")]
    assert messages == [
        "Asking scripted (0 of 12 steps taken)",
        "Asking scripted (1 of 12 steps taken)",
    ]


async def test_the_transcript_is_readable(ask: Ask):
    look = turn(thinks("Hm."), calls("grep", pattern="save"))
    run = await ask([look, report])
    text = run.transcript
    assert text.startswith("# Conversation\n")
    assert re.findall(r"^## .*$", text, re.MULTILINE) == [
        "## Instructions",
        "## Sightline",
        "## Model",
        "## Sightline",
        "## Model",
        "## Sightline",
    ]
    for part in ("**`grep`**", '"pattern": "save"', "Hm.", "**`submit_report`**", CHECKOUT):
        assert part in text


async def test_skipping_report_needs_no_place(ask: Ask):
    skip = submits(recommendedPrimaryAction="skip_explore_result", confidence="low")
    run = await ask([turn(skip)], query="What does the volcano do?")
    assert (run.report.action, run.report.stop_reason) == ("skip_explore_result", "completed")
    assert run.report.links == ()


# reconsidering


async def test_failed_quote_is_reported_back_and_corrected(ask: Ask):
    def paraphrased(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        return turn(submits([first | {"quote": "calls place_order with the basket"}, *rest]))

    run = await ask([paraphrased, report])
    assert len(run.report.links) == 3
    assert run.report.dropped == ()
    (message,) = [m for m in run.requests[1]["messages"][2:] if m["role"] == "user"]
    assert [block["type"] for block in message["content"]] == ["tool_result", "text"]
    assert "was removed: its quote is not in its text" in message["content"][1]["text"]
    assert "steps" in message["content"][1]["text"]


async def test_missing_coverage_is_searched_for_once(ask: Ask):
    def incomplete(prompt: Prompt) -> Turn:
        return turn(submits(steps(prompt)[:2], missingCoverage=["Where orders are kept."]))

    run = await ask([incomplete, turn(calls("grep", pattern="orders")), report])
    assert (len(run.report.links), run.report.missing) == (3, ())


async def test_judge_may_keep_its_report_when_asked_to_reconsider(ask: Ask):
    def incomplete(prompt: Prompt) -> Turn:
        return turn(submits(steps(prompt)[:2], missingCoverage=["Where orders are kept."]))

    run = await ask([incomplete, incomplete, report])
    assert (len(run.report.links), len(run.requests)) == (2, 2)


async def test_at_most_two_reconsideration_rounds(ask: Ask):
    quotes = iter(("one_thing()", "another_thing()", "third_thing()", "fourth_thing()"))

    def wrong(prompt: Prompt) -> Turn:
        places = [
            prompt.place("shop/web.py", "checkout"),
            prompt.place("shop/store.py", "OrderStore"),
        ]
        quote = next(quotes)
        flow = [
            {"candidateId": p.id, "role": "step", "fact": "It does.", "quote": quote}
            for p in places[: 1 + (quote != "one_thing()")]
        ]
        return turn(submits([steps(prompt)[1], *flow]))

    run = await ask([wrong] * 4)
    assert len(run.requests) <= 3
    assert [link.path for link in run.report.links] == ["shop/orders.py"]


async def test_report_on_an_edit_needs_a_read_target(ask: Ask):
    def with_target(prompt: Prompt) -> Turn:
        place = prompt.place("shop/store.py", "OrderStore")
        target = {"candidateId": place.id, "purpose": "change save", "required": True}
        act = "read_targets"
        return turn(submits(steps(prompt), readTargets=[target], recommendedPrimaryAction=act))

    run = await ask([report, with_target], request={"intent": "edit"})
    assert [target.path for target in run.report.read_targets] == ["shop/store.py"]
    assert run.report.action == "read_targets"


async def test_worse_second_report_is_discarded(ask: Ask):
    def paraphrased(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        return turn(submits([first | {"quote": "calls place_order"}, *rest]))

    def worse(prompt: Prompt) -> Turn:
        return turn(submits(steps(prompt)[:1]))

    run = await ask([paraphrased, worse])
    assert len(run.report.links) == 2


# which judge is used


@pytest.mark.parametrize(
    ("judge", "model", "expected"),
    [
        ("auto", None, "offline"),
        ("auto", "scripted", "conversation"),
        ("conversation", None, "conversation"),
        ("offline", "scripted", "offline"),
    ],
)
async def test_a_model_is_used_only_when_chosen(ask: Ask, judge, model, expected):
    """All these tests have an API key in their environment."""
    run = await ask([report], judge=judge, model=model)
    assert run.report.judge == expected
    assert len(run.requests) == (expected != "offline")


async def test_default_model_is_the_current_small_one_of_the_sdk(ask: Ask):
    run = await ask([report], model=None)
    listed = [name for part in get_args(Model) for name in get_args(part)]
    assert run.requests[0]["model"] == next(name for name in listed if "haiku" in name)


async def test_effort_setting_is_sent_with_the_request(ask: Ask):
    run = await ask([report], effort="low")
    assert run.requests[0]["output_config"] == {"effort": "low"}


@pytest.mark.parametrize(
    ("look", "shown_paths"),
    [
        (calls("read_file", path="shop/mail.py"), []),
        (calls("read_file", path="shop/web.py"), ["shop/web.py"]),
        (calls("list_files", globs=["**"]), ["shop/orders.py", "shop/web.py"]),
        (calls("list_files", globs=["shop/mail.py"]), []),
        (calls("grep", pattern="order"), ["shop/orders.py", "shop/web.py"]),
        (calls("grep", pattern="order", scope=["**"]), ["shop/orders.py", "shop/web.py"]),
        (calls("grep", pattern="order", scope=["shop/[mo]*"]), ["shop/orders.py"]),
        (calls("explore_code", query="order", scope=["**"]), ["shop/orders.py", "shop/web.py"]),
        # the flow through the results may leave the call's scope, but not the question's
        (
            calls("explore_code", query="order", scope=["shop/[mo]*"]),
            ["shop/orders.py", "shop/web.py"],
        ),
        (calls("explore_code", query="order", scope=["shop/mail.py"]), []),
    ],
)
async def test_tools_stay_within_the_scope_of_the_question(
    ask: Ask, look: Block, shown_paths: list[str]
):
    scope = ("shop/web.py", "shop/orders.py")
    run = await ask([turn(look), report_of_checkout], request={"scope": scope})
    result = run.requests[1]["messages"][2]["content"][0]
    text = result["content"][0]["text"]
    assert sorted(set(re.findall(r"^\[c\d+\] ([\w/.]+)", text, re.MULTILINE))) == shown_paths, text
    assert run.report.judge == "conversation"


def report_of_checkout(prompt: Prompt) -> Turn:
    return turn(submits([prompt.step("shop/web.py", "checkout", CHECKOUT)]))
