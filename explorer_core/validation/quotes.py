"""Finds quotes in observed text. A quote must lie within one contiguous segment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from explorer_core.contracts import QUOTE_LIMIT, LineRange, Segment
from explorer_core.credentials import MASK, credentials
from explorer_core.validation.visible import is_clean

_LINES = 2
"""Maximum lines of a quote, not counting a lone opening brace between two of them."""

_LINE_NUMBER = re.compile(
    r"^\s*(?:L(?:ine)?\s?)?\d+\s*(?:[:|→\t)]|-\s)\s?|^\s*\d+\s{2,}", re.IGNORECASE
)
_LINE_END = re.compile(r"\r\n?|\n")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Quoted:
    """The file's own text, and its line range."""

    text: str
    range: LineRange


def is_usable(quote: str) -> bool:
    """Whether a quote says something: 1-2 lines, not too long, with an identifier in it."""
    lines = [line for line in _LINE_END.split(quote) if line.strip()]
    braces = len(lines) == _LINES + 1 and _is_brace(lines[1])
    return (
        1 <= len(lines) - braces <= _LINES
        and len(" ".join(quote.split())) <= QUOTE_LIMIT
        and _IDENTIFIER.search(quote) is not None
        and is_clean(quote.replace("\r", ""))
    )


def is_withheld(quote: str) -> bool:
    """Whether a quote contains what looks like a credential, or the mask that replaces one."""
    return MASK in quote or bool(_credentials_of(quote))


def find_quote(quote: str, segments: tuple[Segment, ...]) -> Quoted | None:
    """The first occurrence of ``quote``, ignoring white space; whole lines before parts of lines.

    If the quote is not found as it is, line numbers at the start of its lines are ignored. The
    returned text is the file's, never the quote's. It contains nothing that looks like a
    credential, because a report goes to whoever asked, agents included.
    """
    bare = "\n".join(_LINE_NUMBER.sub("", line) for line in _LINE_END.split(quote))
    for wanted in dict.fromkeys((_collapse(quote), _collapse(bare))):
        if not _IDENTIFIER.search(wanted):
            continue
        spans = [span for segment in segments for span in _occurrences(wanted, segment)]
        spans.sort(key=lambda span: not span.whole)
        for span in spans:
            quoted = _text_of_file(span)
            if quoted is not None:
                return quoted
    return None


@dataclass(frozen=True, slots=True)
class _Span:
    segment: Segment
    first: int
    last: int
    whole: bool
    wanted: str


def _collapse(text: str) -> str:
    return " ".join(text.split())


def _occurrences(wanted: str, segment: Segment) -> list[_Span]:
    """Every span of a segment that contains the collapsed text: one line, two consecutive lines, or
    two with a lone brace between them."""
    lines = [_collapse(line) for line in segment.lines]
    spans = [
        _Span(segment, index, index, line == wanted, wanted)
        for index, line in enumerate(lines)
        if wanted in line
    ]
    for first, last in _neighbours(lines):
        apart = lines[first : last + 1]
        both, inside = " ".join(apart), (" ".join(apart[:-1]), " ".join(apart[1:]))
        if all(apart) and wanted in both and not any(wanted in part for part in inside):
            spans.append(_Span(segment, first, last, both == wanted, wanted))
    return spans


def _neighbours(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Index pairs of two consecutive lines, or of two with only a brace between them."""
    for first in range(len(lines) - 1):
        yield first, first + 1
        if first + 2 < len(lines) and _is_brace(lines[first + 1]):
            yield first, first + 2


def _is_brace(line: str) -> bool:
    """Whether a line is nothing but an opening brace."""
    return line.strip() == "{"


def _text_of_file(span: _Span) -> Quoted | None:
    """The whole lines if they may be shown, else exactly the quoted part, else None."""
    lines = span.segment.lines[span.first : span.last + 1]
    text = "\n".join(lines).strip()
    withheld = _credentials_of(text, span.segment.path)
    if len(text) > QUOTE_LIMIT or withheld:
        loose = r"\s+".join(re.escape(word) for word in span.wanted.split(" "))
        parts = (found.span() for found in re.finditer(loose, text))
        shown = next((part for part in parts if not _overlaps(part, withheld)), None)
        text = text[slice(*shown)] if shown else ""
    if not text or len(text) > QUOTE_LIMIT or not is_clean(text):
        return None
    start = span.segment.start
    return Quoted(text, LineRange(start=start + span.first, end=start + span.last))


def _credentials_of(text: str, path: str = "") -> list[tuple[int, int]]:
    """The spans of ``text`` (character offsets) that look like a credential."""
    found: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        found += [(at + start, at + end) for start, end in credentials(line, path)]
        at += len(line) + 1
    return found


def _overlaps(part: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < part[1] and part[0] < end for start, end in others)
