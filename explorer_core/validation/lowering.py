"""Confidence and action, which are only ever lowered."""

from __future__ import annotations

from explorer_core.contracts import Action, Confidence, Intent

_CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")
_ACTIONS: tuple[Action, ...] = (
    "skip_explore_result",
    "targeted_gap_search",
    "read_targets",
    "answer_from_report",
)


def lower_confidence(
    confidence: Confidence, *, link_dropped: bool, missing: bool, links: int
) -> Confidence:
    """A dropped link or a gap turns high into medium; no links at all turn medium into low."""
    if confidence == "high" and (link_dropped or missing):
        confidence = "medium"
    if confidence == "medium" and links == 0:
        confidence = "low"
    return confidence


def lower_action(
    action: Action, *, intent: Intent, confidence: Confidence, ranged_targets: int
) -> Action:
    """Edit, debug and low confidence require reading; without ranges to read, search instead."""
    if action == "answer_from_report" and (intent in ("edit", "debug") or confidence == "low"):
        action = "read_targets"
    if action == "read_targets" and ranged_targets == 0:
        action = "targeted_gap_search"
    return action


def weaker_confidence(one: Confidence, other: Confidence) -> Confidence:
    """The lower of two."""
    return one if _CONFIDENCES.index(one) <= _CONFIDENCES.index(other) else other


def weaker_action(one: Action, other: Action) -> Action:
    """The one that promises less, in the order skip, search, read, answer."""
    return one if _ACTIONS.index(one) <= _ACTIONS.index(other) else other
