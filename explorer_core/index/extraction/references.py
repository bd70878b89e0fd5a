"""Uses of names: what is called, read, handed over, put in tables or written as a type."""

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
    LABELS_APART,
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
"""Ranks: one more than the place of a kind among `KINDS`."""
_IN_HEADS = (READ, CALL)
"""The ranks of what may stand before the name of a definition and be no use by it."""
OTHER, USE, LOCAL = 0, -1, -2
"""In place of a rank: no reference; a call where a parenthesis follows, else a read; a local."""
LABEL = len(KINDS) + 1
"""The rank of what looks like a name and is none, above those of all references."""
SILENT = "silent"
"""The kind of a frame whose names are no references of their own, such as an import."""
_TYPE = KINDS.index("type") + 1
_CONSTRUCT = KINDS.index("construct") + 1
_TABLE = KINDS.index("table") + 1
_DOTTED = re.compile(r"[A-Za-z_][\w.]*")
_MOST_REMEMBERED = 100_000
_CALLS = (CALL, _CONSTRUCT)
_BEFORE = re.compile(r"\w+\s+$")
_WORD_BEFORE = 24
"""Characters before the name of a type that is made among which the word for that is."""
_HEAD = re.compile(r"(?:\([&*]+(?:mut\s+)?\*?)?([\w$]+)")
"""What an expression begins with, which may be what a pointer in brackets leads to."""
_VARIABLE = re.compile(r"(\$?\w+)\s*[,)]")
_Written = tuple[int, int, int, str, str, str | None, int]
"""An expression that ends in a name: its rank, where it begins and ends, its receiver, the name,
the word that it begins with, and where the name stands; negative where it was put together."""
_NAME = re.compile(r"""[^\s()\[\]{}<>,;"'`|&=]{1,120}""")


RANKS = {f"reference.{kind}": rank for rank, kind in enumerate(KINDS, 1)} | {
    "reference.use": USE,
    "local": LOCAL,
    "local.type": LOCAL,
    "label": LABEL,
}
"""By main capture the rank of a reference, or what stands in its place."""


@functools.cache
def ranks_of(roles: tuple[str, ...]) -> tuple[int, ...]:
    """For each pattern of a query the rank of its reference kind."""
    return tuple(RANKS.get(role, OTHER) for role in roles)


