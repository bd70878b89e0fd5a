"""What people read in place of the protocol's own values, and how every form of a report reads it.

Clients that draw reports themselves have copies of their own, which a test compares with these.
"""

from __future__ import annotations

from collections.abc import Mapping

from explorer_core.contracts import Action, Hop, PrimaryPlace, Report, Witness

WITNESSES: Mapping[Witness | None, str] = {
    "editor": "confirmed by the editor's language server",
    "server": "confirmed by a language server",
    "jedi": "confirmed by static analysis",
    "graph:scope": "resolved in its scope",
    "graph:import": "resolved by its import",
    "graph:type": "resolved by its type",
    "graph:name": "matched by name only",
    None: "nobody confirms it",
}


def witness(hop: Hop) -> str:
    """Who vouches for a hop, where there is no room for more than the protocol's own value."""
    return hop.witness or WITNESSES[None]


def other_primary(report: Report) -> list[PrimaryPlace]:
    """The places an answer is about that are shown neither as a step nor to be read."""
    shown = {each.id for each in (*report.links, *report.read_targets)}
    return [place for place in report.primary if place.id not in shown]


ACTIONS: Mapping[Action, str] = {
    "answer_from_report": "The flow answers it",
    "read_targets": "Read the listed places first",
    "targeted_gap_search": "Something is missing",
    "skip_explore_result": "Nothing relevant found",
}
