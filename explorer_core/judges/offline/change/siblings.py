"""Where what lies side by side in a folder is enumerated, for a question that names the folder.

A new one of a kind is often no type that derives from another but a file beside others, and all of
them are named once more wherever they are told apart: in a list of modules, in the values that a
schema takes, in a table of routes. Such a place is one unit that has the names of most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice
from posixpath import splitext

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Symbol
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.change.registration import Example, Registration
from explorer_core.judges.offline.change.together import Naming, Together
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.places import definition_of
from explorer_core.registry.traits import is_aside, traits_of

_LEAST, _SHARE = 4, 0.6
"""How many names, and how many of all that stand anywhere, make an enumeration of them."""
_LEAST_SAID = 0.02
"""Share of what the question says that must be in the name of the folder: a long text has its
word for other reasons."""
_PLACES = 3
"""Places that are told, at most."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """What lies in a folder: the name of each file without its ending and of each folder, with its
    files, by the term that the name is found as."""

    path: str
    files: dict[str, list[str]]


@dataclass(frozen=True)
class Siblings:
    """Finds the folder of one question."""

    case: JudgeCase
    exhibits: Exhibits

    def example(self, family: Example | None, least: float) -> Example | None:
        """A file to go by, of the folder whose name has most of the question and at ``least`` so
        much, and where the file is enumerated with others. A member of a ``family`` of types that
        was found too is preferred. None where nothing is enumerated."""
        said = [(self._said(each), each) for each in self._folders]
        most = max((each for each, _ in said), default=0.0)
        if most < max(least, _LEAST_SAID * sum(self.exhibits.words.weights.values())) or not most:
            return None
        found = [self._found(each, most, family) for of, each in said if of == most]
        return max(filter(None, found), key=lambda each: len(each.places), default=None)

    @cached_property
    def _folders(self) -> list[_Folder]:
        """The folders that are called what the question names, of which none that lies in them is
        asked for."""
        asked = self.exhibits.words.titled

        @cache
        def is_asked(name: str) -> bool:
            return not asked.isdisjoint(text.words_in(name)[-1:])

        found: dict[str, _Folder] = {}
        for path in sorted(self.case.index.search().collection.paths):
            parts = path.split("/")
            called = [at for at, name in enumerate(parts[:-1]) if is_asked(name)]
            if not called or is_aside(traits_of(path)) or not self.case.in_scope(path):
                continue
            for at in called:
                around = "/".join(parts[: at + 1])
                if term := text.whole(splitext(parts[at + 1])[0]):
                    files = found.setdefault(around, _Folder(around, {})).files
                    files.setdefault(term, []).append(path)
        return [
            each
            for each in found.values()
            if len(each.files) >= _LEAST and asked.isdisjoint(each.files)
        ]

    def _said(self, folder: _Folder) -> float:
        """How much of what the question says is in the name of a folder."""
        return self.exhibits.words.worth(text.words_in(folder.path.rpartition("/")[2]))

    def _found(self, folder: _Folder, said: float, family: Example | None) -> Example | None:
        units = list(islice(self._enumerating(folder), _PLACES))
        named = chain.from_iterable(each.terms for each in units)
        of_files = {path: term for term in dict.fromkeys(named) for path in folder.files[term]}
        if not of_files:
            return None
        ranks = self.exhibits.file_ranks
        first = family.member.path if family is not None else ""
        best = min(of_files, key=lambda each: (ranks.get(each, len(ranks)), each))
        path = first if first in of_files else best
        places = [self._place(each, folder, of_files[path]) for each in units]
        if family is not None and path == first:
            return replace(family, places=tuple(places)) if places else None
        files = folder.files[of_files[path]]
        member = self._referred_to(files, places) or self._ranked(files)
        return Example(member, None, tuple(places), said) if places and member else None

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

    def _enumerating(self, folder: _Folder) -> Iterator[Naming]:
        """The units of programs that have the names of most of those in a folder."""
        least = max(_LEAST, _SHARE * self._together.known(folder.files))
        return self._together.naming(folder.files, least)

    def _place(self, naming: Naming, folder: _Folder, term: str) -> Registration:
        count = len({each for each in naming.terms if naming.path not in folder.files[each]})
        total = f"It has the names of {count} of the {len(folder.files)} in `{folder.path}`."
        row = next((row for row in naming.rows if row[2] == term), naming.rows[0])
        return self._together.place(naming, row, total)

    @property
    def _together(self) -> Together:
        return Together(self.case, self.exhibits)

    @property
    def _graph(self) -> SymbolGraph:
        return self.case.graph
