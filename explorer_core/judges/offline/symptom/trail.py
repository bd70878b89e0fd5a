"""The trail that a symptom leaves: the place of its message, then the frames of its trace.

A message is where its text stands in a literal. A frame names a file as the program that failed
knew it: installed elsewhere, perhaps compiled from another language, perhaps of another version. So
files are compared by the ends of their paths, and a function's name counts for more than its line.
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
from explorer_core.index.resolution.finders.paths import in_common
from explorer_core.index.symbols import Symbol
from explorer_core.registry.traits import is_aside, traits_of

_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Trail:
    """The trail of one question's symptom, if it tells of one; ``message`` is what prints it as far
    as the search knows, ``prints`` whether a definition does."""

    index: Index
    query: Query
    message: Symbol | None
    prints: Callable[[Symbol], bool]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """Each once, from the symptom back. What is on the trace itself is the symptom before what
        prints the same elsewhere."""
        framed = self._from_the_symptom(list(chain.from_iterable(map(self._of, self.query.frames))))
        printing = [at for at, symbol in enumerate(framed) if self.prints(symbol)]
        start = printing[0] if printing else 0
        ahead = [] if printing or self.message is None else [self.message]
        return list(dict.fromkeys([*ahead, *framed[start:], *framed[:start]]))

    def _from_the_symptom(self, framed: list[Symbol]) -> list[Symbol]:
        """Frames with the innermost first. Who calls whom tells whether that is how they stand;
        else whether the message comes after them."""
        onward = sum(
            _uses(self._graph, one, other) - _uses(self._graph, other, one)
            for one, other in pairwise(framed)
        )
        if not onward and framed and self.query.errors:
            onward = int(self.query.errors[-1].position > self.query.frames[-1].span[1])
        return framed[::-1] if onward > 0 else framed

    # one frame

    def _of(self, frame: Frame) -> Iterator[Symbol]:
        """The definition that a frame is in; none where it is none of the repository. Where traces
        name what is called from a line, rather than what the line is in, both."""
        files = self._files(frame)
        named = filter(None, (self._named(frame, path) for path in files))
        symbol = next(named, None)
        at = self._at(frame, files[0]) if len(files) == 1 else None
        if at is not None and (symbol is None or symbol.id != at.id):
            called = self._called(frame, at)
            yield from [called, at] if called else [symbol or at]
        elif symbol is not None:
            yield symbol

    def _at(self, frame: Frame, path: str) -> Symbol | None:
        """The definition that a frame's line is in, unless its file was compiled from this one."""
        is_source = splitext(path)[1] == splitext(frame.path)[1]
        return self._graph.enclosing(path, frame.line) if is_source else None

    def _called(self, frame: Frame, at: Symbol) -> Symbol | None:
        """What a frame names, if that is called from its line."""
        name = _NAME.findall(frame.function)[-1:]
        on_line = (edge.target for edge in self._graph.uses(at.id) if edge.line == frame.line)
        called = (self._graph.symbol(target) for target in on_line)
        return next((symbol for symbol in called if [symbol.name] == name), None)

    def _named(self, frame: Frame, path: str) -> Symbol | None:
        """The definition in a file that a frame names, of several that of its type or nearest to
        its line."""
        names = _NAME.findall(frame.function)
        named = [each for each in self._graph.symbols_in(path) if each.name in names[-1:]]
        owned = [each for each in named if each.qualified_name.split(".")[-2:-1] == names[-2:-1]]
        return min(
            owned or named,
            key=lambda each: (frame.line not in each.range, abs(each.line - frame.line)),
            default=None,
        )

    def _files(self, frame: Frame) -> list[str]:
        """The files of the repository that a frame's path may mean, by path: of those called like
        it the ones that have most of its folders, too, and its extension, if any has."""
        wanted = _parts(frame.path)
        if not wanted:
            return []
        if len(wanted) == 1:
            # Some languages print only the name of a file, and its folders in that of the function.
            folders = _NAME.findall(frame.function)
            wanted = [*takewhile(lambda part: part not in wanted, folders), *wanted]
        found = {
            path: in_common(wanted[::-1], parts[::-1])
            for path in self._by_name.get(wanted[-1], ())
            if _means(wanted, parts := _parts(path))
        }
        most = max(found.values(), default=0)
        best = sorted(path for path, common in found.items() if common == most)
        best = [path for path in best if not is_aside(traits_of(path))] or best
        extension = splitext(frame.path)[1]
        return [path for path in best if splitext(path)[1] == extension] or best

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The files of the repository by their names without an extension."""
        by_name: dict[str, list[str]] = {}
        for path in self.index.search().collection.paths:
            by_name.setdefault(_parts(path)[-1], []).append(path)
        return by_name

    @property
    def _graph(self) -> SymbolGraph:
        return self.index.graph


def _uses(graph: SymbolGraph, one: Symbol, other: Symbol) -> bool:
    """Whether something has the name of another in use, which may be reached by way of what it
    overrides."""
    return any(graph.symbol(edge.target).name == other.name for edge in graph.uses(one.id))


def _parts(path: str) -> list[str]:
    """The folders of a file and its name without the extension."""
    return [part for part in splitext(path)[0].split("/") if part not in ("", ".")]


def _means(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a path can mean a file: they have a folder in common, or one ends with the other."""
    return in_common(wanted[::-1], parts[::-1]) > 1 or 1 in (len(wanted), len(parts))
