"""Which edges can be told as calls, and how much each tells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.credentials import credentials
from explorer_core.held import memoised
from explorer_core.index.prizes import overload
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.finder import Finder

_LEAST_WORDS, _MOST_FILES = 2, 20
"""Words of a name, at least, and files that have it, at most, for nothing but its one definition to
be meant: what libraries outside call their own (`to_string`) stands in more."""
_RANKED, _RARE, _FEW = 3.0, 0.3, 10
"""What it counts that a call leads to one of the best ranked definitions, in the weight of terms of
the question; the share that its name counts of what the name would as such a term; and in how many
units a name may stand and count as the rarest does."""
_SOURCE = 0.5
"""What a call counts whose result a later line takes: what a function comes to tells more than what
it begins with."""
_BY_NAME = 0.5
"""What a call counts that is known by its name alone."""
_USED = 0.25
"""The power of the share that few users are of all: of what everything calls a call says little."""
_SHORT = 3
"""Most lines of a function that only gives a value."""


def is_certain_call(edge: Edge) -> bool:
    """Whether an edge is a call that is known by more than a name."""
    return edge.relation == "calls" and not edge.is_by_name


def is_sure_call(case: JudgeCase, edge: Edge) -> bool:
    """Whether an edge is a certain call, or one by a name that hardly anything else can have."""
    if edge.relation != "calls" or not edge.is_by_name:
        return is_certain_call(edge)
    name = case.graph.symbol(edge.target).name
    if edge.namesakes > 1 or len(text.words_in(name)) < _LEAST_WORDS:
        return False
    files, _ = case.index.search().spread(text.whole(name))
    return files <= _MOST_FILES


class Calls(Finder):
    """The calls in the definitions of one case, and how much each tells."""

    def sure(self, symbol: Symbol) -> Iterator[Edge]:
        """The calls in a symbol that are known by more than a name, or by one that hardly anything
        else can have."""
        for edge in self._graph.uses(symbol.id):
            if edge.path == symbol.path and is_sure_call(self.case, edge):
                yield edge

    def only_gives(self, symbol: Symbol) -> bool:
        """Whether a definition is a few lines that call nothing, or nothing but what they override,
        as what gives a field is."""
        if symbol.kind not in CALLABLES or len(symbol.range) > _SHORT:
            return False
        graph = self._graph
        called = (edge.target for edge in graph.uses(symbol.id) if edge.relation == "calls")
        return all(graph.symbol(each).name == symbol.name for each in called)

    def most_telling(self, symbol: Symbol, edges: Mapping[int, Edge]) -> int:
        """The line of a symbol whose edge tells most."""
        lines = self.exhibits.source(symbol.path).lines
        worths = {
            line: round(
                (self.exhibits.worth(symbol, line) + self._worth_of(edge.target))
                * (_SOURCE if self.exhibits.is_source(symbol, line) else 1.0)
                * (1.0 if is_certain_call(edge) else _BY_NAME)
                * self.scarcity(edge),
                9,
            )
            for line, edge in edges.items()
            if line <= len(lines) and not credentials(lines[line - 1], symbol.path)
        }
        return max(worths, key=lambda line: (worths[line], -line), default=min(edges))

    def worth_on_line(self, edge: Edge) -> tuple[bool, bool, float]:
        """Order among the edges of one line, the most telling last: what only gives a value comes
        before what is named like the question and does more with it."""
        named, worth = self.worth_of_name(edge)
        told = self._worth_of(edge.target)
        return named, worth > 0 and told > 0, worth + told

    def scarcity(self, edge: Edge) -> float:
        """What a call counts by how many others there are of what it leads to, for which the units
        stand that have the name, shared by its definitions; what ranks well counts in full."""
        target = self._graph.symbol(edge.target)
        if (target.path, target.line) in self.exhibits.ranks:
            return 1.0
        _, units = self.case.index.search().spread(text.whole(target.name))
        users = units / max(1, len(self._graph.find(target.name)))
        return (_FEW / max(_FEW, users)) ** _USED

    @memoised
    def _worth_of(self, called: SymbolId) -> float:
        """What it tells, beside the words of its line, that something is called: more where that
        ranks well for the question, or few others have to do with it. Nothing where it only gives a
        value."""
        target = self._graph.symbol(called)
        if self.only_gives(target):
            return 0.0
        search = self.case.index.search()
        rarity = max(map(search.rarity, text.analyse(target.name)), default=0.0)
        rare = min(rarity, math.log1p(search.collection.units / _FEW))
        return _RARE * rare + _RANKED * ((target.path, target.line) in self.exhibits.ranks)

    def worth_of_name(self, edge: Edge) -> tuple[bool, float]:
        """Whether what an edge leads to, or the type it is of, is named where the edge stands, as
        what a macro stands for is not, and how much of the question is in the name."""
        graph = self._graph
        target = graph.symbol(edge.target)
        written = self.exhibits.line(edge.path, edge.line)
        names = target.qualified_name.split(".")[-2:]
        named = any(name in written for name in names)
        return named, line_worth(target.name, self._words.weights)

    def is_overload(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether two are one, or of one name in one place: of these a sentence says nothing."""
        graph = self._graph
        return not one.is_file and overload(graph, one) == overload(graph, other)

    def used(self, symbol: Symbol) -> Edge | None:
        """What a symbol that calls nothing goes by: of what it certainly uses, types apart, the
        first that is named most like the question."""
        graph = self._graph
        used = [
            edge
            for edge in graph.uses(symbol.id)
            if edge.relation == "references"
            and not edge.is_by_name
            and edge.path == symbol.path
            and edge.target != symbol.id
            and not edge.target.is_file
            and graph.kind(edge.target) not in MEMBER_HOLDERS
        ]
        return max(used, key=self.worth_of_name, default=None)
