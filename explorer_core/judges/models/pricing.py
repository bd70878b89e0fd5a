"""The cost of a turn, where the price is known."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from explorer_core.judges.models.model import Tokens

_MILLION = 1_000_000


def cost_usd(model: str, tokens: Tokens) -> float | None:
    """The cost of one turn in US dollars; None for a model without a known price."""
    prices = _prices().get(model)
    if prices is None:
        return None
    longer = prices.get("over")
    if longer and tokens.uncached + tokens.written + tokens.cached > longer["prompt"]:
        prices = longer
    return (
        tokens.uncached * prices["input"]
        + tokens.written * prices["cache_write"]
        + tokens.cached * prices["cache_read"]
        + tokens.output * prices["output"]
    ) / _MILLION


@cache
def _prices() -> dict[str, dict[str, Any]]:
    text = files("explorer_core.judges.models").joinpath("prices.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
