"""References, stored in columns for each file, looked up by scope or name and unpacked on demand.

Of the hundreds in a file, a question wants the few in one definition or those of one name.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, get_args

import msgspec

from explorer_core.index.packing import NUMBER_BYTES, pack, unpack

ReferenceKind = Literal[
    "read", "type", "table", "argument", "call", "macro", "construct", "decorator"
]
"""How a name is used: read; written as a type; put in a table (list, map or struct); passed as an
argument; called; called as what can only be a macro (``name!``); constructed (``new X``); applied
as a decorator or annotation. If several apply at one place, the later one counts."""
KINDS: tuple[ReferenceKind, ...] = get_args(ReferenceKind)

CALLS: frozenset[ReferenceKind] = frozenset({"call", "macro", "construct"})
"""Kinds that run what is named."""
HANDED_OVER: frozenset[ReferenceKind] = frozenset({"argument", "table"})
"""Kinds that pass on what is named, to be called elsewhere if it is a function."""

LABEL_SEPARATOR = ":"
UNLABELLED = "_"
TRAILING = "{}"


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A use of a name. ``receiver`` is what stands before the dot, as written; ``scope`` is the
    ordinal of the innermost enclosing definition. ``local``: the expression begins with a parameter
    or variable of an enclosing function. ``arguments`` is how many a call has, -1 if not counted.
    ``labels`` are their names, joined by `LABEL_SEPARATOR`: `UNLABELLED` for a positional one,
    `TRAILING` for a function behind the parentheses. It is empty if all are positional.
    ``begins_argument``: it is a call or construction that begins an argument, if those are
    counted."""

    name: str
    kind: ReferenceKind
    receiver: str
    line: int
    column: int
    scope: int
    local: bool = False
    arguments: int = -1
    labels: str = ""
    begins_argument: bool = False

    @property
    def written(self) -> str:
        """The name with its receiver."""
        return f"{self.receiver}.{self.name}" if self.receiver else self.name


