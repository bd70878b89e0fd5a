"""What all that looks for something in one case has in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.search.collection import Collection
from explorer_core.index.symbols import Symbol
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.places import definition_of
from explorer_core.judges.question_words import QuestionWords
from explorer_core.registry.traits import is_aside, traits_of


@dataclass(frozen=True)
class Finder:
    """Looks for something in one case, and shows it by its exhibits."""

    exhibits: Exhibits

    @property
    def case(self) -> JudgeCase:
        return self.exhibits.case

    @cached_property
    def _graph(self) -> SymbolGraph:
        # Asking for it anew looks for changes, some ten thousand times for a large family.
        return self.case.graph

    @property
    def _words(self) -> QuestionWords:
        """The words of the question."""
        return self.exhibits.words

    @property
    def _collection(self) -> Collection:
        """The units that the index searches."""
        return self.case.index.search().collection

    def _ranked_first(self, most: int) -> list[Symbol]:
        """The definitions that so many of the best ranked candidates show, each once."""
        ranked = self.case.ranking.candidates[:most]
        found = (definition_of(self._graph, each) for each in ranked)
        return list(dict.fromkeys(filter(None, found)))

    def _is_of_program(self, path: str) -> bool:
        """Whether a file is no test, nothing that tests have beside them, and the like."""
        traits = traits_of(path)
        return not is_aside(traits) and not traits.support

    def _is_apart(self, symbol: Symbol) -> bool:
        """Whether nobody would begin a change at a symbol: a flow goes round it as well, or a
        program writes its file."""
        return self.case.set_apart(symbol) or self.case.registry.is_generated(symbol.path)
