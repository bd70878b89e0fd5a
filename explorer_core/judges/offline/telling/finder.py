"""What all that looks for something in one case has in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.search.collection import Collection
from explorer_core.index.symbols import Symbol
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.question_words import QuestionWords


@dataclass(frozen=True)
class Finder:
    """Looks for something in one case, and shows it by its exhibits."""

    case: JudgeCase
    exhibits: Exhibits

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

    def _is_apart(self, symbol: Symbol) -> bool:
        """Whether nobody would begin a change at a symbol: a flow goes round it as well, or a
        program writes its file."""
        return self.case.set_apart(symbol) or self.case.registry.is_generated(symbol.path)
