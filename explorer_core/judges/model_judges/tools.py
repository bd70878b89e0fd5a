"""The tools of a conversation: their names, arguments and results.

The calls of one step are looked up concurrently and shown afterwards, in the order of the calls, so
that ids do not depend on which search was faster.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Annotated, Any, ClassVar

from pydantic import Field, ValidationError

from explorer_core.channels.grep import grep
from explorer_core.channels.list_files import list_files
from explorer_core.channels.read_file import read_file
from explorer_core.contracts import (
    ChannelResult,
    Diagnostic,
    ExploreRequest,
    FileListed,
    FileRead,
    GrepMatch,
    Model,
    Selection,
)
from explorer_core.credentials import masked
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.model_judges.prompts import tool_descriptions
from explorer_core.judges.models.model import Block
from explorer_core.judges.shown.look import Look, look_at
from explorer_core.judges.shown.pieces import pieces
from explorer_core.judges.shown.shown import ShownPlaces, plain
from explorer_core.registry.ranking import Ranking
from explorer_core.workspace import WorkspaceError
from explorer_core.workspace.presence import is_file

SUBMIT = "submit_report"
_CONTEXT = 1
"""Lines of context around a match."""
_SUGGESTIONS = 3
_RESERVED_CHARS = 200
"""Characters of a result reserved for saying what is left out of it."""
_LONGEST_ERROR = 1_000
_ID = re.compile(r"c[1-9][0-9]{0,8}")

_Text = Annotated[str, Field(min_length=1, max_length=1_000)]
_Globs = Annotated[tuple[_Text, ...], Field(max_length=20)]


class ExploreCode(Model):
    """Arguments of ``explore_code``."""

    tool: ClassVar = "explore_code"

    query: Annotated[str, Field(min_length=1, max_length=2_000)]
    scope: Annotated[_Globs, Field(description="Globs; everything if empty.")] = ()


class Grep(Model):
    """Arguments of ``grep``."""

    tool: ClassVar = "grep"

    pattern: _Text
    regex: bool = False
    ignore_case: bool = False
    scope: Annotated[_Globs, Field(description="Globs; everything if empty.")] = ()


class ReadFile(Model):
    """Arguments of ``read_file``."""

    tool: ClassVar = "read_file"

    path: _Text
    start: Annotated[int | None, Field(ge=1)] = None
    end: Annotated[int | None, Field(ge=1)] = None


class ListFiles(Model):
    """Arguments of ``list_files``."""

    tool: ClassVar = "list_files"

    globs: Annotated[_Globs, Field(min_length=1)]


_READ_ONLY = {model.tool: model for model in (ExploreCode, Grep, ReadFile, ListFiles)}
"""The argument models of the read-only tools, by tool name."""


@cache
def tool_definitions() -> tuple[Block, ...]:
    """The tools in the form of the Messages API; always the same, byte for byte."""
    arguments: dict[str, type[Model]] = {**_READ_ONLY, SUBMIT: Selection}
    return tuple(
        {
            "name": name,
            "description": tool_descriptions()[name],
            "input_schema": _schema(model),
        }
        for name, model in arguments.items()
    )


def _schema(model: type[Model]) -> dict[str, Any]:
    """A model's JSON Schema without descriptions and titles, which are for programmers."""
    schema = model.model_json_schema(by_alias=True, mode="validation")
    for each in (schema, *schema.get("$defs", {}).values()):
        each.pop("description", None)
        each.pop("title", None)
    return schema


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one call. ``shown`` and ``new`` count places; ``progress`` is a progress
    line."""

    text: str
    is_error: bool = False
    shown: int = 0
    new: int = 0
    progress: str = ""


@dataclass(frozen=True, slots=True)
class _FoundPlaces:
    """The result of a look-up; ``look`` builds what is shown, and needs the graph."""

    look: Callable[[], Look]
    progress: str
    diagnostics: Sequence[Diagnostic] = ()


class Toolbox:
    """Runs the read-only calls of one conversation."""

    def __init__(self, case: JudgeCase, shown: ShownPlaces) -> None:
        self._case = case
        self._shown = shown

    async def run(self, calls: Sequence[Block], room: int) -> list[Outcome]:
        """The answers to the calls of one step, each of at most ``room`` characters."""
        try:
            async with asyncio.TaskGroup() as group:  # exits when all tasks have ended
                looked = [group.create_task(self._look_up(call, room)) for call in calls]
        except ExceptionGroup as failed:  # one call failed; the others were cancelled because of it
            raise failed.exceptions[0] from None
        outcomes: list[Outcome] = []
        for each in (task.result() for task in looked):
            outcome = each if isinstance(each, Outcome) else await self._show(each, room)
            if outcome.progress:
                self._case.tell(outcome.progress)
            outcomes.append(outcome)
        return outcomes

    async def first_look(self, room: int) -> Outcome:
        """The results of the first search, in the form of an ``explore_code`` result."""
        ranking = self._case.ranking
        found = _FoundPlaces(self._look(ranking, self._case.request.query), "")
        return await self._show(found, room)

    def _look(self, ranking: Ranking, query: str) -> Callable[[], Look]:
        return partial(look_at, self._case, self._shown, ranking, query)

    async def _look_up(self, call: Block, room: int) -> _FoundPlaces | Outcome:
        name = str(call.get("name"))
        if name not in _READ_ONLY:
            names = ", ".join([*_READ_ONLY, SUBMIT])
            return Outcome(f"Unknown tool {name[:60]!r}; the tools are {names}.", is_error=True)
        try:
            return await self._find(_READ_ONLY[name].model_validate(call.get("input")), room)
        except ValidationError as error:
            problems = (
                f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}"
                for each in error.errors()[:5]
            )
            message = f"{name} cannot use these arguments. {'; '.join(problems)}"
            return Outcome(_error_text(message), is_error=True)
        except WorkspaceError as error:
            return Outcome(_error_text(str(error)), is_error=True)
        except (OSError, ValueError):  # names that no file system accepts
            return Outcome(f"{name} cannot use these arguments.", is_error=True)

    async def _show(self, found: _FoundPlaces, room: int) -> Outcome:
        diagnostics = _whole_lines(map(_diagnostic_sentence, found.diagnostics), room // 3)

        def work() -> Outcome:
            look = found.look()
            intro = _whole_lines(look.flow.splitlines(), room // 3)
            left = max(0, room - len(diagnostics) - len(intro) - _RESERVED_CHARS)
            rendered = self._shown.render(look.blocks, left)
            text = "\n".join(part for part in (intro, rendered.text, diagnostics) if part)
            ids = f" [{', '.join(rendered.ids[:4])}{', …' if len(rendered.ids) > 4 else ''}]"
            progress = found.progress + (ids if rendered.ids else "") if found.progress else ""
            return Outcome(
                text=text or "Nothing was found.",
                is_error=not rendered.ids and bool(diagnostics),
                shown=len(rendered.ids),
                new=len(rendered.new),
                progress=progress,
            )

        try:
            return await self._case.with_graph(work)
        except (KeyError, WorkspaceError):
            return Outcome("The code changed while it was looked at; ask again.", is_error=True)

    # the look-ups

    async def _find(self, asked: Model, room: int) -> _FoundPlaces:
        match asked:
            case ExploreCode():
                return await self._explore_code(asked)
            case Grep():
                return await self._grep(asked)
            case ReadFile():
                return await self._read_file(asked, room)
            case ListFiles():
                return await self._list_files(asked)
            case _:
                raise AssertionError(f"{type(asked).__name__} is no tool's arguments")

    async def _explore_code(self, asked: ExploreCode) -> _FoundPlaces:
        scope = await asyncio.to_thread(self._narrower, asked.scope)
        ranking = await self._case.gather(ExploreRequest(query=asked.query, scope=scope))
        kept = tuple(each for each in ranking.candidates if self._may_show(each.path, asked.scope))
        look = self._look(replace(ranking, candidates=kept), asked.query)
        return _FoundPlaces(look, f"exploring {asked.query[:60]!r}")

    async def _grep(self, asked: Grep) -> _FoundPlaces:
        result = await grep(
            self._case.workspace,
            asked.pattern,
            regex=asked.regex,
            ignore_case=asked.ignore_case,
            scope=asked.scope,
            within=self._case.in_scope,
            context=_CONTEXT,
        )
        matches = [each for each in result.observations if isinstance(each, GrepMatch)]
        progress = f"searching {asked.pattern[:60]!r}"
        return _FoundPlaces(
            lambda: Look(self._shown.of_matches(matches)), progress, result.diagnostics
        )

    async def _read_file(self, asked: ReadFile, room: int) -> _FoundPlaces:
        path, start, end = self._path_and_lines(asked)
        path = await asyncio.to_thread(self._listed_path, path)
        result = await read_file(
            self._case.workspace, path, start=start, end=end, max_chars=max(400, room)
        )
        reads = [each for each in result.observations if isinstance(each, FileRead)]

        def look() -> Look:
            symbols = self._case.graph.symbols_in(path)
            found = [piece for read in reads for piece in pieces(read.segment, symbols)]
            return Look(self._shown.of_pieces(found))

        return _FoundPlaces(
            look, f"reading {plain(path)}", [*result.diagnostics, *_truncation_notes(reads)]
        )

    async def _list_files(self, asked: ListFiles) -> _FoundPlaces:
        result: ChannelResult = await list_files(
            self._case.workspace, asked.globs, within=self._case.in_scope
        )
        files = [each for each in result.observations if isinstance(each, FileListed)]
        progress = f"listing {plain(', '.join(asked.globs)[:60])}"
        return _FoundPlaces(lambda: Look(self._shown.of_files(files)), progress, result.diagnostics)

    def _narrower(self, scope: Sequence[str]) -> tuple[str, ...]:
        """The scope or the question's own, whichever has fewer files: that one is searched."""
        own = self._case.request.scope
        workspace = self._case.workspace

        def files(globs: Sequence[str]) -> int:
            return sum(workspace.in_scope(entry.path, globs) for entry in workspace.files())

        return min(tuple(scope), own, key=files) if scope and own else tuple(scope) or own

    def _may_show(self, path: str, scope: Sequence[str]) -> bool:
        return self._case.workspace.in_scope(path, scope) and self._case.in_scope(path)

    def _path_and_lines(self, asked: ReadFile) -> tuple[str, int, int | None]:
        """Path and lines to read. An id stands for its path and, if no lines are given, its
        range."""
        candidate = None
        if _ID.fullmatch(asked.path) and self._shown.has(asked.path):
            candidate = self._case.registry.get(asked.path)
        if candidate is None:
            return asked.path, asked.start or 1, asked.end
        whole = candidate.range if asked.start is None and asked.end is None else None
        if whole is None:
            return candidate.path, asked.start or 1, asked.end
        return candidate.path, whole.start, whole.end

    def _listed_path(self, path: str) -> str:
        """The normalised path. Raises WorkspaceError for a file outside the question's scope, or
        one that ignore rules exclude from the listing."""
        workspace = self._case.workspace
        name = workspace.relative(path)
        if not self._case.in_scope(name):
            raise WorkspaceError(f"{path!r} is out of the question's scope; it is not read.")
        exists = workspace.is_secret(path) or is_file(workspace.absolute(name))
        if exists and name not in {entry.path for entry in workspace.files()}:
            raise WorkspaceError(f"{path!r} is ignored or withheld; it is not read.")
        return name


def _diagnostic_sentence(diagnostic: Diagnostic) -> str:
    near = ", ".join(each.path for each in diagnostic.suggestions[:_SUGGESTIONS])
    return _error_text(f"{diagnostic.message}{f' Near matches: {near}' if near else ''}")


def _error_text(message: str) -> str:
    return plain(masked(message))[:_LONGEST_ERROR]


def _whole_lines(lines: Iterable[str], room: int) -> str:
    """The longest prefix of the lines that fits into ``room`` characters."""
    kept = list(lines)
    while kept and sum(len(line) + 1 for line in kept) > room:
        kept.pop()
    return "\n".join(kept)


def _truncation_notes(reads: Sequence[FileRead]) -> list[Diagnostic]:
    return [
        Diagnostic(
            source="read_file",
            severity="info",
            message=f"The file has {read.total_lines} lines; read on from line"
            f" {read.segment.range.end + 1}.",
        )
        for read in reads
        if read.truncated
    ]
