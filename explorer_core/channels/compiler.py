"""The compiler channel: the interface to providers that analyse code, editors or language servers.

A provider may be slow, silent or wrong. It is asked about places that the symbol graph found, and
can only add to what is known: see `explorer_core.vouching`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from explorer_core.contracts import LineRange

CompilerWitness = Literal["editor", "server", "jedi"]


class CompilerError(Exception):
    """A provider did not answer. The message is one sentence that names the provider."""


@dataclass(frozen=True, slots=True)
class CompilerPlace:
    """A place named by a provider; ``range`` is None if only the file was named."""

    path: str
    range: LineRange | None
    name: str | None = None


class Compiler(Protocol):
    """One provider. Lines are 1-based; columns are 0-based and in code points.

    Places outside the workspace are left out. Every method may raise CompilerError. A provider that
    does not support a request inherits the method from here, which returns no places.
    """

    name: str
    witness: CompilerWitness
    soft_deadline_s: float
    """How long, in seconds, an answer to the user may wait for this provider."""

    def covers(self, path: str) -> bool:
        """Whether the provider can answer for this file."""
        ...

    async def definition(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The definitions of the name at a position."""
        return []

    async def references(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The uses of the symbol at a position."""
        return []

    async def implementations(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The symbols that implement or override the one at a position."""
        return []

    async def incoming_calls(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The callers of the symbol at a position."""
        return []

    async def outgoing_calls(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The callees of the symbol at a position."""
        return []

    async def supertypes(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The supertypes of the type at a position."""
        return []

    async def subtypes(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        """The subtypes of the type at a position."""
        return []

    async def document_symbols(self, path: str) -> list[CompilerPlace]:
        """The definitions in a file, each with its whole range."""
        return []

    async def workspace_symbols(self, query: str) -> list[CompilerPlace]:
        """The definitions whose names are similar to ``query``."""
        return []
