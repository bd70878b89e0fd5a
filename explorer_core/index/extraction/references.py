"""Collects the uses of names: calls, reads, arguments, entries of tables, written types.

``shop.cart.total()`` is a call of ``total`` with the receiver ``shop.cart``.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from explorer_core.index.extraction.bracketed_calls import as_chain
from explorer_core.index.extraction.expressions import LONG, Expressions, receiver_text
from explorer_core.index.extraction.facts import IMPLICIT, TEXT, Handover
from explorer_core.index.extraction.reference_table import (
    KINDS,
    LABEL_SEPARATOR,
    TRAILING,
    UNLABELLED,
    ReferenceRows,
    ReferenceTable,
)
from explorer_core.index.extraction.source import PlacesInOrder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.lambdas import Key
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

READ = KINDS.index("read") + 1
CALL = KINDS.index("call") + 1
_MACRO = KINDS.index("macro") + 1
"""Ranks: one more than the index of a kind in `KINDS`."""
_HEAD_RANKS = (READ, CALL)
"""The ranks of names that may stand before a definition's own name and are no uses by it."""
OTHER, USE, LOCAL = 0, -1, -2
"""Instead of a rank: no reference; a call if a parenthesis follows, else a read; a local."""
LABEL = len(KINDS) + 1
"""The rank of what looks like a name and is none; it wins over all references."""
SILENT = "silent"
"""The kind of a frame whose names are no references, such as an import statement."""
_TYPE = KINDS.index("type") + 1
_CONSTRUCT = KINDS.index("construct") + 1
_TABLE = KINDS.index("table") + 1
_DOTTED_NAME = re.compile(r"[A-Za-z_][\w.]*")
_CACHE_SIZE = 100_000
_CALL_RANKS = (CALL, _CONSTRUCT)
_KEYWORD_BEFORE = re.compile(r"\w+\s+$")
_WORD_BEFORE = 24
"""How many characters before the name of a constructed type are searched for its keyword
(``new``)."""
_HEAD = re.compile(r"(?:\([&*]+(?:mut\s+)?\*?)?([\w$]+)")
"""The word an expression begins with, or that of a dereferenced pointer in brackets (``(*x)``)."""
_VARIABLE_ARGUMENT = re.compile(r"(\$?\w+)\s*[,)]")
_Expression = tuple[int, int, int, str, str, str | None, int]
"""An expression that ends in a name: its rank, start and end, its receiver, the name, the word that
it begins with, and where the name stands; negative if the text was pieced together."""
_NAME = re.compile(r"""[^\s()\[\]{}<>,;"'`|&=]{1,120}""")


RANKS = {f"reference.{kind}": rank for rank, kind in enumerate(KINDS, 1)} | {
    "reference.use": USE,
    "local": LOCAL,
    "local.type": LOCAL,
    "label": LABEL,
}
"""Main captures mapped to the rank of a reference, or to what replaces the rank."""


@functools.cache
def ranks_of(roles: tuple[str, ...]) -> tuple[int, ...]:
    """Returns the rank of each pattern of a query, by its main capture."""
    return tuple(RANKS.get(role, OTHER) for role in roles)


