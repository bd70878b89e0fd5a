"""The base class for whatever looks something up in one case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.search.collection import Collection, Ints
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.index.terms.units import NAME
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.places import definition_of
from explorer_core.judges.question_words import QuestionWords
from explorer_core.registry.traits import is_aside, traits_of


@dataclass(frozen=True)
class Finder:
    """Looks something up in one case, and shows it through the case's exhibits."""

    exhibits: Exhibits

    @property
    def case(self) -> JudgeCase:
        return self.exhibits.case

    @cached_property
    def _graph(self) -> SymbolGraph:
        # Cached: fetching the graph or the collection checks for changes each time, and some
        # finders would do so thousands of times.
        return self.case.graph

    @property
    def _words(self) -> QuestionWords:
        """The words of the question."""
        return self.exhibits.words

    @cached_property
    def _collection(self) -> Collection:
        """The units that the index searches."""
        return self.case.index.search().collection

    def _units_named(self, term: str) -> Ints:
        """Returns the units that have a term in their names."""
        matches = self._collection.matches(term)
        return np.unique(matches.units[matches.fields == NAME])

    def _definition_at(self, unit: int) -> SymbolId:
        """Returns the definition of a unit, or the id of its file if it is of none."""
        ordinal, _, _ = self._collection.unit(unit)
        return SymbolId(self._collection.paths[int(self._collection.file[unit])], ordinal)

    def _ranked_first(self, most: int) -> list[Symbol]:
        """Returns the definitions that the ``most`` best ranked candidates show, each once."""
        ranked = self.case.ranking.candidates[:most]
        found = (definition_of(self._graph, each) for each in ranked)
        return list(dict.fromkeys(filter(None, found)))

    def _is_of_program(self, path: str) -> bool:
        """Whether a file is part of the program: no test, no test support, no example, nothing
        generated or vendored."""
        traits = traits_of(path)
        return not is_aside(traits) and not traits.support

    def _is_apart(self, symbol: Symbol) -> bool:
        """Whether nobody would begin a change at a symbol: it is a test or the like, out of scope,
        or in a generated file."""
        return self.case.is_set_apart(symbol) or self.case.registry.is_generated(symbol.path)
