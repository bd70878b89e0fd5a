"""Finds where the files of a folder are enumerated, for a question that names the folder.

A new one of a kind is often just another file, such as ``locales/de.py``. Its siblings are then
named wherever they are told apart: in a list of modules, the values of a schema, a table of routes.
Such a place is a unit of code that has the names of most of the files.
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
"""Which part of the names makes an enumeration: ``_SHARE`` of all names that occur anywhere, in a
unit; ``_SHARE_OF_FILE`` and at least ``_MANY``, in a whole file, where they may be parts of other
names."""
_LEAST_WORTH = 0.02
"""The share of the question that the folder's name must have. In a long text that word has other
reasons to occur."""
_RANKED = 10
"""One of this many best ranked files must lie in the folder or enumerate it."""
_PLACES, _UNITS = 7, 3
"""How many places are shown, and how many of them may be units."""


@dataclass(frozen=True)
class Siblings(Finder):
    """Finds what a new file of the named folder is like."""

    best: Symbol
    """The subject of the question."""

    def example(self, family: Example | None, least: float) -> Example | None:
        """Returns a file of a folder as the example, and where it is enumerated; None if nowhere.

        The folder is the one whose name has most of the question, and at ``least`` this much. If a
        member of a ``family`` was found, its folder is preferred, and of its files that member's.
        """
        most = max((each.worth for each in self._folders), default=0.0)
        if most < max(least, _LEAST_WORTH * sum(self._words.weights.values())) or not most:
            return None
        of_family = [each for each in self._folders if self._contains_family(each, family)]
        near = [each for each in of_family if each.worth >= NEARLY * most]
        folders = near or [each for each in self._folders if each.worth == most]
        found = [self._example_in(each, family) for each in folders]
        return max(filter(None, found), key=lambda each: len(each.places), default=None)

    def beside_best(self) -> Example | None:
        """Returns the `example` for a folder that is enumerated in ``best``, among other places.
        That place comes first. How much of the question the folder's name has does not matter."""
        found = (self._example_in(each, None) for each in self._folders)
        for each in filter(None, found):
            if len(each.places) > 1 and any(place.user == self.best for place in each.places):
                first = sorted(each.places, key=lambda place: place.user != self.best)
                return replace(each, places=tuple(first))
        return None

    @cached_property
    def _folders(self) -> list[Folder]:
        return Folders(self.exhibits).asked_folders()

    def _example_in(self, folder: Folder, family: Example | None) -> Example | None:
        """Returns the example for a folder: one of its files that is enumerated with others, and
        where. None if the files are enumerated nowhere, or are unrelated to the question."""
        found = list(self._places_naming(folder))
        found, others = found[:_PLACES], found[_PLACES:]
        if not self._is_ranked(chain(*folder.files.values(), (each.path for each in found))):
            return None
        named = chain.from_iterable(each.terms for each in found)
        of_files = {path: term for term in dict.fromkeys(named) for path in folder.files[term]}
        # If the subject is in an enumerating file, but names none of them, it is asked for itself.
        in_file = (each for each in found if each.path == self.best.path)
        if not of_files or any(not each.within(self.best) for each in in_file):
            return None
        rank = self.exhibits.file_rank
        first = family.member.path if family is not None else ""
        best = min(of_files, key=lambda each: (rank(each), each))
        path = first if first in of_files else best
        places = self._together.with_elsewhere(
            [self._registration(each, folder, of_files[path]) for each in found],
            [each.path for each in others],
        )
        if family is not None and path == first:
            return replace(family, places=tuple(places))
        files = folder.files[of_files[path]]
        member = self._first_referred_to(files, places) or self._best_definition(files)
        if member is None:
            for each in files:  # Sentences may only name a folder of which a file was registered.
                self.exhibits.learn_of_file(each)
            member = places[0].user
        return Example(member, None, tuple(places), folder.worth)

    def _contains_family(self, folder: Folder, family: Example | None) -> bool:
        path = family.member.path if family is not None else ""
        return any(path in files for files in folder.files.values())

    def _is_ranked(self, paths: Iterable[str]) -> bool:
        """Whether any of the files ranks well. A folder's name may be any word."""
        ranks = self.exhibits.file_ranks
        return any(ranks.get(each, _RANKED) < _RANKED for each in paths)

    def _first_referred_to(
        self, files: Sequence[str], places: Sequence[Registration]
    ) -> Symbol | None:
        """Returns the first definition in some files that a place refers to."""
        edges = chain.from_iterable(self._graph.outgoing(each.user.id) for each in places)
        targets = (edge.target for edge in edges if edge.target.path in files)
        return next((self._graph.symbol(each) for each in targets if not each.is_file), None)

    def _best_definition(self, files: Sequence[str]) -> Symbol | None:
        """Returns the best ranked definition in some files, or else the longest."""
        ranked = (
            definition_of(self._graph, each)
            for each in self.case.ranking.candidates
            if each.path in files
        )
        symbols = chain.from_iterable(map(self._graph.symbols_in, files))
        longest = max(symbols, key=lambda each: len(each.range), default=None)
        return next(filter(None, ranked), longest)

    def _places_naming(self, folder: Folder) -> Iterator[Naming]:
        """Yields what names most files of a folder.

        First come whole files, where the names may be parts of other words. Then come units of
        further files, which need fewer names. There are no units if the folder has a file of its
        own name, as that is likely to be what is asked for.
        """
        paths: set[str] = set()
        together = self._together
        names = Names(folder.files)
        for each in together.files(names, _SHARE_OF_FILE, _MANY, parts=True):
            paths.add(each.path)
            yield each
        least = max(LEAST, _SHARE * together.known(folder.files))
        units = () if folder.has_own else together.units(names, least)
        yield from islice((each for each in units if each.path not in paths), _UNITS)

    def _registration(self, naming: Naming, folder: Folder, term: str) -> Registration:
        """Returns the registration for a naming. It shows a line that has the example's name
        (``term``) and can be quoted, if there is one; of several the one in the definition with
        most names."""
        quotable = [row for row in naming.rows if self.exhibits.quote(naming.path, row[0])]
        rows = [row for row in quotable if row[2] == term] or quotable[:1] or naming.rows[:1]
        users = {row: self._together.holder(naming, row) for row in rows}

        def order(row: Row) -> tuple[bool, int, bool]:
            user = users[row]
            return not user.id.is_file, len(naming.within(user)), row[0] != user.line

        row = max(users, key=order)
        who, has = naming.counted(users[row], _SHARE)
        count = len([each for each in has if naming.path not in folder.files[each]])
        total = (
            f"{who} contains the names of {count} of the {len(folder.files)} in `{folder.path}`."
        )
        return self._together.place(naming, row, total)

    @property
    def _together(self) -> NamesTogether:
        return NamesTogether(self.exhibits)