class References:
    """Collects captured expressions by the offset of their end, where the name stands."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.captured: dict[int, tuple[int, int]] = {}
        self.owners: dict[int, str] = {}
        """The owners of names without a receiver, by the end of the name."""
        self.long_owners: dict[int, tuple[str, int, int]] = {}
        """The same for members of long calls: how the owner is written, and its span. Its text is
        only known when the references are settled."""
        self.arguments: dict[int, list[int]] = {}
        """Where the arguments of a call begin, by the end of its name, if they are counted. A
        complement stands for an argument outside of the parentheses."""
        self.label_spans: dict[int, int] = {}
        """The starts and ends of labels of arguments, which are no references."""
        self.pattern_spans: list[tuple[int, int]] = []
        """The spans of patterns and written types: what looks like a call or construction there is
        none."""
        self.new_value_variables: Collection[str] = ()
        """The variables that hold newly made values; needed when the references are settled."""
        self.handovers: list[Handover] = []
        """The arguments that are such variables; known when the references are settled."""
        self.expressions = Expressions(source, spec, self.captured)

    def add_quoted_type(self, node: Node) -> None:
        """Takes the names in a string that is a type."""
        for word in _DOTTED_NAME.finditer(self.source.flat, node.start_byte, node.end_byte):
            self.captured.setdefault(word.end(), (_TYPE, word.start()))

    def add_text_paths(self, paths: Mapping[int, tuple[int, str]]) -> None:
        """Takes the names at the end of strings that are paths. ``paths`` has, by the end of a
        name, its start and the path before it."""
        for end, (start, path) in paths.items():
            if end not in self.captured:
                self.captured[end] = _TABLE, start
                self.owners[end] = TEXT + path

    def add_listed_methods(self, spans: Iterable[tuple[int, int]]) -> None:
        """Takes strings that name methods of the type around them, given by their spans."""
        for start, end in spans:
            self.captured[end] = _TABLE, start
            self.owners[end] = TEXT + self.spec.self_names[0]

    def _retype_patterns(self) -> None:
        """Turns what looks like a call or construction in a pattern into a type."""
        calls = sorted(e for e, (rank, _) in self.captured.items() if rank in (CALL, _CONSTRUCT))
        for start, end in self.pattern_spans:
            for call in calls[bisect_right(calls, start) : bisect_right(calls, end)]:
                self.captured[call] = _TYPE, self.captured[call][1]

    def _merge_keys(self, keys: Iterable[Key]) -> dict[int, str]:
        """Turns keys into references, calls in patterns into types, and drops labels. Returns the
        keys that are variables as well, by their ends. A name behind a bare dot is no such key."""
        shorthand: dict[int, str] = {}
        for key in keys:
            if key.end in self.captured and self.source.flat[key.start - 1] != ".":
                shorthand[key.end] = key.holder
            else:
                self.captured.setdefault(key.end, (READ, key.start))
                self.owners[key.end] = key.holder
        if self.pattern_spans:
            self._retype_patterns()
        for end in self.label_spans.values():
            self.captured.pop(end, None)
        return shorthand

    def settle(
        self,
        definitions: Definitions,
        keys: Iterable[Key],
        placeholders: Mapping[int, tuple[int, str]],
    ) -> ReferenceTable:
        """Returns the references in text order, without reads of plain locals. A key is kept if its
        value is a local variable of the same name. ``placeholders`` give the heads of expressions
        that begin with an unnamed parameter."""
        shorthand = self._merge_keys(keys)
        for end, (owner_format, *span) in self.long_owners.items():
            self.owners[end] = owner_format.format(self.expressions.text(*span))
        rows, name_ends, arguments = ReferenceRows(), definitions.name_ends, self.arguments
        initial, bare_calls = definitions.initial_values, self.spec.bare_calls
        argument_starts = {start for starts in arguments.values() for start in starts}
        head_scopes = definitions.head_scopes(
            e for e, (rank, _) in self.captured.items() if rank in _HEAD_RANKS
        )
        stretches, places = definitions.frames.stretches(), PlacesInOrder(self.source)
        frame, frame_end = next(stretches)
        visible, silent = frame.visible, frame.kind == SILENT
        for rank, start, end, receiver, name, head, position in self._split_expressions(
            placeholders
        ):
            if position >= frame_end:
                while position >= frame_end:
                    frame, frame_end = next(stretches)
                visible, silent = frame.visible, frame.kind == SILENT
            local = head in visible and rank != _MACRO
            local = local and not (head in initial.values and initial.hides(head, start, frame))
            path_receiver = self._path_receiver(receiver, head, start) if local and receiver else ""
            local, receiver = local and not path_receiver, path_receiver or receiver
            if local and not receiver and (rank != CALL or bare_calls):
                if end not in shorthand:
                    continue
                receiver, rank, local = shorthand[end], READ, False
            if silent or end in name_ends or position < 0:
                continue
            line, column = places.at(position)
            scope = head_scopes.get(end, frame.ordinal)
            is_counted = end in arguments
            count, labels = (
                self._count_arguments(arguments[end], len(rows)) if is_counted else (-1, "")
            )
            begins_argument = rank in _CALL_RANKS and (
                (start if rank == CALL else self._construct_start(start)) in argument_starts
            )
            kind = rank - 1
            rows.add(
                name,
                kind,
                receiver,
                line,
                column,
                scope,
                count,
                labels,
                local=local,
                begins_argument=begins_argument,
            )
        return rows.table()

    def _split_expressions(
        self, placeholders: Mapping[int, tuple[int, str]]
    ) -> Iterator[_Expression]:
        """Yields the expressions that end in a name, in text order."""
        source, owners = self.source, self.owners
        flat, padded, has_marks = source.flat, f"  {source.flat}", source.has_marks
        split = splitter_of(self.spec)
        for end, (rank, start) in sorted(self.captured.items()):
            text, is_long = flat[start:end], end - start > LONG
            is_plain = text.isascii() and not is_long and not has_marks
            parts = split[text if is_plain else self._text(start, end)]
            if parts is None:
                continue
            receiver, name, head, width = parts
            # Behind a bare dot, as in ``.red``, the receiver is implicit.
            is_bare = padded[start + 1] == "." != padded[start] and not width
            if is_bare or end in owners or start in placeholders:
                implied = self._implied_receiver(receiver, start, placeholders)
                receiver = owners.get(end, implied)
                head = head_of(receiver)
            position = end - width if width else start
            if width and is_long:
                position = self._name_start(name, start, end)
            yield rank, start, end, receiver, name, head, position

    def _path_receiver(self, receiver: str, head: str | None, start: int) -> str:
        """Returns the receiver of a name if it begins with a path (``config::``), which no variable
        does even if one has that name; else empty. The path's mark is kept."""
        mark = self.spec.path_mark
        path = f"{head}{mark}" if head and mark else ""
        if not path or not self.source.flat.startswith(path, start):
            return ""
        return path if receiver == head else receiver

    def _construct_start(self, start: int) -> int:
        """Returns the start of an expression that constructs a type: that of the keyword before the
        type."""
        text_before = self.source.flat[max(start - _WORD_BEFORE, 0) : start]
        keyword = _KEYWORD_BEFORE.search(text_before)
        return start - len(text_before) + keyword.start() if keyword else start

    def _implied_receiver(
        self, receiver: str, start: int, placeholders: Mapping[int, tuple[int, str]]
    ) -> str:
        """Returns the receiver of an expression that begins with an unnamed parameter; for a name
        behind a bare dot, an implicit one."""
        if start not in placeholders:
            return IMPLICIT
        placeholder_end, replacement = placeholders[start]
        is_whole = receiver.startswith(self.source.flat[start:placeholder_end])
        return replacement + receiver[placeholder_end - start :] if is_whole else receiver

    def _count_arguments(self, argument_starts: list[int], call_row: int) -> tuple[int, str]:
        """Counts the arguments of the call at ``call_row``, and returns their labels. These are
        empty if all arguments are positional."""
        if self.new_value_variables:
            self._note_handovers(argument_starts, call_row)
        labels: list[str] = []
        for offset in argument_starts:
            start = offset if offset >= 0 else ~offset
            if end := self.label_spans.get(start):
                labels.append(self.source.piece(start, end).strip("`"))
            else:
                labels.append(UNLABELLED if offset >= 0 else TRAILING)
        all_positional = all(label == UNLABELLED for label in labels)
        return len(argument_starts), "" if all_positional else LABEL_SEPARATOR.join(labels)

    def _note_handovers(self, argument_starts: list[int], call_row: int) -> None:
        """Notes the arguments of a call that are variables holding newly made values."""
        for offset in argument_starts:
            variable = _VARIABLE_ARGUMENT.match(self.source.flat, offset) if offset >= 0 else None
            if variable and variable[1] in self.new_value_variables:
                self.handovers.append(Handover(variable[1], call_row))

    def _text(self, start: int, end: int) -> str:
        long = end - start > LONG
        return self.expressions.text(start, end) if long else self.source.piece(start, end)

    def _name_start(self, name: str, start: int, end: int) -> int:
        """Returns where the name of a long expression stands, which type arguments may follow.
        Negative if the name was pieced together."""
        return self.source.raw.rfind(name.encode(), start, end)


