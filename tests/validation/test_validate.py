"""The steps of validation, each of which only drops or lowers."""

from __future__ import annotations

import pytest

from explorer_core.contracts import (
    Action,
    Confidence,
    ExploreRequest,
    FileRead,
    FlowChoice,
    Intent,
    LineRange,
    ReadTargetChoice,
    RelationFound,
    SearchTarget,
    Segment,
    Selection,
    Site,
)
from explorer_core.registry import Registry
from explorer_core.validation import Validated, validate
from tests.validation.shop import CALLS, NO_CALLS, described, observe

REQUEST = ExploreRequest(query="Where is an order stored?")


def step(id_: str = "c2", fact: str = "It saves.", quote: str = "store.save(order)") -> FlowChoice:
    return FlowChoice(candidate_id=id_, role="step", fact=fact, quote=quote)


FLOW = (
    step("c1", "`new_order` calls `place_order`.", "order = place_order("),
    step("c2", "`place_order` calls `Store.save`."),
    step("c4", "It writes.", "db.execute("),
)


def selection_of(
    *flow: FlowChoice,
    primary: tuple[str, ...] = ("c2",),
    targets: tuple[ReadTargetChoice, ...] = (),
    missing: tuple[str, ...] = (),
    searches: tuple[SearchTarget, ...] = (),
    action: Action = "answer_from_report",
    confidence: Confidence = "high",
) -> Selection:
    return Selection(
        primary_candidate_ids=primary,
        flow=flow,
        read_targets=targets,
        missing_coverage=missing,
        search_targets=searches,
        recommended_primary_action=action,
        confidence=confidence,
    )


def check_validation(selection: Selection, *dropped: str, intent: Intent = "explain") -> Validated:
    """Validate in the shop; ``dropped`` lists the expected ``what: why`` in order."""
    request = REQUEST.model_copy(update={"intent": intent})
    verdict = validate(selection, registry=observe(), request=request, relations=CALLS)
    assert list(dropped) == [f"{described(each)}: {each.why}" for each in verdict.dropped]
    return verdict


def test_correct_selection_is_kept_whole() -> None:
    verdict = check_validation(selection_of(*FLOW))
    assert [link.id for link in verdict.links] == ["c1", "c2", "c4"]
    assert (verdict.confidence, verdict.action) == ("high", "answer_from_report")
    assert [place.id for place in verdict.primary] == ["c2"]


def test_quote_and_line_are_taken_from_the_file() -> None:
    link = check_validation(selection_of(FLOW[0])).links[0]
    assert link.quote == 'order = place_order(request.json, "list.html")'
    assert link.quote_range == LineRange(start=5, end=5)


@pytest.mark.parametrize(
    ("link", "why"),
    [
        (step("c99"), "link c99: unknown_id"),
        (step("c6"), "link c6: no_range"),
        (step(fact="See src/fake.py:10."), "link c2: unobserved_reference"),
        (step(fact="See line 99."), "link c2: unobserved_reference"),
        (step(quote="store.load(order)"), "link c2: fact_unverified"),
        (step(quote="check_stock(order) return order"), "link c2: fact_unverified"),
        (step(quote="def check_stock(order):"), "link c2: fact_unverified"),
        (step(quote="}"), "link c2: quote_unusable"),
        (step(quote=""), "link c2: quote_unusable"),
        (step(quote="a\nb\nc"), "link c2: quote_unusable"),
    ],
)
def test_invalid_link_is_dropped_and_lowers_confidence(link: FlowChoice, why: str) -> None:
    verdict = check_validation(selection_of(*FLOW, link), why)
    assert len(verdict.links) == 3
    assert verdict.confidence == "medium"


def test_fact_may_mention_only_lines_of_its_place() -> None:
    assert (
        len(
            check_validation(
                selection_of(step(fact="On line 4 it saves, as `place_order:4` says."))
            ).links
        )
        == 1
    )
    check_validation(
        selection_of(step(fact="On line 6 it saves.")), "link c2: unobserved_reference"
    )


def test_role_is_checked_like_a_fact() -> None:
    check_validation(
        selection_of(FLOW[1].model_copy(update={"role": "shop/unread.py"})),
        "link c2: unobserved_reference",
    )


