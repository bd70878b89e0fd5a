"""Cuts text at the boundaries of declarations, so that each part can be named on its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer_core.contracts import LineRange, Segment
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol

LONGEST_PIECE = 60
"""Maximum lines of a piece outside declarations."""
_SMALL_TYPE = 40
"""A type of at most this many lines is one piece, members included."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a segment. ``range`` is the whole declaration of ``symbol``. Without a symbol, and
    for a long type, it is the lines of the piece."""

    range: LineRange
    segment: Segment
    symbol: Symbol | None = None


def pieces(segment: Segment, symbols: Sequence[Symbol]) -> list[Piece]:
    """The segment cut along the declarations of its file, without blank lines at the cuts."""
    owners = _owners(segment.range, symbols)
    found: list[Piece] = []
    first = segment.start
    for line in range(segment.start, segment.range.end + 1):
        last = line == segment.range.end
        following = None if last else owners.get(line + 1)
        if (
            last
            or following is not owners.get(line)
            or (line - first + 1 >= LONGEST_PIECE and owners.get(line) is None)
        ):
            found.extend(_piece(segment, first, line, owners.get(line)))
            first = line + 1
    return found


def _piece(segment: Segment, first: int, last: int, owner: Symbol | None) -> Iterator[Piece]:
    lines = segment.lines[first - segment.start : last - segment.start + 1]
    while lines and not lines[0].strip():
        lines, first = lines[1:], first + 1
    while lines and not lines[-1].strip():
        lines, last = lines[:-1], last - 1
    if not lines:
        return
    own = Segment(path=segment.path, start=first, lines=lines)
    if owner is None:
        yield Piece(own.range, own)
    elif owner.kind in MEMBER_HOLDERS and len(owner.range) > _SMALL_TYPE:
        yield Piece(own.range, own, owner if owner.line in own.range else None)
    else:
        yield Piece(owner.range, own, owner)


def _owners(lines: LineRange, symbols: Sequence[Symbol]) -> dict[int, Symbol]:
    """The declaration under which each line is shown. Functions and small types own everything
    declared inside them."""
    owners: dict[int, Symbol] = {}
    closed_until = 0
    for symbol in sorted(symbols, key=lambda each: (each.range.start, -each.range.end)):
        if symbol.range.end <= closed_until or symbol.kind not in CALLABLES | MEMBER_HOLDERS:
            continue
        if symbol.kind in CALLABLES or len(symbol.range) <= _SMALL_TYPE:
            closed_until = symbol.range.end
        for line in range(
            max(symbol.range.start, lines.start), min(symbol.range.end, lines.end) + 1
        ):
            owners[line] = symbol
    return owners
