"""Finds twins: enumerations with the same members, such as one in each of two languages.

A server's ``LONG_TEXT = "longtext"`` is ``LongText = 'longtext'`` in its client. No edge joins the
two, but a new member of one is a new member of the other.
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
"""The share of the larger one's members that the other must have too."""
_ALIKE, _MANY = 2, 8
"""Twins must have ``_ALIKE`` words of their names in common, or ``_MANY`` members. That many
members are no coincidence, whatever the types are called."""
_LOOKED_AT = 20
"""How many units are searched for twins."""
_VALUE = re.compile(r"""=[^"'`]*(["'`])([^"'`]+)\1""")
_PUNCTUATION = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Twin:
    """An enumeration with the members of another."""

    members: Members
    common: int
    """How many of the other's members it has."""


class Twins(Finder):
    """Finds twins of enumerations in one case."""

    def of(self, members: Members) -> Twin | None:
        """Returns the twin with most members in common, or None. A record has no twin: other types
        with its fields may be about something else."""
        if members.of_record:
            return None
        keys = [self._keys(each) for each in members.all]
        found: list[Twin] = []
        for symbol in self._similar_types(members):
            other = members_of(self._graph, symbol)
            if other is None or other.of_record:
                continue
            theirs = set[str]().union(*map(self._keys, other.all))
            common = sum(not each.isdisjoint(theirs) for each in keys)
            largest = max(len(members.all), len(other.all))
            if common >= max(FEWEST, _SHARE * largest) and (
                common >= _MANY or _have_similar_names(members.symbol, symbol)
            ):
                found.append(Twin(other, common))
        return max(found, key=lambda each: each.common, default=None)

    def _similar_types(self, members: Members) -> Iterator[Symbol]:
        """Yields the types whose text has the words of most members, those with most first."""
        collection, graph = self._collection, self._graph
        counts = np.zeros(collection.units, np.int64)
        for each in members.all:
            counts[self._units_with(each)] += 1
        reached: list[int] = np.flatnonzero(counts >= _SHARE * len(members.all)).tolist()
        for unit in sorted(reached, key=lambda each: (-int(counts[each]), each))[:_LOOKED_AT]:
            each = self._definition_at(unit)
            if each.is_file or each == members.symbol.id or graph.kind(each) not in MEMBER_HOLDERS:
                continue
            symbol = graph.symbol(each)
            if not self.case.is_set_apart(symbol) and self.exhibits.has(symbol.path):
                yield symbol

    def _units_with(self, member: Symbol) -> Ints:
        """Returns the units that have all words of a member's name, or of its value, in any
        spelling."""
        collection = self._collection
        found = [np.zeros(0, np.int64)]
        for each in self._name_and_value(member):
            words = dict.fromkeys(text.words_in(each))
            units = [np.unique(collection.matches(word).units) for word in words]
            found += [reduce(np.intersect1d, units)] if units else []
        return np.unique(np.concatenate(found))

    def _keys(self, member: Symbol) -> set[str]:
        """Returns what a member may be known by: its name and its value, in lower case without
        punctuation."""
        return {
            key
            for each in self._name_and_value(member)
            if (key := _PUNCTUATION.sub("", each).lower())
        }

    def _name_and_value(self, member: Symbol) -> list[str]:
        """Returns a member's name, and the string that is its value."""
        is_there = self.exhibits.has(member.path)
        written = self.exhibits.line(member.path, member.line) if is_there else ""
        value = _VALUE.search(written)
        return [member.name, *([value[2]] if value else [])]


def _have_similar_names(one: Symbol, other: Symbol) -> bool:
    words, others = set(text.words_in(one.name)), set(text.words_in(other.name))
    return words == others or len(words & others) >= _ALIKE
