"""Makes repository text safe to display: nothing invisible, nothing that controls a terminal."""

from __future__ import annotations

from explorer_core.validation import visible

_QUERY_SHOWN = 200


def printable(text: str) -> str:
    """``text`` on one line; unprintable characters become escapes, white space becomes a space."""
    return "".join(
        " " if each.isspace() else each if each.isprintable() else ascii(each)[1:-1]
        for each in text
    )


def query_line(query: str) -> str:
    """The query on one line, cut to 200 characters."""
    line = visible(query)
    return line if len(line) <= _QUERY_SHOWN else line[: _QUERY_SHOWN - 1].rstrip() + "…"


def quote_lines(quote: str) -> list[str]:
    """The lines of a quote, stripped."""
    return [printable(line.strip()) for line in quote.split("\n")]