class Columns(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The references of a file, one column of packed numbers for each field. Names and receivers
    are indices into ``texts``. ``scopes`` are each one higher, so that the top level is 0. ``uses``
    pack four values: ``local + 2 * kind + 16 * begins_argument + 32 * (arguments + 1)``. Labels,
    which few references have, are kept by row."""

    texts: tuple[str, ...] = ()
    names: bytes = b""
    receivers: bytes = b""
    lines: bytes = b""
    columns: bytes = b""
    scopes: bytes = b""
    uses: bytes = b""
    labels: dict[int, str] = {}


class ReferenceTable:
    """A file's references in text order. ``read`` is called when one is first needed."""

    __slots__ = ("_by_scope", "_cache", "_columns", "_read", "_unpacked")

    def __init__(self, read: Callable[[], Columns]) -> None:
        self._read: Callable[[], Columns] | None = read
        self._columns = Columns()
        self._unpacked: tuple[array[int], ...] = ()
        self._cache: dict[int, Reference] = {}
        self._by_scope: dict[int, Sequence[int]] = {}

    @property
    def packed(self) -> Columns:
        """The references in their stored form."""
        read = self._read
        if read is not None:  # several threads may get here and read the same
            self._columns = read()
            self._read = None
        return self._columns

    def in_scope(self, scope: int) -> Sequence[int]:
        """Returns the indexes of the references whose innermost definition is ``scope``. Cached, as
        a question asks for those of one definition several times."""
        rows = self._by_scope.get(scope)
        if rows is None:
            rows = self._by_scope[scope] = _rows_with(scope + 1, self.packed.scopes)
        return rows

    def within(self, scope: int) -> Iterator[Reference]:
        """Yields the references whose innermost definition is ``scope``, unpacking each when it is
        reached."""
        return map(self.__getitem__, self.in_scope(scope))

    def at(self, scope: int, place: tuple[int, int]) -> int | None:
        """Returns the index of the reference in a definition whose name is at a line and column."""
        rows = self.in_scope(scope)
        position = bisect_left(rows, place, key=self._place)
        return (
            rows[position]
            if position < len(rows) and self._place(rows[position]) == place
            else None
        )

    def up_to(self, scope: int, place: tuple[int, int]) -> int:
        """Counts the references in a definition up to and including a line and column."""
        return bisect_right(self.in_scope(scope), place, key=self._place)

    def _place(self, index: int) -> tuple[int, int]:
        return self[index].line, self[index].column

    def before(self, index: int, most: int) -> range:
        """Returns the indexes before one, the nearest first, at most ``most``."""
        return range(index - 1, max(index - 1 - most, -1), -1)

    def after(self, index: int, most: int) -> range:
        """Returns the indexes behind one, at most ``most``."""
        return range(index + 1, min(index + 1 + most, len(self)))

    def next(self, index: int) -> Reference | None:
        """Returns the reference behind one."""
        return self[index + 1] if index + 1 < len(self) else None

    def named(self, name: str) -> list[int]:
        """Returns the indexes of the references to a name."""
        packed = self.packed
        try:
            number = packed.texts.index(name)
        except ValueError:
            return []
        return _rows_with(number, packed.names)

    def names(self) -> set[str]:
        """Returns the names that are referred to."""
        packed = self.packed
        return {packed.texts[number] for number in set(unpack(packed.names))}

    def texts(self) -> Sequence[str]:
        """Returns the names and receivers that are written, each once."""
        return self.packed.texts

    def calls_on(self, receivers: Collection[str]) -> Iterator[tuple[str, str, int]]:
        """Yields receiver, name and scope of the calls whose receiver is one of ``receivers``."""
        texts = self.packed.texts
        wanted = {number for number, text in enumerate(texts) if text in receivers}
        if not wanted:
            return
        names, receiver_numbers, _, _, scopes, uses = self._columns_unpacked()
        for row, number in enumerate(receiver_numbers):
            if number in wanted and KINDS[uses[row] >> 1 & 7] in CALLS:
                yield texts[number], texts[names[row]], scopes[row] - 1

    def beginning(self, start: str) -> list[str]:
        """Returns the names and receivers that begin with ``start``."""
        return [text for text in self.packed.texts if text.startswith(start)]

    def _reference(self, index: int) -> Reference:
        packed = self.packed
        names, receivers, lines, columns, scopes, uses = self._columns_unpacked()
        use = uses[index]
        return Reference(
            packed.texts[names[index]],
            KINDS[use >> 1 & 7],
            packed.texts[receivers[index]],
            lines[index],
            columns[index],
            scopes[index] - 1,
            bool(use & 1),
            (use >> 5) - 1,
            packed.labels.get(index, ""),
            bool(use & 16),
        )

    def _columns_unpacked(self) -> tuple[array[int], ...]:
        if not self._unpacked:
            self._unpacked = tuple(map(unpack, msgspec.structs.astuple(self.packed)[1:-1]))
        return self._unpacked

    def __len__(self) -> int:
        return len(self.packed.names) // NUMBER_BYTES

    def __getitem__(self, index: int) -> Reference:
        reference = self._cache.get(index)
        if reference is None:
            reference = self._cache[index] = self._reference(index)
        return reference

    def __iter__(self) -> Iterator[Reference]:
        return map(self._reference, range(len(self)))  # who wants all keeps what they want

    def __eq__(self, other: object) -> bool:
        return self.packed == other.packed if isinstance(other, ReferenceTable) else NotImplemented


NO_REFERENCES = ReferenceTable(Columns)


class ReferenceRows:
    """The references of a file while they are collected."""

    def __init__(self) -> None:
        self._texts = _Interned()
        self._rows: list[int] = []
        self._labels: dict[int, str] = {}

    def add(
        self,
        name: str,
        kind: int,
        receiver: str,
        line: int,
        column: int,
        scope: int,
        arguments: int,
        labels: str,
        *,
        local: bool,
        begins_argument: bool,
    ) -> None:
        """Adds a reference. ``kind`` is an index into `KINDS`."""
        texts = self._texts
        if labels:
            self._labels[len(self._rows) // _WIDTH] = labels
        use = 32 * (arguments + 1) + 16 * begins_argument + 2 * kind + local
        self._rows += (texts[name], texts[receiver], line, column, scope + 1, use)

    def __len__(self) -> int:
        return len(self._rows) // _WIDTH

    def table(self) -> ReferenceTable:
        """Returns the table of the collected references."""
        rows = self._rows
        packed = (pack(rows[column::_WIDTH]) for column in range(_WIDTH))
        columns = Columns(tuple(self._texts), *packed, labels=self._labels)
        return ReferenceTable(lambda: columns)


class _Interned(dict[str, int]):
    """Strings mapped to the order in which they were first looked up."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


def _rows_with(number: int, column: bytes) -> list[int]:
    """Returns the rows of a packed column that hold a number."""
    wanted = pack([number])
    rows: list[int] = []
    offset = column.find(wanted)
    while offset >= 0:
        row, remainder = divmod(offset, NUMBER_BYTES)
        if not remainder:
            rows.append(row)
        offset = column.find(wanted, offset + (1 if remainder else NUMBER_BYTES))
    return rows


_WIDTH = len(Columns.__struct_fields__) - 2
