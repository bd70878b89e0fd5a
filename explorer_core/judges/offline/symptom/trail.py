"""Finds the definitions that a symptom leads to: what prints its message, then the frames of its
trace.

A frame, like ``File "/opt/app/cart.py", line 12, in total``, names the file as the failed program
knew it: installed elsewhere, perhaps compiled from another language, perhaps of another version. So
paths are compared from their ends, and a function's name counts for more than its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, takewhile
from posixpath import splitext

from explorer_core.channels.question.query import Query
from explorer_core.channels.question.traces import Frame
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.index import Index
from explorer_core.index.resolution.finders.paths import common_prefix_length
from explorer_core.index.symbols import Symbol
from explorer_core.registry.traits import is_aside, traits_of

_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Trail:
    """The trail of a question's symptom; empty if the question has none. ``message`` is the
    definition known to print the message, and ``prints`` tests whether a definition prints it."""

    index: Index
    query: Query
    message: Symbol | None
    prints: Callable[[Symbol], bool]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """The definitions of the trail, each once, from the symptom back. If a frame prints the
        message, the trail begins there, and ``message``, which may be another place with the same
        text, is left out."""
        of_frames = self._from_the_symptom(
            list(chain.from_iterable(map(self._symbols_of, self.query.frames)))
        )
        printing_at = [at for at, symbol in enumerate(of_frames) if self.prints(symbol)]
        start = printing_at[0] if printing_at else 0
        first = [] if printing_at or self.message is None else [self.message]
        return list(dict.fromkeys([*first, *of_frames[start:], *of_frames[:start]]))

    def _from_the_symptom(self, symbols: list[Symbol]) -> list[Symbol]:
        """Orders frames with the innermost first. The direction is decided by which frames use
        which. If that is undecided, it is decided by whether the error stands below the frames."""
        balance = sum(
            _uses_name(self._graph, one, other) - _uses_name(self._graph, other, one)
            for one, other in pairwise(symbols)
        )
        if not balance and symbols and self.query.errors:
            balance = int(self.query.errors[-1].position > self.query.frames[-1].span[1])
        return symbols[::-1] if balance > 0 else symbols

    # one frame

    def _symbols_of(self, frame: Frame) -> Iterator[Symbol]:
        """Yields the definition that a frame is in, or nothing if it is outside of the repository.
        If the trace names the callee of a line rather than the function around it, yields both."""
        files = self._files(frame)
        by_name = filter(None, (self._symbol_named(frame, path) for path in files))
        symbol = next(by_name, None)
        around = self._enclosing(frame, files[0]) if len(files) == 1 else None
        if around is not None and (symbol is None or symbol.id != around.id):
            callee = self._callee_named(frame, around)
            yield from [callee, around] if callee else [symbol or around]
        elif symbol is not None:
            yield symbol

    def _enclosing(self, frame: Frame, path: str) -> Symbol | None:
        """Returns the definition around a frame's line. None if the frame's file was compiled from
        this one."""
        is_source = splitext(path)[1] == splitext(frame.path)[1]
        return self._graph.enclosing(path, frame.line) if is_source else None

    def _callee_named(self, frame: Frame, around: Symbol) -> Symbol | None:
        """Returns what a frame names, if it is called on the frame's line."""
        name = _NAME.findall(frame.function)[-1:]
        on_line = (edge.target for edge in self._graph.uses(around.id) if edge.line == frame.line)
        callees = (self._graph.symbol(target) for target in on_line)
        return next((symbol for symbol in callees if [symbol.name] == name), None)

    def _symbol_named(self, frame: Frame, path: str) -> Symbol | None:
        """Returns the definition in a file that a frame names. Of several it is the one in the
        named type, or else the one nearest to the line."""
        names = _NAME.findall(frame.function)
        named = [each for each in self._graph.symbols_in(path) if each.name in names[-1:]]
        owned = [each for each in named if each.qualified_name.split(".")[-2:-1] == names[-2:-1]]
        return min(
            owned or named,
            key=lambda each: (frame.line not in each.range, abs(each.line - frame.line)),
            default=None,
        )

    def _files(self, frame: Frame) -> list[str]:
        """Returns the files that a frame's path may mean, sorted by path.

        Among files of the same name these are the ones with the most folders in common, and with
        the same extension if any has it.
        """
        wanted = _parts(frame.path)
        if not wanted:
            return []
        if len(wanted) == 1:
            # Some languages print only the file's name, and its folders as part of the function's
            # name.
            folders = _NAME.findall(frame.function)
            wanted = [*takewhile(lambda part: part not in wanted, folders), *wanted]
        found = {
            path: common_prefix_length(wanted[::-1], parts[::-1])
            for path in self._by_name.get(wanted[-1], ())
            if _may_mean(wanted, parts := _parts(path))
        }
        most = max(found.values(), default=0)
        best = sorted(path for path, common in found.items() if common == most)
        best = [path for path in best if not is_aside(traits_of(path))] or best
        extension = splitext(frame.path)[1]
        return [path for path in best if splitext(path)[1] == extension] or best

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The files of the repository by name, without the extension."""
        by_name: dict[str, list[str]] = {}
        for path in self.index.search().collection.paths:
            by_name.setdefault(_parts(path)[-1], []).append(path)
        return by_name

    @property
    def _graph(self) -> SymbolGraph:
        return self.index.graph


def _uses_name(graph: SymbolGraph, one: Symbol, other: Symbol) -> bool:
    """Whether a definition uses the name of another one. The call may be of what the other
    overrides."""
    return any(graph.symbol(edge.target).name == other.name for edge in graph.uses(one.id))


def _parts(path: str) -> list[str]:
    """Splits a path into its folders and the file's name without extension."""
    return [part for part in splitext(path)[0].split("/") if part not in ("", ".")]


def _may_mean(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a path can mean a file: they end in a common folder and name, or one of them is only
    a name."""
    return common_prefix_length(wanted[::-1], parts[::-1]) > 1 or 1 in (len(wanted), len(parts))
