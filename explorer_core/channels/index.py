"""The symbol graph's search as a channel: units that match the question, with their features."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import compress
from posixpath import basename

import numpy as np
from numpy.typing import NDArray

from explorer_core.channels.features.feedback import expansion
from explorer_core.channels.features.mentions import Mentions
from explorer_core.channels.features.narrowing import LineWorths, Telling, narrowed, remainder
from explorer_core.channels.features.neighbours import spread_weight
from explorer_core.channels.features.proximity import Proximity
from explorer_core.channels.features.quotations import (
    QUOTED,
    Quotations,
    QuotedUnits,
    wording_of,
)
from explorer_core.channels.features.relevance import Relevance, View, views_of
from explorer_core.channels.features.shortlist import DATA, SIZE, shortlist
from explorer_core.channels.question.query import Query, Quoted
from explorer_core.channels.question.words import pattern_of
from explorer_core.channels.text_search.left_out import matches_in
from explorer_core.contracts import ChannelResult, LineRange, SymbolFound
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.index import Index
from explorer_core.index.search.bm25f import Search, UnitHit
from explorer_core.index.search.collection import Collection, Occurrences
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol, SymbolId
from explorer_core.threads import run_to_end
from explorer_core.workspace import Reading

UNITS = 300
"""Units taken from the search for the whole question."""
TITLE_UNITS = 150
"""Units taken from the search for its title alone, which a pasted log must not drown."""
FEEDBACK_UNITS = 100
"""Units taken from the search with the words of the first results."""
REST_UNITS = 250
"""Further units taken from the files that look best."""
_WHOLE_FILES = 12
_NO_TERMS: Mapping[str, float] = {}

_Place = tuple[str, int]
"""The path and first line of a unit."""


async def search_index(
    index: Index,
    query: Query,
    *,
    aside: Callable[[str], bool],
    scope: Sequence[str] = (),
    files: Reading | None = None,
    symptom: bool = False,
) -> ChannelResult:
    """The most promising of the matching units (`shortlist`), those of files that are ``aside``
    only where others leave room; one `SymbolFound` for each piece of them. What is quoted, or is a
    ``symptom`` as it was printed, is among them, also from files that are not indexed."""
    read = files or Reading(index.workspace)
    found, unfound = await run_to_end(lambda: _search(index, query, scope, read, aside, symptom))
    if not unfound:
        return found
    paths = await run_to_end(index.contents.left_to_text_search)
    paths = [path for path in paths if index.workspace.in_scope(path, scope) and not aside(path)]
    patterns = [pattern_of(each.text) for each in unfound]
    matches = await matches_in(index.workspace, read, paths, patterns) if paths else []
    return ChannelResult.of_valid(observations=(*found.observations, *matches), diagnostics=())


def _search(
    index: Index,
    query: Query,
    scope: Sequence[str],
    files: Reading,
    aside: Callable[[str], bool],
    symptom: bool,
) -> tuple[ChannelResult, list[Quoted]]:
    """The result, and what the question quotes that nothing indexed has."""

    def in_scope(path: str) -> bool:
        return index.workspace.in_scope(path, scope)

    search = index.search()
    allowed = in_scope if scope else None
    views = views_of(query)
    terms = {view.name: view.terms for view in views}
    apart = _apart(search.collection, query, aside)
    found = _found(search, terms, ~apart, allowed, files)
    if (room := SIZE - len(found.hits)) > 0:
        whole = terms.get("all", _NO_TERMS)
        found.take("apart", search.units(whole, limit=room, allowed=allowed, files=apart))
    quoted = _quoted(index, search, query, apart, allowed, files, symptom)
    found.take(QUOTED, quoted.hits)
    relevance = Relevance(
        views,
        _salience(search, views),
        search.collection.average_lengths.tolist(),
        naming=search.naming_weight,
        background=search.background,
    )
    describe = _Describe(index, search, query, relevance, found.scores, files)
    observations = tuple(describe.best(list(found.hits.values())))
    result = ChannelResult.of_valid(observations=observations, diagnostics=())
    return result, quoted.unfound


def _quoted(
    index: Index,
    search: Search,
    query: Query,
    apart: NDArray[np.bool_],
    allowed: Callable[[str], bool] | None,
    files: Reading,
    symptom: bool,
) -> QuotedUnits:
    """The units that have what the question quotes, if it quotes anything; else, where it tells
    of a ``symptom`` and asks nothing, what it may have pasted."""
    marks = bool(query.quoted or query.errors)
    if not marks and (not symptom or "?" in query.text):
        return QuotedUnits([], [])
    quotations = Quotations(search, wording_of(query, index), files, apart, allowed)
    return quotations.units() if marks else quotations.units_of_lines()


def _apart(collection: Collection, query: Query, aside: Callable[[str], bool]) -> NDArray[np.bool_]:
    """For each file whether it is aside, and not called like one that the question points at; none
    where all are, as in a folder of tests."""
    apart = collection.marks(aside)
    mentioned = (each.path.replace("\\", "/") for each in (*query.paths, *query.frames))
    pointed_at = set(map(basename, mentioned))
    if pointed_at:
        named = (path for path in collection.paths if basename(path) in pointed_at)
        apart = apart & ~collection.marks_of(named)
    return np.zeros_like(apart) if apart.all() else apart


def _found(
    search: Search,
    terms: Mapping[str, Mapping[str, float]],
    files: NDArray[np.bool_],
    allowed: Callable[[str], bool] | None,
    read: Reading,
) -> _Found:
    """What the searches find in some files: for the whole question and for its title, for the words
    of the first results, and what else the best files have."""
    found = _Found()
    whole = terms.get("all", _NO_TERMS)
    title = terms.get("title", whole)
    first = found.take("all", _units(search, whole, UNITS, files, allowed))
    if title.keys() != whole.keys():
        found.take("title", _units(search, title, TITLE_UNITS, files, allowed))
    more = expansion(search, read, first)
    found.take("feedback", _units(search, more, FEEDBACK_UNITS, files, allowed))
    found.take("rest", _rest(search, found, {**title, **whole}))
    return found


def _units(
    search: Search,
    terms: Mapping[str, float],
    limit: int,
    files: NDArray[np.bool_],
    allowed: Callable[[str], bool] | None = None,
) -> list[UnitHit]:
    """The best units of some files, data among them in so far as it leaves room for programs."""
    hits = search.units(terms, limit=limit, allowed=allowed, files=files)
    data = list(compress(hits, search.collection.are_data(hit.unit for hit in hits)))
    room = limit // DATA
    if len(data) <= room:
        return hits
    best = search.units(
        terms, limit=limit - room, allowed=allowed, files=files & search.collection.refers
    )
    hits = [*best, *data[: limit - len(best)]]
    return sorted(hits, key=lambda hit: -hit.score)


def _rest(search: Search, found: _Found, terms: Mapping[str, float]) -> list[UnitHit]:
    """The other units of the files that look best so far."""
    best: dict[str, float] = {}
    for scores in found.scores.values():
        top = max(scores.values(), default=1.0)
        for (path, _), score in scores.items():
            best[path] = max(best.get(path, 0.0), score / top)
    whole_files = search.files(terms)
    top = whole_files.best or 1.0
    worth = {path: best[path] + whole_files.of(path) / top for path in best}
    chosen = nlargest(_WHOLE_FILES, worth, key=lambda path: (worth[path], path))
    files = search.collection.marks_of(chosen)
    return _units(search, terms, REST_UNITS, files)


@dataclass(slots=True)
class _Found:
    """Hits of several searches, each unit once, and their scores by search."""

    hits: dict[_Place, UnitHit] = field(default_factory=dict[_Place, UnitHit])
    scores: dict[str, dict[_Place, float]] = field(
        default_factory=lambda: defaultdict[str, dict[_Place, float]](dict)
    )

    def take(self, name: str, hits: list[UnitHit]) -> list[UnitHit]:
        for hit in hits:
            place = (hit.path, hit.start)
            self.hits.setdefault(place, hit)
            self.scores[name][place] = hit.score
        return hits


def _salience(search: Search, views: Iterable[View]) -> dict[str, float]:
    return {term: search.salience(term) for term in sorted({t for v in views for t in v.terms})}


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of a hit, their share of the evidence in its richest piece, and the share of the
    question's information that the hit has and these lines lack."""

    lines: LineRange
    share: float = 1.0
    lacks: float = 0.0


