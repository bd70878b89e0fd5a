"""The words of the symbol graph: symbols, edges, and the source of facts it is resolved from."""

from __future__ import annotations

from collections.abc import Collection
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


class SymbolId(msgspec.Struct, frozen=True, order=True, gc=False):
    """A definition by its file and its ordinal there; ``-1`` is the file's top level."""

    path: str
    ordinal: int

    @classmethod
    def of_file(cls, path: str) -> SymbolId:
        """A file as a whole."""
        return cls(path, TOP)

    @property
    def is_file(self) -> bool:
        return self.ordinal == TOP


class Symbol(msgspec.Struct, frozen=True, gc=False):
    """A definition, as readers of the graph see it.

    ``range`` spans the whole declaration, decorators included; ``line`` carries the name. ``test``
    says that the language marks it as a test, whatever file it stands in; ``exported``, that other
    files may use it.
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
        """What is told of it outside of the graph."""
        return SymbolInfo.of_valid(
            name=self.name,
            qualified_name=self.qualified_name,
            kind=self.kind,
            line=self.line,
            test=self.test,
        )


class Edge(msgspec.Struct, frozen=True, order=True, gc=False):
    """A relation between two symbols and the line of ``source``'s file that states it.

    ``namesakes`` counts the definitions that would fit as well: 1 when the target is certain;
    above 1 with witness ``graph:name`` it is one guess among so many.
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
        """Whether nothing but the name tells that the target is meant."""
        return self.witness == "graph:name"


class FactsSource(Protocol):
    """Where the graph gets the facts of files from: the store, or plain dictionaries in tests.

    Names are exact and case-sensitive. The answers reflect unsaved overlays.
    """

    def paths(self) -> Collection[str]:
        """Every file that has facts."""
        ...

    def facts(self, path: str) -> FileFacts | None:
        """The facts of one file, None when there are none. Cheap to call twice."""
        ...

    def files_defining(self, name: str) -> Collection[str]:
        """Files with a definition of that name."""
        ...

    def files_mentioning(self, name: str) -> Collection[str]:
        """Files that say that name: see `mentioned_names`."""
        ...

    def files_renaming(self, name: str) -> Collection[str]:
        """Files that import something of that name under another one."""
        ...

    def files_extending(self, name: str) -> Collection[str]:
        """Files that give supertypes to a type of that name without defining it."""
        ...

    def files_asking_literals(self, name: str) -> Collection[str]:
        """Files that call a member of that name on a value of their language's own."""
        ...
