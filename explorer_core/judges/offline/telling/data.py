"""Data that a question names in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial

from explorer_core.index.symbols import CALLABLES, VARIABLES, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.exhibit import Exhibits

_LOOKED_AT = 30
"""Of the best ranked files, those among whose data it is looked for."""


def data_said(case: JudgeCase, exhibits: Exhibits, least: int) -> Iterator[Symbol]:
    """Data of types and files, the best ranked files first, the words of whose names, at ``least``
    so many, the question has side by side; not what is local to a function."""
    asked = text.words_in(case.question)
    runs = cache(partial(_runs, asked))
    for path in list(exhibits.file_ranks)[:_LOOKED_AT]:
        for symbol in case.graph.symbols_in(path):
            if symbol.kind not in VARIABLES:
                continue
            words = frozenset(text.words_in(symbol.name))
            if len(words) < least or words not in runs(len(words)):
                continue
            around = case.graph.container(symbol.id)
            local = around is not None and case.graph.kind(around) in CALLABLES
            if not local and not case.set_apart(symbol):
                yield symbol


def _runs(words: Sequence[str], size: int) -> set[frozenset[str]]:
    """All that many words that stand side by side."""
    return {frozenset(words[at : at + size]) for at in range(len(words) - size + 1)}
