"""What ``explore_code`` shows of a ranking: the best places, sized to fit the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from explorer_core.contracts import LineRange
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.skeleton import sized
from explorer_core.index.spine import Spine
from explorer_core.judges import statements
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.shown.aim import aim
from explorer_core.judges.shown.pieces import Piece, pieces
from explorer_core.judges.shown.shown import PlaceBlock, ShownPlaces, plain
from explorer_core.registry.ranking import Ranking
from explorer_core.workspace import WorkspaceError


@dataclass(frozen=True, slots=True)
class Look:
    """The blocks to show, and the calls that connect them, one per line."""

    blocks: Sequence[PlaceBlock]
    flow: str = ""


def look_at(case: JudgeCase, shown: ShownPlaces, ranking: Ranking, query: str) -> Look:
    """A look at the ranking for ``query``: places on the flow and the best ranked first, then the
    rest of small files. The caller must hold the graph."""
    graph = case.graph
    aimed = aim(graph, ranking.candidates, query, avoid=case.is_set_apart)
    wanted: dict[str, list[LineRange]] = {}
    for path, lines in aimed.places:
        wanted.setdefault(path, []).extend([lines] if lines else [])
    found: list[tuple[int, PlaceBlock]] = []
    adaptive = case.workspace.settings.adaptive
    for file in sized(graph, wanted, aimed.spine, partial(_lines, case), adaptive=adaptive):
        if file.is_skeleton:
            at = next(at for at, (path, _) in enumerate(aimed.places) if path == file.path)
            found.append((at, shown.of_skeleton(file.segments, file.symbols)))
            continue
        symbols = graph.symbols_in(file.path)
        for piece in (each for segment in file.segments for each in pieces(segment, symbols)):
            at = _position(piece, aimed.places)
            found.extend((at, block) for block in shown.of_pieces([piece]))
    blocks = [block for _, block in sorted(found, key=lambda each: each[0])]
    return Look(blocks, _calls(graph, aimed.spine))


def _calls(graph: SymbolGraph, spine: Spine) -> str:
    lines = [
        f"- {plain(statements.of_edge(graph, step.edge_to_next, step.via))}"
        for step in spine.steps
        if step.edge_to_next is not None
    ]
    return "\n".join(["Calls that connect these places:", *lines]) if lines else ""


def _lines(case: JudgeCase, path: str) -> Sequence[str]:
    try:
        return case.workspace.read(path).lines
    except WorkspaceError:
        return ()


def _position(piece: Piece, places: Sequence[tuple[str, LineRange | None]]) -> int:
    """The index of the first place that a piece overlaps; mere surroundings come last."""
    shown = piece.segment
    for at, (path, lines) in enumerate(places):
        if path == shown.path and lines is not None and shown.range.overlaps(lines):
            return at
    return len(places)
