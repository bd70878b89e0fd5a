"""Properties that hold for any selection and whatever happens to the files."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from explorer_core.contracts import (
    Action,
    Confidence,
    ExploreRequest,
    FlowChoice,
    Intent,
    Report,
    Selection,
    Settings,
)
from explorer_core.report import render_json, render_markdown, render_text
from explorer_core.validation import Validated, check_emission, validate
from explorer_core.validation.references import ObservedNames, unobserved_references
from tests.strategies import UNSEEN_FILES, intents, selections, smuggling_texts
from tests.validation.shop import CALLS, SHOP, Files, observe

BUDGET = Settings().report_chars
REGISTRY = observe()
SYMBOLS = sorted({symbol.qualified_name for symbol in REGISTRY.symbols()})
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")
ACTIONS: tuple[Action, ...] = (
    "skip_explore_result",
    "targeted_gap_search",
    "read_targets",
    "answer_from_report",
)


def validated(selection: Selection, intent: Intent, fallback: Selection | None = None) -> Validated:
    request = ExploreRequest(query="Where is an order stored?", intent=intent)
    return validate(
        selection, registry=observe(), request=request, relations=CALLS, fallback=fallback
    )


def report_of(verdict: Validated) -> Report:
    return Report(
        id="r",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        root="/w",
        query="Where?",
        intent="explain",
        judge="packet",
        confidence=verdict.confidence,
        action=verdict.action,
        primary=verdict.primary,
        links=verdict.links,
        read_targets=verdict.read_targets,
        missing=verdict.missing,
        search_targets=verdict.search_targets,
        dropped=verdict.dropped,
    )


@given(selections(smuggling_texts), intents)
def test_text_with_unobserved_names_is_never_rendered(selection: Selection, intent: Intent) -> None:
    verdict = validated(selection, intent)
    assert (verdict.links, verdict.read_targets, verdict.missing) == ((), (), ())
    assert verdict.search_targets == ()
    report = report_of(verdict)
    for rendered in (
        render_text(report, BUDGET),
        render_markdown(report),
        render_json(report),
    ):
        assert not any(name in rendered for name in UNSEEN_FILES)


@given(smuggling_texts)
def test_correct_quote_does_not_admit_an_unobserved_reference(text: str) -> None:
    good = FlowChoice(candidate_id="c2", role="step", fact="It saves.", quote="store.save(order)")
    selection = Selection(
        primary_candidate_ids=("c2",),
        flow=(good, good.model_copy(update={"fact": text}), good.model_copy(update={"role": text})),
        recommended_primary_action="answer_from_report",
        confidence="high",
    )
    verdict = validated(selection, "explain")
    assert [link.fact for link in verdict.links] == ["It saves."]
    assert [each.why for each in verdict.dropped] == ["unobserved_reference"] * 2


@given(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS))
def test_fact_proved_by_an_edge_is_never_unobserved(one: str, other: str) -> None:
    names = ObservedNames(REGISTRY)
    for relation in ("calls", "references", "extends", "contains"):
        assert not unobserved_references(f"`{one}` {relation} `{other}`", names)


@given(selections(), intents)
def test_every_place_was_observed(selection: Selection, intent: Intent) -> None:
    registry = observe()
    verdict = validated(selection, intent)
    for place in (*verdict.links, *verdict.read_targets):
        assert registry.observed(place.path, place.range)
    for place in (*verdict.links, *verdict.read_targets, *verdict.primary):
        candidate = registry.get(place.id)
        assert candidate is not None
        assert candidate.path == place.path
        assert candidate.range == place.range or candidate.range.covers(place.range)


@given(selections(), intents)
def test_quotes_are_the_files_own_text(selection: Selection, intent: Intent) -> None:
    for link in validated(selection, intent).links:
        lines = SHOP.files[link.path].split("\n")
        assert link.quote in "\n".join(lines[link.quote_range.start - 1 : link.quote_range.end])


@given(selections(), intents, st.none() | selections())
def test_validation_never_raises_and_only_lowers(
    selection: Selection, intent: Intent, fallback: Selection | None
) -> None:
    verdict = validated(selection, intent, fallback)
    chosen = selection.recommended_primary_action
    assert CONFIDENCES.index(verdict.confidence) <= CONFIDENCES.index(selection.confidence)
    assert ACTIONS.index(verdict.action) <= ACTIONS.index(chosen)
    again = verdict.lowered(intent)
    assert (again.confidence, again.action) == (verdict.confidence, verdict.action)


@given(selections(), intents)
def test_flow_keeps_its_order(selection: Selection, intent: Intent) -> None:
    chosen_ids = [choice.candidate_id for choice in selection.flow]
    position = 0
    for link in validated(selection, intent).links:
        position = chosen_ids.index(link.id, position) + 1


edits = st.lists(
    st.tuples(
        st.sampled_from(sorted(SHOP.files)),
        st.sampled_from(["delete", "insert", "remove", "double", "replace", "empty"]),
        st.integers(0, 12),
    ),
    max_size=5,
)


def edit_shop(changes: list[tuple[str, str, int]]) -> Files:
    files = Files()
    for path, change, at in changes:
        lines = files.texts.get(path, "").split("\n")
        at = min(at, len(lines) - 1)
        if change == "delete":
            files.texts.pop(path, None)
            continue
        lines = {
            "insert": [*lines[:at], *["# new"] * at, *lines[at:]],
            "remove": [*lines[:at], *lines[at + 1 :]],
            "double": [*lines[:at], lines[at], *lines[at:]],
            "replace": [*lines[:at], lines[at] + " # changed", *lines[at + 1 :]],
            "empty": [],
        }[change]
        files.texts[path] = "\n".join(lines)
    return files


def are_lines_of(lines: list[str], text: str) -> bool:
    return "\n".join(["", *lines, ""]) in f"\n{text}\n"


@given(selections(), intents, edits)
@example(
    selection=Selection(
        flow=(
            FlowChoice(
                candidate_id="c1",
                role="entry",
                fact="It is a route.",
                quote='@app.route("/orders/new", methods=["POST"])',
            ),
        ),
        recommended_primary_action="answer_from_report",
        confidence="high",
    ),
    intent="explain",
    changes=[("shop/routes.py", "replace", 2)],
)
def test_emitted_report_matches_the_files_at_that_moment(
    selection: Selection, intent: Intent, changes: list[tuple[str, str, int]]
) -> None:
    before, files = validated(selection, intent), edit_shop(changes)
    sent = check_emission(before, workspace=files, registry=observe(), intent=intent)
    for link in sent.links:
        lines = files.texts[link.path].split("\n")
        assert link.quote in "\n".join(lines[link.quote_range.start - 1 : link.quote_range.end])
        assert link.range.covers(link.quote_range)
    for place in (*sent.links, *sent.primary, *sent.read_targets):
        if place.range:
            lines = files.texts[place.path].split("\n")
            now = lines[place.range.start - 1 : place.range.end]
            assert len(now) == len(place.range)
            assert are_lines_of(now, SHOP.files[place.path])
    assert CONFIDENCES.index(sent.confidence) <= CONFIDENCES.index(before.confidence)
    assert ACTIONS.index(sent.action) <= ACTIONS.index(before.action)
