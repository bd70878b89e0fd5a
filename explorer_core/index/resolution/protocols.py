"""The protocols by which the parts of a semantic model call each other.

What a variable holds depends on an expression, that on members, and these on variables again. So
each part is given the model it belongs to, and reaches the others through that.
"""

from __future__ import annotations

from typing import Protocol

from explorer_core.index.extraction.facts import TypeBinding
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Collection, Value, Values
from explorer_core.index.symbols import SymbolId


class Expressions(Protocol):
    """Evaluates expressions."""

    def evaluate(
        self,
        table: FileTable,
        scope: int,
        expression: str,
        line: int,
        *,
        local: bool | None = None,
        type_only: bool = False,
    ) -> Values:
        """The values of a dotted expression, which may be written as a type."""
        ...


class Members(Protocol):
    """Looks members up."""

    def named(self, table: FileTable, values: Values, name: str) -> Values:
        """The members called ``name`` that values have."""
        ...

    def of_value(self, table: FileTable, value: Value, name: str) -> Values:
        """The same for one value."""
        ...

    def call_results(self, table: FileTable, values: Values, name: str) -> Values:
        """The results of calling the members called ``name``."""
        ...


class Calls(Protocol):
    """Evaluates calls."""

    def results(self, table: FileTable, values: Values) -> Values:
        """The results of calling each of the values."""
        ...


class Types(Protocol):
    """Evaluates written types."""

    def evaluate(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; `Outside` when it is not of the repository."""
        ...

    def lookup(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The same, but UNKNOWN when nothing binds the name."""
        ...


class Functions(Protocol):
    """Looks functions up."""

    def function(self, table: FileTable, scope: int, name: str) -> Values:
        """The functions called ``name`` that are visible in a scope."""
        ...


class Parameters(Protocol):
    """Evaluates the parameters of anonymous functions."""

    def parameter(self, table: FileTable, binding: TypeBinding) -> Values:
        """The value of a parameter of an anonymous function."""
        ...


class Listings(Protocol):
    """Evaluates collections that are written out."""

    def elements(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The values of the expressions in a collection as written, of which an element is one."""
        ...


class ExtendedCollections(Protocol):
    """Finds what types hold because they extend a collection."""

    def of(self, type_id: SymbolId) -> Collection | None:
        """The collection from outside that a type extends; None if there is none."""
        ...


class Semantics(Protocol):
    """A semantic model, as far as its parts use it."""

    @property
    def expressions(self) -> Expressions: ...

    @property
    def members(self) -> Members: ...

    @property
    def calls(self) -> Calls: ...

    @property
    def types(self) -> Types: ...

    @property
    def scopes(self) -> Functions: ...

    @property
    def lambdas(self) -> Parameters: ...

    @property
    def listings(self) -> Listings: ...

    @property
    def extended_collections(self) -> ExtendedCollections: ...
