"""Frames: the stretches of a text that names belong to, such as a function or a block."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from typing import TYPE_CHECKING

import msgspec

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.kinds import CALLBACK, CODE_KINDS, TYPE_KINDS, VALUE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.source import Source

UNBOUND = "unbound"
"""The kind of a frame whose names are never variables, such as the parameters of a function
type."""
BLOCK = "block"
"""The kind of a frame that is part of a function and has its own variables."""
NAMELESS_KINDS = frozenset({"scope", "region", "open", UNBOUND, BLOCK})
_RUN_WITH_FILE = NAMELESS_KINDS | TYPE_KINDS | {CALLBACK, "module", "namespace"}
"""Kinds of frames whose code runs when the file does, or is called by what runs then."""
_SIBLING_KINDS = VALUE_KINDS | {"property", "type"}
_BLANK = re.compile(r"[\s;]*")


class Region(msgspec.Struct, frozen=True, gc=False):
    """A stretch of text without a name that is to become a frame."""

    start: int
    end: int
    kind: str
    owner: str = ""
    code_start: int = -1
    """As in `Frame`."""


class Frame(msgspec.Struct, eq=False, gc=False):
    """A stretch of text whose names belong together: a definition, an anonymous function, a block
    in one, or a region whose members belong to a type named elsewhere."""

    ordinal: int
    kind: str
    end: int
    parent: Frame | None
    owner: str = ""
    start: int = -1
    name: str = ""
    name_start: int = -1
    visible: set[str] = set()
    own_variables: frozenset[str] = frozenset()
    """The variables that an anonymous function or block does not have from outside."""
    code_start: int = -1
    """Where the code of an anonymous function begins, after its parameters."""
    global_names: set[str] = set()
    """Names that it declares to be the file's, even where it assigns to them."""
    definition_names: set[str] = set()
    """Names of definitions in it, which are no locals."""

    def type_frame(self) -> Frame | None:
        """Returns the innermost type, starting from this frame."""
        frame: Frame | None = self
        while frame is not None and frame.kind not in TYPE_KINDS:
            frame = frame.parent
        return frame

    def owning_frame(self, name: str) -> Frame | None:
        """Returns the innermost frame that owns a variable, starting from this one."""
        frame: Frame | None = self
        while frame is not None and name not in frame.own_variables:
            frame = frame.parent
        return frame

    def in_function(self) -> Iterator[Frame]:
        """Yields this frame and, if it is a block, the frames around it up to the first that is
        none."""
        frame = self
        while frame.kind == BLOCK and frame.parent is not None:
            yield frame
            frame = frame.parent
        yield frame

    def beyond_blocks(self) -> Frame:
        """Returns the innermost frame that is no block, starting from this one."""
        *_, frame = self.in_function()
        return frame

    @property
    def is_code(self) -> bool:
        """Whether it is a function, named or not."""
        return self.kind in CODE_KINDS or self.kind == "scope"

    @property
    def is_in_function(self) -> bool:
        """Whether it is a function, or a block in one."""
        return (self.is_code or self.kind == BLOCK) and self.parent is not None

    @property
    def runs_with_file(self) -> bool:
        """Whether its code runs when the file does: it and all frames around it are types,
        namespaces, or functions that run with the file."""
        frame = self
        while frame.parent is not None and frame.kind in _RUN_WITH_FILE:
            frame = frame.parent
        return frame.parent is None


