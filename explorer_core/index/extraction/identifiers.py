"""Splits identifiers into words."""

from __future__ import annotations

import re
from itertools import pairwise

_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\dA-Za-z_]+")
"""A plural of capitals (``URLs``) is one word."""


def identifier_parts(word: str) -> list[str]:
    """Returns the words of an identifier in lower case."""
    if word.isascii():
        return [part.lower() for part in _PART.findall(word)]
    broken = "".join(
        f"_{after}" if before.islower() and after.isupper() else after
        for before, after in pairwise(f"_{word}")
    )
    return [piece.lower() for piece in broken.split("_") if piece]
