"""Entries of JSON that a question tells, such as those of an answer, as code may make them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.channels.question.query import Query

_ENTRY = re.compile(r'"(?P<key>[\w-]{1,80})"\s*:\s*"(?P<value>[^"\n]{1,300})"')
"""An entry that has a text."""


def entries_of(query: Query) -> Iterator[tuple[int, re.Pattern[str]]]:
    """The entries (a key and its value) in the prose of a question: where each stands, and a
    pattern for how code may write it, with any quotation marks and with or without those of the
    key. Code blocks are left out: a block of JSON is most often a configuration."""
    for match in _ENTRY.finditer(query.text):
        if any(0 <= match.start() - each.position < len(each.text) for each in query.code_blocks):
            continue
        key, value = re.escape(match["key"]), re.escape(match["value"])
        written = rf"""(?<![\w"'`])(["'`]?){key}\1\s*(?::|=>?)\s*(["'`]){value}\2"""
        yield match.start(), re.compile(written)
