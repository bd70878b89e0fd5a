"""What is shown of a ranking, depending on whether the question names the participants."""

from __future__ import annotations

from explorer_core.contracts import Candidate, LineRange
from explorer_core.index.graph import SymbolGraph
from explorer_core.judges.shown.aim import aim
from explorer_core.registry.traits import is_test
from tests.index.workspace import graph_of, label

SOURCE = """
//- chain.py
from stages import Stage
class Chain:
    def __init__(self, stages: list[Stage], stage: Stage):
        self.stage = stage
    def proceed(self):
        self.stage.run(self)
def start(chain: Chain):
    chain.proceed()
//- stages.py
class Stage:
    def run(self, chain): ...
//- cache_stage.py
from stages import Stage
class CacheStage(Stage):
    def run(self, chain): ...
//- retry_stage.py
from stages import Stage
class RetryStage(Stage):
    def run(self, chain): ...
    def again(self): ...
"""


def candidate(path: str, start: int, end: int) -> Candidate:
    return Candidate(id="c1", path=path, range=LineRange(start=start, end=end))


def flow_and_places(graph: SymbolGraph, query: str) -> tuple[list[str], list[str]]:
    ranked = [
        candidate("chain.py", 2, 6),
        candidate("retry_stage.py", 2, 4),
        candidate("cache_stage.py", 2, 3),
    ]
    aimed = aim(graph, ranked, query, avoid=is_test)
    shown = [f"{path}:{lines.start}-{lines.end}" for path, lines in aimed.places if lines]
    return [label(graph, step.symbol) for step in aimed.spine.steps], shown


def test_named_participants_are_shown_whole_and_joined_by_the_flow() -> None:
    flow, shown = flow_and_places(graph_of(SOURCE), "Chain.proceed start RetryStage CacheStage")
    assert "retry_stage.py:2-4" in shown
    assert "cache_stage.py:2-3" in shown
    assert not any("again" in step for step in flow)


def test_question_without_names_shows_places_in_ranking_order() -> None:
    _, shown = flow_and_places(graph_of(SOURCE), "what happens next?")
    assert shown == [
        "chain.py:2-6",
        "retry_stage.py:2-4",
        "cache_stage.py:2-3",
        *shown[3:-3],
        "chain.py:2-6",
        "retry_stage.py:2-4",
        "cache_stage.py:2-3",
    ]
