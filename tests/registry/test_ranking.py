"""Ranking: its probabilities, and its independence of the order of observations."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import Candidate, LineRange, SymbolInfo, Traits
from explorer_core.registry.ranking import Grouped, Ranking, rank

features = st.dictionaries(
    st.sampled_from(["text.all", "title.name", "all.body", "graph.from_users", "covered.all"]),
    st.floats(0, 9),
)
places = st.lists(
    st.tuples(st.sampled_from(["a.py", "b/c.py", "b/d.py"]), st.integers(1, 90), features),
    min_size=1,
    max_size=12,
    unique_by=lambda place: place[:2],
)


def candidate(
    path: str, start: int, scores: dict[str, float], traits: Traits | None = None
) -> Candidate:
    return Candidate(
        id="c1",
        path=path,
        range=LineRange(start=start, end=start + 4),
        features=scores,
        traits=traits or Traits(),
    )


def ranked_files(ranking: Ranking) -> list[str]:
    """The paths, ordered by their best candidates."""
    return list(dict.fromkeys(each.path for each in ranking.candidates))


def candidate_showing(path: str, start: int, name: str, scores: dict[str, float]) -> Candidate:
    """A candidate that shows the definition ``name`` or a part of it."""
    symbol = SymbolInfo(name=name, qualified_name=name, kind="function", line=1)
    return candidate(path, start, scores).model_copy(update={"symbols": (symbol,)})


def candidates(found: list[tuple[str, int, dict[str, float]]]) -> list[Candidate]:
    return [candidate(*place) for place in found]


@given(places, st.integers())
def test_ranking_does_not_depend_on_the_input_order(
    found: list[tuple[str, int, dict[str, float]]], seed: int
) -> None:
    in_order = candidates(found)
    shuffled = random.Random(seed).sample(in_order, len(in_order))
    one, other = rank(in_order), rank(shuffled)
    assert [(each.path, each.range) for each in one.candidates] == [
        (each.path, each.range) for each in other.candidates
    ]
    assert one.certainty == pytest.approx(other.certainty)


@given(places)
def test_scores_descend_and_certainty_is_a_probability(
    found: list[tuple[str, int, dict[str, float]]],
) -> None:
    ranking = rank(candidates(found))
    scores = [each.score for each in ranking.candidates]
    assert scores == sorted(scores, reverse=True)
    assert max(scores) <= 1e-9
    assert 1 / len(ranked_files(ranking)) - 1e-9 <= ranking.certainty <= 1 + 1e-9


numbers = st.floats(-30, 30)


@given(st.data(), st.integers(1, 9), st.integers(1, 4))
def test_probabilities_of_files_and_of_places_within_them_add_up(
    data: st.DataObject, count: int, width: int
) -> None:
    def vector(size: int) -> np.ndarray:
        return np.array(data.draw(st.lists(numbers, min_size=size, max_size=size)))

    values = vector(count * width).reshape(count, width)
    paths = data.draw(st.lists(st.sampled_from("abc"), min_size=count, max_size=count))
    grouped = Grouped.of(values, paths)
    of_files, within = grouped.probabilities(vector(width), vector(width), 0.7)
    assert np.exp(of_files).sum() == pytest.approx(1)
    assert np.bincount(grouped.file, np.exp(within)) == pytest.approx(np.ones(len(set(paths))))


@pytest.mark.parametrize("kind", list(Traits.model_fields))
def test_other_kinds_of_file_rank_last_unless_asked_for(kind: str) -> None:
    plain = candidate("a.py", 1, {"text.all": 1.0})
    marked = candidate("b.py", 1, {"text.all": 1.1}, Traits.model_validate({kind: True}))
    assert ranked_files(rank([plain, marked])) == ["a.py", "b.py"]
    assert ranked_files(rank([plain, marked], asked_for=[kind])) == ["b.py", "a.py"]


@given(places, st.sets(st.sampled_from(list(Traits.model_fields))), st.data())
def test_files_set_apart_rank_below_all_others(
    found: list[tuple[str, int, dict[str, float]]], asked_for: set[str], data: st.DataObject
) -> None:
    """Even within a file, such as tests next to the code they test."""
    kinds = st.sampled_from([None, *Traits.model_fields])
    marked = [
        candidate(*place, Traits.model_validate({kind: True} if kind else {}))
        for place in found
        for kind in [data.draw(kinds)]
    ]
    ranking = rank(marked, asked_for=asked_for)
    kept = [
        each.traits.model_dump(include=set(Traits.model_fields) - asked_for)
        for each in ranking.candidates
    ]
    apart = [any(marks.values()) for marks in kept]
    assert apart == sorted(apart)


def test_code_file_containing_tests_is_no_test_file() -> None:
    test = Traits(test=True)
    mixed = [candidate("a.rs", 1, {}), candidate("a.rs", 20, {}, test)]
    ranking = rank([*mixed, candidate("b.rs", 1, {}, test), candidate("b.rs", 20, {}, test)])
    marks = {(each.path, each.features.get("is.test", 0.0)) for each in ranking.candidates}
    assert marks == {("a.rs", 0.0), ("b.rs", 1.0)}


def test_ranking_of_no_candidates_is_empty() -> None:
    assert rank([]).candidates == ()


def test_parts_of_a_definition_are_spread_over_the_ranking():
    """Parts rank by their share of the evidence. The second one repeats most, so others precede."""
    equal_scores = {"text.all": 3.0, "covered.all": 0.5}
    shares = {1: 0.2, 61: 1.0, 121: 0.6}
    parts = [
        candidate_showing("a.py", at, "long", {**equal_scores, "piece.share": share})
        for at, share in shares.items()
    ]
    other = candidate_showing(
        "a.py", 200, "other", {**equal_scores, "covered.all": 0.49, "piece.share": 1.0}
    )
    ranked = [
        each.range.start for each in rank([*parts, other]).candidates if each.range is not None
    ]
    assert [start for start in ranked if start in shares] == [61, 121, 1]
    assert ranked.index(200) < 2


@given(places, st.data())
def test_order_of_files_ignores_which_candidates_share_a_definition(
    found: list[tuple[str, int, dict[str, float]]], data: st.DataObject
) -> None:
    names = [data.draw(st.sampled_from("abc")) for _ in found]
    separate = rank(
        [candidate_showing(*place[:2], f"{at}", place[2]) for at, place in enumerate(found)]
    )
    shared = rank(
        [
            candidate_showing(path, at, name, row)
            for (path, at, row), name in zip(found, names, strict=True)
        ]
    )
    assert ranked_files(separate) == ranked_files(shared)
