"""Texts that may lead somewhere else: paths to definitions (``"users#show"``), and addresses
(``"/users/:id"``), under which one part of a program asks another for something.

They are found by one regular expression over the text of the file, and only what that finds is
looked up in the syntax tree: of all texts in a file few have the form of a path.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import HOLE, Address
from explorer_core.index.extraction.references import SILENT

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.frames import Frames
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_LONGEST = 160
_QUOTED = re.compile(
    r"[\"'`](?=[\w/${<*\[%])((?:[A-Z]+ )?(?:\$\{[^{}\n]*\})?[^\s\"'`/.:#@\\]*+[/.:#@\\]"
    r"[^\s\"'`{]*+(?:\{[^{}\n]*\}[^\s\"'`{]*+)*+)(?=[\"'`])"
)
"""A text with a mark in it that may join the parts of a path. What stands in braces is put in when
the program runs, and may be anything."""
_HOLE = re.compile(
    r"\$\{[^{}]*\}|#?\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|\$\w+|(?<=/):\w+|(?<=/)\*\w*|%[sdv]"
)
_HOST = re.compile(r"(?:\w+:)?//[^/]*")
_METHOD = re.compile(r"[A-Z]+ ")
_PART = re.compile(r"\*|[\w.~-]*[A-Za-z][\w.~-]*")
_BEHIND = re.compile(r"[?#(]")
_QUOTES = "\"'`"
_BEFORE = re.compile(r"(?:[(,]|\w )\s*[\w@$]?$")
"""What stands before a text that is an argument."""
_JOINED = re.compile(
    r"\s*(?:\+|\.(?=[\s$]))\s*(?:[\w.$]|->)+(?:\([^()\n]*\)|\[[^\[\]\n]*\])*"
    r"(?:\s*(?:\+|\.(?=[\s\"']))\s*[\"'`]([^\"'`\s]*)[\"'`])?"
)
"""What a text is joined with that has no name for it, and the text behind that."""
_NEAR = 40
"""Characters before a text that tell what it is a part of."""
_OUTWARDS = 5
"""Nodes from a text to the list of arguments that it is one of."""


class Texts:
    """Gathers those of one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self.paths: dict[int, tuple[int, str]] = {}
        """By where a path ends, where its last name begins, and what stands before that."""
        self._addresses: dict[int, tuple[str, int, int]] = {}
        """By where an address begins, its parts, and from where to where that stands which may
        answer there."""

    def scan(self, root: Node, spec: LanguageSpec) -> None:
        """Take in the texts of a tree."""
        flat, path, beyond = self._source.flat, _path(self._spec.text_marks), -1
        for match in _QUOTED.finditer(flat, root.start_byte, root.end_byte):
            start, end = match.span(1)
            written = match[1]
            named = path.fullmatch(written) if path else None
            is_address = "/" in written and start > beyond
            if end - start > _LONGEST or not (named or is_address):
                continue
            node = root.descendant_for_byte_range(start, end)
            if node is None or node.type not in spec.text_nodes or not _is_all(node, match):
                continue
            if named:
                self.paths[end] = end - len(named[2]), named[1]
            if is_address:
                whole, beyond = _joined(match)
                if parts := _parts(whole):
                    self._addresses[start] = parts, *_answering(node, start, spec, flat)

    def addresses(self, definitions: Definitions) -> tuple[Address, ...]:
        """The addresses, in the order of the text."""
        frames = definitions.frames
        found: list[Address] = []
        for start, (parts, first, last) in sorted(self._addresses.items()):
            frame, (line, column) = frames.at(start), self._source.place(start)
            if frame.kind != SILENT:
                place = self._source.place
                behind = (place(first), place(last)) if last else None
                names = not _has_function(frames, first, last)
                found.append(Address(parts, frame.ordinal, line, column, behind, names))
        return tuple(found)


def _answering(node: Node, start: int, spec: LanguageSpec, flat: str) -> tuple[int, int]:
    """From where to where the other arguments of a call stand that the text at an offset is one of;
    zeros where it is none, or in a list or table that is one."""
    if not _BEFORE.search(flat, max(start - _NEAR, 0), start - 1):
        return (0, 0)  # asking for what is around a node takes long
    around = node.parent
    for _ in range(_OUTWARDS):
        if around is None:
            break
        if around.type in spec.argument_nodes:
            between = flat[around.start_byte + 1 : node.start_byte]
            is_inner = any(mark in between for mark in "[{(")
            return (0, 0) if is_inner else (node.end_byte, around.end_byte)
        around = around.parent
    return (0, 0)


def _has_function(frames: Frames, start: int, end: int) -> bool:
    """Whether a function without a name begins between two offsets."""
    points = frames.points
    between = frames.at_point[bisect_left(points, start) : bisect_left(points, end)]
    return any(frame.kind == "scope" and start <= frame.start < end for frame in between)


def _is_all(node: Node, match: re.Match[str]) -> bool:
    """Whether a text is all of its node, which may have the marks of the text, and not itself a
    quotation in another."""
    flat, start, end = match.string, node.start_byte, node.end_byte
    if (start, end) == match.span(1):
        return True
    return (
        match.start(1) - start <= 2 and end == match.end(1) + 1 and flat[start - 1] not in _QUOTES
    )


def _joined(match: re.Match[str]) -> tuple[str, int]:
    """A text with what it is joined with, and where that ends."""
    flat, text, at = match.string, match[1], match.end(1) + 1
    while len(text) <= _LONGEST and (joined := _JOINED.match(flat, at)):
        text, at = f"{text}{{}}{joined[1] or ''}", joined.end()
    is_behind = flat[max(match.start() - _NEAR, 0) : match.start()].rstrip().endswith("+")
    return ("{}" if is_behind else "") + text, at


def _parts(text: str) -> str:
    """The parts of an address, with strokes between them, and before them where it begins with one:
    what is put in is a `HOLE`. Empty where a text is no address, or says nothing, or where it is
    that of a host which it names."""
    text = _HOLE.sub(HOLE, _METHOD.sub("", text, 1))
    host = _HOST.match(text)
    if host is not None:
        if HOLE not in host[0]:
            return ""
        text = text[host.end() :]
    text = _BEHIND.split(text, 1)[0]
    if text.startswith(HOLE) and text[1:2].isalnum():
        text = f"/{text[1:]}"
    parts = [_part(part) for part in text.split("/") if part]
    begins = text.startswith(("/", HOLE))
    if len(parts) < 2 - begins or not all(map(_PART.fullmatch, parts)):
        return ""
    return ("/" if begins or HOLE in parts else "") + "/".join(parts)


def _part(part: str) -> str:
    """A part of an address; one that is a number is such as may be put in."""
    return HOLE if HOLE in part or part.isdecimal() else part


@functools.cache
def _path(marks: tuple[str, ...]) -> re.Pattern[str] | None:
    """What a text is that names something by a path: that is group 1, the name group 2."""
    if not marks:
        return None
    name, mark = "[A-Za-z_][A-Za-z0-9_]*", "|".join(map(re.escape, marks))
    return re.compile(rf"({name}(?:[/.:\\]+{name})*)(?:{mark})({name}[!?]?)")