class SplitName(NamedTuple):
    """``a.b.c`` as receiver ``a.b`` and name ``c``. ``head`` is the word that the whole begins
    with, if any; ``width`` is the name's length in bytes, or 0 if it is the whole."""

    receiver: str
    name: str
    head: str | None
    width: int


class Splitter(dict[str, SplitName | None]):
    """Splits expressions by a language's separators; None for what ends in no name.

    Results are remembered, since code repeats itself.
    """

    def __init__(self, separators: tuple[str, ...], root: str, *, bracketed: bool) -> None:
        super().__init__()
        self._root = root
        self._bracketed = bracketed
        self._separators = separators
        self._marks = "".join({char for separator in separators for char in separator} - {">"})

    def __missing__(self, text: str) -> SplitName | None:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        result = self[text] = self._split(text)
        return result

    def split(self, text: str) -> tuple[str, str]:
        """Returns receiver and name of any text. For a name at the root, the root mark is the
        receiver."""
        end, width = max(
            [(_end_of_last(separator, text), len(separator)) for separator in self._separators]
        )
        name = text[end:].strip().lstrip(self._marks)
        if self._root and text.startswith(self._root) and end == len(self._root):
            return self._root, name
        text_before = text[: end - width].rstrip(self._marks + "!? \t\n") if end else ""
        receiver = receiver_text(text_before) if text_before else ""
        return as_chain(receiver) if self._bracketed else receiver, name

    def _split(self, text: str) -> SplitName | None:
        if text.isidentifier():
            return SplitName("", text, head_of(text), 0)
        receiver, name = self.split(text)
        if not name.isidentifier() and not _NAME.fullmatch(name):
            return None
        width = len(name) if name.isascii() else len(name.encode())
        return SplitName(receiver, name, head_of(receiver or name), width)


def _end_of_last(separator: str, text: str) -> int:
    """Returns the end of the last separator that something follows, or 0. The ``->`` of an
    ``operator->`` is part of its name."""
    start = text.rfind(separator, 0, -1)
    return 0 if start < 0 else start + len(separator)


def splitter_of(spec: LanguageSpec) -> Splitter:
    """Returns the splitter of a language; there is one for the life of the process."""
    return _splitter(spec.separators, spec.root, spec.bracketed_calls)


@functools.cache
def _splitter(separators: tuple[str, ...], root: str, bracketed: bool) -> Splitter:
    return Splitter(separators, root, bracketed=bracketed)


def head_of(text: str) -> str | None:
    """Returns the word that an expression begins with."""
    match = _HEAD.match(text)
    return match.group(1) if match else None