class Frames:
    """The frames of one text, added from its beginning to its end."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.file = Frame(TOP, "", len(source.raw) + 1, None)
        self._open: list[Frame] = [self.file]
        self._hoisted: list[tuple[int, int]] = []
        """The spans of names that belong to the function around, whatever block they are in."""
        self.all: list[Frame] = [self.file]
        """All frames; each follows the ones around it."""
        self.boundaries: list[int] = [0]
        self.innermost: list[Frame] = [self.file]
        """The innermost frame from each of the points on."""

    def at(self, offset: int) -> Frame:
        """Returns the innermost frame at a byte offset."""
        return self.innermost[bisect_right(self.boundaries, offset) - 1]

    def stretches(self) -> Iterator[tuple[Frame, int]]:
        """Yields the innermost frames in text order, each with the offset up to which it is
        that."""
        return zip(self.innermost, [*self.boundaries[1:], self.file.end], strict=True)

    def definition(self, frame: Frame) -> Frame:
        """Returns the definition whose whole value is this anonymous function (``const f = () =>
        ...``), or else the frame itself."""
        frame = frame.beyond_blocks()
        enclosing = frame.parent
        if frame.kind != "scope" or enclosing is None or enclosing.kind not in CODE_KINDS:
            return frame
        return enclosing if self._is_last_in(enclosing, frame.end) else frame

    def binding_frame(self, frame: Frame, name: str) -> Frame:
        """Returns the function, type or file that owns a variable bound in a frame."""
        frame = frame.beyond_blocks()
        return self.file if name in frame.global_names else frame

    def visible_lines(self, frame: Frame | None, name: str, line: int) -> tuple[int, int]:
        """Returns the first and last line on which a variable bound on a line of a frame is
        visible.

        The last line is that of the anonymous function or block that owns it; 0 if the definition
        around owns it. The callee before a function's parameters may begin with the name of one,
        which is no parameter yet: ``r.Route("/", func(r Router) {``.
        """
        while frame is not None and frame.kind in NAMELESS_KINDS:
            if name in frame.own_variables:
                first, last = self.lines(frame)
                return line + (line == first and self._is_passed_on(frame)), last
            frame = frame.parent
        return line, 0

    def _is_passed_on(self, frame: Frame) -> bool:
        """Whether a frame is an anonymous function that is passed on, rather than all of a
        definition, and whose code begins below its first line."""
        line = self._source.line
        is_below = frame.code_start > frame.start and line(frame.code_start) > line(frame.start)
        return is_below and self.definition(frame) is frame

    def lines(self, frame: Frame) -> tuple[int, int]:
        """Returns the first and the last line of a frame."""
        line = self._source.line
        return line(frame.start), line(max(frame.start, frame.end - 1))

    def anonymous_lines(self, frame: Frame) -> tuple[int, int] | None:
        """Returns the first and last line of the anonymous function around a frame; None if that is
        all of a definition."""
        function = frame.beyond_blocks()
        is_all = function.kind != "scope" or self.definition(function) is not function
        return None if is_all else self.lines(function)

    def hoist(self, node: Node) -> None:
        """Notes a name, or a pattern of names, that belongs to no block."""
        insort(self._hoisted, (node.start_byte, node.end_byte))

    def declaring_frame(self, frame: Frame, start: int) -> Frame:
        """Returns the frame that owns a variable declared at an offset of a frame."""
        if frame.kind != BLOCK:
            return frame
        index = bisect_right(self._hoisted, (start, len(self._source.raw))) - 1
        if index < 0:
            return frame
        hoisted_start, hoisted_end = self._hoisted[index]
        return (
            frame.beyond_blocks() if frame.start <= hoisted_start and start < hoisted_end else frame
        )

    def enclosing(self, start: int, end: int) -> Frame:
        """Returns the innermost frame around ``start`` to ``end``. Frames that end before are
        closed. A frame of the same extent is no container."""
        while len(self._open) > 1:
            innermost = self._open[-1]
            is_same_extent = (
                innermost.start == start
                and innermost.end == end
                and innermost.kind in _SIBLING_KINDS
            )
            if innermost.end > start and not is_same_extent:
                break
            self._open.pop()
            if not is_same_extent:
                self._add_boundary(innermost.end, self._open[-1])
        return self._open[-1]

    def add(self, frame: Frame) -> None:
        """Adds a frame. All that begin before it must have been added."""
        self.all.append(frame)
        self._open.append(frame)
        self._add_boundary(frame.start, frame)

    def add_region(self, region: Region, enclosing: Frame) -> None:
        """Adds a frame without a name. A function's body is no block in it, and a block outside of
        functions is ignored."""
        kind, end = region.kind, region.end
        if kind == BLOCK:
            function = enclosing.beyond_blocks()
            if not function.is_code or self._is_last_in(function, end):
                return
        start, code_start = region.start, region.code_start
        self.add(
            Frame(
                enclosing.ordinal, kind, end, enclosing, region.owner, start, code_start=code_start
            )
        )

    def close(self) -> None:
        """Closes the frames that are open at the end of the text."""
        size = len(self._source.raw)
        self.enclosing(size + 1, size + 2)

    def settle(self) -> None:
        """Determines the variables that each frame owns, and makes those of outer frames visible in
        inner ones. To be called once all variables are known."""
        for frame in self.all:
            parent = frame.parent
            if frame.visible:
                frame.own_variables = frozenset(frame.visible - frame.global_names)
            if parent is not None and parent.visible:
                if frame.visible:
                    frame.visible |= parent.visible
                else:
                    frame.visible = parent.visible
            if frame.global_names:
                frame.visible = frame.visible - frame.global_names

    def _is_last_in(self, frame: Frame, end: int) -> bool:
        """Whether nothing follows an offset in a frame."""
        return _BLANK.fullmatch(self._source.flat, end, frame.end) is not None

    def _add_boundary(self, boundary: int, frame: Frame) -> None:
        if self.boundaries[-1] == boundary:
            self.innermost[-1] = frame
        else:
            self.boundaries.append(boundary)
            self.innermost.append(frame)


def start_of_code(function: Node) -> int:
    """Returns where the code of an anonymous function begins, inside the bracket of its body."""
    body = function.child_by_field_name("body")
    body = body or next(reversed(function.named_children), function)
    inner = next((child for child in body.named_children if not child.is_extra), body)
    is_bracketed = not body.children[:1] or not body.children[0].is_named
    return inner.start_byte if is_bracketed else body.start_byte
