"""Finds strings that may lead elsewhere: paths to definitions (``"users#show"``), and addresses
(``"/users/:id"``) by which parts of a program request something from each other.

One regular expression over the file finds them, and only its matches are looked up in the syntax
tree, since few strings in a file have the form of a path.
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

_MAX_LENGTH = 160
_QUOTED = re.compile(
    r"[\"'`](?=[\w/${<*\[%])((?:[A-Z]+ )?(?:\$\{[^{}\n]*\})?[^\s\"'`/.:#@\\]*+[/.:#@\\]"
    r"[^\s\"'`{]*+(?:\{[^{}\n]*\}[^\s\"'`{]*+)*+)(?=[\"'`])"
)
"""A string with a mark that may join the parts of a path. What is in braces is filled in at run
time, and may be anything."""
_HOLE = re.compile(
    r"\$\{[^{}]*\}|#?\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|\$\w+|(?<=/):\w+|(?<=/)\*\w*|%[sdv]"
)
_HOST = re.compile(r"(?:\w+:)?//[^/]*")
_METHOD = re.compile(r"[A-Z]+ ")
_PART = re.compile(r"\*|[\w.~-]*[A-Za-z][\w.~-]*")
_QUERY_START = re.compile(r"[?#(]")
_QUOTES = "\"'`"
_BEFORE_ARGUMENT = re.compile(r"(?:[(,]|\w )\s*[\w@$]?$")
"""What stands before a string that is an argument."""
_CONCATENATED = re.compile(
    r"\s*(?:\+|\.(?=[\s$]))\s*(?:[\w.$]|->)+(?:\([^()\n]*\)|\[[^\[\]\n]*\])*"
    r"(?:\s*(?:\+|\.(?=[\s\"']))\s*[\"'`]([^\"'`\s]*)[\"'`])?"
)
"""An expression that a string is concatenated with, and the string after that."""
_CONTEXT = 40
"""How many characters before a string show what it is part of."""
_MAX_HEIGHT = 5
"""How many nodes up from a string its argument list may be."""


class Texts:
    """Gathers such strings in one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self.paths: dict[int, tuple[int, str]] = {}
        """By the end of a path: the start of its last name, and what stands before that."""
        self._addresses: dict[int, tuple[str, int, int]] = {}
        """By the start of an address: its parts, and the span of the arguments that may handle
        it."""

    def scan(self, root: Node, spec: LanguageSpec) -> None:
        """Collects the strings of a tree."""
        flat, pattern, address_end = self._source.flat, _path_pattern(self._spec.text_marks), -1
        for match in _QUOTED.finditer(flat, root.start_byte, root.end_byte):
            start, end = match.span(1)
            content = match[1]
            path_match = pattern.fullmatch(content) if pattern else None
            is_address = "/" in content and start > address_end
            if end - start > _MAX_LENGTH or not (path_match or is_address):
                continue
            node = root.descendant_for_byte_range(start, end)
            if node is None or node.type not in spec.text_nodes or not _is_whole(node, match):
                continue
            if path_match:
                self.paths[end] = end - len(path_match[2]), path_match[1]
            if is_address:
                address_text, address_end = _concatenated(match)
                if parts := _address_parts(address_text):
                    self._addresses[start] = parts, *_later_arguments(node, start, spec, flat)

    def addresses(self, definitions: Definitions) -> tuple[Address, ...]:
        """Returns the addresses in text order."""
        frames = definitions.frames
        addresses: list[Address] = []
        for start, (parts, first, last) in sorted(self._addresses.items()):
            frame, (line, column) = frames.at(start), self._source.place(start)
            if frame.kind != SILENT:
                place = self._source.place
                later_arguments = (place(first), place(last)) if last else None
                may_name_handler = not _has_function(frames, first, last)
                addresses.append(
                    Address(parts, frame.ordinal, line, column, later_arguments, may_name_handler)
                )
        return tuple(addresses)


def _later_arguments(node: Node, start: int, spec: LanguageSpec, flat: str) -> tuple[int, int]:
    """Returns the span of the arguments after the string at ``start``. Zeros if it is no argument,
    or in a list or table that is one."""
    if not _BEFORE_ARGUMENT.search(flat, max(start - _CONTEXT, 0), start - 1):
        return (0, 0)  # looking for the nodes around a node is slow
    enclosing = node.parent
    for _ in range(_MAX_HEIGHT):
        if enclosing is None:
            break
        if enclosing.type in spec.argument_nodes:
            between = flat[enclosing.start_byte + 1 : node.start_byte]
            is_nested = any(mark in between for mark in "[{(")
            return (0, 0) if is_nested else (node.end_byte, enclosing.end_byte)
        enclosing = enclosing.parent
    return (0, 0)


def _has_function(frames: Frames, start: int, end: int) -> bool:
    """Whether an anonymous function begins between two offsets."""
    boundaries = frames.boundaries
    between = frames.innermost[bisect_left(boundaries, start) : bisect_left(boundaries, end)]
    return any(frame.kind == "scope" and start <= frame.start < end for frame in between)


def _is_whole(node: Node, match: re.Match[str]) -> bool:
    """Whether a string is all of its node, up to the quotation marks, and no quotation inside
    another string."""
    flat, start, end = match.string, node.start_byte, node.end_byte
    if (start, end) == match.span(1):
        return True
    return (
        match.start(1) - start <= 2 and end == match.end(1) + 1 and flat[start - 1] not in _QUOTES
    )


def _concatenated(match: re.Match[str]) -> tuple[str, int]:
    """Returns a string with what it is concatenated with, and the end of that."""
    flat, text, end = match.string, match[1], match.end(1) + 1
    while len(text) <= _MAX_LENGTH and (joined := _CONCATENATED.match(flat, end)):
        text, end = f"{text}{{}}{joined[1] or ''}", joined.end()
    is_continuation = flat[max(match.start() - _CONTEXT, 0) : match.start()].rstrip().endswith("+")
    return ("{}" if is_continuation else "") + text, end


def _address_parts(text: str) -> str:
    """Returns the parts of an address joined by slashes, with a leading one if it has one. What is
    filled in is a `HOLE`. Empty if the text is no address, says nothing, or names a host."""
    text = _HOLE.sub(HOLE, _METHOD.sub("", text, 1))
    host = _HOST.match(text)
    if host is not None:
        if HOLE not in host[0]:
            return ""
        text = text[host.end() :]
    text = _QUERY_START.split(text, 1)[0]
    if text.startswith(HOLE) and text[1:2].isalnum():
        text = f"/{text[1:]}"
    parts = [_address_part(part) for part in text.split("/") if part]
    is_rooted = text.startswith(("/", HOLE))
    if len(parts) < 2 - is_rooted or not all(map(_PART.fullmatch, parts)):
        return ""
    return ("/" if is_rooted or HOLE in parts else "") + "/".join(parts)


def _address_part(part: str) -> str:
    """Returns a part of an address; a number counts as filled in."""
    return HOLE if HOLE in part or part.isdecimal() else part


@functools.cache
def _path_pattern(marks: tuple[str, ...]) -> re.Pattern[str] | None:
    """Returns the pattern of a string that names something by a path, which is group 1; the name is
    group 2."""
    if not marks:
        return None
    name, mark = "[A-Za-z_][A-Za-z0-9_]*", "|".join(map(re.escape, marks))
    return re.compile(rf"({name}(?:[/.:\\]+{name})*)(?:{mark})({name}[!?]?)")
