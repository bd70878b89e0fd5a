"""Arbitrary behaviour of a model: a report within the budget, and never an unobserved place."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from explorer_core.contracts import Budget, ExploreRequest, Report, Settings
from explorer_core.judges.model_judges.budget import ConversationBudget
from explorer_core.judges.models import messages_api
from explorer_core.workspace import Workspace
from tests.judges.conftest import FAULT, QUESTION, SECRET
from tests.model_server.checks import check_bytes, check_requests, check_thoughts
from tests.model_server.script import (
    Block,
    Fault,
    Prompt,
    RawJson,
    Scripted,
    Turn,
    calls,
    calls_with,
    says,
    submits,
    thinks,
    thinks_unseen,
)
from tests.model_server.server import ModelServer
from tests.workers import explorer_of

PARTS = 8
"""The long run is split into this many tests, to run in parallel and within a test's time limit."""
STEPS = 3
LONGEST_TROUBLE = 1_000
"""How many characters a failing call may return beyond its share."""
SECONDS = 30.0
MOST_REQUESTS = 100
"""Three rounds of at most eleven turns, each tried three times."""
FORGED = (
    "See src/fake.py:10.",
    "as in fake/module.py",
    "shop/store.py:900",
    "https://fake.example/x",
    "C:\\fake\\a.cs",
    "line 4711",
)

# strategies

