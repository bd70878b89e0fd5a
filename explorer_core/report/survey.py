"""Renders the summary of a survey as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer_core.contracts.survey import SurveySummary
from explorer_core.report.printable import printable

_MOST_NAMED = 3
"""Maximum number of angles named per file: the best files are found by nearly all."""


def render_summary(summary: SurveySummary) -> str:
    """Counts, the best files with their rationales, and the manifest's path."""
    return "".join(f"{printable(line)}\n" for line in _lines(summary))


def _lines(summary: SurveySummary) -> Iterator[str]:
    yield "## survey"
    if summary.query:
        yield f"Topic: {summary.query}"
    yield (
        f"{summary.files} files, {summary.patterns} patterns, {summary.dependencies} dependencies,"
        f" {summary.external_refs} external references"
    )
    for each in summary.angles:
        outcome = "cache" if each.cached else "explored"
        yield (
            f"- {each.angle} ({outcome}): {each.files} files, {each.patterns} patterns,"
            f" {each.dependencies} dependencies, {each.external_refs} external references"
        )
    if summary.top_files:
        yield "Top files:"
    for number, file in enumerate(summary.top_files, 1):
        seen_from = _angle_names(file.angles)
        yield f"{number}. {file.path} ({file.role}; {seen_from}) - {file.rationale}"
    for note in dict.fromkeys((*summary.notes, *(n for a in summary.angles for n in a.notes))):
        yield f"Note: {note}"
    yield f"Manifest: {summary.manifest or 'not written'}"


def _angle_names(angles: Sequence[str]) -> str:
    named, more = ", ".join(angles[:_MOST_NAMED]), len(angles) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named
