"""What the parts of a semantic model ask of each other.

What a variable holds depends on an expression, that on members, and these on what variables hold.
So each part is given the model that it is one of, and comes to the others through that.
"""

from __future__ import annotations

from typing import Protocol

from explorer_core.index.extraction.facts import TypeBinding
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Collection, Value, Values
from explorer_core.index.symbols import SymbolId


class Expressions(Protocol):
    """What expressions stand for."""

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
        """What a dotted expression stands for, that may be written as a type."""
        ...


class Members(Protocol):
    """What values have for members."""

    def named(self, table: FileTable, values: Values, name: str) -> Values:
        """The member of a name of what values stand for."""
        ...

    def of_value(self, table: FileTable, value: Value, name: str) -> Values:
        """The same of one value alone."""
        ...

    def called(self, table: FileTable, values: Values, name: str) -> Values:
        """What calling the member of a name of what values stand for gives."""
        ...


class Calls(Protocol):
    """What calls give."""

    def called(self, table: FileTable, values: Values) -> Values:
        """What calling each of the values gives."""
        ...


class Types(Protocol):
    """What written types stand for."""

    def type_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """Values of a type as written; `Outside` when it is not one of ours."""
        ...

    def types_named(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """The same; UNKNOWN when nothing binds it."""
        ...


class Functions(Protocol):
    """What names of functions mean."""

    def function(self, table: FileTable, scope: int, name: str) -> Values:
        """The function of a name that a scope sees."""
        ...


class Parameters(Protocol):
    """What functions without a name are given."""

    def parameter(self, table: FileTable, binding: TypeBinding) -> Values:
        """The value of a parameter of such a function."""
        ...


class Listings(Protocol):
    """What is in collections that are written out."""

    def of(self, table: FileTable, scope: int, written: str, line: int) -> Values:
        """What the expressions stand for of which a value is one."""
        ...


class ExtendedCollections(Protocol):
    """What types have in them by what they extend."""

    def of(self, type_id: SymbolId) -> Collection | None:
        """The collection of elsewhere that a type extends."""
        ...


class Semantics(Protocol):
    """A semantic model, as far as its parts ask it."""

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
