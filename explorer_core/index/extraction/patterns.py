"""Compiles the regular expressions of language specs."""

from __future__ import annotations

import functools
import re


@functools.cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compiles a regular expression of a language spec, once."""
    return re.compile(pattern, flags)
