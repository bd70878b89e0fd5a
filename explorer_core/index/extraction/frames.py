"""The stretches of a text that names belong to."""

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
"""The kind of a frame whose names are variables nowhere: those of a written type's parameters."""
BLOCK = "block"
"""The kind of a frame that is a part of a function, and has the variables declared in it alone."""
NAMELESS_KINDS = frozenset({"scope", "region", "open", UNBOUND, BLOCK})
_RUN_WITH_FILE = NAMELESS_KINDS | TYPE_KINDS | {CALLBACK, "module", "namespace"}
"""Kinds of frames in which code runs when the file does, or what it calls then."""
_SIBLING_KINDS = VALUE_KINDS | {"property", "type"}
_NOTHING = re.compile(r"[\s;]*")


class Region(msgspec.Struct, frozen=True, gc=False):
    """A stretch of text that has no name, and is to be a frame."""

    start: int
    end: int
    kind: str
    owner: str = ""
    code: int = -1
    """As in `Frame`."""


class Frame(msgspec.Struct, eq=False, gc=False):
    """A stretch of text whose names belong together: a definition, an anonymous function, a block
    of one, or a region whose members belong to a type named elsewhere."""

    ordinal: int
    kind: str
    end: int
    parent: Frame | None
    owner: str = ""
    start: int = -1
    name: str = ""
    name_start: int = -1
    visible: set[str] = set()
    own: frozenset[str] = frozenset()
    """Of an anonymous function or a block, the variables that it does not have from around it."""
    code: int = -1
    """Where what an anonymous function does begins, behind its parameters."""
    of_file: set[str] = set()
    """Names that it says are those of the file, whatever it binds to them."""
    functions: set[str] = set()
    """Names of definitions in it, which are no locals."""

    def type_frame(self) -> Frame | None:
        """The innermost frame, this one included, that is a type."""
        frame: Frame | None = self
        while frame is not None and frame.kind not in TYPE_KINDS:
            frame = frame.parent
        return frame

    def in_function(self) -> Iterator[Frame]:
        """This frame and, where it is a block, those around it up to the first that is none."""
        frame = self
        while frame.kind == BLOCK and frame.parent is not None:
            yield frame
            frame = frame.parent
        yield frame

    def beyond_blocks(self) -> Frame:
        """The innermost frame, this one included, that is no block."""
        *_, frame = self.in_function()
        return frame

    @property
    def is_code(self) -> bool:
        """Whether it is a function, be it one without a name."""
        return self.kind in CODE_KINDS or self.kind == "scope"

    @property
    def is_in_function(self) -> bool:
        """Whether it is a function, or a block of one."""
        return (self.is_code or self.kind == BLOCK) and self.parent is not None

    @property
    def runs_with_file(self) -> bool:
        """Whether what stands in it runs when the file does: it and all frames around it are types,
        namespaces, or functions that run with the file themselves."""
        frame = self
        while frame.parent is not None and frame.kind in _RUN_WITH_FILE:
            frame = frame.parent
        return frame.parent is None


