"""JSON entries in a question, such as those of a response, as code may construct them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.channels.question.query import Query

_ENTRY = re.compile(r'"(?P<key>[\w-]{1,80})"\s*:\s*"(?P<value>[^"\n]{1,300})"')
"""An entry whose value is a string."""


def entries_of(query: Query) -> Iterator[tuple[int, re.Pattern[str]]]:
    """The JSON entries (key and value) in the prose of a question.

    Yields the position of each, and a pattern for how code may write it: with any quotation marks,
    the key's optional. Code blocks are ignored: a block of JSON is usually a configuration."""
    for match in _ENTRY.finditer(query.text):
        if any(0 <= match.start() - each.position < len(each.text) for each in query.code_blocks):
            continue
        key, value = re.escape(match["key"]), re.escape(match["value"])
        written = rf"""(?<![\w"'`])(["'`]?){key}\1\s*(?::|=>?)\s*(["'`]){value}\2"""
        yield match.start(), re.compile(written)
