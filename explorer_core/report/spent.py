"""One line on what a report cost."""

from __future__ import annotations

from explorer_core.contracts import Report
from explorer_core.report.printable import printable


def spent(report: Report) -> str:
    """Model, tokens and cost; empty without a model. Unknown prices are not guessed."""
    if report.model is None:
        return ""
    usage = report.usage
    tokens = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    cached = f" (and {usage.cached_tokens:,} from the cache)" if usage.cached_tokens else ""
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return f"{printable(report.model)}, {tokens}{cached}, {cost}"
