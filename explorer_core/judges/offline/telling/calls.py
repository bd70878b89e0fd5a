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
"""How many words a name must have, and how many files may have it, for a call by the name alone to
mean the one definition that has it: names that libraries use as well (`to_string`) are in more."""
_RANKED, _RARE, _FEW = 3.0, 0.3, 10
"""What it counts that a call leads to one of the best ranked definitions, in the weight of a term
of the question; the share of its rarity that the rarest word of the callee's name counts; and in
how many units a word may stand and count as if no rarer one could be."""
_SOURCE = 0.5
"""How much of its worth a call keeps whose result a later line takes: what a function comes to
tells more than what it begins with."""
_BY_NAME = 0.5
"""How much of its worth a call keeps that is known by its name alone."""
_USED = 0.25
"""How strongly a call counts for less the more others use its callee: the power of `_FEW` by the
number of users."""
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
    files, _ = case.index.search().terms.spread(text.whole(name))
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
        """Order among the edges of one line, the most telling last: those whose target is named
        there, then those with words of the question that do more than give a value."""
        named, worth = self.worth_of_name(edge)
        told = self._worth_of(edge.target)
        return named, worth > 0 and told > 0, worth + told

    def scarcity(self, edge: Edge) -> float:
        """The share of its worth that a call keeps by how much its callee is used, for which the
        units stand that have the name, divided by the number of its definitions. What ranks well
        counts in full."""
        target = self._graph.symbol(edge.target)
        if (target.path, target.line) in self.exhibits.ranks:
            return 1.0
        _, units = self.case.index.search().terms.spread(text.whole(target.name))
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
        rarity = max(map(search.terms.rarity, text.analyse(target.name)), default=0.0)
        rare = min(rarity, math.log1p(search.collection.units / _FEW))
        return _RARE * rare + _RANKED * ((target.path, target.line) in self.exhibits.ranks)

    def worth_of_name(self, edge: Edge) -> tuple[bool, float]:
        """Whether the target of an edge, or its type, is written where the edge stands (what a
        macro stands for is not), and how much of the question is in the target's name."""
        graph = self._graph
        target = graph.symbol(edge.target)
        written = self.exhibits.line(edge.path, edge.line)
        names = target.qualified_name.split(".")[-2:]
        named = any(name in written for name in names)
        return named, line_worth(target.name, self._words.weights)

    def is_overload(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether two are one, or overloads of one name in one place: a sentence about such two
        says nothing."""
        graph = self._graph
        return not one.is_file and overload(graph, one) == overload(graph, other)

    def used(self, symbol: Symbol) -> Edge | None:
        """What tells most of a symbol that calls nothing: of its certain uses of anything but types
        the one whose target is named most like the question."""
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
