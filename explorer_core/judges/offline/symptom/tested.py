"""What is tested where a message is told. The cause lies there more often than where it is told."""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.symbols import Symbol
from explorer_core.judges import statements
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling


def tested(telling: Telling, symbol: Symbol, line: int) -> Iterator[Step]:
    """What decides in a symbol whether a line of it is come to, as far as it is known."""
    decision = telling.deciding.on(symbol, line)
    if decision is None:
        return
    further = statements.of_caught if decision.caught else statements.of_tested
    for meant, edge in decision.deciding:
        proof = edge if meant.id in (edge.source, edge.target) else None
        raises = edge.source == meant.id != edge.target
        yield Step(meant, "also", proof, further=further(symbol), exact=raises)