texts = st.one_of(
    st.sampled_from(FORGED),
    st.sampled_from(("\ud800", "a\0b", "x" * 1_500)),
    st.text(max_size=40),
    st.just("It saves the order."),
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
UNFIT = ("x" * 5_000, "x/" * 400, "a\0b", "\ud800", "~", "//", "con", "x" * 300, "\u202e.py", "?*[")
"""Names that no file can have, or that some program might interpret."""
paths = st.sampled_from(
    (
        *UNFIT,
        "shop/web.py",
        "shop/mail.py",
        ".env",
        "../x",
        "/etc/passwd",
        "c1",
        "c999",
        "shop",
        "",
        "a\nb",
    )
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A step of a report, filled in from the places shown once they are known."""

    place: int
    quote: str
    fact: str
    forged_id: bool

    def of(self, prompt: Prompt) -> Block:
        places = [place for place in prompt.places() if place.lines]
        if not places or self.forged_id:
            lines, id_ = ["def fake():"], f"c{self.place * 37 + 1}"
        else:
            place = places[self.place % len(places)]
            lines, id_ = list(place.lines.values()), place.id
        quotes: dict[str, str] = {
            "own": max(lines, key=len),
            "two": "\n".join(lines[:2]),
            "joined": lines[0] + "\n" + lines[-1],
            "changed": lines[0].replace("e", "3"),
            "numbered": f"  7| {lines[-1]}",
        }
        quote = quotes.get(self.quote, self.quote)
        return {"candidateId": id_, "role": self.fact[:20], "fact": self.fact, "quote": quote}


@dataclass(frozen=True, slots=True)
class Submission:
    """A turn that submits a report, honest or not."""

    choices: tuple[Choice, ...]
    fields: dict[str, Any]
    beside: tuple[Block, ...]
    stop_reason: str | None

    def __call__(self, prompt: Prompt) -> Turn:
        flow = [choice.of(prompt) for choice in self.choices]
        report = submits(flow, **self.fields)
        if "tools" not in prompt.request:  # the packet judge expects text
            report = says(json.dumps(report["input"]))
        return Turn((*self.beside, report), self.stop_reason)


choices = st.builds(
    Choice,
    st.integers(0, 30),
    st.sampled_from(
        ("own", "own", "own", "two", "joined", "changed", "numbered", "}", "", "x" * 900)
    ),
    texts,
    st.booleans().filter(bool) | st.just(False) | st.just(False),
)
fields = st.fixed_dictionaries(
    {},
    optional={
        "confidence": st.sampled_from(("low", "high", "certain")),
        "missingCoverage": st.lists(texts, max_size=5),
        "recommendedPrimaryAction": st.sampled_from(
            ("answer_from_report", "read_targets", "skip_explore_result", "delete_everything")
        ),
        "searchTargets": st.lists(
            st.fixed_dictionaries({"terms": st.lists(texts, max_size=2), "scope": texts}),
            max_size=2,
        ),
        "readTargets": st.lists(
            st.fixed_dictionaries(
                {"candidateId": st.sampled_from(("c1", "c2", "c77", "x")), "purpose": texts}
            ),
            max_size=3,
        ),
        "primaryCandidateIds": st.lists(
            st.sampled_from(("c1", "c2", "c3", "c500", "src/a.py")), max_size=7
        ),
        "path": texts,
        "needMoreEvidence": st.fixed_dictionaries(
            {
                "roleGap": texts,
                "targetedQueries": st.lists(texts, max_size=4),
                "preferredTools": st.just(["grep"]),
            }
        ),
    },
)
looks = st.one_of(
    st.builds(
        lambda path, start: calls("read_file", path=path, start=start), paths, st.integers(-1, 30)
    ),
    st.builds(
        lambda pattern, regex: calls("grep", pattern=pattern, regex=regex),
        st.sampled_from((*UNFIT, "save", "(", ".*", SECRET[:6], "", "w" * 3000)),
        st.booleans(),
    ),
    st.builds(
        lambda glob: calls("list_files", globs=[glob]),
        st.sampled_from((*UNFIT, "**", "*.py", ".env", "[", "../*")),
    ),
    st.builds(
        lambda query: calls("explore_code", query=query),
        st.sampled_from((*UNFIT, "save order", "mail", "?", "x" * 2500)),
    ),
    st.builds(
        calls_with,
        st.sampled_from(("grep", "read_file", "submit_report", "explore_code", "bash")),
        junk,
    ),
    st.builds(
        lambda tool, raw: calls_with(tool, RawJson(raw)),
        st.sampled_from(("grep", "submit_report")),
        st.sampled_from(
            ("{", '{"a": }', "[]", "null", '"x"', "{} {}", "\\", '{"flow": [{]', '{"a": "\\ud800"}')
        ),
    ),
)
words = (
    st.builds(says, st.text(max_size=20) | st.sampled_from(UNFIT))
    | st.just(thinks("Hm."))
    | st.just(thinks_unseen())
)
ends = st.sampled_from(
    (None, None, None, None, "max_tokens", "end_turn", "refusal", "pause_turn", "tool_use")
)
breaks = st.sampled_from((None, None, None, None, None, 0, 2, 4))
turns = st.builds(
    lambda before, used, end, broken: Turn((*before, *used), end, broken),
    st.lists(words, max_size=2),
    st.lists(looks, max_size=3),
    ends,
    breaks,
)
faults = st.sampled_from(
    (
        Fault(429, "rate_limit_error", retry_after="0.001"),
        Fault(429, "rate_limit_error", retry_after="999"),
        Fault(529, "overloaded_error"),
        Fault(500),
        Fault(400, "invalid_request_error"),
        Fault(200, "overloaded_error", in_stream=True),
    )
)
submissions = st.builds(
    Submission,
    st.lists(choices, max_size=4).map(tuple),
    fields,
    st.lists(words | looks, max_size=1).map(tuple),
    ends,
)
acts = st.one_of(turns, turns, submissions, submissions, submissions, faults)
scripts = st.lists(acts, max_size=6)

# the property

Explore = Callable[[list[Scripted], Scripted, str, int], Report]


@pytest.fixture(scope="module")
def explore(shop: Path, cache: Path, server: ModelServer) -> Iterator[Explore]:
    """One explorer for all examples."""
    chosen = Settings(
        model="scripted",
        base_url=server.url,
        cache_dir=str(cache),
        conversation_steps=STEPS,
        conversation_time_s=SECONDS,
        packet_time_s=SECONDS,
    )
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        patch.setattr(messages_api, "_FIRST_PAUSE_S", 0.001)
        explorer = explorer_of(Workspace.open(shop, settings=chosen))

        def run(script: list[Scripted], then: Scripted, judge: Any, chars: int) -> Report:
            server.plays(script, then)
            budget = Budget(observation_chars=chars)
            request = ExploreRequest(query=QUESTION, judge=judge, budget=budget, force_refresh=True)
            report = runner.run(explorer.explore(request))
            assert runner.run(left_over()) == set()
            return report

        yield run
        runner.run(explorer.close())


async def left_over() -> set[asyncio.Task[Any]]:
    """The tasks still alive after abandoned streams have had a chance to close."""
    for _ in range(3):
        await asyncio.sleep(0)
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}


def check_hostile(
    explore: Explore,
    shop: Path,
    server: ModelServer,
    script: list[Scripted],
    then: Scripted,
    judge: str,
    chars: int,
) -> None:
    report = explore(script, then, judge, chars)
    assert 1 <= len(server.requests) <= MOST_REQUESTS
    check_requests(server.requests)
    check_bytes(server.bodies)
    check_thoughts(server.requests, server.acts)
    assert SECRET not in str([request["messages"] for request in server.requests])
    assert report.usage.steps <= STEPS
    assert report.usage.observation_chars <= chars + LONGEST_TROUBLE * 3 * STEPS
    assert report.judge in (judge, "offline")
    if report.stop_reason in ("refused", "model_error", "no_report"):
        assert report.confidence == "low" or report.judge == judge
    check_report(report, shop)


def check_report(report: Report, shop: Path) -> None:
    """Check that places exist, quotes occur at their lines, and no text names anything else."""
    for link in report.links:
        lines = (shop / link.path).read_text(encoding="utf-8").splitlines()
        quoted = lines[link.quote_range.start - 1 : link.quote_range.end]
        assert link.quote in "\n".join(quoted)
        assert link.range.end <= len(lines)
    for place in (*report.primary, *report.read_targets):
        assert (shop / place.path).is_file()
        assert place.path != ".env"
    texts = "\n".join(free_text(report))
    assert "fake" not in texts.replace("shop/hostile.py", "")
    assert "4711" not in texts
    for secret in ("the-secret-of-the-shop", SECRET):
        assert secret not in report.to_json()
    for note in report.notes:
        assert "\n" not in note
        assert "Traceback" not in note
        assert FAULT not in note


def free_text(report: Report) -> Iterator[str]:
    """All text that a judge influences. Quotes are left out: they are file text, also hostile."""
    for link in report.links:
        yield from (link.role, link.fact)
    yield from (target.purpose for target in report.read_targets)
    yield from report.missing
    for target in report.search_targets:
        yield from (*target.terms, target.scope)


budgets = st.sampled_from((60_000, 60_000, 6_000, 1_500, 1))
judges = st.sampled_from(("conversation", "conversation", "packet"))
HOSTILE = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    # No shrinking: an example is a whole exploration, and reading its script is quicker.
    "phases": (Phase.explicit, Phase.reuse, Phase.generate),
}


@settings(max_examples=40, **HOSTILE)
@given(script=scripts, then=acts, judge=judges, chars=budgets)
def test_hostile_scripts_yield_a_valid_report(explore, shop, server, script, then, judge, chars):
    check_hostile(explore, shop, server, script, then, judge, chars)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@settings(max_examples=2_000 // PARTS, **HOSTILE)
@given(script=scripts, then=acts, judge=judges, chars=budgets)
def test_many_hostile_scripts_yield_a_valid_report(
    explore, shop, server, part, script, then, judge, chars
):
    check_hostile(explore, shop, server, script, then, judge, chars)


def test_overspent_budget_leaves_room_for_a_report():
    """Even when overspent, the remaining budget is never negative and leaves room for a report."""
    budget = ConversationBudget(1, 10, 10, 4_000, 0.0)
    budget.chars_used = budget.tokens_used = 10**9
    assert budget.chars_left() == 0
    assert budget.seconds_left() == 0
    assert budget.reply_tokens() > 0
    assert budget.spent() is not None
