"""The text of one file, decoded and split into lines only once."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from explorer_core.contracts import Segment

_LINE_END = re.compile(r"\r\n?")
_SNIFFED_BYTES = 8192
_CLOCK_RESOLUTION_NS = 2_000_000_000
"""The coarsest resolution of time stamps among file systems in use."""


class PlainText(NamedTuple):
    """A file's text and digest as in `SourceText`, for callers that need no lines."""

    text: str
    digest: str

    @classmethod
    def of_bytes(cls, data: bytes) -> PlainText:
        return cls.of_decoded(decode(data), data)

    @classmethod
    def of_decoded(cls, text: str, data: bytes) -> PlainText:
        """From a text and the ``data`` from which it was decoded."""
        if "\r" in text:
            text = _LINE_END.sub("\n", text)
        return cls(text, hashlib.sha256(data).hexdigest()[:32])


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as read: every line end is ``\\n``, and ``lines`` have none.

    ``digest`` is the first 32 hex digits of the SHA-256 of the file's bytes, or of an overlay's
    UTF-8 form. A trailing line end does not start another, empty line.
    """

    path: str
    text: str
    lines: tuple[str, ...]
    digest: str

    @classmethod
    def of_bytes(cls, path: str, data: bytes) -> SourceText:
        return cls._make(path, decode(data), data)

    @classmethod
    def of_text(cls, path: str, text: str) -> SourceText:
        return cls._make(path, text, text.encode("utf-8", "surrogatepass"))

    @classmethod
    def _make(cls, path: str, text: str, data: bytes) -> SourceText:
        plain = PlainText.of_decoded(text, data)
        return cls(path, plain.text, tuple(split_lines(plain.text)), plain.digest)

    def segment(self, start: int, end: int) -> Segment:
        """Lines ``start`` to ``end``, clamped to the file; an empty file has one empty line."""
        lines = self.lines or ("",)
        first = min(max(start, 1), len(lines))
        last = min(max(end, first), len(lines))
        return Segment.of_valid(path=self.path, start=first, lines=lines[first - 1 : last])


def split_lines(text: str) -> list[str]:
    """The lines of a text with ``\\n`` line ends. Unlike `str.splitlines`, form feeds and Unicode
    separators end no line, since editors and compilers do not count them either."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def quote_occurs_at(
    quote: str, start: int, lines: Sequence[str], *, is_whole: bool = False
) -> bool:
    """Whether ``quote`` occurs in ``lines`` at line ``start`` (1-based). With ``is_whole`` nothing
    else may stand on these lines but white space."""
    count = quote.count("\n") + 1
    window = lines[start - 1 : start - 1 + count]
    if start < 1 or len(window) < count:
        return False
    text = "\n".join(window)
    return text.strip() == quote.strip() if is_whole else quote in text


def present_position(
    occurs_at: Callable[[int], bool], position: int, places: Iterable[int]
) -> int | None:
    """The present position of something that was at ``position``: unmoved, or the only one of
    ``places`` where it occurs. None if it is gone or ambiguous."""
    if occurs_at(position):
        return position
    matches = [place for place in places if occurs_at(place)]
    return matches[0] if len(matches) == 1 else None


def is_stamp_reliable(stamp_ns: int, read_at_ns: int) -> bool:
    """Whether a change after reading would have changed the time stamp. A file stamped shortly
    before it was read may be rewritten within the clock's resolution."""
    return read_at_ns - stamp_ns > _CLOCK_RESOLUTION_NS


def is_binary(data: bytes) -> bool:
    """Whether the first 8 KB contain a NUL, unless the data is UTF-16."""
    return b"\0" in data[:_SNIFFED_BYTES] and not data.startswith(
        (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    )


def decode(data: bytes) -> str:
    """The text of ``data``: by byte order mark, else UTF-8, else Latin-1, which never fails."""
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
