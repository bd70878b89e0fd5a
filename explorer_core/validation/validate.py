"""Reduces a judge's selection to what may be reported. Every step only drops or lowers.

`_Validation.run` lists the steps in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from explorer_core.contracts import (
    FACT_LIMIT,
    LINK_LIMIT,
    PRIMARY_LIMIT,
    READ_TARGET_LIMIT,
    Candidate,
    CandidateId,
    Dropped,
    DroppedPart,
    DropReason,
    ExploreRequest,
    FlowChoice,
    LineRange,
    Link,
    PrimaryPlace,
    ReadTarget,
    ReadTargetChoice,
    SearchTarget,
    Selection,
)
from explorer_core.registry import Registry
from explorer_core.validation.hops import RelationFinder, attach_hops
from explorer_core.validation.lowering import weaker_action, weaker_confidence
from explorer_core.validation.quotes import find_quote, is_usable, is_withheld
from explorer_core.validation.ranges import clamp
from explorer_core.validation.references import (
    ObservedNames,
    scope_is_observed,
    unobserved_references,
)
from explorer_core.validation.validated import Validated
from explorer_core.validation.visible import visible

_MISSING_LIMIT = 3
_SEARCH_TARGET_LIMIT = 3
_ROLE_LIMIT = 40
_PURPOSE_LIMIT = 120
_TERM_LIMIT = 80

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_CONCRETE = re.compile(r"\w\w")


def validate(
    selection: Selection,
    *,
    registry: Registry,
    request: ExploreRequest,
    relations: RelationFinder,
    fallback: Selection | None = None,
) -> Validated:
    """The reportable part of ``selection``.

    If no primary place survives and the judge did not choose to skip, ``fallback`` (the offline
    selection) takes its place, at low confidence and never with a more promising action.
    """
    validated = _Validation(registry, request, relations).run(selection)
    if validated.primary or selection.recommended_primary_action == "skip_explore_result":
        return validated
    if fallback is not None and fallback != selection:
        stand_in = _Validation(registry, request, relations).run(fallback)
        dropped = validated.dropped + stand_in.dropped
        action = weaker_action(validated.action, stand_in.action)
        validated = replace(stand_in, action=action, dropped=dropped, fell_back=True)
    low = weaker_confidence(validated.confidence, "low")
    validated = replace(validated, confidence=low).lowered(request.intent)
    is_empty = not _has_content(validated)
    return replace(validated, action="skip_explore_result") if is_empty else validated


def _has_content(validated: Validated) -> bool:
    return bool(
        validated.primary
        or validated.links
        or validated.read_targets
        or validated.missing
        or validated.search_targets
    )


def _shortened(text: str, limit: int) -> str:
    """``text``, which must be `visible`, cut at a space to at most ``limit`` characters plus an
    ellipsis; empty if there is no space to cut at."""
    if len(text) <= limit:
        return text
    kept = text[:limit].rpartition(" ")[0]
    return f"{kept}…" if kept else ""


class _Validation:
    """One selection on its way through the steps; records what it drops."""

    def __init__(
        self, registry: Registry, request: ExploreRequest, relations: RelationFinder
    ) -> None:
        self._relations = relations
        self._registry = registry
        self._request = request
        self._names = ObservedNames(registry)
        self._dropped: list[Dropped] = []

    def run(self, selection: Selection) -> Validated:
        # 1 drop unknown and unobserved items, 2 drop unproven quotes, 3 clamp ranges
        links = self._valid_items(self._link, selection.flow)
        primary = self._valid_items(self._primary, dict.fromkeys(selection.primary_candidate_ids))
        targets = self._valid_items(self._read_target, _first_of_each_id(selection.read_targets))
        missing = self._valid_items(self._missing, selection.missing_coverage)
        searches = self._valid_items(self._search_target, selection.search_targets)
        # 4 budgets
        links = self._clamped("link", links, LINK_LIMIT)
        primary = self._clamped("primary", primary, PRIMARY_LIMIT)
        targets = self._clamped("read_target", targets, READ_TARGET_LIMIT)
        missing = self._clamped("missing", missing, _MISSING_LIMIT)
        searches = self._clamped("search_target", searches, _SEARCH_TARGET_LIMIT)
        # 5 hops
        links = attach_hops(links, self._registry.get, self._relations)
        # 6 confidence, 7 action
        return Validated(
            confidence=selection.confidence,
            action=selection.recommended_primary_action,
            primary=primary,
            links=links,
            read_targets=targets,
            missing=missing,
            search_targets=searches,
            dropped=tuple(self._dropped),
            links_dropped=len(selection.flow) - len(links),
        ).lowered(self._request.intent)

    def _link(self, choice: FlowChoice) -> Link | None:
        candidate = self._known_candidate("link", choice.candidate_id)
        if candidate is None:
            return None
        if candidate.range is None:
            return self._drop("link", "no_range", choice.candidate_id)
        if not candidate.segments:
            return self._drop("link", "range_not_observed", choice.candidate_id)
        if not self._says_only_observed(f"{choice.role}\n{choice.fact}", candidate):
            return self._drop("link", "unobserved_reference", choice.candidate_id)
        if not is_usable(choice.quote):
            return self._drop("link", "quote_unusable", choice.candidate_id)
        quoted = find_quote(choice.quote, candidate.segments)
        if quoted is None:
            why = "credential" if is_withheld(choice.quote) else "fact_unverified"
            return self._drop("link", why, choice.candidate_id)
        return Link(
            id=candidate.id,
            path=candidate.path,
            range=self._clamped_range(candidate, candidate.range, quoted.range),
            role=_shortened(visible(choice.role), _ROLE_LIMIT),
            fact=_shortened(visible(choice.fact), FACT_LIMIT),
            quote=quoted.text,
            quote_range=quoted.range,
        )

    def _primary(self, candidate_id: str) -> PrimaryPlace | None:
        candidate = self._known_candidate("primary", candidate_id)
        if candidate is None:
            return None
        lines = candidate.range and self._clamped_range(candidate, candidate.range)
        return PrimaryPlace(id=candidate.id, path=candidate.path, range=lines)

    def _read_target(self, choice: ReadTargetChoice) -> ReadTarget | None:
        candidate = self._known_candidate("read_target", choice.candidate_id)
        if candidate is None:
            return None
        if candidate.range is None:
            return self._drop("read_target", "no_range", choice.candidate_id)
        if not self._says_only_observed(choice.purpose, candidate):
            return self._drop("read_target", "unobserved_reference", choice.candidate_id)
        return ReadTarget(
            id=candidate.id,
            path=candidate.path,
            range=self._clamped_range(candidate, candidate.range),
            purpose=_shortened(visible(choice.purpose), _PURPOSE_LIMIT),
            required=choice.required,
        )

    def _missing(self, text: str) -> str | None:
        if unobserved_references(text, self._names):
            return self._drop("missing", "unobserved_reference")
        return _shortened(visible(text), FACT_LIMIT) or None

    def _search_target(self, target: SearchTarget) -> SearchTarget | None:
        terms = tuple(term for term in map(visible, target.terms) if _CONCRETE.search(term))
        scope = visible(target.scope)
        if not terms or not scope:
            return None
        unseen = any(unobserved_references(term, self._names, search_term=True) for term in terms)
        if unseen or not scope_is_observed(scope, self._names, self._request.scope):
            return self._drop("search_target", "unobserved_reference")
        short = tuple(term for term in terms if len(term) <= _TERM_LIMIT)
        return SearchTarget(terms=short, scope=scope) if short else None

    def _known_candidate(self, what: DroppedPart, candidate_id: CandidateId) -> Candidate | None:
        candidate = self._registry.get(candidate_id)
        return candidate if candidate is not None else self._drop(what, "unknown_id", candidate_id)

    def _says_only_observed(self, text: str, candidate: Candidate) -> bool:
        return not unobserved_references(text, self._names, lines=candidate.range)

    def _clamped_range(
        self, candidate: Candidate, lines: LineRange, keep: LineRange | None = None
    ) -> LineRange:
        return clamp(lines, self._registry.declarations(candidate.path), keep)

    def _drop(
        self, what: DroppedPart, why: DropReason, candidate_id: CandidateId | None = None
    ) -> None:
        self._dropped.append(Dropped(what=what, id=candidate_id, why=why))

    def _valid_items(
        self, step: Callable[[_Item], _Result | None], items: Iterable[_Item]
    ) -> list[_Result]:
        return [kept for kept in map(step, items) if kept is not None]

    def _clamped(self, what: DroppedPart, items: list[_Result], limit: int) -> tuple[_Result, ...]:
        self._dropped += [Dropped(what=what, why="over_budget") for _ in items[limit:]]
        return tuple(items[:limit])


def _first_of_each_id(choices: Iterable[ReadTargetChoice]) -> list[ReadTargetChoice]:
    by_id: dict[str, ReadTargetChoice] = {}
    for choice in choices:
        by_id.setdefault(choice.candidate_id, choice)
    return list(by_id.values())
