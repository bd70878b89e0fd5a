"""Data that a question names in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    for path in list(exhibits.file_ranks)[:_LOOKED_AT]:
        for symbol in case.graph.symbols_in(path):
            if symbol.kind not in VARIABLES or not _is_said(symbol.name, asked, least):
                continue
            around = case.graph.container(symbol.id)
            local = around is not None and case.graph.kind(around) in CALLABLES
            if not local and not case.set_apart(symbol):
                yield symbol


def _is_said(name: str, asked: Sequence[str], least: int) -> bool:
    """Whether the words of a name, ``least`` or more, are side by side in a question."""
    words = set(text.words_in(name))
    size = len(words)
    runs = (asked[at : at + size] for at in range(len(asked) - size + 1))
    return size >= least and any(words == set(run) for run in runs)
