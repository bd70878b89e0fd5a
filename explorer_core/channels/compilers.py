"""Adds evidence from editors and language servers.

They are asked for the definitions of names in the question, and for what calls, uses, implements
or extends the definitions it is about. Each place they name becomes a candidate. It gains from the
text around it exactly as if the symbol graph had an edge there.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from explorer_core.channels.compiler import Compiler, CompilerError, CompilerPlace
from explorer_core.channels.question.query import Query
from explorer_core.contracts import (
    Anchor,
    ChannelResult,
    DefinitionFound,
    Diagnostic,
    LineRange,
    Observation,
    Relation,
    RelationFound,
    Segment,
    Site,
    SymbolFound,
    SymbolInfo,
)
from explorer_core.index.index import Index
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol, SymbolId
from explorer_core.threads import run_to_end
from explorer_core.workspace import WorkspaceError

logger = logging.getLogger(__name__)

_MOST_FOCUSED = 3
_MOST_NAMES = 4
_PLACES = 20
"""Maximum number of places taken from one answer."""
_SEGMENT_LINES = 40
_WINDOW_LINES = 2
_SEPARATOR = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Focus:
    """A definition the question is about; ``line`` and ``column`` are of its name, ``weight`` is
    its relevance."""

    symbol: Symbol
    line: int
    column: int
    weight: float


@dataclass(frozen=True, slots=True)
class _Answer:
    """The places that one provider named. With a ``focus`` they are related to it: it is the target
    of ``relation`` if the places are ``users``, else its source."""

    compiler: Compiler
    places: tuple[CompilerPlace, ...] = ()
    focus: Focus | None = None
    relation: Relation = "references"
    users: bool = True
    name: str = ""


@dataclass(frozen=True, slots=True)
class CompilerEvidence:
    """Asks compiler providers; ``turn`` is the lock held while the index's graph is in use."""

    compilers: Sequence[Compiler]
    index: Index
    turn: asyncio.Lock

    async def about(
        self,
        query: Query,
        observations: Sequence[Observation],
        *,
        anchor: Anchor | None = None,
        scope: Sequence[str] = (),
    ) -> ChannelResult:
        """What the providers say, within their soft deadlines, about the names in a question and
        the definitions the index found for them. Diagnostics name providers that failed or were
        late."""
        written = dict.fromkeys(each.text for each in query.identifiers)
        names = list(dict.fromkeys(_SEPARATOR.split(each)[-1] for each in written))
        async with self.turn:
            focused = await run_to_end(lambda: _focused(self.index, names, observations, anchor))
        if not (focused or names):
            return ChannelResult()
        answers, trouble = await self._answers(focused[:_MOST_FOCUSED], names[:_MOST_NAMES])
        async with self.turn:
            found = await run_to_end(lambda: _Reading(self.index, scope).observe(answers))
        return ChannelResult(observations=tuple(found), diagnostics=tuple(trouble))

    async def around(self, anchor: Anchor) -> LineRange | None:
        """The lines of the innermost definition around a place, from the first provider that
        outlines the file within its soft deadline: for languages that the graph does not
        support."""
        for compiler in self.compilers:
            try:
                spans = await _outline(compiler, anchor.path)
            except Exception as error:  # noqa: BLE001 - costs this provider only
                _error_sentence(compiler, error)
                continue
            inside = [span for span in spans if anchor.line in span]
            if inside:
                return min(inside, key=len)
        return None

    async def _answers(
        self, focused: Sequence[Focus], names: Sequence[str]
    ) -> tuple[list[_Answer], list[Diagnostic]]:
        """Ask all providers concurrently, each until its soft deadline."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        asked = [(asyncio.create_task(_ask(each, focused, names)), each) for each in self.compilers]
        answers: list[_Answer] = []
        trouble: list[Diagnostic] = []
        try:
            for task, compiler in asked:
                left = started + compiler.soft_deadline_s - loop.time()
                await asyncio.wait({task}, timeout=max(0.0, left))
                answers_and_errors, problems = _answers_of(task, compiler)
                answers += answers_and_errors
                trouble += [
                    Diagnostic(source="compiler", message=message, severity="info")
                    for message in problems
                ]
        finally:
            for task, _ in asked:
                task.cancel()
        return answers, trouble


async def _outline(compiler: Compiler, path: str) -> list[LineRange]:
    if not compiler.covers(path):
        return []
    async with asyncio.timeout(compiler.soft_deadline_s):
        found = await compiler.document_symbols(path)
    return [each.range for each in found if each.path == path and each.range is not None]


def name_at(index: Index, path: str, line: int) -> tuple[int, int] | None:
    """The name position of the definition enclosing a line: line, and column in code points from 0.

    Blocking; the caller must hold the graph.
    """
    symbol = index.graph.enclosing(path, line)
    if symbol is None:
        return None
    try:
        text = index.workspace.read(path).lines[symbol.line - 1]
    except (WorkspaceError, IndexError):
        return None
    found = re.search(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", text)
    return (symbol.line, found.start()) if found else None


def _focused(
    index: Index,
    names: Collection[str],
    observations: Iterable[Observation],
    anchor: Anchor | None,
) -> list[Focus]:
    """The definition around the anchor, then those with one of the names, best first."""
    found = [
        (each.scores.get("text.all", 0.0), each.path, each.symbol.line)
        for each in observations
        if isinstance(each, SymbolFound) and each.symbol and each.symbol.name in names
    ]
    found.sort(key=lambda each: -each[0])
    if anchor is not None:
        weight = max((weight for weight, *_ in found), default=1.0)
        found.insert(0, (weight, anchor.path, anchor.line))
    focused: dict[SymbolId, Focus] = {}
    for weight, path, line in found:
        symbol, place = index.graph.enclosing(path, line), name_at(index, path, line)
        if symbol is not None and place is not None:
            focused.setdefault(symbol.id, Focus(symbol, *place, weight))
    return list(focused.values())


_AnswersAndErrors = tuple[list[_Answer], list[str]]
"""A provider's answers, and its errors as sentences."""


