"""Regular expressions of the languages' specs."""

from __future__ import annotations

import functools
import re


@functools.cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression of a language's spec, compiled once."""
    return re.compile(pattern, flags)