def test_place_without_observed_text_is_dropped() -> None:
    registry = Registry()
    registry.add(
        RelationFound(
            channel="index",
            relation="calls",
            source=Site(path="a.py", line=1),
            target=Site(path="b.py", line=1),
            target_range=LineRange(start=1, end=3),
            segment=Segment(path="a.py", start=1, lines=("f(x)",)),
            witness="graph:import",
        )
    )
    target_id = registry.id_of("b.py", LineRange(start=1, end=3)) or ""
    verdict = validate(
        selection_of(step(target_id, "", "f(x)"), primary=(target_id,)),
        relations=NO_CALLS,
        registry=registry,
        request=REQUEST,
    )
    assert [each.why for each in verdict.dropped] == ["range_not_observed"]


def target(id_: str, purpose: str = "read it") -> ReadTargetChoice:
    return ReadTargetChoice(candidate_id=id_, purpose=purpose)


def test_invalid_read_targets_are_dropped() -> None:
    verdict = check_validation(
        selection_of(
            *FLOW, targets=(target("c3"), target("c9"), target("c6"), target("c2", "see x.py"))
        ),
        "read_target c9: unknown_id",
        "read_target c6: no_range",
        "read_target c2: unobserved_reference",
    )
    assert [each.id for each in verdict.read_targets] == ["c3"]


def test_primary_may_be_a_file_without_a_range() -> None:
    verdict = check_validation(
        selection_of(*FLOW, primary=("c6", "c7", "c6")), "primary c7: unknown_id"
    )
    assert [(each.id, each.range) for each in verdict.primary] == [("c6", None)]


def test_missing_and_search_targets_are_checked() -> None:
    verdict = check_validation(
        selection_of(
            *FLOW,
            missing=("How stock is released", "see shop/unread.py"),
            searches=(
                SearchTarget(terms=("release",), scope="shop/**"),
                SearchTarget(terms=("fake.py",), scope="shop/**"),
                SearchTarget(terms=("release",), scope="other/place/**"),
                SearchTarget(terms=("?",), scope="shop/**"),
                SearchTarget(terms=("release",), scope=""),
            ),
        ),
        "missing: unobserved_reference",
        "search_target: unobserved_reference",
        "search_target: unobserved_reference",
    )
    assert verdict.missing == ("How stock is released",)
    assert [each.terms for each in verdict.search_targets] == [("release",)]


def test_items_over_budget_are_dropped() -> None:
    many = selection_of(
        *[step() for _ in range(10)],
        primary=("c1", "c2", "c3", "c4", "c5", "c6"),
        missing=("one", "two", "three", "four"),
    )
    verdict = check_validation(
        many,
        "link: over_budget",
        "link: over_budget",
        "primary: over_budget",
        "missing: over_budget",
    )
    assert (len(verdict.links), len(verdict.primary), len(verdict.missing)) == (8, 5, 3)


def test_long_texts_end_between_words() -> None:
    verdict = check_validation(selection_of(step(fact="saves it " * 50)))
    fact = verdict.links[0].fact
    assert len(fact) <= 240
    assert fact.endswith("…")
    assert ("saves it " * 50).startswith(fact[:-1] + " ")
    assert len(fact + "saves ") > 240


def test_invisible_characters_are_not_shown() -> None:
    verdict = check_validation(
        selection_of(step(fact="It \x1b[31msaves\x1b[0m \u202e\u200b\x07now"))
    )
    assert verdict.links[0].fact == "It saves now"


def test_wide_range_is_clamped_around_the_quote() -> None:
    registry = Registry()
    lines = tuple(f"call_{number}()" for number in range(1, 501))
    registry.add(FileRead(segment=Segment(path="a.py", start=1, lines=lines), total_lines=500))
    verdict = validate(
        selection_of(step("c1", "", "call_400()"), primary=("c1",), targets=(target("c1"),)),
        relations=NO_CALLS,
        registry=registry,
        request=REQUEST,
    )
    link = verdict.links[0]
    assert len(link.range) == 120
    assert link.range.covers(LineRange(start=400, end=400))
    assert verdict.read_targets[0].range == LineRange(start=1, end=120)


