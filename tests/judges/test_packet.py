"""The packet judge: one call over a packet, and no more rounds than are allowed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import Candidate, LineRange, SymbolInfo, Traits
from explorer_core.judges.shown.packer import MOST, pack
from tests.judges.conftest import Ask, Run
from tests.judges.test_conversation import CHECKOUT, PLACE, SAVE, steps
from tests.model_server.script import (
    Block,
    Fault,
    Prompt,
    Scripted,
    Turn,
    refuses,
    says,
    submits,
    turn,
)


def answers(prompt: Prompt, **fields: Any) -> Turn:
    """A good answer as JSON text."""
    return answers_with(steps(prompt), **fields)


def answers_with(flow: list[Block], **fields: Any) -> Turn:
    return turn(says(json.dumps(submits(flow, **fields)["input"])))


async def ask_packet_judge(ask: Ask, script: list[Scripted], **changed: Any) -> Run:
    return await ask(script, judge="packet", **changed)


def last_text(run: Run) -> str:
    return run.requests[-1]["messages"][-1]["content"][-1]["text"]


async def test_packet_judge_makes_one_request(ask: Ask):
    run = await ask_packet_judge(ask, [answers])
    assert [link.quote.strip() for link in run.report.links] == [CHECKOUT, PLACE, SAVE]
    assert (run.report.judge, run.report.stop_reason, run.report.dropped) == (
        "packet",
        "completed",
        (),
    )
    (request,) = run.requests
    assert "tools" not in request
    assert request["output_config"]["format"]["type"] == "json_schema"


async def test_packet_says_why_each_place_is_in_it(ask: Ask):
    run = await ask_packet_judge(ask, [answers])
    text = Prompt(run.requests[0]).text
    assert "[c" in text
    for part in ("matches ", "found by index", "tokens", "of what the question says"):
        assert part in text


async def test_json_inside_other_text_is_read(ask: Ask):
    def chatty(prompt: Prompt) -> Turn:
        (block,) = answers(prompt).blocks
        return turn(says(f"Here you are:\n```json\n{block['text']}\n```\nGood luck!"))

    assert len((await ask_packet_judge(ask, [chatty])).report.links) == 3


async def test_server_without_structured_output_is_asked_for_text(ask: Ask):
    refusal = Fault(400, "invalid_request_error", "output_config is not supported")
    run = await ask_packet_judge(ask, [refusal, answers], model="plain")
    assert len(run.report.links) == 3
    again = await ask_packet_judge(ask, [answers], model="plain")
    assert "output_config" not in again.requests[0]


@pytest.mark.parametrize("tools", [[], ["grep"]])
async def test_request_for_more_evidence_counts_as_a_round(ask: Ask, tools: list[str]):
    wish = {"roleGap": "who mails", "targetedQueries": ["confirm"], "preferredTools": tools}

    def wants_more(prompt: Prompt) -> Turn:
        return answers(prompt, needMoreEvidence=wish, primaryCandidateIds=[])

    run = await ask_packet_judge(ask, [wants_more, answers])
    assert (len(run.requests), len(run.report.links)) == (2, 3)
    assert "missing: 'who mails'" in [each.message for each in run.events]
    assert "Further places:" in last_text(run) or "No further evidence" in last_text(run)
    none = await ask_packet_judge(ask, [answers], reconsider_rounds=0)
    assert len(none.requests) == 1


@pytest.mark.parametrize("query", ["a\0b", "\ud800", "x" * 5_000, "\u202e", "(", "~/../.env"])
async def test_odd_evidence_queries_do_no_harm(ask: Ask, query: str):
    wish = {"roleGap": "?", "targetedQueries": [query], "preferredTools": ["grep"]}
    run = await ask_packet_judge(
        ask, [lambda prompt: answers(prompt, needMoreEvidence=wish), answers]
    )
    assert (run.report.judge, len(run.report.links)) == ("packet", 3)


async def test_more_evidence_is_given_once(ask: Ask):
    wish = {"roleGap": "who mails", "targetedQueries": ["confirm"]}
    run = await ask_packet_judge(ask, [lambda prompt: answers(prompt, needMoreEvidence=wish)] * 9)
    assert (len(run.requests), len(run.report.links)) == (2, 3)


async def test_lone_surrogates_cause_no_encoding_error(ask: Ask):
    """Lone surrogates; the hostile scripts found this bug."""

    def broken(prompt: Prompt) -> Turn:
        step, *_ = steps(prompt)
        flow = [step | {"role": "\ud800", "fact": "It \udfff saves."}]
        return answers_with(flow, missingCoverage=["\ud800"], confidence="low")

    run = await ask_packet_judge(ask, [broken] * 9)
    run.report.to_json().encode()
    assert run.report.links


async def test_invalid_answer_is_returned_with_the_error(ask: Ask):
    run = await ask_packet_judge(ask, [lambda prompt: answers(prompt, confidence="sure"), answers])
    assert "confidence: Input should be" in last_text(run)
    assert len(run.report.links) == 3


@pytest.mark.parametrize(
    "answer",
    ["", "no JSON", "{", "[]", "{}", '{"a": ' * 5000, "null"],
    ids=["nothing", "words", "brace", "list", "object", "deep", "null"],
)
async def test_answers_that_stay_invalid_leave_the_offline_report(ask: Ask, answer: str):
    bad = turn(says(answer)) if answer else turn()
    run = await ask_packet_judge(ask, [bad] * 9)
    assert (run.report.judge, run.report.stop_reason) == ("offline", "no_report")
    assert run.report.confidence == "low"
    assert len(run.requests) == 3


async def test_all_rounds_share_the_wall_time(ask: Ask):
    def wrong(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        flawed = [first | {"quote": f"nowhere{len(prompt.text)}()"}, *rest]
        return turn(says(json.dumps(submits(flawed)["input"])), pause=0.2)

    run = await ask_packet_judge(ask, [wrong] * 9, packet_time_s=2.5)
    assert len(run.requests) == 2
    assert len(run.report.links) == 2
    assert "no report within 2.5 s" in run.report.notes[0]


async def test_refusal_leaves_the_offline_report(ask: Ask):
    run = await ask_packet_judge(ask, [refuses()])
    assert (run.report.judge, run.report.stop_reason) == ("offline", "refused")


async def test_failed_quote_is_reported_back_and_corrected(ask: Ask):
    def wrong(prompt: Prompt) -> Turn:
        first, *rest = steps(prompt)
        return turn(says(json.dumps(submits([first | {"quote": "nowhere()"}, *rest])["input"])))

    run = await ask_packet_judge(ask, [wrong, answers])
    assert len(run.report.links) == 3
    assert "was removed: its quote is not in its text" in Prompt(run.requests[-1]).text


# the packer


def candidate(number: int, score: float, folder: str, kind: str, source: str) -> Candidate:
    return Candidate.model_construct(
        id=f"c{number}",
        path=f"{folder}/{number}.py",
        range=LineRange(start=1, end=9),
        symbols=(SymbolInfo(name="f", qualified_name="f", kind=kind, line=1),),
        provenance=(source,),
        traits=Traits(),
        score=score,
    )


def test_similar_candidates_leave_room_for_others():
    crowd = [candidate(n, 10 - n / 1000, "crowd", "function", "index") for n in range(1, 150)]
    others = [
        candidate(200 + n, 8.0, f"other{n}", kind, "grep")
        for n, kind in enumerate(("class", "function", "method", "class"))
    ]
    chosen = {each.id for each in pack([*crowd, *others])}
    assert {each.id for each in others} <= chosen
    assert len(chosen) == MOST


@given(
    st.lists(
        st.tuples(
            st.floats(-40, 40), st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("pq")
        ),
        max_size=120,
    )
)
def test_packet_holds_the_best_candidates_up_to_its_limit(drawn: list[tuple[float, str, str, str]]):
    made = [candidate(n, *each) for n, each in enumerate(drawn, 1)]
    ranked = sorted(made, key=lambda each: -each.score)
    chosen = pack(ranked)
    assert len(chosen) == min(MOST, len(ranked))
    assert chosen[:8] == ranked[:8]
    assert [ranked.index(each) for each in chosen] == sorted(ranked.index(e) for e in chosen)


def test_place_inside_another_is_left_out():
    outer = candidate(1, 5, "a", "class", "index")
    inner = outer.model_copy(update={"id": "c2", "range": LineRange(start=2, end=3), "score": 4.0})
    assert pack([outer, inner]) == [outer]