def _answers_of(task: asyncio.Task[_AnswersAndErrors], compiler: Compiler) -> _AnswersAndErrors:
    if not task.done():
        return [], [f"{compiler.name} did not respond within {compiler.soft_deadline_s:g} s."]
    error = task.exception()
    return ([], [_error_sentence(compiler, error)]) if error else task.result()


def _error_sentence(compiler: Compiler, error: BaseException) -> str:
    """A sentence about a provider's exception. Unexpected ones are logged with their traceback."""
    if isinstance(error, CompilerError):
        return str(error)
    if not isinstance(error, TimeoutError):
        logger.error("%s failed", compiler.name, exc_info=error)
    return f"{compiler.name} failed ({type(error).__name__}); the server's log has the details."


async def _ask(
    compiler: Compiler, focused: Sequence[Focus], names: Sequence[str]
) -> _AnswersAndErrors:
    covered = [focus for focus in focused if compiler.covers(focus.symbol.path)]
    questions = [
        *(_symbols_named(compiler, name) for name in names),
        *chain.from_iterable(_relations(compiler, focus) for focus in covered),
    ]
    results = await asyncio.gather(*questions, return_exceptions=True)
    answers: list[_Answer] = []
    trouble: dict[str, None] = {}
    for result in results:
        if isinstance(result, _Answer):
            answers.append(result)
        else:
            trouble[_error_sentence(compiler, result)] = None
    return answers, list(trouble)


async def _symbols_named(compiler: Compiler, name: str) -> _Answer:
    found = await compiler.workspace_symbols(name)
    exact = tuple(place for place in found if place.name == name)
    return _Answer(compiler, exact[:_PLACES], name=name)


