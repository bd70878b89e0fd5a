"""The data types of the symbol graph: symbols, edges, and the source of facts it is built from."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import Protocol

import msgspec

from explorer_core.contracts import LineRange, Relation, SymbolInfo, Witness
from explorer_core.index.extraction.facts import TOP, FileFacts
from explorer_core.index.extraction.kinds import CALLABLES as CALLABLES
from explorer_core.index.extraction.kinds import CALLBACK as CALLBACK
from explorer_core.index.extraction.kinds import TYPE_KINDS
from explorer_core.index.extraction.kinds import VARIABLES as VARIABLES

MEMBER_HOLDERS = TYPE_KINDS | {"type"}
"""Kinds of definition that have members."""

NAMESPACES = frozenset({"module", "namespace"})
"""Kinds of definition that only group others."""

_ORDER = attrgetter("path", "line", "relation", "source", "target")


class SymbolId(msgspec.Struct, frozen=True, order=True, gc=False):
    """Identifies a definition by its file and its ordinal there; ``-1`` is the file as a whole."""

    path: str
    ordinal: int

    @classmethod
    def of_file(cls, path: str) -> SymbolId:
        """The id of a file as a whole."""
        return cls(path, TOP)

    @property
    def is_file(self) -> bool:
        return self.ordinal == TOP


class Symbol(msgspec.Struct, frozen=True, gc=False):
    """A definition, or a file as a whole, as users of the graph see it.

    ``range`` spans the whole declaration including decorators; ``line`` is the line of the name.
    ``test`` means that the language marks it as a test, whatever file it is in; ``exported``, that
    other files may use it.
    """

    id: SymbolId
    name: str
    qualified_name: str
    kind: str
    range: LineRange
    line: int
    signature: str
    doc: str
    test: bool = False
    exported: bool = False

    @property
    def path(self) -> str:
        return self.id.path

    @property
    def info(self) -> SymbolInfo:
        """The description of it that leaves the graph."""
        return SymbolInfo.of_valid(
            name=self.name,
            qualified_name=self.qualified_name,
            kind=self.kind,
            line=self.line,
            test=self.test,
        )


class Edge(msgspec.Struct, frozen=True, order=True, gc=False):
    """A relation between two symbols, with the line of the file at ``path`` that states it.

    ``namesakes`` counts the definitions that fit the reference: 1 if there is only the target. With
    witness ``graph:name`` and a count above 1, the target is one guess among that many.
    """

    relation: Relation
    source: SymbolId
    target: SymbolId
    path: str
    line: int
    witness: Witness
    namesakes: int = 1

    @property
    def is_by_name(self) -> bool:
        """Whether the target was identified by its name alone."""
        return self.witness == "graph:name"


def ordered(edges: Iterable[Edge]) -> list[Edge]:
    """The edges, each once, by the file and line that state them."""
    return sorted(dict.fromkeys(edges), key=_ORDER)


class FactsSource(Protocol):
    """Provides the graph with the facts of files: from the store, or from dictionaries in tests.

    Names are matched exactly, including case. The answers reflect unsaved overlays.
    """

    def paths(self) -> Collection[str]:
        """Every file that has facts."""
        ...

    def facts(self, path: str) -> FileFacts | None:
        """The facts of one file; None if it has none. Repeated calls are cheap."""
        ...

    def files_defining(self, name: str) -> Collection[str]:
        """Files with a definition of that name."""
        ...

    def files_mentioning(self, name: str) -> Collection[str]:
        """Files that mention that name; see `mentioned_names`."""
        ...

    def files_renaming(self, name: str) -> Collection[str]:
        """Files that import something of that name under an alias."""
        ...

    def files_extending(self, name: str) -> Collection[str]:
        """Files that add supertypes to a type of that name that they do not define."""
        ...

    def files_calling_on_literals(self, name: str) -> Collection[str]:
        """Files that call a member of that name on a literal of a built-in type."""
        ...
