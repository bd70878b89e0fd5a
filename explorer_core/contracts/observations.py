"""Typed observations of the channels. Rendered text is never parsed again downstream.

A `Diagnostic` is a separate type: trouble with a tool is never evidence.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from explorer_core.contracts.base import LineNumber, Model
from explorer_core.contracts.places import LineRange, Segment, Site

Relation = Literal[
    "calls", "feeds", "references", "imports", "extends", "implements", "overrides", "contains"
]
"""``feeds`` leads from what passes something on to what receives it: via a channel, queue or
bus."""
Witness = Literal[
    "editor", "server", "jedi", "graph:scope", "graph:import", "graph:type", "graph:name"
]
"""Who vouches for a relation, strongest first; ``graph:name`` means only that the name matches."""

SourceName = Literal["grep", "read_file", "list_files", "index", "compiler"]


class SymbolInfo(Model):
    """A definition as a channel saw it. ``line`` is the line of its name; ``test`` says that the
    language marks it as a test."""

    name: str
    qualified_name: str
    kind: str
    line: LineNumber
    test: bool = False


class GrepMatch(Model):
    """A line that matched a text search, with its context; ``terms`` are the patterns found on
    it."""

    channel: Literal["grep"] = "grep"
    segment: Segment
    line: LineNumber
    terms: tuple[str, ...]


class FileRead(Model):
    """Part of a file, read on request; ``truncated``: a limit ended it early."""

    channel: Literal["read_file"] = "read_file"
    segment: Segment
    total_lines: int
    truncated: bool = False


class FileListed(Model):
    """A file that exists; none of its text was seen."""

    channel: Literal["list_files"] = "list_files"
    path: str
    size: int


class SymbolFound(Model):
    """A definition (``symbol`` is set) or a window outside definitions, found by the symbol graph.

    ``range`` is the whole declaration, decorators included; ``segment`` is the part of it that was
    read. ``scores`` are the retrieval features by name; larger is better.
    """

    channel: Literal["index"] = "index"
    path: str
    range: LineRange
    symbol: SymbolInfo | None
    segment: Segment
    terms: tuple[str, ...] = ()
    scores: dict[str, float] = {}


class RelationFound(Model):
    """A relation between two definitions, with the line of code that proves it.

    ``scores`` are retrieval features of the place shown by ``segment``.
    """

    channel: Literal["index", "compiler"]
    relation: Relation
    source: Site
    target: Site
    target_range: LineRange
    segment: Segment
    witness: Witness
    scores: dict[str, float] = {}


class DefinitionFound(Model):
    """The definition of a name in the question, according to a compiler."""

    channel: Literal["compiler"]
    path: str
    range: LineRange
    symbol: SymbolInfo
    segment: Segment


Observation = Annotated[
    GrepMatch | FileRead | FileListed | SymbolFound | RelationFound | DefinitionFound,
    Field(union_mode="smart"),
]


class Suggestion(Model):
    """A similar path, offered in place of one that does not exist."""

    path: str
    score: Annotated[float, Field(ge=0, le=1)]


class Diagnostic(Model):
    """Trouble with a tool, in one sentence that says what to do.

    ``affects_answer`` is set when the trouble may have lowered the answer's confidence or changed
    its action; only then may it appear among a report's notes.
    """

    source: str
    message: str
    severity: Literal["error", "warning", "info"] = "warning"
    affects_answer: bool = False
    suggestions: tuple[Suggestion, ...] = ()


class ChannelResult(Model):
    """One channel's result: its observations, and what went wrong."""

    observations: tuple[Observation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
