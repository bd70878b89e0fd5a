"""Chooses what the reader is told to read: the places about as good as the best, the best of a few
other files, and whatever else ranks well but is not in the flow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from explorer_core.contracts import READ_TARGET_LIMIT, Candidate, FlowChoice, ReadTargetChoice
from explorer_core.index.symbols import VARIABLES, Symbol
from explorer_core.judges import statements
from explorer_core.judges.offline.change.change import Change
from explorer_core.judges.offline.flow.seeds import FAR, SPREAD
from explorer_core.judges.offline.telling.declared import is_bodiless, only_declares
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.places import (
    as_good_as_best,
    definition_of,
    is_related,
    share_lines,
)
from explorer_core.judges.offline.telling.step import Step
from explorer_core.registry.ranking import Ranking
from explorer_core.registry.traits import is_aside

_PRIMARY = 4
"""How many places are primary."""
_PLACES, _FILES = 5, 4
"""How many places to read there are, apart from tests, and in how many files."""
_NAMED = 2
"""How many further definitions that the question names are to be read."""
_SEARCHED = 30
"""The best of other files are looked for among this many of the best candidates."""
_RANKED = 20
"""What is missing from the flow is looked for among this many of the best candidates."""


@dataclass(frozen=True)
class ReadTargets(Finder):
    """Chooses the places to read of one case."""

    change: Change

    def of(
        self, steps: Sequence[Step], linked: Sequence[FlowChoice]
    ) -> tuple[ReadTargetChoice, ...]:
        """Returns the places to read, first those that the question is known to mean.

        For an edit they include what has to change along, and tests. Otherwise places that are
        ``linked`` in the flow are not repeated, except for the best.
        """
        about_one = bool(steps) and self.change.asks_for_one_definition
        first = list(self.change.places()) if about_one else []
        beside = list(self.change.beside()) if about_one else []
        room = READ_TARGET_LIMIT - len(beside)
        chosen = self._candidates_shown(first)
        shown = [] if self.change.is_edit else self._candidates_shown(linked)
        near = self._targets(self.near(steps if self.change.is_edit else []), chosen, shown)
        found = list(islice(chain(first, near), room))
        if self.change.asks_for_one_definition:
            return (*found, *beside)
        found += islice(self._named_targets(found, steps), _NAMED)
        if not self.change.is_edit:
            chosen = self._candidates_shown(found)
            found += self._targets(self._ranked([*chosen, *shown]), chosen, shown)
        return tuple(found[:READ_TARGET_LIMIT])

    def near(self, steps: Sequence[Step]) -> list[Candidate]:
        """Returns the candidates about as good as the best, and the best of a few other files.

        Other files may not be far behind. If something is to be changed (``steps``), they may be
        further behind, but must be related to it.
        """
        ranked = self.case.ranking.candidates
        near = about_as_good(self.case.ranking)
        bar = ranked[0].score - (SPREAD if steps else FAR)
        paths = {each.path for each in near}
        for candidate in ranked[:_SEARCHED]:
            has_room = len(near) < _PLACES and len(paths) < _FILES and candidate.score >= bar
            path, symbol = candidate.path, definition_of(self._graph, candidate)
            if has_room and path not in paths and is_related(self._graph, path, symbol, steps):
                paths.add(path)
                near.append(candidate)
        return near

    def _ranked(self, known: Sequence[Candidate]) -> Iterator[Candidate]:
        """Yields what else ranks well: one place of each definition that no ``known`` place
        shows."""
        ranked = self.case.ranking.candidates
        bar = ranked[0].score - SPREAD
        seen = {definition_of(self._graph, each) for each in known}
        for candidate in ranked[:_RANKED]:
            symbol = definition_of(self._graph, candidate)
            if candidate.score < bar or is_aside(candidate.traits):
                continue
            if symbol is None or symbol not in seen:
                seen.add(symbol)
                yield candidate

    def _targets(
        self,
        candidates: Iterable[Candidate],
        chosen: list[Candidate],
        linked: Sequence[Candidate],
    ) -> Iterator[ReadTargetChoice]:
        """Yields the candidates that overlap none of the ``chosen`` and ``linked`` ones, nor merely
        declare what those show. Adds each to ``chosen``."""
        best, is_first = self.case.ranking.candidates[0], not chosen
        for candidate in candidates:
            required = is_first and candidate is best
            earlier = chosen if required else [*chosen, *linked]
            if candidate.range is None or any(share_lines(candidate, each) for each in earlier):
                continue
            symbol = definition_of(self._graph, candidate)
            if not required and symbol is not None and self._only_declares(symbol, earlier):
                continue
            chosen.append(candidate)
            if symbol is not None:
                self.exhibits.record_symbols(symbol)
            words = self._words.telling_words(candidate.matched_terms)
            description = statements.of_place(candidate, symbol, words)
            parts = [self.change.change_prefix, description] if required else [description]
            purpose = ": ".join(filter(None, parts))
            yield ReadTargetChoice(candidate_id=candidate.id, purpose=purpose, required=required)

    def _only_declares(self, symbol: Symbol, shown: Sequence[Candidate]) -> bool:
        """Whether a symbol merely declares what is shown. For an edit this is never so: both have
        to change."""
        if self.case.request.intent == "edit":
            return False
        found = (definition_of(self._graph, each) for each in shown)
        return only_declares(self.case.index, symbol, filter(None, found))

    def _named_targets(
        self, targets: Sequence[ReadTargetChoice], steps: Sequence[Step]
    ) -> Iterator[ReadTargetChoice]:
        """Yields what the question names below its title, if it has a body, is related to the
        steps, and is not shown."""
        shown = [*self._candidates_shown(targets), *(step.symbol for step in steps)]
        for symbol in self.change.named_below_title if steps else ():
            is_left_out = symbol.kind in VARIABLES or any(
                share_lines(symbol, each) for each in shown
            )
            if (
                is_left_out
                or is_bodiless(self.case.index, symbol)
                or not self.exhibits.has(symbol.path)
            ):
                continue
            if is_related(self._graph, symbol.path, symbol, steps):
                shown.append(symbol)
                self.exhibits.record_symbols(symbol)
                yield ReadTargetChoice(
                    candidate_id=self.exhibits.show(symbol),
                    purpose=statements.called(symbol),
                    required=False,
                )

    def _candidates_shown(
        self, choices: Sequence[FlowChoice | ReadTargetChoice]
    ) -> list[Candidate]:
        found = (self.case.registry.get(each.candidate_id) for each in choices)
        return [each for each in found if each is not None]


def about_as_good(ranking: Ranking) -> list[Candidate]:
    """Returns the first candidates that are about as good as the best, at most ``_PRIMARY``."""
    return list(islice(as_good_as_best(ranking), _PRIMARY))
