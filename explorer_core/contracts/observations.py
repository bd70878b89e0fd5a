"""What the channels saw, typed. Nothing downstream ever re-parses rendered text.

A `Diagnostic` is a type of its own: trouble with a tool is never evidence.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from explorer_core.contracts.base import LineNumber, Model
from explorer_core.contracts.places import LineRange, Segment, Site

Relation = Literal[
    "calls", "feeds", "references", "imports", "extends", "implements", "overrides", "contains"
]
"""``feeds`` is said of what hands something over to what takes it: by a channel, a queue, a bus."""
Witness = Literal[
    "editor", "server", "jedi", "graph:scope", "graph:import", "graph:type", "graph:name"
]
"""Who vouches for a relation, strongest first; ``graph:name`` means a matching name and no more."""

SourceName = Literal["grep", "read_file", "list_files", "index", "compiler"]


class SymbolInfo(Model):
    """A definition as a channel saw it: ``line`` is the line that carries the name. ``test`` says
    that the language marks it as a test."""

    name: str
    qualified_name: str
    kind: str
    line: LineNumber
    test: bool = False


class GrepMatch(Model):
    """Lines that matched a text search; ``terms`` are the patterns found in the segment."""

    channel: Literal["grep"] = "grep"
    segment: Segment
    line: LineNumber
    terms: tuple[str, ...]


class FileRead(Model):
    """Part of a file, read on request; ``truncated`` when a limit ended it early."""

    channel: Literal["read_file"] = "read_file"
    segment: Segment
    total_lines: int
    truncated: bool = False


class FileListed(Model):
    """A file that exists; nothing of its text was seen."""

    channel: Literal["list_files"] = "list_files"
    path: str
    size: int


class SymbolFound(Model):
    """A definition (``symbol`` set) or a window between definitions found by the symbol graph.

    ``range`` is the whole declaration, decorators included; ``segment`` is the part of it that was
    read. ``scores`` are the retrieval features by name, larger is better.
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

    ``scores`` are retrieval features of the place that ``segment`` shows.
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
    """Where a name of the question is defined, according to a compiler."""

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
    """A near match offered in place of something that does not exist."""

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
    """One channel's answer: what it saw, and what went wrong."""

    observations: tuple[Observation, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
