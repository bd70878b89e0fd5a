"""Where what lies side by side in a folder is enumerated, for a question that names the folder.

A new one of a kind is often no type that derives from another but a file beside others, and all of
them are named once more wherever they are told apart: in a list of modules, in the values that a
schema takes, in a table of routes. Such a place is one unit that has the names of most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Symbol
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.change.folders import LEAST, Folder, Folders
from explorer_core.judges.offline.change.registration import Example, Registration
from explorer_core.judges.offline.change.together import Naming, Row, Together
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.places import definition_of

_SHARE, _SHARE_OF_FILE = 0.6, 0.75
"""How many of all names that stand anywhere make an enumeration of them, and how many where they
may be parts of other names, anywhere in a file."""
_LEAST_SAID = 0.02
"""Share of what the question says that must be in the name of the folder: a long text has its
word for other reasons."""
_PLACES = 7
"""Places that are told, at most."""


@dataclass(frozen=True)
class Siblings:
    """Finds the folder of one question."""

    case: JudgeCase
    exhibits: Exhibits

    def example(self, family: Example | None, least: float) -> Example | None:
        """A file to go by, of the folder whose name has most of the question and at ``least`` so
        much, and where the file is enumerated with others. A member of a ``family`` of types that
        was found too is preferred. None where nothing is enumerated."""
        most = max((each.said for each in self._folders), default=0.0)
        if most < max(least, _LEAST_SAID * sum(self.exhibits.words.weights.values())) or not most:
            return None
        found = [self._found(each, family) for each in self._folders if each.said == most]
        return max(filter(None, found), key=lambda each: len(each.places), default=None)

    def beside(self, best: Symbol) -> Example | None:
        """The same for what the ``best`` ranked definition enumerates, which comes first then; no
        matter how much of the question the name of the folder has, if it is not the only place."""
        found = (self._found(each, None) for each in self._folders)
        for each in filter(None, found):
            if len(each.places) > 1 and any(place.user == best for place in each.places):
                first = sorted(each.places, key=lambda place: place.user != best)
                return replace(each, places=tuple(first))
        return None

    @cached_property
    def _folders(self) -> list[Folder]:
        return Folders(self.case, self.exhibits).asked()

    def _found(self, folder: Folder, family: Example | None) -> Example | None:
        found = list(islice(self._enumerating(folder), _PLACES))
        named = chain.from_iterable(each.terms for each in found)
        of_files = {path: term for term in dict.fromkeys(named) for path in folder.files[term]}
        if not of_files:
            return None
        ranks = self.exhibits.file_ranks
        first = family.member.path if family is not None else ""
        best = min(of_files, key=lambda each: (ranks.get(each, len(ranks)), each))
        path = first if first in of_files else best
        places = [self._place(each, folder, of_files[path]) for each in found]
        if family is not None and path == first:
            return replace(family, places=tuple(places))
        files = folder.files[of_files[path]]
        member = self._referred_to(files, places) or self._ranked(files) or places[0].user
        return Example(member, None, tuple(places), folder.said)

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
        """The files that have the names of most of those in a folder, be it in other names, and
        then the units of others that have somewhat less."""
        told: set[str] = set()
        for each in self._together.naming_files(folder.files, _SHARE_OF_FILE, LEAST):
            told.add(each.path)
            yield each
        least = max(LEAST, _SHARE * self._together.known(folder.files))
        units = self._together.naming(folder.files, least)
        yield from (each for each in units if each.path not in told)

    def _place(self, naming: Naming, folder: Folder, term: str) -> Registration:
        users = {row: self._together.holder(naming, row) for row in naming.rows if row[2] == term}
        users = users or {row: self._together.holder(naming, row) for row in naming.rows[:1]}

        def order(row: Row) -> tuple[bool, int, bool]:
            user = users[row]
            return not user.id.is_file, len(naming.within(user)), row[0] != user.line

        row = max(users, key=order)
        of_file, inside = (
            len([each for each in terms if naming.path not in folder.files[each]])
            for terms in (naming.terms, naming.within(users[row]))
        )
        alone = users[row].id.is_file or inside >= _SHARE * of_file
        who, count = ("It", inside) if alone else ("Its file", of_file)
        total = f"{who} has the names of {count} of the {len(folder.files)} in `{folder.path}`."
        return self._together.place(naming, row, total)

    @property
    def _together(self) -> Together:
        return Together(self.case, self.exhibits)

    @property
    def _graph(self) -> SymbolGraph:
        return self.case.graph
