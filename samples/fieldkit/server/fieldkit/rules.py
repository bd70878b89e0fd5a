"""What an observation must satisfy. Rules register themselves; all of them are asked."""

from __future__ import annotations

from collections.abc import Callable

from fieldkit.model import FIELDS, Change

Rule = Callable[[Change], str | None]
RULES: list[Rule] = []


def rule(function: Rule) -> Rule:
    RULES.append(function)
    return function


def check(change: Change) -> str | None:
    """The first complaint, or None."""
    return next((complaint for each in RULES if (complaint := each(change))), None)


@rule
def only_known_fields(change: Change) -> str | None:
    strange = change.fields.keys() - set(FIELDS)
    return f"unknown fields: {', '.join(sorted(strange))}" if strange else None


@rule
def count_is_positive(change: Change) -> str | None:
    count = change.fields.get("count", 1)
    return None if isinstance(count, int) and count > 0 else "count must be a positive number"


@rule
def position_is_on_earth(change: Change) -> str | None:
    latitude, longitude = change.fields.get("latitude", 0), change.fields.get("longitude", 0)
    inside = -90 <= latitude <= 90 and -180 <= longitude <= 180
    return None if inside else "the position is not on this planet"
