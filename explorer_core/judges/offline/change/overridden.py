"""Finds the type that several well ranked definitions override a member of.

If three ``render`` methods rank best, none of them has to change: a new one is to be like any of
them. This does not hold if the question names one by its type, file or folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from posixpath import basename, dirname, splitext

from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.asked_families import common_words
from explorer_core.judges.offline.telling.finder import Finder

_SEARCHED = 10
"""How many of the best candidates are considered."""


class Overridden(Finder):
    """Finds that type for one question."""

    def type(self) -> Symbol | None:
        """Returns the type whose member the best ranked definition overrides, and another well
        ranked one too. None if there is no such type, or if the question names one of its
        subtypes."""
        above = [self._types_above(each.id) for each in self._ranked_first(_SEARCHED)]
        others = set(chain.from_iterable(above[1:]))
        for each in above[0] if above else ():
            head = self._graph.symbol(each)
            if (
                each in others
                and head.kind in MEMBER_HOLDERS
                and not self._asks_for_one_subtype(head)
            ):
                return head
        return None

    def _types_above(self, symbol: SymbolId) -> list[SymbolId]:
        """Returns the types of the members that a definition overrides."""
        around = (self._graph.container(edge.target) for edge in self._graph.overrides(symbol))
        return list(filter(None, around))

    def _asks_for_one_subtype(self, head: Symbol) -> bool:
        members = {edge.source for edge in self._graph.subtypes(head.id)}
        symbols = [self._graph.symbol(each) for each in sorted(members)]
        called_so = [list(_names_standing_for(each)) for each in symbols]
        title_terms = self._words.title_terms
        for names in zip(*called_so, strict=True):
            shared = common_words(names).union(text.words_in(head.name))
            if any(own and own <= title_terms for own in (set(name) - shared for name in names)):
                return True
        return False


def _names_standing_for(symbol: Symbol) -> Iterator[Sequence[str]]:
    """Yields the words of the names that may stand for a type: its own, its file's, its
    folder's."""
    yield text.words_in(symbol.name)
    yield text.words_in(splitext(basename(symbol.path))[0])
    yield text.words_in(basename(dirname(symbol.path)))
