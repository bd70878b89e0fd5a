"""The index channel: full-text search over the symbol graph for units that match the question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import compress
from posixpath import basename

import numpy as np
from numpy.typing import NDArray

from explorer_core.channels.features.descriptions import Descriptions, Place
from explorer_core.channels.features.feedback import expansion
from explorer_core.channels.features.quotations import (
    QUOTED,
    Quotations,
    QuotedUnits,
    wording_of,
)
from explorer_core.channels.features.relevance import Relevance, View, views_of
from explorer_core.channels.features.shortlist import DATA, SIZE
from explorer_core.channels.question.query import Query, Quoted
from explorer_core.channels.question.words import pattern_of
from explorer_core.channels.text_search.left_out import matches_in
from explorer_core.contracts import ChannelResult
from explorer_core.index.index import Index
from explorer_core.index.search.bm25f import Search, UnitHit
from explorer_core.index.search.collection import Collection
from explorer_core.threads import run_to_end
from explorer_core.workspace import CachingReader

UNITS = 300
"""Maximum units from the search for the whole question."""
_TITLE_UNITS = 150
"""Maximum units from the search for the title alone, which a pasted log must not drown."""
_FEEDBACK_UNITS = 100
"""Maximum units from the search for the terms of the first results (feedback)."""
_REST_UNITS = 250
"""Maximum further units from the files that look best so far."""
_WHOLE_FILES = 12
_NO_TERMS: Mapping[str, float] = {}


async def search_index(
    index: Index,
    query: Query,
    *,
    aside: Callable[[str], bool],
    scope: Sequence[str] = (),
    files: CachingReader | None = None,
    symptom: bool = False,
) -> ChannelResult:
    """The most promising of the matching units (see `shortlist`), one `SymbolFound` per piece.

    Units of files that are ``aside`` are included only where others leave room. Text that the
    question quotes is searched for verbatim; if no indexed program has it, also in files left to
    text search. With ``symptom``, a question that quotes nothing has its lines searched for."""
    read = files or CachingReader(index.workspace)
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
    files: CachingReader,
    aside: Callable[[str], bool],
    symptom: bool,
) -> tuple[ChannelResult, list[Quoted]]:
    """The result, and the quoted texts that no indexed program contains in full."""

    def in_scope(path: str) -> bool:
        return index.workspace.in_scope(path, scope)

    search = index.search()
    found = _Hits(search, files, in_scope if scope else None)
    views = views_of(query)
    terms = {view.name: view.terms for view in views}
    apart = _apart_mask(search.collection, query, aside)
    found.search_for(terms, ~apart)
    if (room := SIZE - len(found.hits)) > 0:
        whole = terms.get("all", _NO_TERMS)
        found.record("apart", search.units(whole, limit=room, allowed=found.allowed, files=apart))
    quoted = found.quoted(index, query, apart, symptom=symptom)
    found.record(QUOTED, quoted.hits)
    relevance = Relevance(
        views,
        _salience(search, views),
        search.collection.average_lengths.tolist(),
        naming=search.terms.naming_weight,
        background=search.terms.background,
    )
    descriptions = Descriptions(index, search, query, relevance, found.scores, files)
    observations = tuple(descriptions.best(list(found.hits.values())))
    result = ChannelResult.of_valid(observations=observations, diagnostics=())
    return result, quoted.unfound


def _apart_mask(
    collection: Collection, query: Query, aside: Callable[[str], bool]
) -> NDArray[np.bool_]:
    """Marks the files that are aside, except those named like a file the question mentions. Marks
    none if all are aside, as in a folder of tests."""
    apart = collection.marks(aside)
    mentioned = (each.path.replace("\\", "/") for each in (*query.paths, *query.frames))
    pointed_at = set(map(basename, mentioned))
    if pointed_at:
        named = (path for path in collection.paths if basename(path) in pointed_at)
        apart = apart & ~collection.marks_of(named)
    return np.zeros_like(apart) if apart.all() else apart


@dataclass(slots=True)
class _Hits:
    """The hits of the searches for one question, each unit once, with their scores by search.

    ``allowed``, if given, restricts the hits to certain paths."""

    search: Search
    files: CachingReader
    allowed: Callable[[str], bool] | None
    hits: dict[Place, UnitHit] = field(default_factory=dict[Place, UnitHit])
    scores: dict[str, dict[Place, float]] = field(
        default_factory=lambda: defaultdict[str, dict[Place, float]](dict)
    )

    def search_for(
        self, terms: Mapping[str, Mapping[str, float]], among: NDArray[np.bool_]
    ) -> None:
        """Run the searches over some files: the whole question, its title, the terms of the first
        results, and further units of the best files."""
        whole = terms.get("all", _NO_TERMS)
        title = terms.get("title", whole)
        first = self.record("all", self._units(whole, UNITS, among))
        if title.keys() != whole.keys():
            self.record("title", self._units(title, _TITLE_UNITS, among))
        more = expansion(self.search, self.files, first)
        self.record("feedback", self._units(more, _FEEDBACK_UNITS, among))
        self.record("rest", self._more_units({**title, **whole}))

    def record(self, name: str, hits: list[UnitHit]) -> list[UnitHit]:
        for hit in hits:
            place = (hit.path, hit.start)
            self.hits.setdefault(place, hit)
            self.scores[name][place] = hit.score
        return hits

    def quoted(
        self, index: Index, query: Query, apart: NDArray[np.bool_], *, symptom: bool
    ) -> QuotedUnits:
        """The units that contain what the question quotes. If it quotes nothing, describes a
        ``symptom`` and asks no question, the units that contain one of its lines."""
        marks = bool(query.quoted or query.errors)
        if not marks and (not symptom or "?" in query.text):
            return QuotedUnits([], [])
        wording = wording_of(query, index)
        quotations = Quotations(self.search, wording, self.files, apart, self.allowed)
        return quotations.units() if marks else quotations.units_of_lines()

    def _units(
        self, terms: Mapping[str, float], limit: int, among: NDArray[np.bool_]
    ) -> list[UnitHit]:
        """The best units of some files. Data units get at most one place in `DATA`, unless programs
        do not fill the rest."""
        search, allowed = self.search, self.allowed
        hits = search.units(terms, limit=limit, allowed=allowed, files=among)
        data = list(compress(hits, search.collection.are_data(hit.unit for hit in hits)))
        room = limit // DATA
        if len(data) <= room:
            return hits
        programs = among & search.collection.has_references
        best = search.units(terms, limit=limit - room, allowed=allowed, files=programs)
        hits = [*best, *data[: limit - len(best)]]
        return sorted(hits, key=lambda hit: -hit.score)

    def _more_units(self, terms: Mapping[str, float]) -> list[UnitHit]:
        """More units of the files that look best so far."""
        best: dict[str, float] = {}
        for scores in self.scores.values():
            top = max(scores.values(), default=1.0)
            for (path, _), score in scores.items():
                best[path] = max(best.get(path, 0.0), score / top)
        whole_files = self.search.files(terms)
        top = whole_files.best or 1.0
        worth = {path: best[path] + whole_files.of(path) / top for path in best}
        chosen = nlargest(_WHOLE_FILES, worth, key=lambda path: (worth[path], path))
        return self._units(terms, _REST_UNITS, self.search.collection.marks_of(chosen))


def _salience(search: Search, views: Iterable[View]) -> dict[str, float]:
    return {
        term: search.terms.salience(term) for term in sorted({t for v in views for t in v.terms})
    }
