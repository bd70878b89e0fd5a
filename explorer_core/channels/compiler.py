"""The compiler channel: whoever has understood the code, an editor or a language server.

A provider may be slow, silent or wrong. It is asked about places the symbol graph found, and can
only add to what is known: see `explorer_core.vouching`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from explorer_core.contracts import LineRange

CompilerWitness = Literal["editor", "server", "jedi"]


class CompilerError(Exception):
    """A provider did not answer; one sentence that names it."""


@dataclass(frozen=True, slots=True)
class CompilerPlace:
    """A place a provider named; ``range`` is None where it said no more than the file."""

    path: str
    range: LineRange | None
    name: str | None = None


class Compiler(Protocol):
    """One provider. Lines are 1-based, columns 0-based and in code points.

    Places outside the workspace are left out. Each method raises CompilerError. A provider that
    cannot be asked some question leaves that method as it is here, which answers with no places.
    """

    name: str
    witness: CompilerWitness
    soft_deadline_s: float
    """How long an answer to the user may wait for this provider."""

    def covers(self, path: str) -> bool:
        """Whether it can be asked about this file."""
        ...

    async def definition(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """Where the name at a place is defined."""
        return []

    async def references(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """Where the symbol at a place is used."""
        return []

    async def implementations(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """What implements or overrides the symbol at a place."""
        return []

    async def incoming_calls(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """Who calls the symbol at a place."""
        return []

    async def outgoing_calls(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """What the symbol at a place calls."""
        return []

    async def supertypes(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The supertypes of the type at a place."""
        return []

    async def subtypes(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The subtypes of the type at a place."""
        return []

    async def document_symbols(self, path: str) -> list[CompilerPlace]:
        """The definitions in a file, each with all of its lines."""
        return []

    async def workspace_symbols(self, query: str) -> list[CompilerPlace]:
        """Definitions whose name is like ``query``."""
        return []
