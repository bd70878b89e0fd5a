"""Compiles and searches for the regular expressions of language specs."""

from __future__ import annotations

import functools
import re


@functools.cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compiles a regular expression of a language spec, once."""
    return re.compile(pattern, flags)


def occurs(pattern: str, text: str) -> bool:
    """Whether a pattern of a language's spec is set and occurs in a text."""
    return bool(pattern) and compiled(pattern).search(text) is not None
