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


def proximity_features(question: str, *units: str) -> list[dict[str, float]]:
    salience = dict.fromkeys(text.analyse(question), 1.0)
    tokenised_units = ((unit, frozenset(text.analyse(unit))) for unit in units)
    return Proximity(understand(question), salience).of(tokenised_units, str)


@pytest.mark.parametrize(
    ("question", "unit", "is_found"),
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
def test_pairs_match_only_adjacent_words_in_order(question: str, unit: str, is_found: bool) -> None:
    (features,) = proximity_features(question, unit)
    assert (features["phrase.all"] > 0) == is_found
    assert (features["phrase.title"] > 0) == is_found


def test_only_the_first_line_is_the_title() -> None:
    (found,) = proximity_features("It fails.\n\nThe cache entry is gone.", "cache entry")
    assert found["phrase.all"] > 0
    assert found["phrase.title"] == 0


def test_rare_pair_scores_higher_than_a_common_one() -> None:
    question = "rule set or cache entry"
    rare, common, *_ = proximity_features(
        question, "rule set", "cache entry", "a cache entry", "cache entry"
    )
    assert rare["phrase.all"] > common["phrase.all"]


def test_uninformative_words_form_no_pair() -> None:
    salience = {"rule": 1.0, "set": 1.0, "the": 0.01}
    proximity = Proximity(understand("the rule set"), salience)
    one, other = proximity.of([("the rule", {"the", "rule"}), ("rule set", {"rule", "set"})], str)
    assert one["phrase.all"] == 0
    assert other["phrase.all"] > 0


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=6))
def test_title_pairs_come_from_first_line_and_survive_repetition(
    units: list[list[str]],
) -> None:
    question = "rule set cache\nentry expire"
    written = [" ".join(unit) for unit in units]
    found = proximity_features(question, *written)
    for unit, row in zip(units, found, strict=True):
        assert row["phrase.all"] >= row["phrase.title"] >= 0
        assert (row["phrase.title"] > 0) == any(
            pair in (("rule", "set"), ("set", "cache")) for pair in pairwise(unit)
        )
    twice = proximity_features(question, *(f"{unit} {unit}" for unit in written))
    had_pair = [row["phrase.all"] > 0 for row in found]
    assert all(again["phrase.all"] > 0 for again, once in zip(twice, had_pair, strict=True) if once)