def _relations(compiler: Compiler, focus: Focus) -> Iterator[Awaitable[_Answer]]:
    """The questions about one definition, by what kinds of symbols have."""
    symbol = focus.symbol

    async def ask(
        method: Callable[[str, int, int], Awaitable[list[CompilerPlace]]],
        relation: Relation,
        users: bool,
    ) -> _Answer:
        found = await method(symbol.path, focus.line, focus.column)
        return _Answer(compiler, tuple(found[:_PLACES]), focus, relation, users)

    yield ask(compiler.references, "references", True)
    yield ask(compiler.implementations, "implements", True)
    if symbol.kind in CALLABLES:
        yield ask(compiler.incoming_calls, "calls", True)
        yield ask(compiler.outgoing_calls, "calls", False)
    if symbol.kind in MEMBER_HOLDERS:
        yield ask(compiler.subtypes, "extends", True)
        yield ask(compiler.supertypes, "extends", False)


class _Reading:
    """Turns named places into observations of the declarations that enclose them. Blocking."""

    def __init__(self, index: Index, scope: Sequence[str]) -> None:
        self._workspace = index.workspace
        self._graph = index.graph
        self._indexed = index.view.stored()
        self._scope = scope

    def observe(self, answers: Iterable[_Answer]) -> list[Observation]:
        return list(chain.from_iterable(map(self._observe, answers)))

    def _observe(self, answer: _Answer) -> Iterator[Observation]:
        seen: set[tuple[str, LineRange]] = set()
        for place in answer.places:
            if place.range is None:
                continue
            line = place.range.start
            around = self._around(place.path, line)
            if around is None:
                continue
            lines, segment, symbol = around
            focus = answer.focus.symbol if answer.focus else None
            if (place.path, lines) in seen:
                continue
            if focus and (place.path, lines) == (focus.path, focus.range):
                continue
            seen.add((place.path, lines))
            if answer.focus is None:
                yield self._definition(answer, place.path, line, lines, segment, symbol)
            else:
                yield self._relation(answer, answer.focus, place.path, line, lines, segment)

    def _around(self, path: str, line: int) -> tuple[LineRange, Segment, Symbol | None] | None:
        """The declaration at a line, or else the lines around it, with the segment to show. None
        for files that are not searched."""
        unsaved = self._workspace.overlays.get(path) is not None
        if not (unsaved or path in self._indexed):
            return None  # a file that the ignore rules exclude
        if not self._workspace.in_scope(path, self._scope):
            return None
        try:
            source = self._workspace.read(path)
        except WorkspaceError:
            return None
        count = len(source.lines)
        if line > count:
            return None
        symbol = self._graph.enclosing(path, line)
        if symbol is not None and symbol.range.end <= count:
            lines = symbol.range
            start = max(lines.start, min(line, lines.end) - _SEGMENT_LINES + 1)
            end = min(lines.end, start + _SEGMENT_LINES - 1)
            return lines, source.segment(start, end), symbol
        start, end = max(1, line - _WINDOW_LINES), min(count, line + _WINDOW_LINES)
        return LineRange(start=start, end=end), source.segment(start, end), None

    def _definition(
        self,
        answer: _Answer,
        path: str,
        line: int,
        lines: LineRange,
        segment: Segment,
        symbol: Symbol | None,
    ) -> Observation:
        named = SymbolInfo(
            name=answer.name,
            qualified_name=symbol.qualified_name if symbol else answer.name,
            kind=symbol.kind if symbol else "definition",
            line=symbol.line if symbol else line,
        )
        return DefinitionFound(
            channel="compiler",
            path=path,
            range=lines,
            symbol=named,
            segment=segment,
        )

    def _relation(
        self,
        answer: _Answer,
        focus: Focus,
        path: str,
        line: int,
        lines: LineRange,
        segment: Segment,
    ) -> Observation:
        here = Site(path=path, line=line)
        there = Site(path=focus.symbol.path, line=focus.line)
        share = focus.weight / len(answer.places) ** 0.5
        return RelationFound(
            channel="compiler",
            relation=answer.relation,
            source=here if answer.users else there,
            target=there if answer.users else here,
            target_range=focus.symbol.range if answer.users else lines,
            segment=segment,
            witness=answer.compiler.witness,
            scores={"graph.from_used" if answer.users else "graph.from_users": share},
        )
