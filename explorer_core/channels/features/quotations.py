"""Finds the units that contain a text which the question quotes or reports as a message.

A table of messages, or a function with many of them, has the words of hundreds and is about none of
them, so a search that weighs words seldom finds it. Here the text itself is looked for. Postings
select the units that have most of its words; reading their lines decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from explorer_core.channels.question.query import Query, Quoted
from explorer_core.channels.question.wording import Wording, alike
from explorer_core.channels.question.words import pattern_of
from explorer_core.index.index import Index
from explorer_core.index.search.bm25f import Search, UnitHit
from explorer_core.index.terms import text
from explorer_core.workspace import CachingReader

_LEAST, _READ = 0.6, 40
"""The share of a text's salience that a unit must have to be read (less than 1, since values may
have been filled in), and the maximum number of units read per text."""
_MOST_FILLED_IN = 16
"""How many of these are checked for a message with values filled in, which takes longer."""
QUOTED = "quoted"
"""Feature of units that contain one of the texts. No weight is fitted for it."""
_MOST_KEPT = 12
"""Maximum units kept per text: it may occur in as many files as there are translations."""


@dataclass(frozen=True, slots=True)
class QuotedUnits:
    """The units that contain what a question quotes, and the texts that no program contains in
    full, not counting files that are aside."""

    hits: list[UnitHit]
    unfound: list[Quoted]


def wording_of(query: Query, index: Index) -> Wording:
    """The text of a question, each word weighted by its salience in this repository's code.

    While less than half of the code is indexed, all words weigh the same: the files indexed first
    were chosen because they contain these words, so that none of them looks rare."""
    coverage = index.contents.coverage()
    if 2 * coverage.indexed < coverage.total:
        return alike(query)
    salience, terms = index.search().terms.salience_in_code, dict.fromkeys(text.analyse(query.text))
    return Wording(query, {term: salience(term) for term in terms})


@dataclass(frozen=True, slots=True)
class Quotations:
    """Looks for the texts of one question, first in files that are not ``apart``."""

    search: Search
    wording: Wording
    files: CachingReader
    apart: NDArray[np.bool_]
    allowed: Callable[[str], bool] | None

    def units(self) -> QuotedUnits:
        """All units that contain any of the texts."""
        hits: dict[tuple[str, int], UnitHit] = {}
        unfound: list[Quoted] = []
        for each in self.wording.texts_to_find:
            whole, found = self._containing(each, ~self.apart)
            if not whole:
                unfound.append(each)
            if not found:
                _, found = self._containing(each, self.apart)
            hits.update(((hit.path, hit.start), hit) for hit in found)
        return QuotedUnits(list(hits.values()), unfound)

    def units_of_lines(self) -> QuotedUnits:
        """All units with a whole line of the question: few, unless the line is a message."""
        files = ~self.apart
        found = (
            self._whole(each, self._with_words(each, files, share=1.0))
            for each in self.wording.lines
        )
        hits = {(hit.path, hit.start): hit for hit in chain.from_iterable(found)}
        return QuotedUnits(list(hits.values()), [])

    def _containing(self, quoted: Quoted, files: NDArray[np.bool_]) -> tuple[bool, list[UnitHit]]:
        """Whether a program among ``files`` contains the whole text, and the units to show for it.

        These are the units that contain it whole. If there are none, those that contain the message
        from which it was made by filling in values. Programs come before data."""
        hits = self._with_words(quoted, files, share=_LEAST)
        found = self._whole(quoted, hits)
        is_whole = bool(found)
        if not is_whole:
            has_most = self.wording.may_have_most_of
            found = [hit for hit in hits[:_MOST_FILLED_IN] if has_most(quoted, self._lines(hit))]
        data = self.search.collection.are_data(hit.unit for hit in found)
        order = np.argsort(data, kind="stable").tolist()
        return is_whole and not data.all(), [found[at] for at in order[:_MOST_KEPT]]

    def _whole(self, quoted: Quoted, hits: Sequence[UnitHit]) -> list[UnitHit]:
        """The units among ``hits`` that contain the text exactly, ignoring case."""
        whole = re.compile(pattern_of(quoted.text), re.IGNORECASE)
        return [hit for hit in hits if whole.search("\n".join(self._lines(hit)))]

    def _with_words(
        self, quoted: Quoted, files: NDArray[np.bool_], *, share: float
    ) -> list[UnitHit]:
        """The units with at least ``share`` of the salience of a text's terms."""
        terms = dict.fromkeys(text.analyse(quoted.text))
        return self.search.units_having(
            terms, share=share, limit=_READ, files=files, allowed=self.allowed
        )

    def _lines(self, hit: UnitHit) -> Sequence[str]:
        """The unit's own lines; empty if its file can no longer be read."""
        source = self.files.source(hit.path)
        if source is None:
            return ()
        runs = self.search.collection.own_lines(hit.unit)
        return [line for first, last in runs for line in source.lines[first - 1 : last]]
