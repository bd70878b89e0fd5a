"""Finds what is shown beside the subject of a change because edges join the two: other definitions
that the question names, and well ranked ones inside of the subject."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.change.users import NO_USE
from explorer_core.judges.offline.telling.calls import is_certain_call
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import reached
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.statements import called

_MOST_NAMED, _MOST_INSIDE = 3, 3
"""How many named definitions are shown, and how many inside of the subject."""


class Connections(Finder):
    """Finds these definitions for one question."""

    def connected_steps(self, subject: Subject, definitions: Sequence[Symbol]) -> list[Step]:
        """Returns the named definitions that an edge joins to the subject, or to another one that
        is joined to it. Edges that go by a name alone do not count."""
        known = self.whole(subject.within or subject.symbol)
        around = set(self._graph.containers(subject.symbol.id))
        others = [each for each in definitions if each.id not in around]
        found: list[Step] = []
        while len(found) < _MOST_NAMED:
            left = (each for each in others if each.id not in known)
            edges = ((each, self.edge_between(self.whole(each), known)) for each in left)
            each, edge = next(((each, edge) for each, edge in edges if edge), (None, None))
            if each is None:
                break
            found.append(Step(each, "also", edge))
            known |= self.whole(each)
        return found

    def inside(self, subject: Subject, seeds: Sequence[Symbol]) -> list[Step]:
        """Returns the best ranked definition inside of the subject, and the next ones that calls
        join to it. Only if the question names the subject: what it asks for is mostly done in
        there."""
        if not subject.is_named and subject.within is None:
            return []
        whole = subject.within or subject.symbol
        inside = [
            seed
            for seed in seeds
            if seed.id not in (whole.id, subject.symbol.id)
            and (seed.path == whole.path and whole.range.covers(seed.range))
        ]
        found = [Step(seed, "also") for seed in inside[:1]]
        while len(found) < _MOST_INSIDE:
            shown = [step.symbol for step in found]
            names = {called(each) for each in shown}
            joined = (
                Step(seed, "also", edge)
                for seed in inside
                if called(seed) not in names and (edge := self._call_between(seed, shown))
            )
            if (following := next(joined, None)) is None:
                break
            found.append(following)
        return found

    def whole(self, symbol: Symbol) -> set[SymbolId]:
        """Returns a definition and all that is in it."""
        return reached({symbol.id}, self._graph.members)

    def edge_between(self, some: set[SymbolId], others: set[SymbolId]) -> Edge | None:
        """Returns the first edge between two sets of definitions, in either direction. Containment,
        imports, and edges that go by a name alone do not count."""
        for sources, targets in ((others, some), (some, others)):
            for source in sorted(sources):
                for edge in self._graph.outgoing(source):
                    certain = not edge.is_by_name and edge.relation not in NO_USE
                    if certain and edge.target in targets:
                        return edge
        return None

    def _call_between(self, symbol: Symbol, others: Sequence[Symbol]) -> Edge | None:
        """Returns the first call between a symbol and one of the others, in either direction. Calls
        that go by a name alone do not count."""
        edges = chain.from_iterable(self._graph.between(each.id, symbol.id) for each in others)
        return next(filter(is_certain_call, edges), None)
