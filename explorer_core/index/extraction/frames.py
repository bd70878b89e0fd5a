"""The stretches of a text that names belong to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer_core.index.extraction.kinds import TYPE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

UNBOUND = "unbound"
"""The kind of a frame whose names are variables nowhere: those of a written type's parameters."""
BLOCK = "block"
"""The kind of a frame that is a part of a function, and has the variables declared in it alone."""
NAMELESS_KINDS = frozenset({"scope", "region", "open", UNBOUND, BLOCK})
OWNING_KINDS = frozenset({"scope", BLOCK})


@dataclass(slots=True, eq=False)
class Frame:
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
    visible: set[str] = field(default_factory=set[str])
    own: frozenset[str] = frozenset()
    """Of an anonymous function or a block, the variables that it does not have from around it."""
    functions: set[str] = field(default_factory=set[str])
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
