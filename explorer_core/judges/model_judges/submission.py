"""Checks a report submitted by a model: accepted as a selection, or rejected with the reasons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from explorer_core.contracts import CandidateId, Dropped, Selection

_MOST_ITEMS = 40
_LONGEST_TEXT = 2_000
_MOST_PROBLEMS = 8

SelectionType = TypeVar("SelectionType", bound=Selection)


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a submission is rejected: one line per field."""

    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        return "The report cannot be taken:\n" + "\n".join(f"- {each}" for each in self.problems)


def parse_submission(
    arguments: Any, kind: type[SelectionType], known: Callable[[CandidateId], bool]
) -> SelectionType | Rejected:
    """The selection in a tool's arguments; ``known`` says whether an id was shown to the model."""
    oversized = tuple(_oversized("", arguments))[:_MOST_PROBLEMS]
    if oversized:
        return Rejected(oversized)
    try:
        selection = kind.model_validate(arguments)
    except ValidationError as error:
        found = [(_field(each["loc"]), each["msg"]) for each in error.errors()[:_MOST_PROBLEMS]]
        return Rejected(tuple(f"{field}: {problem}" for field, problem in found))
    problems = tuple(_unknown(selection, known))[:_MOST_PROBLEMS]
    return Rejected(problems) if problems else selection


def without_unknown(
    selection: SelectionType, known: Callable[[CandidateId], bool]
) -> tuple[SelectionType, tuple[Dropped, ...]]:
    """The selection without places that the model was never shown, and what was dropped."""
    kept = selection.renamed(lambda each: each if known(each) else None)
    if len(kept.flow) < len(selection.flow) and kept.confidence == "high":
        kept = kept.model_copy(update={"confidence": "medium"})
    dropped = tuple(
        Dropped(what=place.part, id=place.id, why="unknown_id")
        for place in selection.places()
        if not known(place.id)
    )
    return kept, dropped


def _unknown(selection: Selection, known: Callable[[CandidateId], bool]) -> Iterator[str]:
    for place in selection.places():
        if not known(place.id):
            yield f"{place.field}: no place {place.id} was shown"
    skipped = selection.recommended_primary_action == "skip_explore_result"
    if not selection.primary_candidate_ids and not skipped:
        yield "primaryCandidateIds: name one to five places, or skip"


def _oversized(field: str, value: Any) -> Iterator[str]:
    """Texts and lists too long to be worth examining, one line each."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        yield f"{field or 'report'}: {len(value):,} characters; write at most {_LONGEST_TEXT:,}"
    elif isinstance(value, list | dict):
        items = cast("Collection[Any]", value)
        if len(items) > _MOST_ITEMS:
            yield f"{field or 'report'}: {len(items)} items; give at most {_MOST_ITEMS}"
            return
        named = cast("dict[str, Any]", value).items() if isinstance(value, dict) else None
        for key, item in named or enumerate(items):
            yield from _oversized(f"{field}.{str(key)[:40]}".lstrip("."), item)


def _field(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part)[:40] for part in location) or "report"
