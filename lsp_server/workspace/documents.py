"""Open documents: the text that the user sees, kept up to date with the client's edits.

pygls keeps documents too, but splits lines as Python does (at form feeds, U+2028 ...) and not as
the protocol does, which misplaces every edit below such a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol.types import (
    Position,
    Range,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)

from lsp_server.convert import LINE_END, Encoding, column

_SURROGATE = re.compile("[\ud800-\udfff]")


class Document:
    """A text with its lines. An edit only replaces the lines it touches: a client may send hundreds
    of edits at once, in a file of any length."""

    def __init__(self, text: str) -> None:
        self._text: str | None = _replace_surrogates(text)
        self._lines: list[str] | None = None

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "".join(self._lines or ())
        return self._text

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends, as LSP counts them; the last one has none."""
        return self._cached_lines()

    def text_in(self, span: Range, encoding: Encoding) -> str:
        """The text in a range; positions outside the text are clamped."""
        (first, start), (last, end) = self._range_indices(span, encoding)
        lines = self._cached_lines()
        if first == last:
            return lines[first][start:end]
        return "".join((lines[first][start:], *lines[first + 1 : last], lines[last][:end]))

    def edit(self, change: TextDocumentContentChangeEvent, encoding: Encoding) -> None:
        """Apply one edit; positions outside the text are clamped."""
        new = _replace_surrogates(change.text)
        if not isinstance(change, TextDocumentContentChangePartial):
            self._text, self._lines = new, None
            return
        (first, start), (last, end) = self._range_indices(change.range, encoding)
        lines = self._cached_lines()
        new = lines[first][:start] + new + lines[last][end:]
        if first and lines[first - 1].endswith("\r"):
            # A line feed after it would make both one line end.
            first -= 1
            new = lines[first] + new
        lines[first : last + 1] = (
            _lines_with_ends(new) if last + 1 == len(lines) else _complete_lines(new)
        )
        self._text = None

    def _cached_lines(self) -> list[str]:
        if self._lines is None:
            self._lines = _lines_with_ends(self._text or "")
        return self._lines

    def _range_indices(
        self, span: Range, encoding: Encoding
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """Line and index within the line, both 0-based, of the two ends of a range, in order."""
        start, end = (self._position_index(each, encoding) for each in (span.start, span.end))
        return min(start, end), max(start, end)

    def _position_index(self, position: Position, encoding: Encoding) -> tuple[int, int]:
        lines = self._cached_lines()
        if position.line >= len(lines):
            return len(lines) - 1, len(lines[-1])
        line = lines[position.line].rstrip("\r\n")
        return position.line, column(line, position.character, encoding)


class Documents:
    """Open documents by URI."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}

    def open(self, uri: str, text: str) -> str:
        """Add a document. Returns its text as it is kept."""
        document = self._documents[uri] = Document(text)
        return document.text

    def close(self, uri: str) -> None:
        self._documents.pop(uri, None)

    def change(
        self, uri: str, changes: Sequence[TextDocumentContentChangeEvent], encoding: Encoding
    ) -> str | None:
        """Apply edits in order and return the new text; None if the document is not open."""
        document = self._documents.get(uri)
        if document is None:
            return None
        for change in changes:
            document.edit(change, encoding)
        return document.text

    def document(self, uri: str) -> Document | None:
        return self._documents.get(uri)

    def get(self, uri: str) -> str | None:
        """The text of a document; None if it is not open."""
        document = self._documents.get(uri)
        return None if document is None else document.text

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter([(uri, document.text) for uri, document in self._documents.items()])


def _replace_surrogates(text: str) -> str:
    """The text with lone surrogates replaced, since no file can contain them. The replacement is as
    wide in every encoding, so that columns stay right."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _lines_with_ends(text: str) -> list[str]:
    """The lines of a text with their ends, the last one without."""
    lines: list[str] = []
    start = 0
    for found in LINE_END.finditer(text):
        lines.append(text[start : found.end()])
        start = found.end()
    lines.append(text[start:])
    return lines


def _complete_lines(text: str) -> list[str]:
    """The lines of a text that ends with a line end."""
    return _lines_with_ends(text)[:-1]
