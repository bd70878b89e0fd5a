"""Proximity: words of a question that are adjacent in a unit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.channels.features.proximity import Proximity
from explorer_core.channels.question.query import understand
from explorer_core.index.terms import text

WORDS = ("rule", "set", "cache", "entry", "expire")


def features(question: str, *units: str) -> list[dict[str, float]]:
    salience = dict.fromkeys(text.analyse(question), 1.0)
    given = ((unit, frozenset(text.analyse(unit))) for unit in units)
    return Proximity(understand(question), salience).of(given, str)


@pytest.mark.parametrize(
    ("question", "unit", "stands"),
    [
        ("Which rule sets are run?", "the rule set", True),
        ("Which rule sets are run?", "class RuleSets:", True),
        ("Which rule sets are run?", "def run_rule_sets(self):", True),
        ("Which rule sets are run?", "rule.set()", True),
        ("Which rule sets are run?", "a set of rules", False),
        ("Which rule sets are run?", "rule and then some sets", False),
        ("Which rule sets are run?", "rules", False),
        ("Where is `load_config` called?", "config = load(config)", True),
        ("Where is `load_config` called?", "loadConfig()", True),
        ("Wie wird die Größe berechnet?", "die Größe", True),
        ("検索結果", "検索結果の一覧", True),
        ("検索 結果", "結果 検索", False),
        ("", "rule set", False),
        ("rule", "rule rule", False),
    ],
)
def test_pairs_are_found_side_by_side_and_in_order(question: str, unit: str, stands: bool) -> None:
    (found,) = features(question, unit)
    assert (found["phrase.all"] > 0) == stands
    assert (found["phrase.title"] > 0) == stands


def test_only_the_first_line_is_the_title() -> None:
    (found,) = features("It fails.\n\nThe cache entry is gone.", "cache entry")
    assert found["phrase.all"] > 0
    assert found["phrase.title"] == 0


def test_a_rare_pair_is_worth_more_than_one_that_is_everywhere() -> None:
    question = "rule set or cache entry"
    rare, common, *_ = features(question, "rule set", "cache entry", "a cache entry", "cache entry")
    assert rare["phrase.all"] > common["phrase.all"]


def test_words_that_tell_next_to_nothing_are_in_no_pair() -> None:
    told = {"rule": 1.0, "set": 1.0, "the": 0.01}
    proximity = Proximity(understand("the rule set"), told)
    one, other = proximity.of([("the rule", {"the", "rule"}), ("rule set", {"rule", "set"})], str)
    assert one["phrase.all"] == 0
    assert other["phrase.all"] > 0


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=6))
def test_pairs_of_the_title_are_those_of_the_first_line_and_repeating_loses_none(
    units: list[list[str]],
) -> None:
    question = "rule set cache\nentry expire"
    written = [" ".join(unit) for unit in units]
    found = features(question, *written)
    for unit, row in zip(units, found, strict=True):
        assert row["phrase.all"] >= row["phrase.title"] >= 0
        assert (row["phrase.title"] > 0) == any(
            pair in (("rule", "set"), ("set", "cache")) for pair in pairwise(unit)
        )
    twice = features(question, *(f"{unit} {unit}" for unit in written))
    seen = [row["phrase.all"] > 0 for row in found]
    assert all(again["phrase.all"] > 0 for again, once in zip(twice, seen, strict=True) if once)
