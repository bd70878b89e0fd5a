"""Which edges may be stated as calls, and how informative each one is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.credentials import credentials
from explorer_core.index.prizes import overload
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.memoised import memoised

_LEAST_WORDS, _MOST_FILES = 2, 20
"""A call that is known by name alone counts as sure if the name has at least this many words and
occurs in at most this many files. Names that libraries use too, like ``to_string``, are in more."""
_RANKED, _RARE, _FEW = 3.0, 0.3, 10
"""Weights of a callee, in units of a question term's weight. ``_RANKED`` is added for one of the
best ranked definitions. ``_RARE`` scales the rarity of its name's rarest word, where a word that
occurs in up to ``_FEW`` units counts as equally rare."""
_SOURCE = 0.5
"""The share of its worth that a call keeps if a later line uses its result: what a function arrives
at says more than what it starts from."""
_BY_NAME = 0.5
"""The share of its worth that a call keeps if it is known by name alone."""
_USE_EXPONENT = 0.25
"""How strongly frequent use of a callee lowers the worth of a call: the exponent of `_FEW` divided
by the number of users."""
_LONGEST_GETTER = 3
"""How many lines a function may have that only returns a value."""


def is_certain_call(edge: Edge) -> bool:
    """Whether an edge is a call that is resolved by more than a name."""
    return edge.relation == "calls" and not edge.is_by_name


def is_sure_call(case: JudgeCase, edge: Edge) -> bool:
    """Whether an edge is a certain call (`is_certain_call`), or a call by a name that hardly
    anything else can have."""
    if edge.relation != "calls" or not edge.is_by_name:
        return is_certain_call(edge)
    name = case.graph.symbol(edge.target).name
    if edge.namesakes > 1 or len(text.words_in(name)) < _LEAST_WORDS:
        return False
    files, _ = case.index.search().terms.spread(text.whole(name))
    return files <= _MOST_FILES


class Calls(Finder):
    """The calls in the definitions of one case, and how informative each one is."""

    def sure(self, symbol: Symbol) -> Iterator[Edge]:
        """Yields the calls in a symbol that are certain, or by a name that hardly anything else can
        have."""
        for edge in self._graph.uses(symbol.id):
            if edge.path == symbol.path and is_sure_call(self.case, edge):
                yield edge

    def only_returns_value(self, symbol: Symbol) -> bool:
        """Whether a definition is a few lines that call nothing except what they override, like a
        getter."""
        if symbol.kind not in CALLABLES or len(symbol.range) > _LONGEST_GETTER:
            return False
        graph = self._graph
        called = (edge.target for edge in graph.uses(symbol.id) if edge.relation == "calls")
        return all(graph.symbol(each).name == symbol.name for each in called)

    def most_informative_line(self, symbol: Symbol, edges: Mapping[int, Edge]) -> int:
        """Returns the line whose edge is the most informative."""
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
        """Sort key for the edges on one line, the most informative last. Edges whose target is
        named on the line come last, and among them those that share words with the question and
        whose target does more than return a value."""
        named, worth = self.worth_of_name(edge)
        worth_of_target = self._worth_of(edge.target)
        return named, worth > 0 and worth_of_target > 0, worth + worth_of_target

    def scarcity(self, edge: Edge) -> float:
        """Returns the share of its worth that a call keeps, by how often its callee is used.

        Use is estimated: the number of units that have the name, divided by the number of
        definitions of that name. Well ranked callees keep all of it.
        """
        target = self._graph.symbol(edge.target)
        if (target.path, target.line) in self.exhibits.ranks:
            return 1.0
        _, units = self.case.index.search().terms.spread(text.whole(target.name))
        users = units / max(1, len(self._graph.find(target.name)))
        return (_FEW / max(_FEW, users)) ** _USE_EXPONENT

    @memoised
    def _worth_of(self, called: SymbolId) -> float:
        """Scores a callee, apart from the words on the line: higher if it ranks well or has a rare
        name, nothing if it only returns a value."""
        target = self._graph.symbol(called)
        if self.only_returns_value(target):
            return 0.0
        terms = self.case.index.search().terms
        rarity = max(map(terms.rarity, text.analyse(target.name)), default=0.0)
        rare = min(rarity, math.log1p(terms.units / _FEW))
        return _RARE * rare + _RANKED * ((target.path, target.line) in self.exhibits.ranks)

    def worth_of_name(self, edge: Edge) -> tuple[bool, float]:
        """Returns whether the line names the edge's target or its type, and how much of the
        question the target's name has. A macro's expansion is not named on its line."""
        graph = self._graph
        target = graph.symbol(edge.target)
        line = self.exhibits.line(edge.path, edge.line)
        names = target.qualified_name.split(".")[-2:]
        is_named = any(name in line for name in names)
        return is_named, line_worth(target.name, self._words.weights)

    def is_overload(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether two symbols are the same, or overloads in one place. A sentence about such a pair
        would say nothing."""
        graph = self._graph
        return not one.is_file and overload(graph, one) == overload(graph, other)

    def most_relevant_use(self, symbol: Symbol) -> Edge | None:
        """Returns the most informative use by a symbol that calls nothing: the certain reference
        whose target is named most like the question. References to types do not count."""
        graph = self._graph
        references = [
            edge
            for edge in graph.uses(symbol.id)
            if edge.relation == "references"
            and not edge.is_by_name
            and edge.path == symbol.path
            and edge.target != symbol.id
            and not edge.target.is_file
            and graph.kind(edge.target) not in MEMBER_HOLDERS
        ]
        return max(references, key=self.worth_of_name, default=None)