class _Describe:
    """Turns hits into observations."""

    def __init__(
        self,
        index: Index,
        search: Search,
        query: Query,
        relevance: Relevance,
        scores: Mapping[str, Mapping[_Place, float]],
        files: Reading,
    ) -> None:
        self._files = files
        self._graph = index.graph
        self._mentions = Mentions(query)
        self._relevance = relevance
        self._proximity = Proximity(query, relevance.salience)
        self._feedback = scores["feedback"]
        self._quoted = scores[QUOTED]
        self._of_file: dict[str, dict[str, float]] = {}
        self._telling = Telling(relevance.salience)
        self._worths: dict[str, LineWorths] = {}
        self._collection = search.collection

    def best(self, hits: Sequence[UnitHit]) -> list[SymbolFound]:
        """The observations of the shortlist, with what their neighbours in the graph add."""
        terms = self._relevance.terms
        occurrences = self._collection.occurrences([hit.unit for hit in hits], terms)
        features = self._relevance.of(occurrences)
        covered = self._covered_by_file(hits, occurrences)
        for hit, row in zip(hits, features, strict=True):
            row["text.feedback"] = self._feedback.get((hit.path, hit.start), 0.0)
            row["covered.file"] = covered[hit.path]
            if (hit.path, hit.start) in self._quoted:
                row[QUOTED] = 1.0
            row |= self._mentions.of_lines(hit.path, hit.start, hit.end)
        from_users, from_used = self._from_neighbours(hits, features)
        data = self._collection.are_data(hit.unit for hit in hits)
        chosen = shortlist([hit.path for hit in hits], features, data)
        present = occurrences.present[chosen].tolist()
        units = [
            (hits[at], tuple(compress(terms, row))) for at, row in zip(chosen, present, strict=True)
        ]
        near = self._proximity.of(units, self._text)
        found: list[SymbolFound] = []
        for at, (hit, has), pairs in zip(chosen, units, near, strict=True):
            symbol = SymbolId(hit.path, hit.ordinal)
            graph = {
                "graph.from_users": from_users.get(symbol, 0.0),
                "graph.from_used": from_used.get(symbol, 0.0),
            }
            found += self._observations(hit, features[at] | pairs | graph, has)
        return found

    def _from_neighbours(
        self, hits: Sequence[UnitHit], features: Sequence[Mapping[str, float]]
    ) -> tuple[dict[SymbolId, float], dict[SymbolId, float]]:
        weights = {
            SymbolId(hit.path, hit.ordinal): row["text.all"]
            for hit, row in zip(hits, features, strict=True)
            if hit.ordinal != TOP
        }
        return spread_weight(self._graph, weights)

    def _text(self, hit: UnitHit) -> str:
        """The name of a hit's file and the hit's own lines."""
        parts = [hit.path.rpartition("/")[2]]
        if (source := self._files.source(hit.path)) is not None:
            for first, last in self._collection.own_lines(hit.unit):
                parts += source.lines[first - 1 : last]
        return "\n".join(parts)

    def _covered_by_file(
        self, hits: Sequence[UnitHit], occurrences: Occurrences
    ) -> dict[str, float]:
        """The share of the question's information that the hits of a file have together."""
        number: dict[str, int] = {}
        files = np.array([number.setdefault(hit.path, len(number)) for hit in hits], np.int64)
        present = np.zeros((len(number), len(occurrences.terms)), np.bool_)
        np.logical_or.at(present, files, occurrences.present)
        return dict(
            zip(number, np.round(self._relevance.covered(present), 9).tolist(), strict=True)
        )

    def _observations(
        self, hit: UnitHit, features: dict[str, float], terms: tuple[str, ...]
    ) -> list[SymbolFound]:
        """The observations of a hit, the lines that carry the evidence first; none if its file can
        no longer be read."""
        source = self._files.source(hit.path)
        if source is None:
            return []
        symbol = self._symbol(hit)
        if hit.end > len(source.lines) or (symbol and symbol.range.end > len(source.lines)):
            return []  # the file shrank since it was indexed
        self._add_scores(features, hit, symbol)
        info = symbol.info if symbol else None
        return [
            SymbolFound.of_valid(
                channel="index",
                path=hit.path,
                range=piece.lines,
                symbol=info,
                segment=source.segment(piece.lines.start, piece.lines.end),
                terms=terms,
                scores={
                    **features,
                    "piece.share": piece.share,
                    "lacks.all": piece.lacks,
                    "is.rest": float(at > 0),
                },
            )
            for at, piece in enumerate(self._pieces(hit, symbol, source.lines, terms))
        ]

    def _pieces(
        self, hit: UnitHit, symbol: Symbol | None, lines: Sequence[str], terms: Sequence[str]
    ) -> list[_Piece]:
        """The lines that carry the evidence, then the rest of a long definition."""
        if symbol is None:
            return [_Piece(LineRange.of_valid(start=hit.start, end=hit.end))]
        if hit.path not in self._worths:
            self._worths[hit.path] = LineWorths(lines, self._telling)
        known = self._worths[hit.path]
        worths = known.of(terms)
        best = narrowed(self._graph, symbol, worths)
        if best == symbol.range:
            return [_Piece(best)]
        ranges = [best, *remainder(self._graph, symbol, best)]
        sums = [sum(worths(each)) for each in ranges]
        top = max(sums) or 1.0
        return [
            _Piece(each, one / top, self._relevance.share(set(terms).difference(*known.told(each))))
            for each, one in zip(ranges, sums, strict=True)
        ]

    def _symbol(self, hit: UnitHit) -> Symbol | None:
        if hit.ordinal == TOP:
            return None
        try:
            return self._graph.symbol(SymbolId(hit.path, hit.ordinal))
        except KeyError:
            return None

    def _add_scores(self, scores: dict[str, float], hit: UnitHit, symbol: Symbol | None) -> None:
        if hit.path not in self._of_file:
            self._of_file[hit.path] = self._file_scores(hit.path)
        scores |= self._of_file[hit.path]
        if symbol is not None:
            definitions = max(1, self._collection.units)
            scores |= self._mentions.of_symbol(symbol, self._graph.namesakes, definitions)
            scores["is.exported"] = float(symbol.exported)

    def _file_scores(self, path: str) -> dict[str, float]:
        scores = self._mentions.of_file(path)
        kinds = self._graph.kinds_in(path)
        scores["file.units"] = math.log1p(self._collection.size_of(path))
        share = self._collection.language_share(path)
        scores["path.language"] = math.log10(share) if share else 0.0
        scores["is.code"] = float(not kinds.isdisjoint(CALLABLES | MEMBER_HOLDERS))
        return scores
