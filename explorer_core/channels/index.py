"""The symbol graph's search as a channel: units that match the question, with their features."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from explorer_core.channels.mentions import Mentions
from explorer_core.channels.narrowing import narrowed
from explorer_core.channels.query import Query
from explorer_core.channels.relevance import Relevance, View, inverse_frequency, views_of
from explorer_core.contracts import ChannelResult, LineRange, SymbolFound, SymbolInfo
from explorer_core.index.facts import TOP
from explorer_core.index.index import Index
from explorer_core.index.search import UnitHit
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.workspace import WorkspaceError

UNITS = 250
"""Units taken from the search for the whole question."""
TITLE_UNITS = 120
"""Units taken from the search for its title alone, which a pasted log must not drown."""


async def search_index(
    index: Index, query: Query, *, keywords: Sequence[str] = (), scope: Sequence[str] = ()
) -> ChannelResult:
    """One `SymbolFound` per matching unit, best first by the search's own score."""
    return await asyncio.to_thread(_search, index, query, keywords, scope)


def _search(
    index: Index, query: Query, keywords: Sequence[str], scope: Sequence[str]
) -> ChannelResult:
    views = views_of(query, keywords)
    hits = _hits(index, views, scope)
    relevance = Relevance(views, _idf(index, views), index.searcher.collection().averages)
    describe = _Describe(index, query, relevance)
    found = [found for hit in hits if (found := describe.unit(hit))]
    return ChannelResult(observations=tuple(found))


def _hits(index: Index, views: Iterable[View], scope: Sequence[str]) -> list[UnitHit]:
    """Hits of the whole question and of its title, each unit once with the union of its terms."""
    limits = {"all": UNITS, "title": TITLE_UNITS}
    whole: Mapping[str, float] = next((view.terms for view in views if view.name == "all"), {})
    merged: dict[tuple[str, int], UnitHit] = {}
    for view in views:
        if view.name in limits:
            # A title's terms are all in the question; the rest is asked for with no weight to
            # speak of, so that every hit carries the counts of every term.
            terms = {term: view.terms.get(term, 1e-6) for term in whole}
            for hit in index.search(terms, limit=limits[view.name], scope=scope):
                merged.setdefault((hit.path, hit.start), hit)
    return list(merged.values())


def _idf(index: Index, views: Iterable[View]) -> dict[str, float]:
    units = index.searcher.collection().units
    idf: dict[str, float] = {}
    for term in {term for view in views for term in view.terms}:
        files, containing = index.searcher.spread(term)
        idf[term] = inverse_frequency(units, max(files, containing))
    return idf


class _Describe:
    """Turns hits into observations."""

    def __init__(self, index: Index, query: Query, relevance: Relevance) -> None:
        self._workspace = index.workspace
        self._graph = index.graph
        self._defining = index.view.files_defining
        self._mentions = Mentions(query)
        self._relevance = relevance
        self._of_file: dict[str, dict[str, float]] = {}
        self._definitions = max(1, index.searcher.collection().units)

    def unit(self, hit: UnitHit) -> SymbolFound | None:
        """The observation of a hit; None if its file can no longer be read."""
        try:
            source = self._workspace.read(hit.path)
        except WorkspaceError:
            return None
        symbol = self._symbol(hit)
        if hit.end > len(source.lines) or (symbol and symbol.range.end > len(source.lines)):
            return None  # the file shrank since it was indexed
        lines = LineRange(start=hit.start, end=hit.end)
        if symbol is not None:
            weights = {term: self._relevance.idf[term] for term in hit.terms}
            lines = narrowed(self._graph, symbol, source.lines, weights)
        return SymbolFound.model_construct(
            channel="index",
            path=hit.path,
            range=lines,
            symbol=_info(symbol) if symbol else None,
            segment=source.segment(lines.start, lines.end),
            terms=tuple(hit.terms),
            scores=self._scores(hit, symbol),
        )

    def _symbol(self, hit: UnitHit) -> Symbol | None:
        if hit.ordinal == TOP:
            return None
        try:
            return self._graph.symbol(SymbolId(hit.path, hit.ordinal))
        except KeyError:
            return None

    def _scores(self, hit: UnitHit, symbol: Symbol | None) -> dict[str, float]:
        if hit.path not in self._of_file:
            self._of_file[hit.path] = self._mentions.of_file(hit.path)
        scores = self._relevance.of(hit)
        scores |= self._of_file[hit.path]
        scores |= self._mentions.of_lines(hit.path, hit.start, hit.end)
        if symbol is not None:
            namesakes = len(self._defining(symbol.name))
            scores |= self._mentions.of_symbol(symbol, namesakes, self._definitions)
        return scores


def _info(symbol: Symbol) -> SymbolInfo:
    return SymbolInfo.model_construct(
        name=symbol.name,
        qualified_name=symbol.qualified_name,
        kind=symbol.kind,
        line=symbol.line,
    )