class Frames:
    """The frames of one text, taken in from its beginning to its end, and what they have of their
    own."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.file = Frame(TOP, "", len(source.raw) + 1, None)
        self._open: list[Frame] = [self.file]
        self._hoisted: list[tuple[int, int]] = []
        """Where names are declared that belong to the function around, whatever block they stand
        in."""
        self.all: list[Frame] = [self.file]
        """All of them, each behind those around it."""
        self.points: list[int] = [0]
        self.at_point: list[Frame] = [self.file]
        """The innermost frame from each of the points on."""

    def at(self, offset: int) -> Frame:
        """The innermost frame at a byte offset."""
        return self.at_point[bisect_right(self.points, offset) - 1]

    def stretches(self) -> Iterator[tuple[Frame, int]]:
        """The innermost frames in the order of the text, each with where it ends to be that."""
        return zip(self.at_point, [*self.points[1:], self.file.end], strict=True)

    def definition(self, frame: Frame) -> Frame:
        """The definition that an anonymous function is all of (``const f = () => ...``), or else
        the frame itself."""
        frame = frame.beyond_blocks()
        around = frame.parent
        if frame.kind != "scope" or around is None or around.kind not in CODE_KINDS:
            return frame
        return around if self._is_last_in(around, frame.end) else frame

    def of_variable(self, frame: Frame, name: str) -> Frame:
        """The function, type or file that a variable is of which is bound in a frame."""
        frame = frame.beyond_blocks()
        return self.file if name in frame.of_file else frame

    def seen(self, frame: Frame | None, name: str, line: int) -> tuple[int, int]:
        """The first and last line on which a variable is seen that is bound on a line of a frame:
        the last of the anonymous function or the block that it is one of, 0 where that is the
        definition around it. What a function is handed to may stand before its parameters and
        begin with the same name, which is no parameter yet: ``r.Route("/", func(r Router) {``."""
        while frame is not None and frame.kind in NAMELESS_KINDS:
            if name in frame.own:
                first, last = self.lines(frame)
                return line + (line == first and self._is_handed_over(frame)), last
            frame = frame.parent
        return line, 0

    def _is_handed_over(self, frame: Frame) -> bool:
        """Whether a frame is an anonymous function that is not all of a definition, and does
        nothing yet on the line on which it begins."""
        line = self._source.line
        is_below = frame.code > frame.start and line(frame.code) > line(frame.start)
        return is_below and self.definition(frame) is frame

    def lines(self, frame: Frame) -> tuple[int, int]:
        """The first and the last line of a frame."""
        line = self._source.line
        return line(frame.start), line(max(frame.start, frame.end - 1))

    def nameless(self, frame: Frame) -> tuple[int, int] | None:
        """The first and the last line of the function without a name that a frame is a part of, if
        that is not all of a definition."""
        function = frame.beyond_blocks()
        is_all = function.kind != "scope" or self.definition(function) is not function
        return None if is_all else self.lines(function)

    def hoist(self, node: Node) -> None:
        """Note a name, or a pattern of names, that no block holds."""
        insort(self._hoisted, (node.start_byte, node.end_byte))

    def holder(self, frame: Frame, start: int) -> Frame:
        """The frame that has a variable for its own which is declared at an offset of another."""
        if frame.kind != BLOCK:
            return frame
        at = bisect_right(self._hoisted, (start, len(self._source.raw))) - 1
        if at < 0:
            return frame
        first, end = self._hoisted[at]
        return frame.beyond_blocks() if frame.start <= first and start < end else frame

    def around(self, start: int, end: int) -> Frame:
        """The innermost frame that what stands from ``start`` to ``end`` is in. Those that end
        before are closed; one of the same extent is no container."""
        while len(self._open) > 1:
            top = self._open[-1]
            same = top.start == start and top.end == end and top.kind in _SIBLING_KINDS
            if top.end > start and not same:
                break
            self._open.pop()
            if not same:
                self._mark(top.end, self._open[-1])
        return self._open[-1]

    def add(self, frame: Frame) -> None:
        """Take in a frame, behind all that begin before it."""
        self.all.append(frame)
        self._open.append(frame)
        self._mark(frame.start, frame)

    def add_region(self, region: Region, around: Frame) -> None:
        """Take in a frame of what has no name. The body of a function is no block in it, and a
        block that is in no function has nothing for its own."""
        kind, end = region.kind, region.end
        if kind == BLOCK:
            function = around.beyond_blocks()
            if not function.is_code or self._is_last_in(function, end):
                return
        start, code = region.start, region.code
        self.add(Frame(around.ordinal, kind, end, around, region.owner, start, code=code))

    def close(self) -> None:
        """Close the frames that are open at the end of the text."""
        size = len(self._source.raw)
        self.around(size + 1, size + 2)

    def settle(self) -> None:
        """Once the variables of all frames are known, note which of them each has for its own, and
        let those in it see them."""
        for frame in self.all:
            parent = frame.parent
            if frame.visible:
                frame.own = frozenset(frame.visible - frame.of_file)
            if parent is not None and parent.visible:
                if frame.visible:
                    frame.visible |= parent.visible
                else:
                    frame.visible = parent.visible
            if frame.of_file:
                frame.visible = frame.visible - frame.of_file

    def _is_last_in(self, around: Frame, end: int) -> bool:
        """Whether nothing stands in a frame behind an offset."""
        return _NOTHING.fullmatch(self._source.flat, end, around.end) is not None

    def _mark(self, point: int, frame: Frame) -> None:
        if self.points[-1] == point:
            self.at_point[-1] = frame
        else:
            self.points.append(point)
            self.at_point.append(frame)


def start_of_code(function: Node) -> int:
    """Where what a function without a name does begins, behind the bracket of its body."""
    body = function.child_by_field_name("body")
    body = body or next(reversed(function.named_children), function)
    inner = next((each for each in body.named_children if not each.is_extra), body)
    is_bracketed = not body.children[:1] or not body.children[0].is_named
    return inner.start_byte if is_bracketed else body.start_byte
