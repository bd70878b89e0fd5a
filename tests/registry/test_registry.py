"""Ids are stable, each range has one id, and texts are joined only if no line is missing."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer_core.contracts import (
    DefinitionFound,
    FileListed,
    FileRead,
    GrepMatch,
    LineRange,
    Observation,
    RelationFound,
    Segment,
    Site,
    SymbolFound,
    SymbolInfo,
)
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.registry import Registry
from explorer_core.registry.observed_text import ObservedText


def segment_of(start: int, end: int, path: str = "a.py") -> Segment:
    lines = tuple(f"line_{number}()" for number in range(start, end + 1))
    return Segment(path=path, start=start, lines=lines)


def hit(line: int, context: int = 1, path: str = "a.py") -> GrepMatch:
    segment = segment_of(max(1, line - context), line + context, path)
    return GrepMatch(segment=segment, line=line, terms=(f"line_{line}",))


def file_read(start: int, end: int, path: str = "a.py") -> FileRead:
    return FileRead(segment=segment_of(start, end, path), total_lines=1000)


def symbols_at(*spans: tuple[str, int, int]) -> list[Symbol]:
    return [
        Symbol(
            SymbolId("a.py", ordinal),
            name,
            name,
            "function",
            LineRange(start=start, end=end),
            start,
            "",
            "",
        )
        for ordinal, (name, start, end) in enumerate(spans)
    ]


def check_candidates(
    *observations: Observation,
    expect: dict[str, tuple[int, int] | None],
    declarations: list[Symbol] | None = None,
) -> Registry:
    """Add all observations and check the resulting candidates, ``expect``, by id."""
    registry = Registry(declarations=lambda path: declarations or [])
    registry.add_all(observations)
    actual = {
        each.id: (each.range.start, each.range.end) if each.range else None
        for each in registry.candidates()
    }
    assert expect == actual
    return registry


def test_the_same_range_keeps_its_first_id() -> None:
    registry = check_candidates(
        file_read(1, 9), file_read(20, 29), file_read(1, 9), expect={"c1": (1, 9), "c2": (20, 29)}
    )
    assert registry.add(file_read(1, 9)) == "c1"


def test_a_wider_view_gets_a_new_id() -> None:
    check_candidates(file_read(1, 9), file_read(1, 19), expect={"c1": (1, 9), "c2": (1, 19)})


def test_merging_overlapping_hits_keeps_the_old_id_valid() -> None:
    registry = check_candidates(hit(10, 2), hit(13, 2), expect={"c2": (8, 15)})
    old = registry.get("c1")
    assert old is not None
    assert old.range == LineRange(start=8, end=12)
    merged = registry.get("c2")
    assert merged is not None
    assert merged.matched_terms == ("line_10", "line_13")


def test_candidate_inside_a_test_is_marked_as_test() -> None:
    code, test, inner = symbols_at(("code", 1, 5), ("tests", 10, 30), ("it_works", 12, 14))
    tests = [msgspec.structs.replace(each, test=True) for each in (test, inner)]
    registry = Registry(declarations=lambda path: [code, *tests])
    registry.add_all([hit(3), hit(13), file_read(1, 40)])
    assert [each.traits.test for each in registry.candidates()] == [False, True, False]


def test_overlapping_windows_merge_only_up_to_a_width() -> None:
    check_candidates(hit(40, 30), hit(99, 30), expect={"c2": (10, 129)})
    check_candidates(hit(40, 30), hit(100, 30), expect={"c1": (10, 70), "c2": (70, 130)})


def test_distant_hits_are_not_merged() -> None:
    check_candidates(hit(10), hit(20), expect={"c1": (9, 11), "c2": (19, 21)})


def test_a_hit_inside_a_merged_window_joins_it() -> None:
    check_candidates(hit(10, 4), hit(11, 1), expect={"c1": (6, 14)})


def test_a_hit_snaps_to_its_innermost_declaration() -> None:
    spans = symbols_at(("Outer", 1, 90), ("inner", 10, 30), ("other", 40, 50))
    registry = check_candidates(
        hit(12), hit(25), hit(45), declarations=spans, expect={"c1": (10, 30), "c2": (40, 50)}
    )
    inner = registry.get("c1")
    assert inner is not None
    assert [each.qualified_name for each in inner.symbols] == ["inner"]


def test_a_hit_between_members_belongs_to_the_outer_declaration() -> None:
    spans = symbols_at(("Outer", 1, 90), ("inner", 10, 30), ("other", 40, 50))
    check_candidates(hit(35, 0), declarations=spans, expect={"c1": (1, 90)})


def test_a_hit_in_a_huge_declaration_keeps_its_window_inside_it() -> None:
    spans = symbols_at(("Huge", 10, 900))
    check_candidates(
        hit(11, 5), hit(500), declarations=spans, expect={"c1": (10, 16), "c2": (499, 501)}
    )


def test_provenance_is_merged() -> None:
    registry = check_candidates(file_read(9, 11), hit(10), expect={"c1": (9, 11)})
    only = registry.get("c1")
    assert only is not None
    assert only.provenance == ("read_file", "grep")


def test_segments_never_cross_a_gap() -> None:
    registry = check_candidates(
        hit(12, 0),
        hit(14, 0),
        hit(15, 0),
        declarations=symbols_at(("f", 10, 20)),
        expect={"c1": (10, 20)},
    )
    only = registry.get("c1")
    assert only is not None
    assert [(each.start, len(each.lines)) for each in only.segments] == [(12, 1), (14, 2)]


def test_text_of_two_versions_is_never_mixed() -> None:
    registry = Registry()
    registry.add(file_read(1, 4))
    registry.add(
        FileRead(segment=Segment(path="a.py", start=4, lines=("new", "er")), total_lines=9)
    )
    first = registry.get("c1")
    assert first is not None
    assert [each.lines for each in first.segments] == [("new",)]
    assert [registry.line("a.py", number) for number in range(3, 7)] == [None, "new", "er", None]


def test_a_listed_file_has_no_range() -> None:
    registry = check_candidates(FileListed(path="a.py", size=1), expect={"c1": None})
    assert not registry.observed("a.py", LineRange(start=1, end=1))


def test_relation_belongs_to_the_candidate_with_its_proof() -> None:
    spans = symbols_at(("caller", 1, 9), ("callee", 20, 29))
    registry = Registry(declarations=lambda path: spans)
    proof = RelationFound(
        channel="index",
        relation="calls",
        source=Site(path="a.py", line=5),
        target=Site(path="a.py", line=20),
        target_range=LineRange(start=20, end=29),
        segment=segment_of(5, 5),
        witness="graph:scope",
    )
    id_ = registry.add(proof)
    place = registry.get(id_)
    assert place is not None
    assert place.range == LineRange(start=1, end=9)
    assert registry.id_of("a.py", LineRange(start=20, end=29)) is not None


INFO = SymbolInfo(name="f", qualified_name="f", kind="function", line=5)
PLACE = {"path": "a.py", "range": LineRange(start=5, end=6)}
CALL = RelationFound(
    channel="index",
    relation="calls",
    source=Site(path="a.py", line=5),
    target=Site(path="b.py", line=20),
    target_range=LineRange(start=20, end=29),
    segment=segment_of(5, 6),
    witness="graph:scope",
)


@pytest.mark.parametrize(
    "observation",
    [
        hit(5, 0),
        file_read(5, 6),
        SymbolFound(**PLACE, symbol=INFO, segment=segment_of(5, 6)),
        DefinitionFound(channel="compiler", **PLACE, symbol=INFO, segment=segment_of(5, 6)),
        CALL,
    ],
    ids=lambda each: type(each).__name__,
)
def test_text_of_any_observation_may_be_quoted(observation: Observation) -> None:
    registry = Registry()
    place = registry.get(registry.add(observation))
    assert place is not None
    assert [each.lines[0] for each in place.segments] == ["line_5()"]
    assert registry.line("a.py", 5) == "line_5()"
    symbol = getattr(observation, "symbol", None)
    assert place.symbols == ((symbol,) if symbol else ())
    assert list(registry.symbols()) == ([symbol] if symbol else [])


def test_merged_candidate_keeps_the_highest_scores() -> None:
    def call_at(line: int, **scores: float) -> RelationFound:
        segment = segment_of(line - 1, line + 1)
        source = Site(path="a.py", line=line)
        return CALL.model_copy(update={"source": source, "segment": segment, "scores": scores})

    registry = check_candidates(
        call_at(10, near=0.5, wide=0.3),
        call_at(12, near=0.4),
        expect={"c1": (20, 29), "c3": (9, 13)},
    )
    place = registry.get("c3")
    assert place is not None
    assert place.features == {"near": 0.5, "wide": 0.3}


@pytest.mark.parametrize(("line", "target"), [(19, False), (20, True), (21, True), (22, False)])
def test_scores_of_a_relation_go_to_the_end_whose_text_it_shows(line: int, target: bool) -> None:
    registry = Registry(declarations=lambda path: symbols_at(("caller", 1, 9), ("callee", 20, 29)))
    here, there = Site(path="a.py", line=5), Site(path="a.py", line=line)
    registry.add(
        CALL.model_copy(
            update={
                "source": here,
                "target": there,
                "segment": segment_of(20, 21),
                "scores": {"near": 1.0},
            }
        )
    )
    scored = {each.range.start for each in registry.candidates() if each.features and each.range}
    assert scored == {20 if target else 1}


def test_ranges_of_seen_text_and_candidates_count_as_observed() -> None:
    registry = Registry(declarations=lambda path: symbols_at(("f", 10, 20)))
    registry.add_all([hit(12), file_read(30, 35), file_read(36, 40)])
    assert registry.observed("a.py", LineRange(start=10, end=20))
    assert registry.observed("a.py", LineRange(start=30, end=40))
    assert not registry.observed("a.py", LineRange(start=20, end=31))
    assert not registry.observed("b.py", LineRange(start=12, end=12))


def test_unknown_ids_have_no_candidate() -> None:
    registry = check_candidates(file_read(1, 2), expect={"c1": (1, 2)})
    for unknown in (
        "c0",
        "c2",
        "c01",
        "c",
        "",
        "1",
        "11",
        "x1",
        "C1",
        "c1 ",
        "c-1",
        "c١",
        "c" + "9" * 99,
    ):
        assert registry.get(unknown) is None


observations = st.lists(
    st.one_of(
        st.builds(hit, st.integers(1, 200), st.integers(0, 6), st.sampled_from(["a.py", "b.py"])),
        st.builds(
            lambda start, more: file_read(start, start + more),
            st.integers(1, 200),
            st.integers(0, 40),
        ),
        st.builds(FileListed, path=st.sampled_from(["a.py", "c.py"]), size=st.just(1)),
    ),
    max_size=30,
)


@given(observations)
def test_published_id_always_points_at_the_same_place(observed: list[Observation]) -> None:
    registry = Registry(declarations=lambda path: symbols_at(("f", 30, 60), ("g", 35, 40)))
    published: dict[str, tuple[str, LineRange | None]] = {}
    for observation in observed:
        id_ = registry.add(observation)
        place = registry.get(id_)
        assert place is not None
        published.setdefault(id_, (place.path, place.range))
        for known, pointed_at in published.items():
            again = registry.get(known)
            assert again is not None
            assert pointed_at == (again.path, again.range)
    assert len(set(published.values())) == len(published)


@given(
    st.lists(st.tuples(st.integers(1, 12), st.lists(st.sampled_from("ab"), max_size=5)), max_size=8)
)
@example([(1, ["a"]), (8, ["a"]), (8, ["b"])])
@example([(1, ["a"]), (3, ["a"]), (1, ["a", "a", "b"])])
def test_observed_text_comes_from_one_version_of_the_file(
    views: list[tuple[int, list[str]]],
) -> None:
    text, known = ObservedText("a.py"), dict[int, str]()
    for start, lines in views:
        new = dict(enumerate(lines, start))
        if any(known.get(number, line) != line for number, line in new.items()):
            known.clear()
        known |= new
        text.add(start, lines)
        pieces = text.within(1, 20)
        text_by_line = {
            each.start + at: line for each in pieces for at, line in enumerate(each.lines)
        }
        assert text_by_line == known
        assert all(a.range.end + 1 < b.start for a, b in pairwise(pieces))
        for number in range(1, 20):
            assert text.covers(number, number + 1) == (number in known and number + 1 in known)
            within = text.within(number, number + 1)
            assert sum(len(each.lines) for each in within) == len({number, number + 1} & {*known})


@given(observations)
def test_segments_are_text_of_the_file_within_the_candidate(observed: list[Observation]) -> None:
    registry = Registry(declarations=lambda path: symbols_at(("f", 30, 60)))
    registry.add_all(observed)
    for candidate in registry.candidates():
        for piece in candidate.segments:
            assert candidate.range is not None
            assert candidate.range.covers(piece.range)
            assert piece == segment_of(piece.range.start, piece.range.end, candidate.path)
