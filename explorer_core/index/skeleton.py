"""How much of each file is shown: sized to the answer rather than to a limit.

A file off the flow is shown as a skeleton, its signature lines only, if all it declares are members
of families: three or more implementers of one supertype, or functions of one shape that are
registered together. One member shows what the others look like. All other files are shown in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer_core.contracts import LineRange, Segment
from explorer_core.index.families import FAMILY, families_of
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.spine import Spine
from explorer_core.index.symbols import CALLABLES, CALLBACK, MEMBER_HOLDERS, Symbol, SymbolId
from explorer_core.memoised import memoised

SMALL = 220
"""Most lines of a file that is shown whole, whatever the ranges."""
_NAME_SEARCH = 4
"""Lines searched past decorators and annotations for the line with a symbol's name."""
_GAP = 3
"""Most lines between two ranges that are shown with them rather than left out."""

ReadLines = Callable[[str], Sequence[str]]
"""Returns the lines of a file, without line ends."""


@dataclass(frozen=True, slots=True)
class ShownFile:
    """One file as shown. ``segments`` is the text that is shown. ``symbols`` are the qualified
    names in a skeleton, empty for a file shown in full."""

    path: str
    segments: tuple[Segment, ...]
    symbols: tuple[str, ...] = ()

    @property
    def is_skeleton(self) -> bool:
        return bool(self.symbols)

    def render(self) -> str:
        """``path:start-end`` blocks with numbered lines. For a skeleton, a header says that only
        signatures are shown."""
        if self.is_skeleton:
            whole = f"{self.path}:{self.segments[0].start}-{self.segments[-1].range.end}"
            names = ", ".join(self.symbols)
            head = f"{whole} (only signatures are shown; read a range for its body): {names}"
            return "\n".join([head, *(line for s in self.segments for line in _numbered(s))])
        blocks = (
            [f"{self.path}:{segment.start}-{segment.range.end}", *_numbered(segment)]
            for segment in self.segments
        )
        return "\n\n".join("\n".join(block) for block in blocks)


def sized(
    graph: SymbolGraph,
    wanted: Mapping[str, Sequence[LineRange]],
    spine: Spine,
    read: ReadLines,
    *,
    adaptive: bool = True,
) -> list[ShownFile]:
    """The files as shown, in the order of ``wanted``, which maps each path to the ranges that
    matter in it (no ranges: all of it). Without ``adaptive`` or a spine there are no skeletons."""
    families = _Families(graph, spine, list(wanted)) if adaptive and spine.nodes else None
    shown: list[ShownFile] = []
    for path, ranges in wanted.items():
        lines = read(path)
        if not lines:
            continue
        whole = ShownFile(path, tuple(_in_full(path, lines, ranges)))
        is_skeleton = families is not None and families.only_signatures(path)
        skeleton = _skeleton(graph, path, lines) if is_skeleton else None
        shown.append(
            skeleton if skeleton and len(skeleton.render()) < len(whole.render()) else whole
        )
    return shown


class _Families:
    """Decides which files are off the spine and declare nothing but members of families."""

    def __init__(self, graph: SymbolGraph, spine: Spine, paths: list[str]) -> None:
        self._graph = graph
        self._on_spine = {node.path for node in spine.nodes}
        self._spine = spine
        self._exemplars = set[str]()
        self._choose_exemplars(paths)

    def only_signatures(self, path: str) -> bool:
        return path not in self._on_spine and path not in self._exemplars and self._qualifies(path)

    def _choose_exemplars(self, paths: list[str]) -> None:
        """Choose the files that are shown whole although they qualify as skeletons: the first file
        of each family that has no member on the spine."""
        shown: set[frozenset[SymbolId]] = set()
        for path in paths:
            if path in self._on_spine or not self._qualifies(path):
                continue
            families = {self._family(symbol.id) for symbol in self._members(path)}
            represented = {f for f in families if f in shown or self._touches_spine(f)}
            if not represented:
                self._exemplars.add(path)
            shown |= families

    def _touches_spine(self, family: frozenset[SymbolId]) -> bool:
        holders = {self._graph.container(node) for node in self._spine.nodes if not node.is_file}
        return bool(family & self._spine.nodes or family & holders)

    def _qualifies(self, path: str) -> bool:
        members = self._members(path)
        return bool(members) and all(len(self._family(s.id)) >= FAMILY for s in members)

    def _members(self, path: str) -> list[Symbol]:
        """The outermost types and functions of a file; in a file with types, without the functions
        that only this file uses."""
        outermost = _outermost(self._graph, path)
        types = [symbol for symbol in outermost if symbol.kind in MEMBER_HOLDERS]
        if not types:
            return outermost
        return types + [s for s in outermost if s not in types and not self._is_private(s)]

    def _is_private(self, function: Symbol) -> bool:
        users = self._graph.incoming(function.id)
        return all(edge.path == function.path for edge in users)

    @memoised
    def _family(self, member: SymbolId) -> frozenset[SymbolId]:
        groups = (family.members for family in families_of(self._graph, member))
        return max(groups, key=lambda g: (len(g), sorted(g)), default=frozenset[SymbolId]())


def _outermost(graph: SymbolGraph, path: str) -> list[Symbol]:
    """The types and functions of a file that no other one of the file contains."""
    kinds = MEMBER_HOLDERS | CALLABLES
    symbols: list[Symbol] = []
    for symbol in graph.symbols_in(path):
        is_contained = symbols and symbol.range.end <= symbols[-1].range.end
        if symbol.kind in kinds and not is_contained:
            container = graph.container(symbol.id)
            if container is None or container.is_file or container.path != path:
                symbols.append(symbol)
    return symbols


def _skeleton(graph: SymbolGraph, path: str, lines: Sequence[str]) -> ShownFile | None:
    rows: dict[int, None] = {}
    names: list[str] = []
    for symbol in graph.symbols_in(path):
        if symbol.kind in MEMBER_HOLDERS | CALLABLES and not _is_local(graph, symbol):
            rows[_naming_line(symbol, lines)] = None
            names.append(symbol.qualified_name)
    segments = tuple(
        Segment(path=path, start=row, lines=(lines[row - 1],))
        for row in sorted(rows)
        if row <= len(lines)
    )
    return ShownFile(path, segments, tuple(names)) if segments else None


def _is_local(graph: SymbolGraph, symbol: Symbol) -> bool:
    if symbol.kind == CALLBACK:
        return False
    container = graph.container(symbol.id)
    return bool(container and not container.is_file and graph.symbol(container).kind in CALLABLES)


def _naming_line(symbol: Symbol, lines: Sequence[str]) -> int:
    """The line with the symbol's name: the recorded line, or the first after it that has it."""
    for line in range(symbol.line, min(symbol.line + _NAME_SEARCH, len(lines)) + 1):
        if symbol.name in lines[line - 1]:
            return line
    return symbol.line


def _in_full(path: str, lines: Sequence[str], ranges: Sequence[LineRange]) -> Iterator[Segment]:
    total = len(lines)
    if total <= SMALL or not ranges:
        yield Segment(path=path, start=1, lines=tuple(lines))
        return
    for start, end in _merged(ranges, total):
        yield Segment(path=path, start=start, lines=tuple(lines[start - 1 : end]))


def _merged(ranges: Sequence[LineRange], total: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((r.start, min(r.end, total)) for r in ranges if r.start <= total):
        if spans and start <= spans[-1][1] + _GAP + 1:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return spans


def _numbered(segment: Segment) -> Iterator[str]:
    for number, line in enumerate(segment.lines, segment.start):
        yield f"{number:>5}  {line}".rstrip()