class References:
    """Collects captured expressions by the byte offset at which they end, where the name stands."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.found: dict[int, tuple[int, int]] = {}
        self.owners: dict[int, str] = {}
        """Of what names a member without a receiver, by its end, the type it is a member of."""
        self.long_owners: dict[int, tuple[str, int, int]] = {}
        """The same of what is a member of a long call: how what it belongs to is written, and where
        that begins and ends, since its text is known when the references are settled."""
        self.arguments: dict[int, list[int]] = {}
        """Where the arguments of a call begin, by the end of its name, as far as they are counted;
        the complement of that for what stands beside the list of them."""
        self.labels: dict[int, int] = {}
        """Where what arguments are called begins and ends, which is no reference."""
        self.patterns: list[tuple[int, int]] = []
        """Where values are taken apart or types are written, and nothing is called or made."""
        self.held: Collection[str] = ()
        """The variables that hold what was made; asked for when the references are settled."""
        self.handovers: list[Handover] = []
        """Where these are arguments as they are; known when the references are settled."""
        self.expressions = Expressions(source, spec, self.found)

    def quoted(self, node: Node) -> None:
        """Take the names in a text that is a type."""
        for word in _DOTTED.finditer(self.source.flat, node.start_byte, node.end_byte):
            self.found.setdefault(word.end(), (_TYPE, word.start()))

    def named(self, paths: Mapping[int, tuple[int, str]]) -> None:
        """Take the names at the end of texts that are paths to them, by where they end: where each
        begins, and what stands before it."""
        for end, (start, path) in paths.items():
            if end not in self.found:
                self.found[end] = _TABLE, start
                self.owners[end] = TEXT + path

    def listed(self, texts: Iterable[tuple[int, int]]) -> None:
        """Take texts that name members of the type around, by where they begin and end."""
        for start, end in texts:
            self.found[end] = _TABLE, start
            self.owners[end] = TEXT + self.spec.self_names[0]

    def _take_patterns(self) -> None:
        """Take for types what looks like a call or a construction in patterns."""
        made = sorted(e for e, (rank, _) in self.found.items() if rank in (CALL, _CONSTRUCT))
        for start, end in self.patterns:
            for each in made[bisect_right(made, start) : bisect_right(made, end)]:
                self.found[each] = _TYPE, self.found[each][1]

    def _take(self, keys: Iterable[Key]) -> dict[int, str]:
        """Take keys for references, patterns for types and labels for none; the keys that are left,
        which are variables as well, by their ends; what stands behind a bare dot is none."""
        short: dict[int, str] = {}
        for key in keys:
            if key.end in self.found and self.source.flat[key.start - 1] != ".":
                short[key.end] = key.holder
            else:
                self.found.setdefault(key.end, (READ, key.start))
                self.owners[key.end] = key.holder
        if self.patterns:
            self._take_patterns()
        for end in self.labels.values():
            self.found.pop(end, None)
        return short

    def settle(
        self,
        definitions: Definitions,
        keys: Iterable[Key],
        placeholders: Mapping[int, tuple[int, str]],
    ) -> ReferenceTable:
        """The references in the order of the text, without reads of plain locals; where a key has
        the name of a local variable for its value, the key is kept. ``placeholders`` say what those
        expressions begin with that begin with a parameter without a name."""
        short = self._take(keys)
        for end, (written, *call) in self.long_owners.items():
            self.owners[end] = written.format(self.expressions.text(*call))
        rows, named, arguments = ReferenceRows(), definitions.named, self.arguments
        initial, bare_calls = definitions.initial, self.spec.bare_calls
        begun = {at for places in arguments.values() for at in places}
        outside = definitions.heads(e for e, (rank, _) in self.found.items() if rank in _IN_HEADS)
        stretches, places = definitions.frames.stretches(), PlacesInOrder(self.source)
        frame, frame_end = next(stretches)
        visible, silent = frame.visible, frame.kind == SILENT
        for rank, start, end, receiver, name, head, position in self._written(placeholders):
            if position >= frame_end:
                while position >= frame_end:
                    frame, frame_end = next(stretches)
                visible, silent = frame.visible, frame.kind == SILENT
            local = head in visible and rank != _MACRO
            local = local and not (head in initial.values and initial.hides(head, start, frame))
            by_path = self._by_path(receiver, head, start) if local and receiver else ""
            local, receiver = local and not by_path, by_path or receiver
            if local and not receiver and (rank != CALL or bare_calls):
                if end not in short:
                    continue
                receiver, rank, local = short[end], READ, False
            if silent or end in named or position < 0:
                continue
            line, column = places.at(position)
            scope = outside.get(end, frame.ordinal)
            is_counted = end in arguments
            count, labels = self._given(arguments[end], len(rows)) if is_counted else (-1, "")
            given = rank in _CALLS and (
                (start if rank == CALL else self._made_from(start)) in begun
            )
            kind = rank - 1
            rows.add(
                name, kind, receiver, line, column, scope, count, labels, local=local, given=given
            )
        return rows.table()

    def _written(self, placeholders: Mapping[int, tuple[int, str]]) -> Iterator[_Written]:
        """What ends in a name, in the order of the text."""
        source, owners = self.source, self.owners
        flat, padded, has_marks = source.flat, f"  {source.flat}", source.has_marks
        split = splitter_of(self.spec)
        for end, (rank, start) in sorted(self.found.items()):
            text, is_long = flat[start:end], end - start > LONG
            is_plain = text.isascii() and not is_long and not has_marks
            parts = split[text if is_plain else self._text(start, end)]
            if parts is None:
                continue
            receiver, name, head, width = parts
            # Behind a dot that nothing stands before, as in ``.red``, it goes without saying.
            is_bare = padded[start + 1] == "." != padded[start] and not width
            if is_bare or end in owners or start in placeholders:
                implied = self._begun(receiver, start, placeholders)
                receiver = owners.get(end, implied)
                head = head_of(receiver)
            position = end - width if width else start
            if width and is_long:
                position = self._last(name, start, end)
            yield rank, start, end, receiver, name, head, position

    def _by_path(self, receiver: str, head: str | None, start: int) -> str:
        """The receiver of a name, where that begins with a path and thus with no variable, though
        one has its name; with the mark that says so."""
        mark = self.spec.path_mark
        path = f"{head}{mark}" if head and mark else ""
        if not path or not self.source.flat.startswith(path, start):
            return ""
        return path if receiver == head else receiver

    def _made_from(self, start: int) -> int:
        """Where an expression begins that makes a value of a type: at the word before the type."""
        before = self.source.flat[max(start - _WORD_BEFORE, 0) : start]
        word = _BEFORE.search(before)
        return start - len(before) + word.start() if word else start

    def _begun(self, receiver: str, start: int, placeholders: Mapping[int, tuple[int, str]]) -> str:
        """A receiver that begins with a parameter without a name, with what that stands for; what
        stands behind a bare dot has an implicit one."""
        if start not in placeholders:
            return IMPLICIT
        behind, stands_for = placeholders[start]
        is_whole = receiver.startswith(self.source.flat[start:behind])
        return stands_for + receiver[behind - start :] if is_whole else receiver

    def _given(self, given: list[int], call: int) -> tuple[int, str]:
        """How many arguments the ``call``, one of the rows, gives, and what they are called, by
        where they begin; empty where none tells itself from what goes by its place."""
        if self.held:
            self._hand_over(given, call)
        found: list[str] = []
        for at in given:
            start = at if at >= 0 else ~at
            if end := self.labels.get(start):
                found.append(self.source.piece(start, end).strip("`"))
            else:
                found.append(UNLABELLED if at >= 0 else TRAILING)
        is_plain = all(each == UNLABELLED for each in found)
        return len(given), "" if is_plain else LABELS_APART.join(found)

    def _hand_over(self, given: list[int], call: int) -> None:
        """Take the variables among the arguments of a call that hold what was made."""
        for at in given:
            whole = _VARIABLE.match(self.source.flat, at) if at >= 0 else None
            if whole and whole[1] in self.held:
                self.handovers.append(Handover(whole[1], call))

    def _text(self, start: int, end: int) -> str:
        long = end - start > LONG
        return self.expressions.text(start, end) if long else self.source.piece(start, end)

    def _last(self, name: str, start: int, end: int) -> int:
        """Where the name of a long expression stands, which type arguments may follow; negative
        where it was put together from what is no name."""
        return self.source.raw.rfind(name.encode(), start, end)


class SplitName(NamedTuple):
    """``a.b.c`` as receiver ``a.b`` and name ``c``. ``head`` is the word that the whole begins
    with, if any; ``width`` the bytes of the name where it is not the whole."""

    receiver: str
    name: str
    head: str | None
    width: int


class Splitter(dict[str, SplitName | None]):
    """Splits expressions by a language's separators; None for what ends in no name.

    Remembers what it split, since code repeats itself."""

    def __init__(self, separators: tuple[str, ...], root: str, *, bracketed: bool) -> None:
        super().__init__()
        self._root = root
        self._bracketed = bracketed
        self._separators = separators
        self._marks = "".join({char for separator in separators for char in separator} - {">"})

    def __missing__(self, text: str) -> SplitName | None:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        found = self[text] = self._split(text)
        return found

    def split(self, text: str) -> tuple[str, str]:
        """Receiver and name, whatever it is; of a name at the root what says so is the receiver."""
        end, width = max([(_end_of_last(one, text), len(one)) for one in self._separators])
        name = text[end:].strip().lstrip(self._marks)
        if self._root and text.startswith(self._root) and end == len(self._root):
            return self._root, name
        before = text[: end - width].rstrip(self._marks + "!? \t\n") if end else ""
        receiver = receiver_text(before) if before else ""
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
    """Where the last separator that something follows ends; 0 where there is none. The ``->`` of an
    ``operator->`` is part of its name."""
    at = text.rfind(separator, 0, -1)
    return 0 if at < 0 else at + len(separator)


def splitter_of(spec: LanguageSpec) -> Splitter:
    """The splitter of a language; it is one for the life of the process."""
    return _splitter(spec.separators, spec.root, spec.bracketed_calls)


@functools.cache
def _splitter(separators: tuple[str, ...], root: str, bracketed: bool) -> Splitter:
    return Splitter(separators, root, bracketed=bracketed)


def head_of(text: str) -> str | None:
    """The word that an expression begins with."""
    found = _HEAD.match(text)
    return found.group(1) if found else None
