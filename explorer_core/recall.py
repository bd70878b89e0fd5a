"""Takes a judgement from the cache, or makes a new one and caches it.

Only judgements that cost something are cached. The offline judge costs about as much as checking an
entry would, and what it states depends on every file the graph reaches, which no key can name.

A cached judgement is validated against the present files, like a fresh one. It is used only if a
fresh one would be based on the same text:

- its key includes the evidence given to the judge, so that a new and better place changes the key;
- files read while judging must have the same content;
- if the judge could search further, every file of the workspace must have the same content, because
  a search, even for nothing in particular, may answer from any of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from explorer_core import __version__
from explorer_core.cache import Entry, KeptPlace, ReportCache, case_key, tree_digest
from explorer_core.contracts import (
    Candidate,
    CandidateId,
    ExploreRequest,
    FileListed,
    Selection,
    SymbolFound,
)
from explorer_core.deliberation import Check, deliberate
from explorer_core.judges.base import Judge, JudgeCase, Verdict
from explorer_core.judges.shown.packer import pack
from explorer_core.registry.ranking import Ranking
from explorer_core.validation import Validated
from explorer_core.workspace import WorkspaceError

_GIVEN_CANDIDATES = 40
"""Number of best candidates that count as given to the judge, in addition to those of a packet."""
_COMPLETE_REASONS = ("completed", "low_yield")
"""Stop reasons of a judgement that was not cut short."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What may be reported. ``recalled``: it came from the cache. ``looked_up``: the cache was
    searched in vain. ``stale`` counts cached entries that no longer hold for the files."""

    verdict: Verdict
    validated: Validated
    recalled: bool = False
    looked_up: bool = False
    stale: int = 0


async def judge_or_recall(
    judge: Judge, case: JudgeCase, check: Check, cache: ReportCache, *, is_partial: bool
) -> Judgement:
    """The judgement over ``case``. With partial evidence the cache is neither read nor written.

    Trouble with the cache is never an error.
    """
    if judge.name == "offline" or is_partial:
        return Judgement(*await deliberate(judge, case, check))
    given, key = await asyncio.to_thread(_given_and_key, judge, case)
    stale = 0
    if not case.request.force_refresh:
        for entry in await asyncio.to_thread(lambda: list(cache.find(key))):
            recalled = await case.with_graph(partial(_recall, entry, case, check))
            if recalled is not None:
                await asyncio.to_thread(cache.touch, entry)
                return replace(recalled, stale=stale)
            stale += 1
    tree = await case.with_graph(lambda: tree_digest(case.index))
    watched = _WatchedCase(case, judge.name == "conversation")
    verdict, validated = await deliberate(judge, watched.case, check)
    looked_up = not case.request.force_refresh
    result = Judgement(verdict, validated, looked_up=looked_up, stale=stale)
    if _is_cacheable(result):
        entry = await watched.entry(key, tree, result, given)
        if entry is not None:
            await asyncio.to_thread(cache.keep, entry)
    return result


def _given_and_key(judge: Judge, case: JudgeCase) -> tuple[dict[CandidateId, Candidate], str]:
    """The candidates given to the judge, and the cache key of everything it is told."""
    given = {each.id: each for each in _given(case.ranking)}
    return given, case_key(case.request, case.question, judge.name, case.workspace, given.values())


def _given(ranking: Ranking) -> Iterator[Candidate]:
    """The candidates given to a judge: the best of the ranking, and those of a packet."""
    yield from ranking.candidates[:_GIVEN_CANDIDATES]
    yield from pack(ranking.candidates)


def _is_cacheable(result: Judgement) -> bool:
    """Whether a judgement is worth caching: complete, untroubled and not of low confidence."""
    verdict, validated = result.verdict, result.validated
    return (
        validated.confidence != "low"
        and verdict.stop_reason in _COMPLETE_REASONS
        and not verdict.diagnostics
    )


# keeping


class _WatchedCase:
    """A case about to be judged; records what its judge looks at beyond the given evidence."""

    def __init__(self, case: JudgeCase, searches: bool) -> None:
        self._places_before = {each.id: _kept_place(each) for each in case.registry.candidates()}
        self._gather = case.gather
        self._has_searched = searches
        self.case = replace(case, gather=self._search)

    async def _search(self, request: ExploreRequest) -> Ranking:
        self._has_searched = True
        return await self._gather(request)

    async def entry(
        self, key: str, tree: str, result: Judgement, given: Mapping[CandidateId, Candidate]
    ) -> Entry | None:
        """The cache entry of a judgement; None if files changed while it was made."""
        if self._has_searched:
            await self.case.index.sync(wait=False)
            if await self.case.with_graph(lambda: tree_digest(self.case.index)) != tree:
                return None
        return await self.case.with_graph(
            lambda: self._entry(key, tree if self._has_searched else None, result, given)
        )

    def _entry(
        self, key: str, tree: str | None, result: Judgement, given: Mapping[CandidateId, Candidate]
    ) -> Entry | None:
        """The entry, with digests of the files read while judging; None if one of them changed."""
        case, verdict = self.case, result.verdict
        selected = _selected_ids(verdict.selection)
        places: dict[CandidateId, KeptPlace] = {}
        fingerprints: dict[str, str] = {}
        for candidate in case.registry.candidates():
            place = _kept_place(candidate)
            is_new_or_grown = self._places_before.get(candidate.id) != place
            if not is_new_or_grown and candidate.id not in selected:
                continue
            places[candidate.id] = place
            if (is_new_or_grown or candidate.id not in given) and place.seen:
                try:
                    source = case.workspace.read(place.path)
                except WorkspaceError:
                    return None
                if any(source.segment(s.start, s.range.end) != s for s in candidate.segments):
                    return None
                fingerprints[place.path] = source.digest
        return Entry(
            key=key,
            created_at=datetime.now(UTC),
            engine=__version__,
            roots=tuple(str(root.path) for root in case.workspace.roots),
            request=case.request,
            judge=verdict.judge,
            model=verdict.model,
            stop_reason=verdict.stop_reason,
            selection=verdict.selection,
            dropped=verdict.dropped,
            places=places,
            fingerprints=fingerprints,
            tree=tree,
            usage=verdict.usage,
        )


def _kept_place(candidate: Candidate) -> KeptPlace:
    """A place, with the lines of it that were read."""
    seen = tuple(segment.range for segment in candidate.segments)
    return KeptPlace.of_valid(path=candidate.path, range=candidate.range, seen=seen)


def _selected_ids(selection: Selection) -> set[CandidateId]:
    return {place.id for place in selection.places()}


# recalling


def _recall(entry: Entry, case: JudgeCase, check: Check) -> Judgement | None:
    """The judgement of an entry applied to this case; None if it no longer holds."""
    if entry.tree is not None and entry.tree != tree_digest(case.index):
        return None
    if not _selected_ids(entry.selection) <= entry.places.keys():
        return None
    try:
        if any(
            case.workspace.read(path).digest != digest
            for path, digest in entry.fingerprints.items()
        ):
            return None
        ids = {old: _registered_id(place, case) for old, place in entry.places.items()}
    except WorkspaceError:
        return None
    selection = entry.selection.renamed(ids.get)
    empty_selection = Selection(recommended_primary_action="skip_explore_result", confidence="low")
    verdict = Verdict(
        selection,
        judge=entry.judge,
        model=entry.model,
        stop_reason=entry.stop_reason,
        dropped=entry.dropped,
    )
    judgement = Judgement(verdict, check(verdict, empty_selection), recalled=True)
    return judgement if _is_cacheable(judgement) else None


def _registered_id(place: KeptPlace, case: JudgeCase) -> CandidateId:
    """The id of a place in this case's registry, after adding all of its text that was seen."""
    registry = case.registry
    known_id = registry.id_of(place.path, place.range)
    candidate = known_id and registry.get(known_id)
    if candidate and _kept_place(candidate).seen == place.seen:
        return candidate.id
    if place.range is None or not place.seen:
        source = case.workspace.read(place.path)
        return registry.add(FileListed(path=place.path, size=len(source.text)))
    source = case.workspace.read(place.path)
    ids = [
        registry.add(
            SymbolFound(
                path=place.path,
                range=place.range,
                symbol=None,
                segment=source.segment(seen.start, seen.end),
            )
        )
        for seen in place.seen
    ]
    return ids[0]
