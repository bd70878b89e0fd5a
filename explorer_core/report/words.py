"""What people read in place of the protocol's own values.

Clients that draw reports themselves have copies of their own, which a test compares with these.
"""

from __future__ import annotations

from collections.abc import Mapping

from explorer_core.contracts import Action, Witness

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

ACTIONS: Mapping[Action, str] = {
    "answer_from_report": "The flow answers it",
    "read_targets": "Read the listed places first",
    "targeted_gap_search": "Something is missing",
    "skip_explore_result": "Nothing relevant found",
}
