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
    Scripted,
    Seen,
    Turn,
    refuses,
    says,
    submits,
    turn,
)


def answers(seen: Seen, **fields: Any) -> Turn:
    """A good answer as JSON text."""
    return answers_with(steps(seen), **fields)


def answers_with(flow: list[Block], **fields: Any) -> Turn:
    return turn(says(json.dumps(submits(flow, **fields)["input"])))


async def packed(ask: Ask, script: list[Scripted], **changed: Any) -> Run:
    return await ask(script, judge="packet", **changed)


def last_text(run: Run) -> str:
    return run.requests[-1]["messages"][-1]["content"][-1]["text"]


async def test_one_call(ask: Ask):
    run = await packed(ask, [answers])
    assert [link.quote.strip() for link in run.report.links] == [CHECKOUT, PLACE, SAVE]
    assert (run.report.judge, run.report.stop_reason, run.report.dropped) == (
        "packet",
        "completed",
        (),
    )
    (request,) = run.requests
    assert "tools" not in request
    assert request["output_config"]["format"]["type"] == "json_schema"


async def test_the_packet_says_why_a_place_is_in_it(ask: Ask):
    run = await packed(ask, [answers])
    text = Seen(run.requests[0]).text
    assert "[c" in text
    for said in ("matches ", "found by index", "tokens", "of what the question says"):
        assert said in text


async def test_json_between_words_is_read(ask: Ask):
    def chatty(seen: Seen) -> Turn:
        (block,) = answers(seen).blocks
        return turn(says(f"Here you are:\n```json\n{block['text']}\n```\nGood luck!"))

    assert len((await packed(ask, [chatty])).report.links) == 3


async def test_a_server_without_structured_output(ask: Ask):
    refusal = Fault(400, "invalid_request_error", "output_config is not supported")
    run = await packed(ask, [refusal, answers], model="plain")
    assert len(run.report.links) == 3
    again = await packed(ask, [answers], model="plain")
    assert "output_config" not in again.requests[0]


@pytest.mark.parametrize("tools", [[], ["grep"]])
async def test_more_evidence_is_one_of_the_rounds(ask: Ask, tools: list[str]):
    wish = {"roleGap": "who mails", "targetedQueries": ["confirm"], "preferredTools": tools}

    def wants_more(seen: Seen) -> Turn:
        return answers(seen, needMoreEvidence=wish, primaryCandidateIds=[])

    run = await packed(ask, [wants_more, answers])
    assert (len(run.requests), len(run.report.links)) == (2, 3)
    assert "missing: 'who mails'" in [each.message for each in run.events]
    assert "Further places:" in last_text(run) or "No further evidence" in last_text(run)
    none = await packed(ask, [answers], reconsider_rounds=0)
    assert len(none.requests) == 1


@pytest.mark.parametrize("query", ["a\0b", "\ud800", "x" * 5_000, "\u202e", "(", "~/../.env"])
async def test_more_evidence_for_anything(ask: Ask, query: str):
    wish = {"roleGap": "?", "targetedQueries": [query], "preferredTools": ["grep"]}
    run = await packed(ask, [lambda seen: answers(seen, needMoreEvidence=wish), answers])
    assert (run.report.judge, len(run.report.links)) == ("packet", 3)


async def test_more_evidence_is_given_once(ask: Ask):
    wish = {"roleGap": "who mails", "targetedQueries": ["confirm"]}
    run = await packed(ask, [lambda seen: answers(seen, needMoreEvidence=wish)] * 9)
    assert (len(run.requests), len(run.report.links)) == (2, 3)


async def test_half_characters_go_nowhere(ask: Ask):
    """Lone surrogates; the hostile scripts found this bug."""

    def broken(seen: Seen) -> Turn:
        step, *_ = steps(seen)
        flow = [step | {"role": "\ud800", "fact": "It \udfff saves."}]
        return answers_with(flow, missingCoverage=["\ud800"], confidence="low")

    run = await packed(ask, [broken] * 9)
    run.report.to_json().encode()
    assert run.report.links


async def test_a_bad_answer_is_sent_back(ask: Ask):
    run = await packed(ask, [lambda seen: answers(seen, confidence="sure"), answers])
    assert "confidence: Input should be" in last_text(run)
    assert len(run.report.links) == 3


@pytest.mark.parametrize(
    "said",
    ["", "no JSON", "{", "[]", "{}", '{"a": ' * 5000, "null"],
    ids=["nothing", "words", "brace", "list", "object", "deep", "null"],
)
async def test_answers_that_stay_bad(ask: Ask, said: str):
    bad = turn(says(said)) if said else turn()
    run = await packed(ask, [bad] * 9)
    assert (run.report.judge, run.report.stop_reason) == ("offline", "no_report")
    assert run.report.confidence == "low"
    assert len(run.requests) == 3


async def test_all_rounds_share_the_wall_time(ask: Ask):
    def wrong(seen: Seen) -> Turn:
        first, *rest = steps(seen)
        flawed = [first | {"quote": f"nowhere{len(seen.text)}()"}, *rest]
        return turn(says(json.dumps(submits(flawed)["input"])), pause=0.2)

    run = await packed(ask, [wrong] * 9, packet_time_s=2.5)
    assert len(run.requests) == 2
    assert len(run.report.links) == 2
    assert "no report within 2.5 s" in run.report.notes[0]


async def test_a_refusal(ask: Ask):
    run = await packed(ask, [refuses()])
    assert (run.report.judge, run.report.stop_reason) == ("offline", "refused")


async def test_a_failed_quote_is_put_right(ask: Ask):
    def wrong(seen: Seen) -> Turn:
        first, *rest = steps(seen)
        return turn(says(json.dumps(submits([first | {"quote": "nowhere()"}, *rest])["input"])))

    run = await packed(ask, [wrong, answers])
    assert len(run.report.links) == 3
    assert "was removed: its quote is not in its text" in Seen(run.requests[-1]).text


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


def test_a_crowd_leaves_room_for_others():
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
def test_a_packet_is_the_best_and_no_more(drawn: list[tuple[float, str, str, str]]):
    made = [candidate(n, *each) for n, each in enumerate(drawn, 1)]
    ranked = sorted(made, key=lambda each: -each.score)
    chosen = pack(ranked)
    assert len(chosen) == min(MOST, len(ranked))
    assert chosen[:8] == ranked[:8]
    assert [ranked.index(each) for each in chosen] == sorted(ranked.index(e) for e in chosen)


def test_a_place_inside_another_is_left_out():
    outer = candidate(1, 5, "a", "class", "index")
    inner = outer.model_copy(update={"id": "c2", "range": LineRange(start=2, end=3), "score": 4.0})
    assert pack([outer, inner]) == [outer]
