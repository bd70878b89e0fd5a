"""Turns search hits into observations: the features of each unit, and the lines of it that carry
the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

import numpy as np

from explorer_core.channels.features.mentions import Mentions
from explorer_core.channels.features.narrowing import (
    LONG,
    LineWorths,
    WeightedTerms,
    narrowed,
    remainder,
    zero_inside,
)
from explorer_core.channels.features.neighbours import spread_weight
from explorer_core.channels.features.proximity import Proximity
from explorer_core.channels.features.quotations import QUOTED
from explorer_core.channels.features.relevance import Relevance
from explorer_core.channels.features.shortlist import shortlist
from explorer_core.channels.question.query import Query
from explorer_core.contracts import LineRange, SymbolFound
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.index import Index
from explorer_core.index.search.bm25f import Search, UnitHit
from explorer_core.index.search.collection import Occurrences
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, Symbol, SymbolId
from explorer_core.memoised import memoised
from explorer_core.workspace import CachingReader

Place = tuple[str, int]
"""The path and first line of a unit."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of a hit. ``share`` is their evidence relative to the hit's richest piece; ``lacks`` is
    the share of the question's information content that the hit has but these lines lack."""

    lines: LineRange
    share: float = 1.0
    lacks: float = 0.0


class Descriptions:
    """Turns hits into observations."""

    def __init__(
        self,
        index: Index,
        search: Search,
        query: Query,
        relevance: Relevance,
        scores: Mapping[str, Mapping[Place, float]],
        files: CachingReader,
    ) -> None:
        self._files = files
        self._graph = index.graph
        self._mentions = Mentions(query)
        self._relevance = relevance
        self._proximity = Proximity(query, relevance.salience)
        self._feedback = scores["feedback"]
        self._quoted = scores[QUOTED]
        self._telling = WeightedTerms(relevance.salience)
        self._worths: dict[str, LineWorths] = {}
        self._collection = search.collection

    def best(self, hits: Sequence[UnitHit]) -> list[SymbolFound]:
        """The observations of the shortlisted hits, with features from their graph neighbours."""
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
        from_users, from_used = self._neighbour_scores(hits, features)
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

    def _neighbour_scores(
        self, hits: Sequence[UnitHit], features: Sequence[Mapping[str, float]]
    ) -> tuple[dict[SymbolId, float], dict[SymbolId, float]]:
        weights = {
            SymbolId(hit.path, hit.ordinal): row["text.all"]
            for hit, row in zip(hits, features, strict=True)
            if hit.ordinal != TOP
        }
        return spread_weight(self._graph, weights)

    def _text(self, hit: UnitHit) -> str:
        """The file name of a hit, and the hit's own lines."""
        parts = [hit.path.rpartition("/")[2]]
        if (source := self._files.source(hit.path)) is not None:
            for first, last in self._collection.own_lines(hit.unit):
                parts += source.lines[first - 1 : last]
        return "\n".join(parts)

    def _covered_by_file(
        self, hits: Sequence[UnitHit], occurrences: Occurrences
    ) -> dict[str, float]:
        """The share of the question's information content that each file's hits cover together."""
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
        """The observations of a hit, the lines that carry the evidence first. Empty if its file can
        no longer be read or has become shorter."""
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
        """The lines that carry the evidence, then the rest of a long definition in pieces."""
        if symbol is None:
            return [_Piece(LineRange.of_valid(start=hit.start, end=hit.end))]
        if hit.path not in self._worths:
            self._worths[hit.path] = LineWorths(lines, self._telling)
        known = self._worths[hit.path]
        inner = self._inner_ranges(hit, symbol)
        worths = zero_inside(known.of(terms), inner)
        best = narrowed(self._graph, symbol, worths)
        if best == symbol.range:
            return [_Piece(best)]
        ranges = [best, *remainder(self._graph, symbol, best, inner)]
        sums = [sum(worths(each)) for each in ranges]
        top = max(sums) or 1.0
        return [
            _Piece(
                each,
                one / top,
                self._relevance.share(set(terms).difference(*known.weighted_terms(each))),
            )
            for each, one in zip(ranges, sums, strict=True)
        ]

    def _inner_ranges(self, hit: UnitHit, symbol: Symbol) -> list[LineRange]:
        """The lines of a long function that belong to definitions nested in it."""
        if symbol.kind in MEMBER_HOLDERS | NAMESPACES or len(symbol.range) <= LONG:
            return []
        return [
            LineRange(start=before[1] + 1, end=after[0] - 1)
            for before, after in pairwise(self._collection.own_lines(hit.unit))
        ]

    def _symbol(self, hit: UnitHit) -> Symbol | None:
        if hit.ordinal == TOP:
            return None
        try:
            return self._graph.symbol(SymbolId(hit.path, hit.ordinal))
        except KeyError:
            return None

    def _add_scores(self, scores: dict[str, float], hit: UnitHit, symbol: Symbol | None) -> None:
        scores |= self._file_scores(hit.path)
        if symbol is not None:
            definitions = max(1, self._collection.units)
            scores |= self._mentions.of_symbol(symbol, self._graph.namesakes, definitions)
            scores["is.exported"] = float(symbol.exported)

    @memoised
    def _file_scores(self, path: str) -> dict[str, float]:
        """The features of a file as a whole."""
        scores = self._mentions.of_file(path)
        kinds = self._graph.kinds_in(path)
        scores["file.units"] = math.log1p(self._collection.size_of(path))
        share = self._collection.language_share(path)
        scores["path.language"] = math.log10(share) if share else 0.0
        scores["is.code"] = float(not kinds.isdisjoint(CALLABLES | MEMBER_HOLDERS))
        return scores
