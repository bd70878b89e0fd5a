"""What the offline judge says of a step, and the line of it that shows this.

A fact is about the place that it stands at, and only what is known of it: text of the question that
is there word for word, the edge that stands there, what leads there, what its documentation says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from explorer_core.channels.narrowing import line_worth
from explorer_core.contracts import FlowChoice
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges import statements
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.exhibit import Exhibits
from explorer_core.judges.templates import only_says
from explorer_core.registry.traits import set_apart

_CALLERS, _FILES = 2, 40
"""How many callers are told of a definition of which nothing else is known, and the most files
that are looked at for them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A symbol of the flow; ``edge`` proves the fact and ``via`` is what it passes on through.
    ``meant`` overrides what the edge ends at, and is what the step is shown for. An edge that
    stands elsewhere is told where the symbol itself calls nothing. ``further`` is a sentence to be
    said after the fact."""

    symbol: Symbol
    role: str
    edge: Edge | None = None
    via: tuple[SymbolId, ...] = ()
    meant: SymbolId | None = None
    further: str = ""


@dataclass(frozen=True, slots=True)
class Telling:
    """Puts the steps of one case in sentences, each with its quote."""

    case: JudgeCase
    exhibits: Exhibits

    def choice(self, step: Step) -> FlowChoice | None:
        """A link, unless its file has gone since it was found."""
        symbol = step.symbol
        if not self.exhibits.has(symbol.path):
            return None
        self._learn_of(symbol.id)
        line, fact = self._told(step)
        quote = self.exhibits.quote(symbol.path, line)
        shown = self.exhibits.show(symbol, line)
        fact = f"{fact} {step.further}".rstrip()
        return FlowChoice(candidate_id=shown, role=step.role, fact=fact, quote=quote)

    def certain_calls(self, symbol: Symbol) -> Iterator[Edge]:
        """The calls in a symbol that are known by more than a name."""
        for edge in self.case.index.graph.uses(symbol.id):
            if _is_certain_call(edge) and edge.path == symbol.path:
                yield edge

    def _told(self, step: Step) -> tuple[int, str]:
        """The line to quote of a step, and its fact."""
        symbol, edge = step.symbol, step.edge
        if (said := self.exhibits.said_in(symbol)) is not None:
            return said[0], statements.of_text(symbol, said[1].text)
        if edge is not None and edge.path == symbol.path and edge.line in symbol.range:
            telling = statements.of_documentation(symbol) if edge.relation == "contains" else ""
            return edge.line, telling or self._stated(edge, step.via, step.meant)
        line, own = self._own_line(symbol)
        if own is not None:
            return line, self._stated(own)
        if edge is not None and edge.target != symbol.id:
            return symbol.line, self._stated(edge, step.via, step.meant)
        if edge is not None:
            return symbol.line, self._led_to([edge])
        if documented := statements.of_documentation(symbol):
            return line, documented
        if callers := list(islice(self._callers(symbol), _CALLERS)):
            return symbol.line, self._led_to(callers)
        return line, statements.of_definition(symbol)

    def _stated(
        self, edge: Edge, via: Sequence[SymbolId] = (), meant: SymbolId | None = None
    ) -> str:
        """The sentence for an edge."""
        self._learn_of(edge.source, edge.target, *via, *([meant] if meant else []))
        return statements.of_edge(self.case.index.graph, edge, via, meant)

    def _led_to(self, edges: Sequence[Edge]) -> str:
        """The sentence for edges to what a step shows."""
        self._learn_of(edges[0].target, *(edge.source for edge in edges))
        return statements.of_target(self.case.index.graph, edges)

    def _learn_of(self, *named: SymbolId) -> None:
        """These may be named, as sentences do: the graph has seen them."""
        graph = self.case.index.graph
        self.case.registry.learn_of(statements.as_called(graph.symbol(each)) for each in named)

    def _own_line(self, symbol: Symbol) -> tuple[int, Edge | None]:
        """The line of a symbol that tells most, and of the calls that stand there the one by whose
        name it does; a call of itself only where it has no other, and one that only says something,
        which has the words of the question but not what it asks for, only where it has none."""
        calls = list(self.certain_calls(symbol))
        others = [edge for edge in calls if edge.target != symbol.id]
        lines = self.exhibits.source(symbol.path).lines
        doing = [
            edge for edge in others if not only_says("".join(lines[edge.line - 1 : edge.line]))
        ]
        edges: dict[int, Edge] = {}
        for edge in sorted(doing or others or calls, key=self._worth_of_name, reverse=True):
            edges.setdefault(edge.line, edge)
        line = self.exhibits.telling_line(symbol, edges)
        return line, edges.get(line)

    def _worth_of_name(self, edge: Edge) -> float:
        """How much of the question is in the name of what an edge leads to."""
        name = self.case.index.graph.symbol(edge.target).name
        return line_worth(name, self.exhibits.weights)

    def _callers(self, symbol: Symbol) -> Iterator[Edge]:
        """A certain call by each of those that have one, near the symbol."""
        graph = self.case.index.graph
        seen = {symbol.id}
        for edge in graph.uses_of(symbol.id, files=_FILES):
            if _is_certain_call(edge) and edge.source not in seen and not edge.source.is_file:
                seen.add(edge.source)
                if not set_apart(graph.symbol(edge.source)):
                    yield edge


def _is_certain_call(edge: Edge) -> bool:
    return edge.relation == "calls" and edge.witness != "graph:name"