def test_hops_join_adjacent_links() -> None:
    links = check_validation(selection_of(*FLOW)).links
    hops = [link.hop and (link.hop.relation, link.hop.from_, link.hop.to) for link in links]
    assert hops == [("calls", "c1", "c2"), ("calls", "c2", "c4"), None]


def test_a_hop_may_run_against_the_flow() -> None:
    links = check_validation(selection_of(FLOW[1], FLOW[0])).links
    assert links[0].hop is not None
    assert (links[0].hop.from_, links[0].hop.to) == ("c1", "c2")


UNKNOWN_STEP = step("c99")
TARGETS = (target("c3"),)


@pytest.mark.parametrize(
    ("selection", "intent", "confidence", "action"),
    [
        (selection_of(*FLOW), "explain", "high", "answer_from_report"),
        (selection_of(*FLOW, targets=TARGETS), "edit", "high", "read_targets"),
        (selection_of(*FLOW), "debug", "high", "targeted_gap_search"),
        (selection_of(*FLOW, UNKNOWN_STEP), "explain", "medium", "answer_from_report"),
        (selection_of(*FLOW, missing=("something",)), "explain", "medium", "answer_from_report"),
        (selection_of(UNKNOWN_STEP, targets=TARGETS), "explain", "low", "read_targets"),
        (selection_of(UNKNOWN_STEP), "explain", "low", "targeted_gap_search"),
        (selection_of(*FLOW, confidence="low"), "locate", "low", "targeted_gap_search"),
        (
            selection_of(action="read_targets", confidence="medium"),
            "explain",
            "low",
            "targeted_gap_search",
        ),
        (
            selection_of(primary=(), action="skip_explore_result", confidence="high"),
            "explain",
            "high",
            "skip_explore_result",
        ),
    ],
)
def test_confidence_and_action(
    selection: Selection, intent: Intent, confidence: Confidence, action: Action
) -> None:
    request = REQUEST.model_copy(update={"intent": intent})
    verdict = validate(selection, relations=NO_CALLS, registry=observe(), request=request)
    assert (confidence, action) == (verdict.confidence, verdict.action)


def test_selection_without_primary_is_replaced_by_the_fallback() -> None:
    verdict = validate(
        selection_of(*FLOW, primary=("c99",)),
        relations=NO_CALLS,
        registry=observe(),
        request=REQUEST,
        fallback=selection_of(FLOW[1], targets=TARGETS),
    )
    assert verdict.fell_back
    assert (verdict.confidence, verdict.action) == ("low", "read_targets")
    assert [link.id for link in verdict.links] == ["c2"]
    assert [each.why for each in verdict.dropped] == ["unknown_id"]


def test_fallback_action_is_no_stronger_than_the_judges() -> None:
    verdict = validate(
        selection_of(primary=(), action="targeted_gap_search"),
        relations=NO_CALLS,
        registry=observe(),
        request=REQUEST,
        fallback=selection_of(*FLOW, targets=TARGETS),
    )
    assert verdict.action == "targeted_gap_search"


def test_primary_place_alone_counts_as_relevant() -> None:
    """And the fallback may be the very selection of which nothing was left."""
    for fallback, primary, action in (
        (selection_of(), ["c2"], "targeted_gap_search"),
        (selection_of(UNKNOWN_STEP, primary=()), [], "skip_explore_result"),
    ):
        verdict = validate(
            selection_of(UNKNOWN_STEP, primary=()),
            relations=NO_CALLS,
            registry=observe(),
            request=REQUEST,
            fallback=fallback,
        )
        assert [place.id for place in verdict.primary] == primary
        assert verdict.action == action
        assert verdict.fell_back is bool(primary)
        assert [each.why for each in verdict.dropped] == ["unknown_id"]


def test_empty_selection_means_nothing_relevant() -> None:
    verdict = validate(
        selection_of(primary=()), relations=NO_CALLS, registry=observe(), request=REQUEST
    )
    assert (verdict.confidence, verdict.action) == ("low", "skip_explore_result")
