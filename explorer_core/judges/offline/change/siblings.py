"""Where what lies side by side in a folder is enumerated, for a question that names the folder.

A new one of a kind is often no type that derives from another but a file beside others, and all of
them are named once more wherever they are told apart: in a list of modules, in the values that a
schema takes, in a table of routes. Such a place is one unit that has the names of most of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice

from explorer_core.index.symbols import Symbol
from explorer_core.judges.offline.change.asked_families import NEARLY
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.change.folders import LEAST, Folder, Folders
from explorer_core.judges.offline.change.names_together import Names, NamesTogether, Naming, Row
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.places import definition_of

_SHARE, _SHARE_OF_FILE, _MANY = 0.6, 0.75, 8
"""How many of all names that stand anywhere make an enumeration of them, and how many, and at least
how many, where they may be parts of other names, anywhere in a file."""
_LEAST_SAID = 0.02
"""Share of what the question says that must be in the name of the folder: a long text has its
word for other reasons."""
_RANKED = 10
"""Among so many of the best ranked files must be one that lies in the folder, or enumerates it."""
_PLACES, _UNITS = 7, 3
"""Places that are told, at most, and units among them."""


@dataclass(frozen=True)
class Siblings(Finder):
    """Finds what is like a new file of the folder that one question names."""

    best: Symbol
    """The subject of the question."""

    def example(self, family: Example | None, least: float) -> Example | None:
        """A file to go by, and where it is enumerated with the others of its folder: the folder
        whose name has most of the question, and at ``least`` so much. If a member of a ``family``
        of types was found, too, the folder that holds it is preferred, and of its files that one.
        None where nothing is enumerated."""
        most = max((each.said for each in self._folders), default=0.0)
        if most < max(least, _LEAST_SAID * sum(self._words.weights.values())) or not most:
            return None
        of_family = [each for each in self._folders if self._holds(each, family)]
        near = [each for each in of_family if each.said >= NEARLY * most]
        folders = near or [each for each in self._folders if each.said == most]
        found = [self._found(each, family) for each in folders]
        return max(filter(None, found), key=lambda each: len(each.places), default=None)

    def beside_best(self) -> Example | None:
        """`example` for a folder whose files are enumerated in ``best``, among other places; that
        place comes first. It does not matter how much of the question the folder's name has."""
        found = (self._found(each, None) for each in self._folders)
        for each in filter(None, found):
            if len(each.places) > 1 and any(place.user == self.best for place in each.places):
                first = sorted(each.places, key=lambda place: place.user != self.best)
                return replace(each, places=tuple(first))
        return None

    @cached_property
    def _folders(self) -> list[Folder]:
        return Folders(self.exhibits).asked()

    def _found(self, folder: Folder, family: Example | None) -> Example | None:
        """The example of a folder: one of its files that is named together with others, and the
        places where it is; None where the files are named nowhere, or have nothing to do with the
        question."""
        found = list(self._enumerating(folder))
        found, others = found[:_PLACES], found[_PLACES:]
        if not self._is_ranked(chain(*folder.files.values(), (each.path for each in found))):
            return None
        named = chain.from_iterable(each.terms for each in found)
        of_files = {path: term for term in dict.fromkeys(named) for path in folder.files[term]}
        # What ranks best where they are enumerated, but names none, is asked for itself.
        in_file = (each for each in found if each.path == self.best.path)
        if not of_files or any(not each.within(self.best) for each in in_file):
            return None
        rank = self.exhibits.file_rank
        first = family.member.path if family is not None else ""
        best = min(of_files, key=lambda each: (rank(each), each))
        path = first if first in of_files else best
        places = self._together.with_elsewhere(
            [self._place(each, folder, of_files[path]) for each in found],
            [each.path for each in others],
        )
        if family is not None and path == first:
            return replace(family, places=tuple(places))
        files = folder.files[of_files[path]]
        member = self._referred_to(files, places) or self._ranked(files)
        if member is None:
            for each in files:  # no place may be told of a folder of which nothing was seen
                self.exhibits.learn_of_file(each)
            member = places[0].user
        return Example(member, None, tuple(places), folder.said)

    def _holds(self, folder: Folder, family: Example | None) -> bool:
        path = family.member.path if family is not None else ""
        return any(path in files for files in folder.files.values())

    def _is_ranked(self, paths: Iterable[str]) -> bool:
        """Whether any of some files ranks well: the name of a folder may be any word."""
        ranks = self.exhibits.file_ranks
        return any(ranks.get(each, _RANKED) < _RANKED for each in paths)

    def _referred_to(self, files: Sequence[str], places: Sequence[Registration]) -> Symbol | None:
        """The first definition in some files that a place refers to."""
        edges = chain.from_iterable(self._graph.outgoing(each.user.id) for each in places)
        targets = (edge.target for edge in edges if edge.target.path in files)
        return next((self._graph.symbol(each) for each in targets if not each.is_file), None)

    def _ranked(self, files: Sequence[str]) -> Symbol | None:
        """The best ranked definition in some files, or the longest."""
        ranked = (
            definition_of(self._graph, each)
            for each in self.case.ranking.candidates
            if each.path in files
        )
        symbols = chain.from_iterable(map(self._graph.symbols_in, files))
        longest = max(symbols, key=lambda each: len(each.range), default=None)
        return next(filter(None, ranked), longest)

    def _enumerating(self, folder: Folder) -> Iterator[Naming]:
        """What names most files of a folder: first whole files, where the names may be parts of
        other words, and then units of further files, of which fewer names are asked. No units for a
        folder that has a file of its own name: that may well be what is asked for."""
        told: set[str] = set()
        together = self._together
        names = Names(folder.files)
        for each in together.files(names, _SHARE_OF_FILE, _MANY, parts=True):
            told.add(each.path)
            yield each
        least = max(LEAST, _SHARE * together.known(folder.files))
        units = () if folder.has_own else together.units(names, least)
        yield from islice((each for each in units if each.path not in told), _UNITS)

    def _place(self, naming: Naming, folder: Folder, term: str) -> Registration:
        """The place of a naming, shown on a line with the name of the example (its ``term``) if
        there is one that can be quoted; of several on one in the definition with most names."""
        shown = [row for row in naming.rows if self.exhibits.quote(naming.path, row[0])]
        rows = [row for row in shown if row[2] == term] or shown[:1] or naming.rows[:1]
        users = {row: self._together.holder(naming, row) for row in rows}

        def order(row: Row) -> tuple[bool, int, bool]:
            user = users[row]
            return not user.id.is_file, len(naming.within(user)), row[0] != user.line

        row = max(users, key=order)
        who, has = naming.counted(users[row], _SHARE)
        count = len([each for each in has if naming.path not in folder.files[each]])
        total = f"{who} has the names of {count} of the {len(folder.files)} in `{folder.path}`."
        return self._together.place(naming, row, total)

    @property
    def _together(self) -> NamesTogether:
        return NamesTogether(self.exhibits)
