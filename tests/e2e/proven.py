"""``python -m tests.e2e.proven REPORT.json``: check for three or more links, every hop proven."""

from __future__ import annotations

import sys
from pathlib import Path

from explorer_core.contracts import Report

LEAST_LINKS = 3


def unproven(report: Report) -> list[str]:
    """The reasons why the report is not a proven flow, one sentence each."""
    found = [
        f"Nothing proves what leads on from {link.path}:{link.range.start}."
        for link in report.links[:-1]
        if link.hop is None or link.hop.witness == "graph:name"
    ]
    if len(report.links) < LEAST_LINKS:
        found.append(f"The flow has {len(report.links)} links.")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(unproven(Report.model_validate_json(Path(sys.argv[1]).read_bytes()))) or 0)
