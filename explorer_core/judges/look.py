"""What ``explore_code`` shows of a ranking: the best places, sized to the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from explorer_core.contracts import LineRange
from explorer_core.index.flow import Spine
from explorer_core.index.skeleton import sized
from explorer_core.judges import statements
from explorer_core.judges.aim import aim
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.pieces import Piece, pieces
from explorer_core.judges.shown import PlaceBlock, ShownPlaces, plain
from explorer_core.registry.ranking import Ranking
from explorer_core.workspace import WorkspaceError


@dataclass(slots=True)
class Look:
    """A look at a ranking. `blocks` comes first, then `flow`; both need the graph."""

    case: JudgeCase
    shown: ShownPlaces
    ranking: Ranking
    query: str
    spine: Spine = field(default_factory=Spine)

    def blocks(self) -> Sequence[PlaceBlock]:
        """Places on the flow and the best ranked first, then what else small files hold."""
        graph = self.case.index.graph
        aimed = aim(graph, self.ranking.candidates, self.query)
        self.spine, places = aimed.spine, aimed.places
        wanted: dict[str, list[LineRange]] = {}
        for path, lines in places:
            wanted.setdefault(path, []).extend([lines] if lines else [])
        found: list[tuple[int, PlaceBlock]] = []
        for file in sized(
            graph, wanted, self.spine, self._lines, adaptive=self.case.workspace.settings.adaptive
        ):
            if file.is_skeleton:
                at = next(at for at, (path, _) in enumerate(places) if path == file.path)
                found.append((at, self.shown.of_skeleton(file.segments, file.symbols)))
                continue
            symbols = graph.symbols_in(file.path)
            for piece in (each for segment in file.segments for each in pieces(segment, symbols)):
                at = _worth(piece, places)
                found.extend((at, block) for block in self.shown.of_pieces([piece]))
        return [block for _, block in sorted(found, key=lambda each: each[0])]

    def flow(self) -> str:
        """The calls that connect what is shown, one a line."""
        graph = self.case.index.graph
        lines = [
            f"- {plain(statements.of_edge(graph, step.edge_to_next, step.via))}"
            for step in self.spine.steps
            if step.edge_to_next is not None
        ]
        return "\n".join(["Calls that connect these places:", *lines]) if lines else ""

    def _lines(self, path: str) -> Sequence[str]:
        try:
            return self.case.workspace.read(path).lines
        except WorkspaceError:
            return ()


def look_at(case: JudgeCase, shown: ShownPlaces, ranking: Ranking, query: str) -> Look:
    """A look at the ranking for ``query``, not yet taken."""
    return Look(case, shown, ranking, query)


def _worth(piece: Piece, places: Sequence[tuple[str, LineRange | None]]) -> int:
    """The first of the places that a piece shows; what is merely around them comes after all."""
    shown = piece.segment
    for at, (path, lines) in enumerate(places):
        if path == shown.path and lines is not None and shown.range.overlaps(lines):
            return at
    return len(places)
