"""Open documents: the text the user sees, kept up to date from the client's edits.

pygls keeps documents too, but splits lines where Python does (form feeds, U+2028 ...) and not where
the protocol does, which misplaces every edit below such a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from lsprotocol.types import (
    Position,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)

from lsp_server.convert import LINE_END, Encoding, column

_SURROGATE = re.compile("[\ud800-\udfff]")


class Documents:
    """Texts by URI."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def open(self, uri: str, text: str) -> str:
        """Take up a document; returns its text as it is kept."""
        self._texts[uri] = _encodable(text)
        return self._texts[uri]

    def close(self, uri: str) -> None:
        self._texts.pop(uri, None)

    def change(
        self, uri: str, changes: Sequence[TextDocumentContentChangeEvent], encoding: Encoding
    ) -> str | None:
        """Apply edits in order and return the new text; None for a document that is not open."""
        text = self._texts.get(uri)
        if text is None:
            return None
        for change in changes:
            text = apply(text, change, encoding)
        self._texts[uri] = _encodable(text)
        return self._texts[uri]

    def get(self, uri: str) -> str | None:
        return self._texts.get(uri)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(list(self._texts.items()))


def _encodable(text: str) -> str:
    """The text with halves of characters replaced, which no file can hold. What replaces them is as
    wide in every encoding, so that columns stay right."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def apply(text: str, change: TextDocumentContentChangeEvent, encoding: Encoding) -> str:
    """The text after one edit; positions outside it are clamped."""
    if not isinstance(change, TextDocumentContentChangePartial):
        return change.text
    start = offset(text, change.range.start, encoding)
    end = offset(text, change.range.end, encoding)
    return text[: min(start, end)] + change.text + text[max(start, end) :]


def offset(text: str, position: Position, encoding: Encoding) -> int:
    """Index into ``text`` of an LSP position."""
    ends = list(islice(LINE_END.finditer(text), position.line))
    if len(ends) < position.line:
        return len(text)
    start = ends[-1].end() if ends else 0
    rest = LINE_END.search(text, start)
    line = text[start : rest.start() if rest else len(text)]
    return start + column(line, position.character, encoding)
