"""Entries of JSON that a question tells, such as those of an answer, as code may make them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.channels.question.query import Query

_ENTRY = re.compile(r'"(?P<key>[\w-]{1,80})"\s*:\s*"(?P<value>[^"\n]{1,300})"')
"""An entry that has a text."""


def entries_of(query: Query) -> Iterator[tuple[int, re.Pattern[str]]]:
    """Where the prose of a question has entries, and each as code writes it: with any quotation
    marks, the key perhaps without. A block of JSON is most often a configuration."""
    for match in _ENTRY.finditer(query.text):
        if any(0 <= match.start() - each.position < len(each.text) for each in query.code_blocks):
            continue
        key, value = re.escape(match["key"]), re.escape(match["value"])
        written = rf"""(?<![\w"'`])(["'`]?){key}\1\s*(?::|=>?)\s*(["'`]){value}\2"""
        yield match.start(), re.compile(written)
