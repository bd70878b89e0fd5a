"""The units in which the text stands that a question quotes, or tells as a message.

A table of messages, or a function with many of them, has the words of hundreds and is about none of
them, so that a search that weighs words seldom finds it. Here the text itself is looked for: the
postings tell which units have most of its words, and their lines whether it stands there.
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
from explorer_core.workspace import Reading

_LEAST, _READ = 0.6, 40
"""The share of what a text tells that a unit must have of it to be read, where values may have been
filled in, and how many units are read for one text at most."""
_OPEN = 16
"""Of these, the units in which a message with its values open is looked for: that takes longer."""
QUOTED = "quoted"
"""The feature of units that have one of the texts; it counts for no weight."""
_KEPT = 12
"""Units that are kept of one text: as many translations as there are have all of the others."""


@dataclass(frozen=True, slots=True)
class QuotedUnits:
    """The units that have what a question quotes, and the texts that stand whole in no program
    which is not aside."""

    hits: list[UnitHit]
    unfound: list[Quoted]


def wording_of(query: Query, index: Index) -> Wording:
    """The text of a question, each word weighed by how much it tells in this repository. While less
    than half of the code is indexed all count alike: the files indexed first were chosen because
    they have these words, so that none looks rare."""
    coverage = index.contents.coverage()
    if 2 * coverage.indexed < coverage.total:
        return alike(query)
    salience, terms = index.search().terms.salience, dict.fromkeys(text.analyse(query.text))
    return Wording(query, {term: salience(term) for term in terms})


@dataclass(frozen=True, slots=True)
class Quotations:
    """Looks for the texts of one question, first in files that are not ``apart``."""

    search: Search
    wording: Wording
    files: Reading
    apart: NDArray[np.bool_]
    allowed: Callable[[str], bool] | None

    def units(self) -> QuotedUnits:
        """All that have any of the texts."""
        hits: dict[tuple[str, int], UnitHit] = {}
        unfound: list[Quoted] = []
        for each in self.wording.sought:
            whole, found = self._having(each, ~self.apart)
            if not whole:
                unfound.append(each)
            if not found:
                _, found = self._having(each, self.apart)
            hits.update(((hit.path, hit.start), hit) for hit in found)
        return QuotedUnits(list(hits.values()), unfound)

    def units_of_lines(self) -> QuotedUnits:
        """All that have a whole line of the question; few do, unless it is a message."""
        files = ~self.apart
        found = (
            self._whole(each, self._with_words(each, files, share=1.0))
            for each in self.wording.lines
        )
        hits = {(hit.path, hit.start): hit for hit in chain.from_iterable(found)}
        return QuotedUnits(list(hits.values()), [])

    def _having(self, quoted: Quoted, files: NDArray[np.bool_]) -> tuple[bool, list[UnitHit]]:
        """Whether a program among some files has a text whole, and the units to show for it: those
        that have it whole; if there are none, those whose message it may be once values are filled
        in. Programs come before data."""
        hits = self._with_words(quoted, files, share=_LEAST)
        found = self._whole(quoted, hits)
        is_whole = bool(found)
        if not is_whole:
            has_most = self.wording.may_have_most_of
            found = [hit for hit in hits[:_OPEN] if has_most(quoted, self._lines(hit))]
        data = self.search.collection.are_data(hit.unit for hit in found)
        order = np.argsort(data, kind="stable").tolist()
        return is_whole and not data.all(), [found[at] for at in order[:_KEPT]]

    def _whole(self, quoted: Quoted, hits: Sequence[UnitHit]) -> list[UnitHit]:
        """Of some units those that have a text as it is."""
        whole = re.compile(pattern_of(quoted.text), re.IGNORECASE)
        return [hit for hit in hits if whole.search("\n".join(self._lines(hit)))]

    def _with_words(
        self, quoted: Quoted, files: NDArray[np.bool_], *, share: float
    ) -> list[UnitHit]:
        """The units with a share of what the words of a text tell."""
        terms = dict.fromkeys(text.analyse(quoted.text))
        return self.search.having(
            terms, share=share, limit=_READ, files=files, allowed=self.allowed
        )

    def _lines(self, hit: UnitHit) -> Sequence[str]:
        """The own lines of a unit; none if its file can no longer be read."""
        source = self.files.source(hit.path)
        if source is None:
            return ()
        runs = self.search.collection.own_lines(hit.unit)
        return [line for first, last in runs for line in source.lines[first - 1 : last]]
