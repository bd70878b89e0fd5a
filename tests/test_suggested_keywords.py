"""Suggested keywords: words of the code near the answer that are not in the question."""

from __future__ import annotations

import asyncio
import re
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer_core.contracts import Candidate, ExploreRequest, Report, Settings
from explorer_core.explorer import Explorer
from explorer_core.index.extraction.identifiers import identifier_parts
from explorer_core.index.search.term_statistics import TermStatistics
from explorer_core.index.terms import text
from explorer_core.registry.ranking import Ranking
from explorer_core.suggested_keywords import suggested_keywords
from explorer_core.workspace import Workspace
from tests.fixture import parse

POST = """
    //- mail/outbox.py
    class OutboxScheduler:
        def dispatch_due(self, now):
            '''Hand over what waits for its time.'''
            for parcel in self.delayed(now):
                self.deliver(parcel)
        def delayed(self, now): return [each for each in self.waiting if each.at <= now]
        def deliver(self, parcel): print(parcel)
    //- mail/inbox.py
    class Inbox:
        def fetchMessages(self): return [message for message in self.pop3()]
        def pop3(self): return []
"""
CASES = [
    ("When is a letter handed to somebody?", ()),
    ("Which messages come in?", ()),
    ("How does it know what the weather is like?", ()),
    ("How does it know what the weather is like?", ("outbox", "rainfall")),
    ("How does dispatch_due deliver what is delayed?", ()),
    ("When are letters sent?", ("OutboxScheduler", "dispatch_due")),
]
Case = tuple[str, tuple[str, ...]]


async def answer_all(folder: str, cache: str) -> dict[Case, Report]:
    explorer = Explorer(Workspace.open(folder, settings=Settings(cache_dir=cache)))
    try:
        return {
            (query, keywords): await explorer.explore(
                ExploreRequest(query=query, keywords=keywords)
            )
            for query, keywords in CASES
        }
    finally:
        await explorer.close()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Report]:
    folder = parse(POST).write(tmp_path_factory.mktemp("post"))
    return asyncio.run(answer_all(str(folder), str(tmp_path_factory.mktemp("cache"))))


@pytest.mark.parametrize("case", CASES)
def test_suggestions_are_words_of_names_not_in_the_question(
    answers: dict[Case, Report], case: Case
) -> None:
    query, keywords = case
    words = answers[case].suggested_keywords
    assert len({*words}) == len(words) <= 16
    assert text.count(" ".join((query, *keywords))).keys().isdisjoint(text.count(" ".join(words)))
    assert {*words} <= {part for name in POST.split() for part in identifier_parts(name)}


class EqualStatistics:
    """Statistics by which all terms are equally distinctive."""

    def scarcity(self, term: str) -> float:
        return 1.0

    salience = scarcity


@given(st.lists(st.text(max_size=40), min_size=1, max_size=8))
@example(["été\n[go](command:evil)", "Ünsafe`; rm -rf", "ok_<b>bold</b>"])
def test_suggestions_from_hostile_names_are_plain_words(names: list[str]) -> None:
    places = (
        Candidate(id=f"c{at}", path=f"{name}.py", range=None) for at, name in enumerate(names, 1)
    )
    for word in suggested_keywords(
        Ranking(tuple(places)), cast("TermStatistics", EqualStatistics()), ""
    ):
        assert re.fullmatch(r"\w{3,24}", word)


@pytest.mark.parametrize("case", CASES)
def test_confident_answer_has_no_suggestions(answers: dict[Case, Report], case: Case) -> None:
    report = answers[case]
    if report.confidence == "high" or (report.confidence == "medium" and case[1]):
        assert report.suggested_keywords == ()


def test_suggestions_contain_the_names_used_by_the_code(answers: dict[Case, Report]) -> None:
    assert {"outbox", "scheduler", "dispatch"} <= {*answers[CASES[0]].suggested_keywords}
    assert any(report.suggested_keywords == () for report in answers.values())
