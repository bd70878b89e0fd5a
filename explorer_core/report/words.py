"""Display texts for the protocol's values, and helpers shared by all forms of a report.

Clients that render reports themselves have their own copies, which a test compares with these.
"""

from __future__ import annotations

from collections.abc import Mapping

from explorer_core.contracts import Action, Hop, PrimaryPlace, Report, Witness

WITNESSES: Mapping[Witness | None, str] = {
    "editor": "confirmed by the editor's language server",
    "server": "confirmed by a language server",
    "jedi": "confirmed by static analysis",
    "graph:scope": "resolved by scope",
    "graph:import": "resolved by import",
    "graph:type": "resolved by type",
    "graph:name": "matched by name only",
    None: "not confirmed",
}


def witness(hop: Hop) -> str:
    """A hop's witness as the protocol's own value, for forms with little room."""
    return hop.witness or WITNESSES[None]


def other_primary(report: Report) -> list[PrimaryPlace]:
    """The primary places that appear neither as a step nor as a read target."""
    shown = {each.id for each in (*report.links, *report.read_targets)}
    return [place for place in report.primary if place.id not in shown]


ACTIONS: Mapping[Action, str] = {
    "answer_from_report": "The flow answers the question",
    "read_targets": "Read the listed places first",
    "targeted_gap_search": "Something is missing",
    "skip_explore_result": "Nothing relevant found",
}
