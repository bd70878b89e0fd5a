"""What ``explore_code`` shows of a ranking: the best places, sized to the answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from explorer_core.contracts import Candidate, LineRange
from explorer_core.index.flow import Spine, find_spine
from explorer_core.index.skeleton import sized
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.judges import statements
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.pieces import Piece, pieces
from explorer_core.judges.shown import PlaceBlock, ShownPlaces, plain
from explorer_core.registry.ranking import Ranking
from explorer_core.registry.traits import traits_of
from explorer_core.workspace import WorkspaceError

_PLACES = 16
"""Best ranked places looked at."""
_SEEDS = 14


@dataclass(slots=True)
class Look:
    """A look at a ranking. `blocks` comes first, then `flow`; both need the graph."""

    case: JudgeCase
    shown: ShownPlaces
    ranking: Ranking
    spine: Spine = field(default_factory=Spine)

    def blocks(self) -> Sequence[PlaceBlock]:
        """Places on the flow and the best ranked first, then what else small files hold."""
        ranked = self.ranking.candidates[:_PLACES]
        self.spine = self._spine(ranked)
        places = self._places(ranked)
        wanted: dict[str, list[LineRange]] = {}
        for path, lines in places:
            wanted.setdefault(path, []).extend([lines] if lines else [])
        graph = self.case.index.graph
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

    def _spine(self, ranked: Sequence[Candidate]) -> Spine:
        seeds: dict[SymbolId, float] = {}
        for candidate in ranked:
            symbol = self._symbol(candidate)
            if symbol is not None and len(seeds) < _SEEDS:
                seeds.setdefault(symbol.id, math.exp(candidate.score - ranked[0].score))
        return find_spine(self.case.index.graph, seeds, avoid=_is_aside)

    def _places(self, ranked: Sequence[Candidate]) -> list[tuple[str, LineRange | None]]:
        """Paths and ranges in the order in which they deserve room."""
        best = ranked[: _PLACES // 4]
        steps = [self.case.index.graph.symbol(step.symbol) for step in self.spine.steps]
        return [
            *((each.path, each.range) for each in best),
            *((symbol.path, symbol.range) for symbol in steps),
            *((each.path, each.range) for each in ranked),
        ]

    def _symbol(self, candidate: Candidate) -> Symbol | None:
        if not candidate.symbols or candidate.range is None:
            return None
        return self.case.index.graph.enclosing(candidate.path, candidate.symbols[0].line)

    def _lines(self, path: str) -> Sequence[str]:
        try:
            return self.case.workspace.read(path).lines
        except WorkspaceError:
            return ()


def look_at(case: JudgeCase, shown: ShownPlaces, ranking: Ranking) -> Look:
    """A look at ``ranking``, not yet taken."""
    return Look(case, shown, ranking)


def _is_aside(path: str) -> bool:
    traits = traits_of(path)
    return traits.test or traits.vendored or traits.generated or traits.example


def _worth(piece: Piece, places: Sequence[tuple[str, LineRange | None]]) -> int:
    """The first of the places that a piece shows; what is merely around them comes after all."""
    shown = piece.segment
    for at, (path, lines) in enumerate(places):
        if path == shown.path and lines is not None and shown.range.overlaps(lines):
            return at
    return len(places)
