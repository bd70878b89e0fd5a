"""The places that a model has been shown, each under its id.

A block begins with its id, so that truncation cannot lose it. Every line of repository text begins
with its number and a bar, so that nothing in a repository can pass for a heading or an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from explorer_core.contracts import (
    Candidate,
    CandidateId,
    FileListed,
    GrepMatch,
    LineRange,
    Segment,
    SymbolFound,
)
from explorer_core.credentials import masked
from explorer_core.index.symbols import Symbol
from explorer_core.judges.shown.pieces import Piece
from explorer_core.registry import Registry

_LONGEST_LINE = 400
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, line and paragraph separators, and lone surrogates."""
_ALWAYS_REPEATED = 4
"""A block of at most this many lines is shown again even if nothing in it is new."""


@dataclass(frozen=True, slots=True)
class PlaceBlock:
    """One place: its id, its heading, and the lines to show, numbered."""

    id: CandidateId
    path: str
    head: str
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(slots=True)
class Rendered:
    """Text for a model. ``ids`` are the places in it; ``new`` are those not shown before."""

    text: str
    ids: list[CandidateId] = field(default_factory=list[CandidateId])
    new: list[CandidateId] = field(default_factory=list[CandidateId])


class ShownPlaces:
    """Registers places before they are shown, and records which lines were. Not thread-safe."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.ids: dict[CandidateId, set[int]] = {}
        """The lines shown under each id."""

    def has(self, candidate_id: CandidateId) -> bool:
        """Whether this id headed a block."""
        return candidate_id in self.ids

    def of_pieces(self, found: Iterable[Piece]) -> list[PlaceBlock]:
        """The blocks for pieces of text, each under the id of its place."""
        return [self._of_piece(piece) for piece in found]

    def of_matches(self, matches: Sequence[GrepMatch]) -> list[PlaceBlock]:
        """Matches grouped by the place they lie in, in the order of their first match."""
        self._registry.add_all(matches)  # adding may merge windows, so ids are looked up after
        lines: dict[CandidateId, dict[int, str]] = {}
        for match in matches:
            here = lines.setdefault(self._registry.add(match), {})
            here.update(_numbered(match.segment))
        return [
            self._block(candidate, tuple(sorted(shown.items())))
            for candidate_id, shown in lines.items()
            if (candidate := self._registry.get(candidate_id))
        ]

    def of_files(self, files: Iterable[FileListed]) -> list[PlaceBlock]:
        """A heading for each file, without text."""
        return [
            PlaceBlock(id_, file.path, f"[{id_}] {plain(file.path)} ({file.size:,} bytes)")
            for file in files
            if (id_ := self._registry.add(file))
        ]

    def of_skeleton(self, segments: Sequence[Segment], names: Sequence[str]) -> PlaceBlock:
        """One block of signature lines, with gaps between them."""
        path = segments[0].path
        whole = LineRange(start=segments[0].start, end=segments[-1].range.end)
        (id_,) = {
            self._registry.add(SymbolFound(path=path, range=whole, symbol=None, segment=segment))
            for segment in segments
        }
        lines = tuple(line for segment in segments for line in _numbered(segment))
        head = f"[{id_}] {plain(path)}:{whole.start}-{whole.end} {', '.join(map(plain, names))}"
        head += " (only signatures are shown; read_file gives bodies)"
        return PlaceBlock(id_, path, head, lines)

    def render(self, blocks: Iterable[PlaceBlock], room: int) -> Rendered:
        """As many blocks as fit into ``room`` characters. The last may lose lines, but never its
        heading.

        The text says how many blocks were left out.
        """
        out = Rendered("")
        parts: list[str] = []
        left_out = 0
        for block in blocks:
            room -= len(block.head) + 1
            if room < 0:
                left_out += 1
                continue
            body: list[str] = []
            seen = self.ids.get(block.id, set())
            known = len(block.lines) > _ALWAYS_REPEATED and all(n in seen for n, _ in block.lines)
            if known:
                body.append("     (shown above)")
            for number, line in () if known else block.lines:
                shown = f"{number:>5}| {_line(line, block.path)}"
                room -= len(shown) + 1
                if room < 0:
                    body.append(
                        f"     (cut before line {number}; read_file from there for the rest)"
                    )
                    break
                body.append(shown)
                seen.add(number)
            parts.append("\n".join([block.head, *body]))
            out.ids.append(block.id)
            if block.id not in self.ids:
                out.new.append(block.id)
            self.ids[block.id] = seen
        if left_out:
            parts.append(f"({left_out} more places are left out; ask more narrowly for them)")
        out.text = "\n".join(parts)
        return out

    def _of_piece(self, piece: Piece) -> PlaceBlock:
        id_ = self._registry.add(
            SymbolFound(
                path=piece.segment.path,
                range=piece.range,
                symbol=piece.symbol.info if piece.symbol else None,
                segment=piece.segment,
            )
        )
        candidate = self._registry.get(id_)
        if candidate is None:
            raise AssertionError(f"{id_} was just added")
        return self._block(candidate, tuple(_numbered(piece.segment)), piece.symbol)

    def _block(
        self,
        candidate: Candidate,
        lines: tuple[tuple[int, str], ...],
        symbol: Symbol | None = None,
    ) -> PlaceBlock:
        return PlaceBlock(candidate.id, candidate.path, heading(candidate, symbol), lines)


def heading(candidate: Candidate, symbol: Symbol | None = None) -> str:
    """``[c7] path:start-end name (kind)``."""
    lines = f":{candidate.range.start}-{candidate.range.end}" if candidate.range else ""
    head = f"[{candidate.id}] {plain(candidate.path)}{lines}"
    named = symbol or (candidate.symbols[0] if candidate.symbols else None)
    return f"{head} {plain(named.qualified_name)} ({named.kind})" if named else head


def plain(text: str) -> str:
    """Text on one line, without control or separator characters, whatever a file is called."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _line(text: str, path: str) -> str:
    text = masked(text, path).replace("\t", "    ")
    if len(text) > _LONGEST_LINE:
        text = text[:_LONGEST_LINE] + " (the line goes on)"
    return plain(text)


def _numbered(segment: Segment) -> list[tuple[int, str]]:
    return list(enumerate(segment.lines, segment.start))
