"""Twins: enumerations with the same members, such as one in each of two languages.

What a server calls `LONG_TEXT = "longtext"` is `LongText = 'longtext'` to its client. No edge joins
the two, but one more of the one is one more of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from explorer_core.index.search.collection import Ints
from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.members import FEWEST, Members, members_of
from explorer_core.judges.offline.telling.finder import Finder

_SHARE = 0.75
"""How many members of the larger of two the other must have as well."""
_ALIKE, _MANY = 2, 8
"""How many words the names of twins must have in common. With so many members in common, which no
chance explains, they may be called anything."""
_LOOKED_AT = 20
"""Units that are looked at for twins."""
_VALUE = re.compile(r"""=[^"'`]*(["'`])([^"'`]+)\1""")
_MARKS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Twin:
    """An enumeration with the members of another."""

    members: Members
    common: int
    """How many members of the other it has."""


class Twins(Finder):
    """Finds twins of enumerations in one case."""

    def of(self, members: Members) -> Twin | None:
        """The twin of an enumeration with most members in common. A record has none: what else has
        its fields may be about another thing."""
        if members.of_record:
            return None
        keys = [self._keys(each) for each in members.each]
        found: list[Twin] = []
        for symbol in self._like(members):
            other = members_of(self._graph, symbol)
            if other is None or other.of_record:
                continue
            theirs = set[str]().union(*map(self._keys, other.each))
            common = sum(not each.isdisjoint(theirs) for each in keys)
            largest = max(len(members.each), len(other.each))
            if common >= max(FEWEST, _SHARE * largest) and (
                common >= _MANY or _are_called_alike(members.symbol, symbol)
            ):
                found.append(Twin(other, common))
        return max(found, key=lambda each: each.common, default=None)

    def _like(self, members: Members) -> Iterator[Symbol]:
        """The types whose text has the words of most members, those first that have most."""
        collection, graph = self._collection, self._graph
        told = np.zeros(collection.units, np.int64)
        for each in members.each:
            told[self._units_with(each)] += 1
        reached: list[int] = np.flatnonzero(told >= _SHARE * len(members.each)).tolist()
        for unit in sorted(reached, key=lambda each: (-int(told[each]), each))[:_LOOKED_AT]:
            each = self._definition_at(unit)
            if each.is_file or each == members.symbol.id or graph.kind(each) not in MEMBER_HOLDERS:
                continue
            symbol = graph.symbol(each)
            if not self.case.set_apart(symbol) and self.exhibits.has(symbol.path):
                yield symbol

    def _units_with(self, member: Symbol) -> Ints:
        """The units that have all words of the name of a member, or of its value, in whatever way
        they are written."""
        collection = self._collection
        found = [np.zeros(0, np.int64)]
        for each in self._said(member):
            words = dict.fromkeys(text.words_in(each))
            units = [np.unique(collection.matches(word).units) for word in words]
            found += [reduce(np.intersect1d, units)] if units else []
        return np.unique(np.concatenate(found))

    def _keys(self, member: Symbol) -> set[str]:
        """What a member may be known by: its name and its value, without marks."""
        return {key for each in self._said(member) if (key := _MARKS.sub("", each).lower())}

    def _said(self, member: Symbol) -> list[str]:
        """The name of a member, and the text that is its value."""
        is_there = self.exhibits.has(member.path)
        written = self.exhibits.line(member.path, member.line) if is_there else ""
        value = _VALUE.search(written)
        return [member.name, *([value[2]] if value else [])]


def _are_called_alike(one: Symbol, other: Symbol) -> bool:
    words, others = set(text.words_in(one.name)), set(text.words_in(other.name))
    return words == others or len(words & others) >= _ALIKE
